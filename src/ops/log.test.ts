import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openLog } from "./log.ts";

const FACTS = {
  requestId: "0af1",
  method: "GET",
  path: "/",
  status: 200,
  ms: 0.25,
  user: undefined,
  address: undefined,
};

function logged(facts: object): readonly unknown[] {
  let text = "";
  const log = openLog((lines) => (text += lines), { info: true });
  log.request({ ...FACTS, ...facts });
  log.info("request", { ...FACTS, ...facts });
  log.flush();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => ({ ...JSON.parse(line), time: "" }));
}

describe("the log line of a request", () => {
  it("equals the general line with the same facts, whatever characters path, user and address contain", () => {
    const texts = ["/", '/"', "/\\", "/\u007f\u00ff", "/\n", "/\ud83d\ude00", "/\ud83d", `/${"x".repeat(300)}"`];
    for (const text of texts)
      for (const [user, address] of [
        [undefined, undefined],
        [text, undefined],
        [text, text],
      ]) {
        const [requestLine, generalLine] = logged({ path: text, user, address });
        assert.deepEqual(requestLine, generalLine);
      }
  });
});
