import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { operate } from "../../src/cli/operator.ts";
import type { Environment } from "../../src/config.ts";
import { openClient } from "./documentService.ts";
import { type Database, ENGINE, openSchema } from "./engines.ts";
import { bidOf, cook, fullTender, plainTender, publish } from "./examples.ts";
import {
  auctioned,
  bids,
  cancelLot,
  closed,
  decideLast,
  LOT_A,
  LOT_B,
  moveOn,
  onA,
  onB,
  onBoth,
  passStandStill,
  published,
  type Story,
  sign,
  tendering,
  withLots,
} from "./procedure.ts";
import { expectStatus, openWorld, type World } from "./world.ts";

/** A registry that has lived: tenders in all statuses, everything that hangs on them, and the hand of an operator. */

export type Ran = { readonly code: number; readonly out: string; readonly err: string };

/** Links in answers are the same wherever the registry is. */
export const SOMEWHERE = { PUBLIC_URL: "http://tenderhall.example" };

export const openSource = (): Promise<World> => openWorld(SOMEWHERE);

/** A place for a registry of its own: its settings, and its database. */
export type Place = { readonly environment: Environment; readonly drop: () => Promise<void> };

export const environmentOf = ({ config, database }: World): Environment => ({
  DATA_DIR: config.dataDir,
  ...database.environment,
});

/** An empty place on the engine that the source is not on, or on the same. */
export async function openPlace(which: "other" | "same" = "other"): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), "tenderhall-place-"));
  const onPostgres = process.env.TEST_DATABASE_URL && (ENGINE === "postgres") === (which === "same");
  const schema: Database | undefined = onPostgres ? await openSchema() : undefined;
  return {
    environment: { DATA_DIR: dataDir, DATABASE_URL: "", ...schema?.environment },
    drop: async () => {
      await schema?.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A server on a place, with the time of another. */
export const openThere = ({ environment }: Place, { clock }: World): Promise<World> =>
  openWorld({ ...SOMEWHERE, ...environment }, false, { clock: () => clock.now });

export function run(environment: Environment, ...args: readonly string[]): Promise<Ran> {
  const terminal = { in: new PassThrough(), out: new PassThrough(), err: { write: () => {} } };
  return operate(args, environment, terminal);
}

export async function done(running: Promise<Ran>): Promise<string> {
  const { code, out, err } = await running;
  assert.equal(code, 0, err);
  return out + err;
}

export async function refused(running: Promise<Ran>, why: RegExp): Promise<void> {
  const { code, err } = await running;
  assert.equal(code, 1, err);
  assert.match(err, why);
}

/** What the owner of a sealed bid may see, and nobody else. */
export type Lived = { readonly secret: { readonly path: string; readonly token: string } };

export async function live(world: World): Promise<Lived> {
  await buysInLots(world);
  await buysToTheEnd(world);
  await asksAndDocuments(world);
  await othersPublish(world);
  const lived = await sealedBids(world);
  // Whoever reads the feed waits for what is due, so that nothing moves any more by itself.
  expectStatus(200, await world.api("2.5").get("/tenders"));
  return lived;
}

async function buysInLots(world: World): Promise<void> {
  const story = await closed(world, [onBoth(900, 800), onA(700), onB(750)], withLots(world.clock.now));
  for (const lot of [LOT_A, LOT_B]) expectStatus(200, await auctioned(story, lot));
  await decideLast(story, "unsuccessful", LOT_A);
  await decideLast(story, "active", LOT_A);
  await cancelLot(story, LOT_B);
}

async function buysToTheEnd(world: World): Promise<void> {
  const story = await closed(world, bids(480000, 470000));
  expectStatus(200, await auctioned(story));
  await decideLast(story, "active");
  const [contract] = (await story.seen()).contracts;
  await upload(story, `/contracts/${contract.id}/documents`, "договір");
  await passStandStill(story);
  expectStatus(200, await sign(story));
}

/** Documents in several versions, by upload and by the document service; what an operator put right. */
async function asksAndDocuments(world: World): Promise<void> {
  const story = await published(world);
  const asked = await story.as("broker2", "POST", "/questions", { title: "Сніданки?", author: cook });
  await story.own("PATCH", `/questions/${expectStatus(201, asked).body.data.id}`, { answer: "Лише обіди." });
  const id = await upload(story, "/documents", "перша версія");
  for (const content of ["друга", "друга", "x".repeat(300_000)]) {
    moveOn(world);
    const file = { name: "умови.txt", content };
    expectStatus(200, await story.api.upload(`${story.path}/documents/${id}`, file, { ...story, method: "PUT" }));
  }
  const fromService = await openClient(world).uploaded("від служби");
  expectStatus(201, await story.own("POST", "/documents", fromService));
  expectStatus(201, await story.own("POST", "/documents", { ...fromService, title: "ще раз" }));
  await repair(world, story.path.split("/").at(-1)!);
}

async function repair(world: World, id: string): Promise<void> {
  const environment = environmentOf(world);
  const { out } = await run(environment, "tender", "show", id, "--raw");
  const shown = JSON.parse(out);
  const edited = {
    ...shown,
    tender: { ...shown.tender, title: "Виправлено", documents: shown.tender.documents.slice(1) },
  };
  const path = join(world.config.dataDir, "edited.json");
  writeFileSync(path, JSON.stringify(edited));
  await done(run(environment, "tender", "replace", id, "--from", path, "--reason", 'квиток 17, "patch":'));
}

/** A draft, a test, a tender of the oldest version, a cancelled one. */
async function othersPublish(world: World): Promise<void> {
  const now = world.clock.now;
  await publish(world.api("2.5"), { ...fullTender(now), status: "draft" });
  await publish(world.api("2.5"), { ...fullTender(now), mode: "test" });
  await publish(world.api("0.1"), { totalValue: { amount: 1 } });
  const { path, token } = await publish(world.api("2.3"), plainTender(now));
  expectStatus(200, await world.api("2.3").patch(path, { status: "cancelled" }, { token }));
}

/** Bids that nobody may see yet, with documents, one of them withdrawn. */
async function sealedBids(world: World): Promise<Lived> {
  const story = await tendering(world, [bidOf(490000), bidOf(400000)]);
  const [kept, withdrawn] = story.bidders as [Story["bidders"][number], Story["bidders"][number]];
  for (const bidder of [kept, withdrawn]) {
    const file = { name: "ціна.txt", content: `таємниця ${bidder.id}` };
    expectStatus(201, await story.api.upload(`${bidder.path}/documents`, file, { token: bidder.token }));
  }
  expectStatus(200, await story.api.delete(withdrawn.path, { token: withdrawn.token }));
  return { secret: kept };
}

async function upload(story: Story, below: string, content: string): Promise<string> {
  moveOn(story.world);
  const file = { name: "документ.txt", content };
  return expectStatus(201, await story.api.upload(story.path + below, file, story)).body.data.id;
}

const VERSIONS = ["0", "0.1", "0.2", "2.3", "2.5"];

/** Everything that a registry answers, to everyone and to the owner of the secret, by what was asked. */
export async function pictureOf(world: World, { secret }: Lived): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>();
  const look = async (version: string, path: string, token?: string) => {
    const local = path.replace(/^(http:\/\/tenderhall\.example)?\/api\/[^/]+/, "");
    const { status, text, body } = await world.api(version).get(local, token ? { token } : { key: null });
    seen.set(`${version} ${local}`, `${status} ${text}`);
    return { text, body };
  };
  const ids = new Set<string>();
  for (const version of VERSIONS)
    for (const start of ["limit=3&mode=_all_", "limit=3&mode=_all_&descending=1", "limit=100"])
      for (let path = `/tenders?${start}`; ; ) {
        const { body } = await look(version, path);
        for (const { id } of body.data) ids.add(id);
        if (body.data.length === 0) break;
        path = body.next_page.path;
      }
  const downloads = new Set<string>();
  const gather = (text: string) => {
    for (const [, url] of text.matchAll(/"url":"([^"]*\?download=[^"]*)"/g)) downloads.add(url!);
  };
  for (const version of VERSIONS) for (const id of ids) gather((await look(version, `/tenders/${id}`)).text);
  gather((await look("2.5", secret.path, secret.token)).text);
  assert.ok(downloads.size >= 5, [...downloads].join("\n"));
  for (const url of downloads) await look("2.5", url, secret.token);
  return seen;
}

/** Every row of a ledger, as lines. */
export async function ledgerOf(environment: Environment): Promise<readonly string[]> {
  const out = new PassThrough();
  const text = Array.fromAsync(out.setEncoding("utf8"));
  const terminal = { in: new PassThrough(), out, err: { write: () => {} } };
  const { code, err } = await operate(["export"], environment, terminal);
  out.end();
  assert.equal(code, 0, err);
  return (await text).join("").split("\n").slice(1, -2);
}
