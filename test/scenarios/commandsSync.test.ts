import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { operate } from "../../src/cli/operator.ts";
import { COMMAND, done, linesOf } from "../support/commands.ts";
import { fullTender, publish } from "../support/examples.ts";
import { openProcesses, until } from "../support/processes.ts";
import { oneWorld } from "../support/world.ts";

/** A mirror of the registry lacks nothing, however often whoever made it was killed. */

const world = await oneWorld();
const api = world.api("2.5");
const { folder, run } = openProcesses("sync");
const TENDERS = 420;
const ROUNDS = 4;

const made: { readonly id: string; readonly token: string }[] = [];
const publishOne = async (title: string): Promise<void> => {
  made.push(await publish(api, { ...fullTender(world.clock.now), title }));
};

type Seen = { readonly id: string; readonly dateModified: string; readonly tender: unknown };
const linesIn = (dir: string): readonly Seen[] => linesOf(readFileSync(join(dir, "tenders.jsonl"), "utf8"));
const stateIn = (dir: string) => JSON.parse(readFileSync(join(dir, "state.json"), "utf8"));
const sync = (dir: string, ...more: readonly string[]) => operate(["sync", dir, "--url", world.url, ...more], {});

/** The last line of every tender is how the registry shows it, and no state stands there twice. */
async function assertMirrors(dir: string): Promise<void> {
  const lines = linesIn(dir);
  const last = new Map(lines.map((line) => [line.id, line]));
  assert.equal(last.size, made.length);
  const states = new Set(lines.map(({ id, dateModified }) => `${id} ${dateModified}`));
  assert.equal(states.size, lines.length, "a state stands there twice");
  for (const { id } of made) {
    const { data } = (await (await fetch(`${api.root}/tenders/${id}`)).json()) as { data: Seen };
    assert.deepEqual(last.get(id)?.tender, data);
    assert.equal(last.get(id)?.dateModified, data.dateModified);
  }
}

describe("sync", () => {
  before(async () => {
    await Promise.all(Array.from({ length: TENDERS }, (_, i) => publishOne(`Tender ${i}`)));
  });

  it("killed at any moment and run again, lacks nothing that was or is being written", {
    timeout: 120_000,
  }, async () => {
    const dir = join(folder, "killed");
    const size = () => (existsSync(join(dir, "tenders.jsonl")) ? statSync(join(dir, "tenders.jsonl")).size : 0);
    for (let round = 0; round < ROUNDS; round++) {
      const from = size();
      const going = run([...COMMAND, "sync", dir, "--follow", "--url", world.url]);
      const edit = made[(round * 131) % made.length]!;
      // Somebody writes meanwhile, and it is killed while lines are being added.
      const patched = api.patch(`/tenders/${edit.id}`, { title: `Edited ${round}` }, { token: edit.token });
      await until(() => size() > from, going.said);
      // Sometimes between the lines and the place, sometimes later.
      await pause(round * 5);
      going.child.kill("SIGKILL");
      await going.ended;
      assert.equal((await patched).status, 200);
      await publishOne(`Late ${round}`);
    }
    done(await sync(dir));
    await assertMirrors(dir);
  });

  it("cuts off half a line, and reads it again", async () => {
    const dir = join(folder, "torn");
    done(await sync(dir));
    const lines = join(dir, "tenders.jsonl");
    const whole = linesIn(dir).length;
    appendFileSync(lines, '{"id":"0b2e","dateMod');
    done(await sync(dir));
    assert.equal(linesIn(dir).length, whole);
    await assertMirrors(dir);
  });

  it("whose place was lost reads all again, and writes nothing twice", async () => {
    const dir = join(folder, "placeless");
    done(await sync(dir));
    writeFileSync(join(dir, "state.json.new"), "{half");
    const before = readFileSync(join(dir, "tenders.jsonl"), "utf8");
    const state = stateIn(dir);
    // As if killed between the lines and the place, with everything in one page.
    writeFileSync(join(dir, "state.json"), JSON.stringify({ ...state, offset: "", bytes: 0, lines: 0 }));
    done(await sync(dir));
    assert.equal(readFileSync(join(dir, "tenders.jsonl"), "utf8"), before);
    assert.deepEqual(stateIn(dir), state);
  });

  it("does not go on over lines that somebody cut off", async () => {
    const dir = join(folder, "shortened");
    done(await sync(dir));
    truncateSync(join(dir, "tenders.jsonl"), 100);
    const { code, err } = await sync(dir);
    assert.equal(code, 1);
    assert.match(err, /is shorter than state\.json says/);
  });

  it("follows until it is told to end, and says where it stands", async () => {
    const dir = join(folder, "followed");
    const going = run([...COMMAND, "sync", dir, "--follow", "--json", "--url", world.url]);
    const isThere = (title: string) =>
      existsSync(join(dir, "tenders.jsonl")) && readFileSync(join(dir, "tenders.jsonl"), "utf8").includes(title);
    await until(() => isThere("Late 3"), going.said);
    await publishOne("While it follows");
    await until(() => isThere("While it follows"), going.said);
    const second = await sync(dir);
    assert.equal(second.code, 1);
    assert.match(second.err, /another sync to .* is running/);
    going.child.kill("SIGINT");
    assert.deepEqual(await going.ended, [0, null]);
    assert.match(going.said(), /To go on from here: npx tenderhall sync/);
    await assertMirrors(dir);
  });

  it("with --compact leaves the latest state of each tender, and goes on from there", async () => {
    const dir = join(folder, "compacted");
    done(await sync(dir));
    for (const { id, token } of made.slice(0, 2))
      for (const title of ["once", "twice"]) {
        await api.patch(`/tenders/${id}`, { title }, { token });
        done(await sync(dir));
      }
    assert.equal(linesIn(dir).length, made.length + 4);
    const told = JSON.parse(done(await sync(dir, "--compact", "--json")).out);
    assert.equal(told.lines, made.length);
    assert.equal(linesIn(dir).length, made.length);
    await assertMirrors(dir);
    await publishOne("After it");
    done(await sync(dir));
    await assertMirrors(dir);
  });

  it("that was killed while it compacted goes on", async () => {
    const dir = join(folder, "compacting");
    done(await sync(dir));
    writeFileSync(join(dir, "tenders.jsonl.new"), '{"id":"half');
    writeFileSync(join(dir, "state.json"), JSON.stringify({ ...stateIn(dir), bytes: null }));
    await publishOne("Later still");
    done(await sync(dir));
    assert.equal(stateIn(dir).lines, made.length);
    await assertMirrors(dir);
  });

  it("refuses a folder that mirrors another registry", async () => {
    const dir = join(folder, "torn");
    const { code, err } = await operate(["sync", dir, "--url", world.url.replace("127.0.0.1", "localhost")], {});
    assert.equal(code, 1);
    assert.match(err, /another one needs a folder of its own/);
  });
});
