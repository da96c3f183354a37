import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { runCli } from "../../src/cli/runCli.ts";
import { assertSucceeded, COMMAND, parseLines, runCommand } from "../support/commands.ts";
import { fullTender, publish } from "../support/examples.ts";
import { openProcesses, type RunningProcess, waitUntil } from "../support/processes.ts";
import { openProxy } from "../support/proxy.ts";
import { openWorld, sharedWorld } from "../support/world.ts";

/** Commands that use a server over HTTP. */

const world = await sharedWorld();
const { run: runIn } = openProcesses("remote");
const elsewhere = mkdtempSync(join(tmpdir(), "tenderhall-elsewhere-"));
after(() => rmSync(elsewhere, { recursive: true, force: true }));

const there = (...args: readonly string[]) => runCli([...args, "--url", world.url], {});
const publishTitled = (title: string) => publish(world.api("2.5"), { ...fullTender(world.clock.now), title });

const isStream = (url: string): boolean => url.includes("/tenders/stream?");
/** The output without the line that says how to continue. */
const outOf = ({ output }: RunningProcess): string => output().replace(/^To continue.*$/m, "");

describe("tender list", () => {
  it("shows the requested number of tenders, last changed first", async () => {
    for (const title of ["Перший", "Другий", "Third\u001b[2J\n"]) await publishTitled(title);
    const { out } = assertSucceeded(await there("tender", "list", "--limit", "2"));
    const [head, ...rows] = out.trimEnd().split("\n");
    assert.match(head!, /^TENDER +STATUS +VALUE +TITLE$/);
    assert.equal(rows.length, 2);
    assert.match(rows[0]!, /^UA-2026-11-16-\d{6}-?\w* +active\.enquiries +500,000\.00 UAH +Third \[2J$/);
    assert.match(rows[1]!, /Другий$/);
  });

  it("says that there are more tenders if no number was requested", async () => {
    await Promise.all(Array.from({ length: 21 }, (_, i) => publishTitled(`More ${i}`)));
    const { out, err } = assertSucceeded(await there("tender", "list"));
    assert.equal(out.trimEnd().split("\n").length, 21);
    assert.match(err, /^There are more than 20 tenders: use --limit/);
    assert.equal(assertSucceeded(await there("tender", "list", "--limit", "3")).err, "");
    assert.equal(assertSucceeded(await there("tender", "list", "--tender-id", "UA-1999-01-01-000001")).err, "");
  });

  it("prints JSON lines over more than one page", async () => {
    await Promise.all(Array.from({ length: 118 }, (_, i) => publishTitled(`Page ${i}`)));
    for (const i of [118, 119]) await publishTitled(`Page ${i}`);
    const entries = parseLines(assertSucceeded(await there("tender", "list", "--limit", "110", "--json")).out);
    assert.equal(entries.length, 110);
    assert.deepEqual(
      entries.slice(0, 2).map(({ title }) => title),
      ["Page 119", "Page 118"],
    );
    assert.equal(new Set(entries.map(({ id }) => id)).size, 110);
  });

  it("finds tenders by their contents", async () => {
    const [item] = fullTender().items;
    const found = { ...item, classification: { ...item!.classification, id: "44617100-9" } };
    const value = { amount: 7_000_000, currency: "UAH", valueAddedTaxIncluded: true };
    const { id } = await publish(world.api("2.5"), { ...fullTender(world.clock.now), value, items: [found] });
    for (const filter of [
      ["--classification", "446"],
      ["--value-min", "6999999"],
      ["--status", "active.enquiries", "--classification", "4461", "--value-max", "7000000", "--currency", "UAH"],
    ]) {
      const entries = parseLines(assertSucceeded(await there("tender", "list", "--json", ...filter)).out);
      assert.deepEqual(
        entries.map((entry) => entry.id),
        [id],
        filter.join(" "),
      );
    }
    const wrong = await there("tender", "list", "--value-min", "much");
    assert.equal(wrong.code, 2);
    assert.match(
      wrong.err,
      /^--value-min much: Value must be a number.*\nFor usage, run: npx --no-install tenderhall help tender list\n/,
    );
  });

  it("includes test tenders only on request", async () => {
    await publish(world.api("2.5"), { ...fullTender(world.clock.now), title: "A test", mode: "test" });
    const titles = async (...mode: readonly string[]) =>
      parseLines(assertSucceeded(await there("tender", "list", "--limit", "5", "--json", ...mode)).out).map(
        ({ title }) => title,
      );
    assert.ok(!(await titles()).some((title) => title.includes("A test")));
    assert.equal((await titles("--mode", "test")).length, 1);
    assert.match((await titles("--mode", "all"))[0]!, /A test/);
  });
});

describe("tender show", () => {
  it("finds a tender on the server by its id or its number", async () => {
    const { id, response } = await publishTitled("Shown");
    const { out } = assertSucceeded(await there("tender", "show", id, "--json"));
    assert.equal(JSON.parse(out).data.title, "Shown");
    assert.equal(assertSucceeded(await there("tender", "show", response.body.data.tenderID, "--json")).out, out);
    const byEnvironment = await runCli(["tender", "show", id, "--json"], { TENDERHALL_URL: world.url });
    assert.equal(assertSucceeded(byEnvironment).out, out);
  });

  it("reads the local registry if one is given, also by number", async () => {
    const { id, response } = await publishTitled("Here");
    const environment = { DATA_DIR: world.dataDir, ...world.database.environment };
    const { out } = assertSucceeded(await runCli(["tender", "show", id, "--json"], environment));
    assert.equal(JSON.parse(out).data.title, "Here");
    assert.equal(
      assertSucceeded(await runCli(["tender", "show", response.body.data.tenderID, "--json"], environment)).out,
      out,
    );
  });

  it("prints the same overview over HTTP and from the local registry", async () => {
    const { id, response } = await publishTitled("Meals");
    const { out } = assertSucceeded(await there("tender", "show", id));
    const [title, line, , ...facts] = out.split("\n");
    assert.equal(title, "Meals");
    assert.equal(line, `${response.body.data.tenderID}  active.enquiries  ${id}`);
    assert.equal(facts[0], "Next          2026-11-23 10:00 +02:00 tendering starts");
    const environment = { DATA_DIR: world.dataDir, ...world.database.environment };
    assert.equal(assertSucceeded(await runCli(["tender", "show", id], environment)).out, out);
    const coloured = await runCli(["tender", "show", id], { ...environment, FORCE_COLOR: "1" });
    assert.match(coloured.out, /^\u001b\[1mMeals\u001b\[22m\n/);
  });

  it("reports a tender that does not exist", async () => {
    const missing = await there("tender", "show", "0".repeat(32));
    assert.equal(missing.code, 1);
    assert.match(missing.err, /^there is no tender 0{32} at http/);
    const { code, err } = await there("tender", "show", "UA-1999-01-01-000001");
    assert.equal(code, 1);
    assert.match(err, /there is no tender UA-1999-01-01-000001 at/);
  });
});

describe("text from other users", () => {
  const TITLE = "a\u009b2Jb\u202ec\u2066d\u007f";

  it("cannot move the cursor or reverse text in tables and JSON, and keeps its meaning", async () => {
    const { id } = await publishTitled(TITLE);
    const environment = { DATA_DIR: world.dataDir, ...world.database.environment };
    const shown = [
      await there("tender", "show", id, "--json"),
      await there("tender", "list", "--limit", "1", "--json"),
      await runCli(["tender", "show", id, "--json"], environment),
      await runCli(["tender", "show", id, "--raw"], environment),
    ];
    for (const { out } of shown.map(assertSucceeded)) {
      assert.doesNotMatch(out, /[\u007f-\u009f\u202e\u2066]/);
      const { data, tender, title } = JSON.parse(out);
      assert.equal((data ?? tender ?? { title }).title, TITLE);
    }
    assert.match(assertSucceeded(await there("tender", "list", "--limit", "1")).out, / a 2Jbcd\n$/);
    assert.match(assertSucceeded(await there("tender", "show", id)).out, /^a 2Jbcd\nUA-/);
  });
});

describe("an invalid option", () => {
  it("is reported by its name and exits with 2, whether the command or the server rejects it", async () => {
    const wrong: readonly (readonly [string, readonly string[]])[] = [
      ["--url takes an http or https address", ["tender", "list", "--url", "foo"]],
      ["--url takes the address of the server, without /api/2.5", ["tender", "list", "--url", `${world.url}/api/2.5`]],
      ["--url takes the address of the server, without /api", ["tender", "show", "x", "--url", `${world.url}/api/`]],
      ["--url takes an http or https address", ["doctor", "--url", "foo"]],
      ["--modified-from yesterday: ", ["tender", "list", "--modified-from", "yesterday"]],
      ["--status nonsense: ", ["tender", "watch", "--status", "nonsense"]],
      ["--offset xx: ", ["tender", "watch", "--offset", "xx"]],
      ["--now then: ", ["clock", "new", "--now", "then"]],
    ];
    for (const [message, args] of wrong) {
      const { code, out, err } = await (args.includes("--url") ? runCli(args, {}) : there(...args));
      assert.equal(code, 2, `${args.join(" ")}: ${err}`);
      assert.equal(out, "");
      assert.ok(err.startsWith(message), err);
      assert.match(err, /^[^\n]+\nFor usage, run: npx --no-install tenderhall help [a-z]+( [a-z]+)?\n$/);
    }
    const setting = await runCli(["tender", "list"], { TENDERHALL_URL: `${world.url}/api/2.5` });
    assert.equal(setting.code, 1);
    assert.equal(setting.err, "TENDERHALL_URL takes the address of the server, without /api/2.5\n");
  });
});

describe("tender watch", { concurrency: true }, () => {
  it("prints changes until Ctrl-C, and then the offset to resume from", async () => {
    await publishTitled("Before");
    const watching = runIn([...COMMAND, "tender", "watch", "--json", "--url", world.url]);
    let out = "";
    watching.child.stdout!.on("data", (chunk) => {
      out += chunk;
    });
    // It prints nothing until something changes, so the test publishes until there is output.
    let made = 0;
    await waitUntil(async () => {
      await publishTitled(`Live ${made++}`);
      return out.includes("Live");
    }, watching.output);
    const first = parseLines(out)[0].title as string;
    const last = await publishTitled("The last one");
    await waitUntil(() => out.includes(last.id), watching.output);
    watching.child.kill("SIGINT");
    assert.deepEqual(await watching.ended, [0, null]);
    const titles = parseLines(out).map(({ title }) => title as string);
    assert.ok(!titles.includes("Before"));
    const from = Number(first.split(" ")[1]);
    assert.deepEqual(titles, [...Array.from({ length: made - from }, (_, i) => `Live ${from + i}`), "The last one"]);
    const [, offset] =
      /To continue from here: npx --no-install tenderhall tender watch --offset (\S+)/.exec(watching.output()) ?? [];
    const later = await publishTitled("Later");
    const again = runIn([...COMMAND, "tender", "watch", "--offset", offset!, "--url", world.url]);
    await waitUntil(() => again.output().includes("Later"), again.output);
    again.child.kill("SIGTERM");
    assert.deepEqual(await again.ended, [0, null]);
    assert.match(again.output(), /^2026-11-16 \d\d:\d\d:\d\d {2}UA-\S+ +active\.enquiries +Later\nTo continue/);
    assert.ok(later.id);
  });

  it("prints the offset to resume from if the server disappears", { timeout: 60_000 }, async () => {
    const gone = await openWorld();
    const watching = runIn([...COMMAND, "tender", "watch", "--offset", "0", "--url", gone.url]);
    await publish(gone.api("2.5"), { ...fullTender(gone.clock.now), title: "Seen" });
    await waitUntil(() => watching.output().includes("Seen"), watching.output);
    await gone.stop();
    assert.deepEqual(await watching.ended, [1, null]);
    assert.match(watching.output(), /does not respond: ECONNREFUSED\nTo continue from here: .* --offset \d/);
  });

  it("exits quietly when its output is closed", async () => {
    const watching = runIn([
      "bash",
      "-c",
      `${COMMAND.join(" ")} tender watch --offset 0 --json --url ${world.url} | head -1`,
    ]);
    await once(watching.child, "close");
    assert.equal(parseLines(watching.output()).length, 1);
  });
});

describe("tender watch through a proxy", () => {
  it("receives changes as they happen and requests no page", async (t) => {
    const between = await openProxy(world.url);
    t.after(between.stop);
    const watching = runIn([...COMMAND, "tender", "watch", "--json", "--url", between.url]);
    await waitUntil(() => between.requestedUrls().some(isStream), watching.output);
    for (const title of ["Pushed first", "Pushed second", "Pushed third"]) {
      const { id } = await publishTitled(title);
      await waitUntil(() => watching.output().includes(id), watching.output);
    }
    watching.child.kill("SIGINT");
    assert.deepEqual(await watching.ended, [0, null]);
    // One page for the current offset, and one stream for everything after it.
    assert.deepEqual(between.requestedUrls().map(isStream), [false, true]);
    assert.ok(parseLines(outOf(watching)).every(({ offset }) => typeof offset === "string"));
  });

  it("falls back to pages if a proxy lets no stream through", async (t) => {
    const between = await openProxy(world.url, (url) => !isStream(url));
    t.after(between.stop);
    const watching = runIn([...COMMAND, "tender", "watch", "--url", between.url]);
    await waitUntil(() => between.requestedUrls().length > 2, watching.output);
    const { response } = await publishTitled("Asked for");
    await waitUntil(() => watching.output().includes(response.body.data.tenderID), watching.output);
    watching.child.kill("SIGINT");
    assert.deepEqual(await watching.ended, [0, null]);
    assert.equal(between.requestedUrls().filter(isStream).length, 1);
  });
});

describe("clock", async () => {
  it("moves the tenders on it", async () => {
    const at = "2026-11-16T10:00:00+02:00";
    const clock = JSON.parse(assertSucceeded(await there("clock", "new", "--now", at, "--json")).out);
    const headers = { "X-Test-Clock": clock.id as string };
    const tender = { ...fullTender(Date.parse(at) * 1000) };
    const made = await world.api("2.5").post("/tenders", tender, { headers });
    assert.equal(made.status, 201, made.text);
    assert.match(assertSucceeded(await there("clock", "show", clock.id)).out, /active\.enquiries/);
    assert.match(assertSucceeded(await there("clock", "advance", clock.id, "--next")).out, /active\.tendering/);
    assert.match(assertSucceeded(await there("clock", "advance", clock.id, "--by", "P8D")).out, /unsuccessful/);
    const back = await there("clock", "advance", clock.id, "--to", at);
    assert.equal(back.code, 1, back.err);
  });

  it("is refused in production", async () => {
    const file = join(elsewhere, "accounts.json");
    const { key } = JSON.parse(
      assertSucceeded(await runCommand(["account", "add", "acme", "--levels", "12", "--json", "--file", file])).out,
    );
    const production = await openWorld({ MODE: "production", ACCOUNTS_FILE: file });
    try {
      const { code, err } = await runCli(["clock", "show", "x", "--url", production.url, "--key", key], {});
      assert.equal(code, 1);
      assert.match(err, /has no test clocks: only a sandbox does/);
    } finally {
      await production.stop();
    }
  });
});
