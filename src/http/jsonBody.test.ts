import assert from "node:assert/strict";
import { once } from "node:events";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { openBodyBudget } from "./bodyBudget.ts";
import { RequestAborted, readJsonBody } from "./jsonBody.ts";

describe("reading a JSON body", () => {
  it("rejects at once and takes nothing from the budget if the client has already disconnected", async () => {
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
