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
  const log = openLog((more) => (text += more), { info: true });
  log.request({ ...FACTS, ...facts });
  log.info("request", { ...FACTS, ...facts });
  log.flush();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => ({ ...JSON.parse(line), time: "" }));
}

describe("the line of a request", () => {
  it("says what any other line with these facts would, whatever path and name are made of", () => {
    const texts = ["/", '/"', "/\\", "/\u007f\u00ff", "/\n", "/\ud83d\ude00", "/\ud83d", `/${"x".repeat(300)}"`];
    for (const text of texts)
      for (const [user, address] of [
        [undefined, undefined],
        [text, undefined],
        [text, text],
      ]) {
        const [byHand, byEngine] = logged({ path: text, user, address });
        assert.deepEqual(byHand, byEngine);
      }
  });
});
