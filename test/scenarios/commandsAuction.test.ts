import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { runCli } from "../../src/cli/runCli.ts";
import { recordOf, recordText } from "../../src/domain/auctions/record.ts";
import { MINUTE } from "../../src/domain/values/time.ts";
import { inAuction, untilQualified } from "../support/auctionScenes.ts";
import { driveAuction } from "../support/auctions.ts";
import { assertSucceeded, parseLines, runCommand } from "../support/commands.ts";
import { DAY, formatTime } from "../support/examples.ts";
import { openWorld, START } from "../support/world.ts";

/** The commands about auctions. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-auction-commands-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const NAMES = [
  { bid: "cheap", name: "Cheap Ltd" },
  { bid: "dear", name: "Dear Ltd" },
];

/** The record of an auction in which one bidder has lowered the price twice. */
function recordedText(): string {
  const auction = driveAuction();
  auction.place(5 * MINUTE, "dear", "450");
  auction.place(7 * MINUTE, "cheap", "440");
  const { status } = auction.goTo(60 * MINUTE);
  assert.equal(status, "ended");
  auction.send(60 * MINUTE, { kind: "disclose names", names: NAMES });
  return recordText(recordOf(auction.state()));
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

describe("auction replay", () => {
  const text = recordedText();
  const fileOf = (content: string): string => {
    const file = join(mkdtempSync(join(folder, "record-")), "record.json");
    writeFileSync(file, content);
    return file;
  };

  it("prints turn by turn that the record is the same, without a server", async () => {
    const { out } = assertSucceeded(await runCommand(["auction", "replay", fileOf(text)]));
    const lines = out.trimEnd().split("\n");
    assert.match(lines[0]!, /^ROUND +BIDDER +PRICE +RECORD$/);
    assert.match(lines[1]!, /^1 +Bidder 1 +450 +new +same$/);
    assert.match(lines[2]!, /^1 +Bidder 2 +440 +new +same$/);
    assert.equal(lines.filter((line) => line.endsWith(" same")).length, 6);
    assert.match(lines.at(-1)!, /same as the replay, to the byte/);
  });

  it("reports a difference with exit code 1, whichever byte was changed", async () => {
    const changes: readonly (readonly [string, string, RegExp])[] = [
      [`"amount": "450"`, `"amount": "449"`, /differs from the replay/],
      [`"Cheap Ltd"`, `"Cheap LTD"`, /digest: recorded/],
      [`"digest": "`, `"digest":  "`, /the text is not as it was published/],
      [`{`, ``, /the record: /],
    ];
    for (const [from, to, message] of changes) {
      const { code, err } = await runCli(["auction", "replay", fileOf(text.replace(from, to))], {});
      assert.equal(code, 1, from);
      assert.match(err, message);
    }
    const forged = text.replaceAll(`"amount": "450"`, `"amount": "451"`);
    const { code, out } = await runCli(["auction", "replay", fileOf(forged), "--json"], {});
    const { same, differences } = JSON.parse(out);
    assert.deepEqual([code, same], [1, false]);
    assert.ok(differences.length > 0);
  });

  it("takes the address of a record", async () => {
    const url = await serve((request, response) => {
      if (request.url === "/record") response.end(text);
      else response.writeHead(403).end();
    });
    assertSucceeded(await runCli(["auction", "replay", `${url}/record`], {}));
    const refused = await runCli(["auction", "replay", `${url}/secret`], {});
    assert.equal(refused.code, 1);
    assert.match(refused.err, /403: the record may not be public yet/);
  });
});

describe("auction list, show and plan", async () => {
  const dataDir = mkdtempSync(join(folder, "data-"));
  const world = await openWorld({ DATA_DIR: dataDir, AUCTIONS: "builtin" });
  const environment = { DATA_DIR: dataDir, AUCTIONS: "builtin", ...world.database.environment };
  const run = (...args: readonly string[]) => runCli(args, environment);
  let halted: Promise<void> | undefined;
  const halt = () => {
    halted ??= world.halt();
    return halted;
  };
  after(async () => {
    await halt();
    await world.database.drop();
  });
  const auditTrail = () => parseLines(readFileSync(join(dataDir, "audit.jsonl"), "utf8"));

  it("shows the stages and offers of an auction, but no price before its turn has ended", async () => {
    const tender = await inAuction(world);
    await tender.advance({ next: true });
    const { out } = assertSucceeded(await run("auction", "show", tender.id));
    assert.match(out, /^status {2}running$/m);
    assert.match(out, /^1 +Bidder 2 +475000 +475000$/m);
    assert.match(out, /^> .* pause before round 1$/m);
    const json = JSON.parse(assertSucceeded(await run("auction", "show", tender.id, "--json")).out);
    assert.deepEqual([json.phase, json.own, json.unpublished], ["pause", undefined, undefined]);
    const missing = await run("auction", "show", "f".repeat(32));
    assert.deepEqual([missing.code, missing.err], [1, `there is no auction ${"f".repeat(32)}\n`]);
  });

  it("lists auctions by status", async () => {
    const tender = await inAuction(world);
    await untilQualified(tender);
    const { out } = assertSucceeded(await run("auction", "list", "--status", "ended"));
    assert.match(out, new RegExp(`^\\S+ +ended +test +${tender.id}$`, "m"));
    const running = JSON.parse(assertSucceeded(await run("auction", "list", "--status", "running", "--json")).out);
    assert.ok(
      running.every(({ id, status }: { id: string; status: string }) => id !== tender.id && status === "running"),
    );
    assert.equal((await run("auction", "list", "--status", "held")).code, 2);
  });

  it("plans an auction again at a time or in the next slot, and discards prices only with --force", async () => {
    const tender = await inAuction(world);
    const at = formatTime(START + 20 * DAY);
    const planned = assertSucceeded(await run("auction", "plan", tender.id, "--at", at));
    assert.equal(planned.out, `Auction ${tender.id} starts at ${at}.\n`);
    const startOf = async () => (await world.api("2.5").get(tender.path)).body.data.auctionPeriod.startDate;
    assert.equal(await startOf(), at);
    await tender.advance({ to: at });
    const refused = await run("auction", "plan", tender.id);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /has begun: to plan it again discards its prices, which needs --force/);
    assert.equal(await startOf(), at);
    assertSucceeded(await run("auction", "plan", tender.id, "--force"));
    assert.ok(Date.parse(await startOf()) > Date.parse(at));
    const acts = auditTrail().filter(({ act }) => act.startsWith(`auction plan ${tender.id}`));
    assert.deepEqual(
      acts.map(({ act, outcome, force, actor }) => [act, outcome, force, actor]),
      [
        [`auction plan ${tender.id} --at ${at}`, "done", false, "operator"],
        [`auction plan ${tender.id}`, "refused", false, "operator"],
        [`auction plan ${tender.id}`, "done", true, "operator"],
      ],
    );
  });

  it("refuses times that have passed or are none, and auctions that are over", async () => {
    const tender = await inAuction(world);
    const passed = await run("auction", "plan", tender.id, "--at", formatTime(START));
    assert.match(passed.err, /has passed/);
    assert.match((await run("auction", "plan", tender.id, "--at", "soon")).err, /"soon" is not a time/);
    await untilQualified(tender);
    assert.match((await run("auction", "plan", tender.id, "--force")).err, /is over/);
  });

  it("plans without a server, too", async () => {
    const tender = await inAuction(world);
    await halt();
    const at = formatTime(START + 30 * DAY);
    assertSucceeded(await run("auction", "plan", tender.id, "--at", at));
    assert.match(assertSucceeded(await run("auction", "show", tender.id)).out, /^status {2}planned$/m);
    assert.match(
      (await runCli(["auction", "plan", tender.id], { ...environment, AUCTIONS: "external" })).err,
      /other programs/,
    );
  });
});

describe("auction watch", () => {
  const SNAPSHOT = {
    ...{ id: "a", status: "running", plannedStart: "2026-12-01T11:00:00+02:00", current: 0, earlierAttempts: 0 },
    rules: { currency: "UAH", minimalStep: 10 },
    stages: [{ kind: "pause", round: 1, start: "2026-12-01T11:00:00+02:00" }],
    offers: [{ place: 1, label: "Bidder 2", amount: 480, initial: { amount: 480 } }],
  };

  it("prints the auction and its events, continues after a lost connection, and ends with the auction", async () => {
    const continued: (string | undefined)[] = [];
    const url = await serve(({ headers }, response) => {
      const lastId = headers["last-event-id"];
      continued.push(typeof lastId === "string" ? lastId : undefined);
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      const send = (id: number, event: object) => response.write(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`);
      if (lastId === undefined) {
        response.write(`event: snapshot\nid: 1\ndata: ${JSON.stringify(SNAPSHOT)}\n\n`);
        send(2, { kind: "stage", at: "2026-12-01T11:05:00+02:00", index: 1 });
        response.end();
      } else {
        send(3, { kind: "turn result", at: "2026-12-01T11:07:00+02:00", bidder: 1, amount: 450 });
        send(4, { kind: "names", at: "2026-12-01T11:30:00+02:00", names: [{ bidder: 1, name: "Ltd\u001b[2J" }] });
      }
    });
    const { out } = assertSucceeded(await runCommand(["auction", "watch", "a", "--url", url], {}, 60_000));
    assert.match(out, /^1 +Bidder 2 +480 +480$/m);
    assert.match(out, /^2026-12-01T11:05:00\+02:00 {2}stage {2}index 1$/m);
    assert.match(out, /turn result {2}bidder 1 {2}amount 450$/m);
    assert.match(out.trimEnd().split("\n").at(-1)!, /names/);
    assert.ok(!out.includes("\u001b"));
    assert.deepEqual(continued, [undefined, "2"]);
  });

  it("fails at once if there is no such auction", async () => {
    const url = await serve((_request, response) => response.writeHead(404).end());
    const { code, err } = await runCommand(["auction", "watch", "a", "--url", url], {}, 60_000);
    assert.deepEqual([code, /there is no such auction/.test(err)], [1, true]);
  });
});
