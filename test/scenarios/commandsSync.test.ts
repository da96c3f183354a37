import assert from "node:assert/strict";
import { appendFileSync, cpSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { runCli } from "../../src/cli/runCli.ts";
import { assertSucceeded, COMMAND, parseLines } from "../support/commands.ts";
import { fullTender, publish } from "../support/examples.ts";
import { openProcesses, type RunningProcess, TIMEOUT_MS, waitUntil } from "../support/processes.ts";
import { sharedWorld } from "../support/world.ts";

/** A mirror misses nothing, however often `sync` is killed. */

const world = await sharedWorld();
const api = world.api("2.5");
const { folder, run } = openProcesses("sync");
/** More than two pages. */
const TENDERS = 210;
const ROUNDS = 3;

const made: { readonly id: string; readonly token: string }[] = [];
const publishOne = async (title: string): Promise<void> => {
  made.push(await publish(api, { ...fullTender(world.clock.now), title }));
};

type MirrorLine = { readonly id: string; readonly dateModified: string; readonly tender: unknown };
const textIn = (dir: string): string => readFileSync(join(dir, "tenders.jsonl"), "utf8");
const linesIn = (dir: string): readonly MirrorLine[] => parseLines(textIn(dir));
const stateIn = (dir: string) => JSON.parse(readFileSync(join(dir, "state.json"), "utf8"));
const stateText = (dir: string) =>
  existsSync(join(dir, "state.json")) ? readFileSync(join(dir, "state.json"), "utf8") : "";
const sync = (dir: string, ...more: readonly string[]) => runCli(["sync", dir, "--url", world.url, ...more], {});

/** Asserts that the last line of every tender is its public state, and that no state occurs twice. */
async function assertMirrors(dir: string): Promise<void> {
  const lines = linesIn(dir);
  const last = new Map(lines.map((line) => [line.id, line]));
  assert.equal(last.size, made.length);
  const states = new Set(lines.map(({ id, dateModified }) => `${id} ${dateModified}`));
  assert.equal(states.size, lines.length, "a state stands there twice");
  const shown = await Promise.all(
    made.map(({ id }) => fetch(`${api.root}/tenders/${id}`).then((response) => response.json())),
  );
  for (const { data } of shown as { data: MirrorLine }[]) {
    assert.deepEqual(last.get(data.id)?.tender, data);
    assert.equal(last.get(data.id)?.dateModified, data.dateModified);
  }
}

const WHOLE = join(folder, "killed");

/** A folder with a complete mirror. */
async function openMirror(name: string): Promise<string> {
  const dir = join(folder, name);
  cpSync(WHOLE, dir, { recursive: true });
  assertSucceeded(await sync(dir));
  return dir;
}

/** Follows, and waits until it has received a change. */
async function startFollowing(dir: string, ...more: readonly string[]): Promise<RunningProcess> {
  const running = run([...COMMAND, "sync", dir, "--follow", "--url", world.url, ...more]);
  await publishOne("The first that it hears of");
  await waitUntil(() => textIn(dir).includes(made.at(-1)!.id), running.output);
  return running;
}

/** Publishes many tenders at once, and one that changes again and again. */
async function publishMany(): Promise<void> {
  const { id, token } = made[0]!;
  const edits = async () => {
    for (let i = 0; i < 10; i++) await api.patch(`/tenders/${id}`, { title: `Turn ${i}` }, { token });
  };
  await Promise.all([edits(), ...Array.from({ length: 30 }, (_, i) => publishOne(`Crowd ${i}`))]);
}

describe("sync", () => {
  before(async () => {
    await Promise.all(Array.from({ length: TENDERS }, (_, i) => publishOne(`Tender ${i}`)));
  });

  it("leaves nothing behind if the server cannot be reached, and no server lock if it can", async () => {
    const dir = join(folder, "first");
    const { code } = await runCli(["sync", dir, "--url", "http://127.0.0.1:9"], {});
    assert.equal(code, 1);
    assert.ok(!existsSync(dir));
    assertSucceeded(await runCli(["sync", dir, "--url", world.url], {}));
    assert.ok(!existsSync(join(dir, "server.lock")));
  });

  it("misses nothing if it is killed at any moment and run again", {
    timeout: 4 * TIMEOUT_MS,
  }, async () => {
    const dir = WHOLE;
    const size = () => (existsSync(join(dir, "tenders.jsonl")) ? statSync(join(dir, "tenders.jsonl")).size : 0);
    for (let round = 0; round < ROUNDS; round++) {
      const [sizeBefore, stateBefore] = [size(), stateText(dir)];
      const going = run([...COMMAND, "sync", dir, "--follow", "--url", world.url]);
      const edit = made[(round * 67) % made.length]!;
      // Another client writes meanwhile, and `sync` is killed while it appends lines.
      const patched = api.patch(`/tenders/${edit.id}`, { title: `Edited ${round}` }, { token: edit.token });
      await waitUntil(() => size() > sizeBefore, going.output);
      // It is killed as soon as lines are added, and in every second round after the state has been written, too.
      if (round % 2 === 1) await waitUntil(() => stateText(dir) !== stateBefore, going.output);
      going.child.kill("SIGKILL");
      await going.ended;
      assert.equal((await patched).status, 200);
      await publishOne(`Late ${round}`);
    }
    assertSucceeded(await sync(dir));
    await assertMirrors(dir);
  });

  it("removes an incomplete last line and fetches it again", async () => {
    const dir = await openMirror("torn");
    const lines = join(dir, "tenders.jsonl");
    const lineCount = linesIn(dir).length;
    appendFileSync(lines, '{"id":"0b2e","dateMod');
    assertSucceeded(await sync(dir));
    assert.equal(linesIn(dir).length, lineCount);
    await assertMirrors(dir);
  });

  it("reads everything again if its position was lost, and writes nothing twice", async () => {
    const dir = await openMirror("placeless");
    writeFileSync(join(dir, "state.json.new"), "{half");
    const before = readFileSync(join(dir, "tenders.jsonl"), "utf8");
    const state = stateIn(dir);
    // As if killed between the lines and the position, with everything in one page.
    writeFileSync(join(dir, "state.json"), JSON.stringify({ ...state, offset: "", bytes: 0, lines: 0 }));
    assertSucceeded(await sync(dir));
    assert.equal(readFileSync(join(dir, "tenders.jsonl"), "utf8"), before);
    assert.deepEqual(stateIn(dir), state);
  });

  it("refuses to continue if lines were removed from its file", async () => {
    const dir = await openMirror("shortened");
    truncateSync(join(dir, "tenders.jsonl"), 100);
    const { code, err } = await sync(dir);
    assert.equal(code, 1);
    assert.match(err, /is shorter than state\.json says/);
  });

  it("follows until it gets a signal, writes no state twice however often a tender changes, and reports its position", async () => {
    const dir = await openMirror("followed");
    const running = await startFollowing(dir, "--json");
    await publishMany();
    await publishOne("The last of the crowd");
    await waitUntil(() => textIn(dir).includes(made.at(-1)!.id), running.output);
    const second = await sync(dir);
    assert.equal(second.code, 1);
    assert.match(second.err, /another sync to .* is running/);
    running.child.kill("SIGINT");
    assert.deepEqual(await running.ended, [0, null]);
    assert.match(running.output(), /To continue from here: npx --no-install tenderhall sync/);
    await assertMirrors(dir);
    const { offset } = stateIn(dir);
    assertSucceeded(await sync(dir));
    assert.equal(stateIn(dir).offset, offset);
  });

  it("misses nothing if it is killed while it follows and is run again", async () => {
    const dir = await openMirror("cut short");
    const running = await startFollowing(dir);
    const from = textIn(dir).length;
    const crowded = publishMany();
    await waitUntil(() => textIn(dir).length > from, running.output);
    running.child.kill("SIGKILL");
    await Promise.all([running.ended, crowded]);
    assertSucceeded(await sync(dir));
    await assertMirrors(dir);
  });

  it("with --compact keeps the latest state of each tender, and continues from there", async () => {
    const dir = await openMirror("compacted");
    const before = linesIn(dir).length;
    for (const { id, token } of made.slice(0, 2))
      for (const title of ["once", "twice"]) {
        await api.patch(`/tenders/${id}`, { title }, { token });
        assertSucceeded(await sync(dir));
      }
    assert.equal(linesIn(dir).length, before + 4);
    const summary = JSON.parse(assertSucceeded(await sync(dir, "--compact", "--json")).out);
    assert.equal(summary.lines, made.length);
    assert.equal(linesIn(dir).length, made.length);
    await assertMirrors(dir);
    await publishOne("After it");
    assertSucceeded(await sync(dir));
    await assertMirrors(dir);
  });

  it("continues if it was killed while compacting", async () => {
    const dir = await openMirror("compacting");
    writeFileSync(join(dir, "tenders.jsonl.new"), '{"id":"half');
    writeFileSync(join(dir, "state.json"), JSON.stringify({ ...stateIn(dir), bytes: null }));
    await publishOne("Later still");
    assertSucceeded(await sync(dir));
    assert.equal(stateIn(dir).lines, linesIn(dir).length);
    await assertMirrors(dir);
  });

  it("refuses a folder that mirrors another registry", async () => {
    const dir = join(folder, "torn");
    const { code, err } = await runCli(["sync", dir, "--url", world.url.replace("127.0.0.1", "localhost")], {});
    assert.equal(code, 1);
    assert.match(err, /use another folder/);
  });
});
