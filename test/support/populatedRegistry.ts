import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { runCli } from "../../src/cli/runCli.ts";
import type { Environment } from "../../src/config/config.ts";
import { openDocumentServiceClient } from "./documentService.ts";
import { ENGINE, openSchema, type TestDatabase } from "./engines.ts";
import { bidOf, cook, DAY, fullTender, plainTender, publish } from "./examples.ts";
import {
  advanceOneSecond,
  bidsOf,
  cancelLot,
  decideLast,
  finishAuction,
  LOT_A,
  LOT_B,
  onA,
  onB,
  onBoth,
  passStandStill,
  reachEnquiries,
  reachTendering,
  reachTenderingEnd,
  signContract,
  type TenderStory,
  withLots,
} from "./procedure.ts";
import { expectStatus, openWorld, type World } from "./world.ts";

/** The exit code and output of a command. */
export type CommandOutput = { readonly code: number; readonly out: string; readonly err: string };

/** Makes links in responses independent of the address of the server. */
export const PUBLIC_URL_SETTINGS = { PUBLIC_URL: "http://tenderhall.example" };

export const openSourceWorld = (): Promise<World> => openWorld(PUBLIC_URL_SETTINGS);

/** The settings of a registry that does not exist yet. */
export type EmptyRegistry = { readonly environment: Environment; readonly drop: () => Promise<void> };

/** The settings with which a command works on the registry of a world. */
export const environmentOf = ({ config, database }: World): Environment => ({
  DATA_DIR: config.dataDir,
  ...database.environment,
});

/** An empty registry on the other engine, if there is PostgreSQL, or on the same one. */
export async function openEmptyRegistry(engine: "other" | "same" = "other"): Promise<EmptyRegistry> {
  const dataDir = mkdtempSync(join(tmpdir(), "tenderhall-place-"));
  const onPostgres = process.env.TEST_DATABASE_URL && (ENGINE === "postgres") === (engine === "same");
  const schema: TestDatabase | undefined = onPostgres ? await openSchema() : undefined;
  return {
    environment: { DATA_DIR: dataDir, DATABASE_URL: "", ...schema?.environment },
    drop: async () => {
      await schema?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a server on a registry, with the clock of another world. */
export const openWorldAt = ({ environment }: EmptyRegistry, { clock }: World): Promise<World> =>
  openWorld({ ...PUBLIC_URL_SETTINGS, ...environment }, false, { clock: () => clock.now });

/** Runs a command in this process. */
export function runInProcess(environment: Environment, ...args: readonly string[]): Promise<CommandOutput> {
  const terminal = { in: new PassThrough(), out: new PassThrough(), err: { write: () => {} } };
  return runCli(args, environment, terminal);
}

/** Asserts that a command succeeded. Returns its output. */
export async function expectSuccess(running: Promise<CommandOutput>): Promise<string> {
  const { code, out, err } = await running;
  assert.equal(code, 0, err);
  return out + err;
}

/** Asserts that a command failed with 1 and a message. */
export async function expectFailure(running: Promise<CommandOutput>, pattern: RegExp): Promise<void> {
  const { code, err } = await running;
  assert.equal(code, 1, err);
  assert.match(err, pattern);
}

/** The path and token of a sealed bid. */
export type PopulatedRegistry = { readonly secret: { readonly path: string; readonly token: string } };

/** Creates tenders in all statuses with all their resources, and a repair by an operator. */
export async function populate(world: World): Promise<PopulatedRegistry> {
  await addTenderWithLots(world);
  await addCompleteTender(world);
  await addQuestionsAndDocuments(world);
  await addOtherTenders(world);
  const populated = await addSealedBids(world);
  await addOpenBid(world);
  // Reading the feed carries out all due deadlines, so that nothing changes by itself later.
  expectStatus(200, await world.api("2.5").get("/tenders"));
  return populated;
}

async function addTenderWithLots(world: World): Promise<void> {
  const story = await reachTenderingEnd(world, [onBoth(900, 800), onA(700), onB(750)], withLots(world.clock.now));
  for (const lot of [LOT_A, LOT_B]) expectStatus(200, await finishAuction(story, lot));
  await decideLast(story, "unsuccessful", LOT_A);
  await decideLast(story, "active", LOT_A);
  await cancelLot(story, LOT_B);
}

async function addCompleteTender(world: World): Promise<void> {
  const story = await reachTenderingEnd(world, bidsOf(480000, 470000));
  expectStatus(200, await finishAuction(story));
  await decideLast(story, "active");
  const [contract] = (await story.fetchTender()).contracts;
  await uploadDocument(story, `/contracts/${contract.id}/documents`, "договір");
  await passStandStill(story);
  expectStatus(200, await signContract(story));
}

/** Documents in several versions, by upload and by the document service, and a repair by an operator. */
async function addQuestionsAndDocuments(world: World): Promise<void> {
  const story = await reachEnquiries(world);
  const response = await story.as("broker2", "POST", "/questions", { title: "Сніданки?", author: cook });
  await story.asOwner("PATCH", `/questions/${expectStatus(201, response).body.data.id}`, { answer: "Лише обіди." });
  const id = await uploadDocument(story, "/documents", "перша версія");
  for (const content of ["друга", "друга", "x".repeat(300_000)]) {
    advanceOneSecond(world);
    const file = { name: "умови.txt", content };
    expectStatus(200, await story.api.upload(`${story.path}/documents/${id}`, file, { ...story, method: "PUT" }));
  }
  const uploadedFile = await openDocumentServiceClient(world).uploadFile("від служби");
  expectStatus(201, await story.asOwner("POST", "/documents", uploadedFile));
  expectStatus(201, await story.asOwner("POST", "/documents", { ...uploadedFile, title: "ще раз" }));
  await repairTender(world, story.path.split("/").at(-1)!);
}

async function repairTender(world: World, id: string): Promise<void> {
  const environment = environmentOf(world);
  const { out } = await runInProcess(environment, "tender", "show", id, "--raw");
  const shown = JSON.parse(out);
  const edited = {
    ...shown,
    tender: { ...shown.tender, title: "Виправлено", documents: shown.tender.documents.slice(1) },
  };
  const path = join(world.config.dataDir, "edited.json");
  writeFileSync(path, JSON.stringify(edited));
  await expectSuccess(
    runInProcess(environment, "tender", "replace", id, "--from", path, "--reason", 'квиток 17, "patch":'),
  );
}

/** A draft, a test tender, a tender of the oldest API version and a cancelled tender. */
async function addOtherTenders(world: World): Promise<void> {
  const now = world.clock.now;
  await publish(world.api("2.5"), { ...fullTender(now), status: "draft" });
  await publish(world.api("2.5"), { ...fullTender(now), mode: "test" });
  await publish(world.api("0.1"), { totalValue: { amount: 1 } });
  const { path, token } = await publish(world.api("2.3"), plainTender(now));
  expectStatus(200, await world.api("2.3").patch(path, { status: "cancelled" }, { token }));
}

/** Sealed bids with documents, one of them withdrawn. */
async function addSealedBids(world: World): Promise<PopulatedRegistry> {
  const story = await reachTendering(world, [bidOf(490000), bidOf(400000)]);
  const [remaining, withdrawn] = story.bidders as [TenderStory["bidders"][number], TenderStory["bidders"][number]];
  for (const bidder of [remaining, withdrawn]) {
    const file = { name: "ціна.txt", content: `таємниця ${bidder.id}` };
    expectStatus(201, await story.api.upload(`${bidder.path}/documents`, file, { token: bidder.token }));
  }
  expectStatus(200, await story.api.delete(withdrawn.path, { token: withdrawn.token }));
  return { secret: remaining };
}

/** A bid that everybody sees before the deadline, of somebody who has offered nothing else. */
async function addOpenBid(world: World): Promise<void> {
  const api = world.api("2.3");
  advanceOneSecond(world);
  const now = world.clock.now;
  const { path } = await publish(api, plainTender(now - DAY));
  const newcomer = { ...cook, name: "Новачок", identifier: { ...cook.identifier, id: "99887766" } };
  expectStatus(201, await api.post(`${path}/bids`, bidOf(450, { tenderers: [newcomer] })));
}

async function uploadDocument(story: TenderStory, below: string, content: string): Promise<string> {
  advanceOneSecond(story.world);
  const file = { name: "документ.txt", content };
  return expectStatus(201, await story.api.upload(story.path + below, file, story)).body.data.id;
}

const VERSIONS = ["0", "0.1", "0.2", "2.3", "2.5"];

/** The responses to all public reads, and to reads of the sealed bid's owner, by request. */
export async function snapshotOf(world: World, { secret }: PopulatedRegistry): Promise<ReadonlyMap<string, string>> {
  const responses = new Map<string, string>();
  const fetchText = async (version: string, path: string, token?: string) => {
    const local = path.replace(/^(http:\/\/tenderhall\.example)?\/api\/[^/]+/, "");
    const { status, text, body } = await world.api(version).get(local, token ? { token } : { key: null });
    responses.set(`${version} ${local}`, `${status} ${text}`);
    return { text, body };
  };
  const ids = new Set<string>();
  for (const version of VERSIONS)
    for (const start of ["limit=3&mode=_all_", "limit=3&mode=_all_&descending=1", "limit=100"])
      for (let path = `/tenders?${start}`; ; ) {
        const { body } = await fetchText(version, path);
        for (const { id } of body.data) ids.add(id);
        if (body.data.length === 0) break;
        path = body.next_page.path;
      }
  const downloads = new Set<string>();
  const collectDownloads = (text: string) => {
    for (const [, url] of text.matchAll(/"url":"([^"]*\?download=[^"]*)"/g)) downloads.add(url!);
  };
  for (const version of VERSIONS)
    for (const id of ids) collectDownloads((await fetchText(version, `/tenders/${id}`)).text);
  for (const id of ids) {
    const { body } = await fetchText("2.5", `/tenders/${id}/history?limit=1000`);
    for (const { date } of body.data) await fetchText("2.5", `/tenders/${id}?at=${encodeURIComponent(date)}`);
  }
  collectDownloads((await fetchText("2.5", secret.path, secret.token)).text);
  assert.ok(downloads.size >= 5, [...downloads].join("\n"));
  for (const url of downloads) await fetchText("2.5", url, secret.token);
  return responses;
}

/** The rows of the ledger as exported lines. */
export async function exportLedger(environment: Environment): Promise<readonly string[]> {
  const out = new PassThrough();
  const text = Array.fromAsync(out.setEncoding("utf8"));
  const terminal = { in: new PassThrough(), out, err: { write: () => {} } };
  const { code, err } = await runCli(["export"], environment, terminal);
  out.end();
  assert.equal(code, 0, err);
  return (await text).join("").split("\n").slice(1, -2);
}
