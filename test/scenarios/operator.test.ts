import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { openConfiguredStore } from "../../src/app/adapters.ts";
import { runCli } from "../../src/cli/runCli.ts";
import { parseAct } from "../../src/ledger/acts.ts";
import type { LedgerRow } from "../../src/store/store.ts";
import { ENGINE } from "../support/engines.ts";
import {
  bidOf,
  DAY,
  formatTime,
  fullTender,
  type PublishedTender,
  plainTender,
  publish,
  publishForBids,
} from "../support/examples.ts";
import { expectStatus, openWorld, START, type World } from "../support/world.ts";

/** Operators repair tenders on the machine itself, with and without a running server. */

type CommandResult = { readonly code: number; readonly out: string; readonly err: string };

// biome-ignore lint/suspicious/noExplicitAny: a tender is edited freely, as an operator does in a text editor.
type Editable = any;
type PrintedTender = { revision: number; tender: Editable };

type Machine = {
  readonly world: World;
  readonly dataDir: string;
  readonly run: (...args: readonly string[]) => Promise<CommandResult>;
  readonly raw: (id: string) => Promise<PrintedTender>;
  readonly replace: (id: string, file: unknown, ...more: readonly string[]) => Promise<CommandResult>;
  /** Stops the server and keeps its folder. */
  readonly stop: () => Promise<void>;
  readonly ledger: () => Promise<readonly LedgerRow[]>;
};

const folder = mkdtempSync(join(tmpdir(), "tenderhall-operator-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function runIn(dataDir: string, args: readonly string[]): Promise<CommandResult> {
  const command = ["--disable-warning=ExperimentalWarning", "src/cli/tenderhall.ts", ...args];
  const env = { ...process.env, DATA_DIR: dataDir };
  return new Promise((resolve) =>
    execFile(process.execPath, command, { env, encoding: "utf8" }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    ),
  );
}

async function openMachine(): Promise<Machine> {
  const dataDir = mkdtempSync(join(folder, "data-"));
  const world = await openWorld({ DATA_DIR: dataDir });
  const run = (...args: readonly string[]) => runCli(args, { DATA_DIR: dataDir, ...world.database.environment });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= world.halt();
    return stopped;
  };
  return {
    world,
    dataDir,
    run,
    raw: async (id) => JSON.parse(expectDone(await run("tender", "show", id, "--raw")).out),
    replace: (id, file, ...more) => {
      const path = join(dataDir, "edited.json");
      writeFileSync(path, typeof file === "string" ? file : JSON.stringify(file));
      return run("tender", "replace", id, "--from", path, "--reason", "ticket 17", ...more);
    },
    stop,
    ledger: async () => {
      await stop();
      const store = await openConfiguredStore(world.config, { clock: () => START });
      return store.ledger(0, 1000).finally(store.close);
    },
  };
}

/** These tests mostly wait for commands to start, so they run concurrently. */
const CONCURRENT = { concurrency: 4 };

/** On PostgreSQL operators connect to the database, beside any number of servers. */
const SKIP_ON_POSTGRES = ENGINE !== "sqlite" && "PostgreSQL needs no operator socket";

const testOperator = (title: string, story: (machine: Machine) => Promise<void>, skip: string | false = false) =>
  it(title, { skip }, async () => {
    const machine = await openMachine();
    await story(machine).finally(async () => {
      await machine.stop();
      await machine.world.database.drop();
    });
  });

function expectDone(ran: CommandResult): CommandResult {
  assert.equal(ran.code, 0, ran.err);
  return ran;
}

function expectRefused(ran: CommandResult, ...lines: readonly string[]): void {
  assert.equal(ran.code, 1, ran.out);
  assert.equal(ran.out, "");
  for (const line of lines) assert.ok(ran.err.split("\n").includes(line), `${line}\nis not in\n${ran.err}`);
}

async function withTwoBids(world: World): Promise<PublishedTender> {
  const tender = await publishForBids(world);
  for (const amount of [480000, 499999.99])
    expectStatus(201, await world.api("2.3").post(`${tender.path}/bids`, bidOf(amount), { key: "broker2" }));
  return tender;
}

describe("with a running server, the operator", CONCURRENT, () => {
  testOperator(
    "sees the stored tender with --raw, with sealed bids, exact to the digit and the microsecond",
    async (machine) => {
      const { id } = await withTwoBids(machine.world);
      const { out } = expectDone(await machine.run("tender", "show", id, "--raw"));
      const { tender } = JSON.parse(out) as PrintedTender;
      assert.equal(tender.procedure, "belowThreshold");
      assert.equal(tender.status, "active.tendering");
      assert.match(tender.tokenHash, /^[0-9a-f]{64}$/);
      const amounts = tender.bids.map((bid: Editable) => bid.value.amount);
      assert.deepEqual(amounts, [480000, 499999.99]);
      assert.match(tender.bids[0].date, /^2026-11-23T10:00:00\.\d{6}\+02:00$/);
      assert.match(out, /"amount": 480000\.0,/);
    },
  );

  testOperator("sees the public view without --raw", async ({ world, run }) => {
    const { id, path } = await withTwoBids(world);
    const { out } = expectDone(await run("tender", "show", id, "--json"));
    assert.deepEqual(JSON.parse(out), (await world.api("2.5").get(path)).body);
    assert.match(out, /^\{\n {4}"data": \{\n {8}"id": "/);
  });

  testOperator("changes nothing by replacing a tender with itself", async ({ world, run, replace, ledger }) => {
    const { id } = await withTwoBids(world);
    const { out: printed } = expectDone(await run("tender", "show", id, "--raw"));
    assert.match(expectDone(await replace(id, printed)).out, /^Nothing to change/);
    assert.equal((await run("tender", "show", id, "--raw")).out, printed);
    assert.ok((await ledger()).every(({ actor }) => actor !== "operator"));
  });

  testOperator("replaces a tender, which is visible at once, also in the feed", async ({ world, raw, replace }) => {
    const api = world.api("2.5");
    const { id, path } = await publish(world.api("2.3"), fullTender());
    const before = expectStatus(200, await api.get(path)).body.data;
    const file = await raw(id);
    Object.assign(file.tender, {
      title: "Їдальня",
      id: "another",
      tenderID: "another",
      dateModified: file.tender.date,
    });
    const { out } = expectDone(await replace(id, file));
    assert.match(out, /revision 2:\n {2}replace \/title\n {2}replace \/dateModified\n$/);
    const seen = (await api.get(path)).body.data;
    assert.deepEqual({ ...seen, title: 0, dateModified: 0 }, { ...before, title: 0, dateModified: 0 });
    assert.equal(seen.title, "Їдальня");
    assert.ok(seen.dateModified > before.dateModified);
    assert.equal((await api.get("/tenders?descending=1")).body.data[0].dateModified, seen.dateModified);
    await world.restart();
    assert.deepEqual((await api.get(path)).body.data, seen);
  });

  testOperator("is recorded in the ledger with the reason", async ({ world, raw, replace, ledger }) => {
    const { id } = await publish(world.api("2.3"), fullTender());
    for (const [title, ...more] of [["one"], ["two", "--force"]]) {
      const file = await raw(id);
      file.tender.title = title;
      expectDone(await replace(id, file, ...more));
    }
    const rows = await ledger();
    assert.deepEqual(
      rows.map(({ actor, act }) => [actor, parseAct(act)]),
      [
        ["broker", { kind: "publish tender" }],
        ["operator", { kind: "replace tender", reason: "ticket 17", forced: false }],
        ["operator", { kind: "replace tender", reason: "ticket 17", forced: true }],
      ],
    );
    const paths = JSON.parse(rows[1]!.patch).map(({ path }: { path: string }) => path);
    assert.deepEqual(paths, ["/title", "/dateModified"]);
  });

  testOperator("changes neither dateModified nor the feed with a sealed bid", async ({ world, raw, replace }) => {
    const { id, path } = await withTwoBids(world);
    const before = (await world.api("2.5").get(path)).text;
    const file = await raw(id);
    const removed = file.tender.bids.pop();
    const { out } = expectDone(await replace(id, file));
    assert.ok(out.includes(`remove /bids/${removed.id}\nOnly sealed bids changed`), out);
    assert.equal((await world.api("2.5").get(path)).text, before);
    assert.equal((await raw(id)).tender.bids.length, 1);
  });

  testOperator("gives a sealed bid to another account", async ({ world, raw, replace, run }) => {
    const { id } = await withTwoBids(world);
    const file = await raw(id);
    file.tender.bids[0].owner = "broker3";
    expectDone(await replace(id, file));
    const { revision } = await raw(id);
    assert.equal(revision, file.revision + 1);
    await world.restart();
    assert.equal((await raw(id)).revision, revision);
    expectDone(await run("verify"));
  });

  testOperator("sets a deadline in the past, which is carried out at once", async ({ world, raw, replace }) => {
    const { id, path } = await publish(world.api("2.5"), fullTender(world.clock.now));
    const file = await raw(id);
    const { startDate } = file.tender.enquiryPeriod;
    file.tender.enquiryPeriod.endDate = startDate;
    file.tender.tenderPeriod.startDate = startDate;
    expectDone(await replace(id, file));
    assert.equal((await world.api("2.5").get(path)).body.data.status, "active.tendering");
  });

  testOperator("preserves more digits than a double has", async ({ world, run, replace }) => {
    const { id } = await publish(world.api("2.3"), plainTender());
    const { out } = expectDone(await run("tender", "show", id, "--raw"));
    expectDone(await replace(id, out.replace('"amount": 500.0', '"amount": 123456789012345678901234567890.1234')));
    const again = expectDone(await run("tender", "show", id, "--raw")).out;
    assert.match(again, /"amount": 123456789012345678901234567890\.1234,/);
    assert.match(expectDone(await replace(id, again)).out, /^Nothing to change/);
  });

  testOperator(
    "uses a socket that is accessible only to the server's user and removed with the server",
    async (machine) => {
      const socket = join(machine.dataDir, "control.sock");
      assert.equal(statSync(socket).mode & 0o777, 0o600);
      await machine.stop();
      assert.ok(!existsSync(socket));
    },
    SKIP_ON_POSTGRES,
  );
});

/** A state that no request can create: a bid without a value after bidding. */
async function breakTender({ config }: World, id: string): Promise<void> {
  const store = await openConfiguredStore(config, { clock: () => START });
  await store.write(id, (stored) => {
    if (stored!.bids !== "all") return { needs: "all" };
    const { tender } = stored!;
    const { value: _lost, ...first } = tender.bids[0]!;
    const [enquiryPeriod, tenderPeriod] = [{ endDate: 1 }, { startDate: 1, endDate: 2 }];
    const broken = { ...tender, bids: [first], enquiryPeriod, tenderPeriod };
    const document = JSON.stringify(broken);
    const change = { tender: broken, document, wakeAt: START, actor: "x", act: "break", patch: "[]", files: [] };
    return { change, result: undefined };
  });
  await store.close();
}

describe("without a server, the operator", CONCURRENT, () => {
  testOperator(
    "replaces a tender, which the next server shows",
    async ({ world, dataDir, stop, run, raw, replace }) => {
      const { id, path } = await publish(world.api("2.3"), fullTender());
      await stop();
      // As after a crash: the socket exists, and no server listens on it.
      writeFileSync(join(dataDir, "control.sock"), "");
      const file = await raw(id);
      assert.match(expectDone(await replace(id, file)).out, /^Nothing to change/);
      file.tender.title = "Їдальня";
      expectDone(await replace(id, file));
      assert.match(expectDone(await run("tender", "show", id, "--json")).out, /"title": "Їдальня"/);
      const next = await openWorld({ DATA_DIR: dataDir, ...world.database.environment });
      assert.equal((await next.api("2.5").get(path)).body.data.title, "Їдальня");
      await next.stop();
    },
  );

  testOperator(
    "sees and repairs a tender whose deadlines cannot be carried out",
    async ({ world, stop, raw, replace, run }) => {
      const { id } = await withTwoBids(world);
      await stop();
      await breakTender(world, id);
      assert.match((await run("tender", "show", id)).err, /reading 'amount'/);
      const file = await raw(id);
      file.tender.title = "as broken as before";
      assert.match((await replace(id, file, "--force")).err, /deadlines of this tender would fail/);
      file.tender.bids[0].value = { amount: 480000, currency: "UAH", valueAddedTaxIncluded: true };
      expectDone(await replace(id, file));
      assert.match(expectDone(await run("tender", "show", id, "--json")).out, /"status": "active\.qualification"/);
    },
  );

  it("gets an error if there is no registry, and creates none", async () => {
    const empty = join(folder, "nowhere");
    expectRefused(await runIn(empty, ["tender", "show", "x"]), `there is no registry in DATA_DIR ${empty}`);
    assert.ok(!existsSync(empty));
  });
});

describe("a replacement is refused", CONCURRENT, () => {
  const FORCE = "These are rules of the procedure: --force replaces the tender regardless.";

  testOperator("if the tender has changed in the meantime, even with --force", async ({ world, raw, replace }) => {
    const { id, path, token } = await publish(world.api("2.3"), fullTender());
    const file = await raw(id);
    expectStatus(200, await world.api("2.3").patch(path, { title: "meanwhile" }, { token }));
    expectRefused(await replace(id, file), "the tender was changed in the meantime: show it again");
    expectRefused(await replace(id, file, "--force"), "the tender was changed in the meantime: show it again");
    assert.equal((await world.api("2.5").get(path)).body.data.title, "meanwhile");
  });

  testOperator("if fields are invalid, with the path of each, even with --force", async ({ world, raw, replace }) => {
    const { id } = await withTwoBids(world);
    const file = await raw(id);
    const { tender } = file;
    Object.assign(tender, { colour: "red", status: "open", title: 5, enquiryPeriod: { endDate: "soon" }, value: null });
    Object.assign(tender.bids[0], { value: { amount: "480000" }, tenderers: {} });
    delete tender.bids[1].tokenHash;
    delete tender.awards;
    for (const more of [[], ["--force"]])
      expectRefused(
        await replace(id, file, ...more),
        "colour: unknown field",
        "title: must be text",
        "enquiryPeriod.endDate: must be a time such as 2026-11-15T03:16:58.884710+02:00",
        "value: must not be null: leave it out where there is nothing",
        "bids[0].value.amount: must be a number of at most 34 digits",
        "bids[0].tenderers: must be a list",
        "bids[1].tokenHash: is missing",
        "awards: is missing",
      );
  });

  testOperator("if two bids would have the same id, or one that is none, even with --force", async (machine) => {
    const { world, raw, replace, run } = machine;
    const { id } = await withTwoBids(world);
    const { tender, revision } = await raw(id);
    const [first, second] = tender.bids;
    for (const bidId of [first.id, "0", "-", "", "constructor"])
      expectRefused(
        await replace(id, { revision, tender: { ...tender, bids: [first, { ...second, id: bidId }] } }, "--force"),
        "each bid needs an id of its own, of 32 hex digits",
      );
    expectDone(await run("verify"));
  });

  testOperator("if it breaks rules of the procedure, unless --force is given", async ({ world, raw, replace }) => {
    const { id, path } = await withTwoBids(world);
    const file = await raw(id);
    const { tender } = file;
    delete tender.procuringEntity;
    tender.bids[0].value.amount = 500001;
    const { id: secondId } = tender.bids[1];
    tender.bids[1].id = tender.bids[0].id;
    const award = { id: "a", date: tender.date, status: "pending", documents: [], complaints: [] };
    tender.awards = [{ ...award, bid_id: "none", lotID: "none" }];
    tender.contracts = [
      { id: "c", date: tender.date, status: "pending", awardID: "b", contractID: "c", documents: [] },
    ];
    const document = { id: "d", format: "text/plain", hash: "", sha256: "", size: 1, key: "0".repeat(32) };
    tender.documents = [{ ...document, datePublished: tender.date, dateModified: tender.date }];
    expectRefused(
      await replace(id, file),
      "procuringEntity: This field is required.",
      "bids[0].value: value of bid should be less than value of tender",
      "bids[1].id: is not unique",
      "awards[0].bid_id: should be one of bids",
      "awards[0].lotID: should be one of lots",
      "contracts[0].awardID: should be one of awards",
      "documents[0].key: no file has this key",
      FORCE,
    );
    // Bids are stored by their ids, so not even --force stores two with the same.
    tender.bids[1].id = secondId;
    expectDone(await replace(id, file, "--force"));
    assert.equal((await world.api("2.5").get(path)).body.data.awards[0].bid_id, "none");
  });

  const SEALED = "Bids stay sealed until the tender period ends";

  testOperator(
    "if it would open sealed bids before their deadline, even with --force",
    async ({ world, raw, replace }) => {
      const { id } = await withTwoBids(world);
      const { revision, tender } = await raw(id);
      const past = { ...tender.tenderPeriod, endDate: formatTime(world.clock.now - 1) };
      const changes = [
        { status: "active.auction" },
        { status: "active.qualification" },
        { status: "cancelled" },
        { status: "unsuccessful" },
        { tenderPeriod: past },
      ];
      for (const change of changes)
        expectRefused(await replace(id, { revision, tender: { ...tender, ...change } }, "--force"), SEALED);
      const basic = { revision, tender: { ...tender, procedure: "basic" } };
      expectRefused(await replace(id, basic, "--force"), "the procedure can't be changed once bids may be placed");
      expectDone(await replace(id, { revision, tender: { ...tender, status: "unsuccessful", bids: [] } }));
    },
  );

  testOperator("if bidding would continue after its deadline, even with --force", async ({ world, raw, replace }) => {
    const { id, path } = await withTwoBids(world);
    world.clock.forward(7 * DAY);
    assert.equal((await world.api("2.5").get(path)).body.data.status, "active.auction");
    const { revision, tender } = await raw(id);
    const later = { ...tender.tenderPeriod, endDate: formatTime(world.clock.now + DAY) };
    for (const change of [{ tenderPeriod: later }, { status: "active.tendering" }, { status: "active.enquiries" }]) {
      const back = "The tender can't go back: bids may have been placed or seen already";
      expectRefused(await replace(id, { revision, tender: { ...tender, ...change } }, "--force"), back);
    }
  });

  testOperator(
    "if its end would open bids that wait for an auction, unless --force is given",
    async ({ world, raw, replace }) => {
      const { id, path } = await withTwoBids(world);
      world.clock.forward(7 * DAY);
      assert.equal((await world.api("2.5").get(path)).body.data.status, "active.auction");
      const { revision, tender } = await raw(id);
      const line = "status: would open sealed bids: leave out the bids, or the change";
      for (const status of ["cancelled", "unsuccessful"])
        expectRefused(await replace(id, { revision, tender: { ...tender, status } }), line, FORCE);
      expectDone(await replace(id, { revision, tender: { ...tender, status: "unsuccessful" } }, "--force"));
    },
  );

  testOperator("if its deadlines could not be carried out, even with --force", async ({ world, raw, replace }) => {
    const { id, path } = await withTwoBids(world);
    world.clock.forward(7 * DAY);
    await world.api("2.5").get(path);
    const file = await raw(id);
    const { tender } = file;
    const complaintPeriod = { startDate: tender.date, endDate: tender.date };
    const award = {
      id: "a",
      date: tender.date,
      status: "unsuccessful",
      complaintPeriod,
      documents: [],
      complaints: [],
    };
    Object.assign(tender, {
      status: "active.awarded",
      awards: [award, { ...award, lotID: "none", status: "pending" }],
    });
    const why = "the deadlines of this tender would fail: they would never end";
    expectRefused(await replace(id, file, "--force"), why);
  });

  testOperator(
    "if the tender is unknown, or the file is not JSON or not the printed format",
    async ({ world, raw, run, replace }) => {
      const { id } = await publish(world.api("2.3"), plainTender());
      const file = await raw(id);
      expectRefused(await replace("none", file), "there is no tender none");
      expectRefused(await run("tender", "show", "none", "--raw"), "there is no tender none");
      const { err } = await replace(id, '{"revision": 1, "revision": 2}');
      assert.match(err, /edited\.json is not JSON: duplicate key "revision"/);
      assert.match((await replace(id, file.tender)).err, /must be an object with exactly "revision" and "tender"/);
      expectRefused(await replace(id, { ...file, tender: [] }), "tender: must be an object");
      expectRefused(await replace(id, { ...file, revision: "1" }), "revision: must be the integer that was shown");
      assert.match(
        (await run("tender", "replace", id, "--from", "nowhere", "--reason", "x")).err,
        /^nowhere does not exist$/m,
      );
    },
  );
});

describe("the command", () => {
  it("prints its usage", async () => {
    const { code, out } = await runIn(folder, ["--help"]);
    assert.equal(code, 0);
    assert.match(out, /^ {2}tender replace ID +replaces a tender by a file/m);
    const { out: usage } = await runIn(folder, ["tender", "replace", "--help"]);
    assert.match(usage, /npx --no-install tenderhall tender replace ID --from FILE --reason TEXT \[--force\]/);
  });

  it("exits with 2 for invalid arguments", async () => {
    const wrong = [
      ["tender"],
      ["tender", "drop", "x"],
      ["tender", "show"],
      ["tender", "show", "x", "y"],
      ["tender", "show", "x", "--force"],
      ["tender", "replace", "x", "--reason", "y"],
      ["tender", "replace", "x", "--from", "y"],
      ["tender", "replace", "x", "--from", "y", "--reason", " "],
      ["tender", "show", "x", "--colour"],
    ];
    for (const { code, out, err } of await Promise.all(wrong.map((args) => runIn(folder, args)))) {
      assert.equal(code, 2, err);
      assert.equal(out, "");
      assert.match(err, /For usage, run: npx --no-install tenderhall help/);
    }
  });

  it("is the package's own command under npx", { timeout: 60_000 }, async () => {
    const npx = process.platform === "win32" ? "npx.cmd" : "npx";
    const out = await new Promise<string>((resolve, reject) =>
      execFile(npx, ["--no-install", "tenderhall", "--help"], (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      ),
    );
    assert.match(out, /^tenderhall: the command line/);
  });
});
