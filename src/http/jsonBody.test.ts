import assert from "node:assert/strict";
import { once } from "node:events";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { openBodyBudget } from "./bodyBudget.ts";
import { RequestAborted, readJsonBody } from "./jsonBody.ts";

describe("a body whose client has gone", () => {
  it("before anybody began to read it is waited for by nobody, and holds no room", async () => {
    const budget = openBodyBudget({ bytesMax: 1000, bytesPerAccountMax: 1000 });
    const request = new IncomingMessage(new Socket());
    request.headers["content-length"] = "100";
    request.push('{"data"');
    request.destroy();
    await once(request, "close");
    const reading = readJsonBody(request, { lease: budget.open("broker"), bytesMax: 1000, valuesMax: 10, noData: "" });
    const outcome = reading.then(
      () => "read",
      (error) => error,
    );
    assert.ok((await Promise.race([outcome, setImmediate("still waiting")])) instanceof RequestAborted);
    assert.equal(budget.bytes(), 0);
  });
});
