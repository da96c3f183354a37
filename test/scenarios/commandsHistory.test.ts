import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runCli } from "../../src/cli/runCli.ts";
import { assertSucceeded, parseLines } from "../support/commands.ts";
import { fullTender, publish } from "../support/examples.ts";
import { sharedWorld } from "../support/world.ts";

const world = await sharedWorld();
const api = world.api("2.5");
const there = (...args: readonly string[]) => runCli([...args, "--url", world.url], {});

describe("tender history", () => {
  it("lists the versions of a tender, the latest first, by its id or its number", async () => {
    const { id, path, token, response } = await publish(api, fullTender(world.clock.now));
    await api.patch(path, { title: "Обіди" }, { token });
    const { out } = assertSucceeded(await there("tender", "history", id));
    const [head, ...rows] = out.trimEnd().split("\n");
    assert.match(head!, /^VERSION +DATE +ACT +STATUS +CHANGED$/);
    assert.match(rows[0]!, /^2 +2026-11-\S+ +edit tender +active\.enquiries +title$/);
    assert.match(rows[1]!, /^1 +2026-11-\S+ +publish tender +active\.enquiries$/);
    assert.equal(assertSucceeded(await there("tender", "history", response.body.data.tenderID)).out, out);
  });

  it("prints JSON lines with the old and new values", async () => {
    const { id, path, token } = await publish(api, fullTender(world.clock.now));
    await api.patch(path, { title: "Обіди" }, { token });
    const [last, ...others] = parseLines(
      assertSucceeded(await there("tender", "history", id, "--limit", "1", "--json")).out,
    );
    assert.deepEqual(others, []);
    assert.deepEqual(last?.changes, [{ path: "/title", before: fullTender().title, after: "Обіди" }]);
  });

  it("fails for a tender that does not exist, and says that a draft has none", async () => {
    const { code, err } = await there("tender", "history", "0".repeat(32));
    assert.equal(code, 1);
    assert.match(err, /there is no tender 0{32}/);
    const draft = await publish(api, { ...fullTender(world.clock.now), status: "draft" });
    assert.match(assertSucceeded(await there("tender", "history", draft.id)).out, /not published yet/);
    assert.equal((await there("tender", "history")).code, 2);
  });
});
