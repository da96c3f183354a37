import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hashOf } from "../../src/base/secrets.ts";
import { demo } from "../../src/cli/commands/demo.ts";
import { BUYERS, SELLERS } from "../../src/cli/demo/organizations.ts";
import { DAY, PLAN_TEMPLATES, plansFor, type TenderPlan } from "../../src/cli/demo/plans.ts";
import { openRandom } from "../../src/cli/demo/random.ts";
import { SUBJECTS } from "../../src/cli/demo/subjects.ts";
import { tenderBodyOf } from "../../src/cli/demo/tenders.ts";
import { runCli } from "../../src/cli/runCli.ts";
import { TENDER_STATUSES, type TenderStatus } from "../../src/domain/model/tender.ts";
import { PROCEDURES } from "../../src/domain/procedures/index.ts";
import type { ProcedureName } from "../../src/domain/procedures/names.ts";
import { assertSucceeded, COMMAND, parseLines } from "../support/commands.ts";
import { DIRECT_PROCEDURES } from "../support/directScenes.ts";
import { openProcesses, TIMEOUT_MS, waitUntil } from "../support/processes.ts";
import { openWorld, sharedWorld, type World } from "../support/world.ts";

/** The demo fills a registry as if people had worked in it for two months. */

const world = await sharedWorld();
const folder = mkdtempSync(join(tmpdir(), "tenderhall-demo-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const { run } = openProcesses("demo");

const SEED = "1";
const UKRAINIAN = /[а-яіїєґ]/i;
const ENGLISH = /^[^а-яіїєґ]*[a-z][^а-яіїєґ]*$/i;

type Count = { readonly status: TenderStatus } & { readonly [procedure in ProcedureName]: number };
const fill = async ({ url }: World, ...more: readonly string[]) =>
  JSON.parse(assertSucceeded(await runCli(["demo", "--json", "--url", url, ...more], {})).out) as {
    clock: string;
    tenders: number;
    statuses: Count[];
  };

// biome-ignore lint/suspicious/noExplicitAny: what a server answered is looked into freely.
type MirroredTender = any;

async function mirrorTenders({ url }: World, name: string): Promise<readonly MirroredTender[]> {
  const dir = join(folder, name);
  assertSucceeded(await runCli(["sync", dir, "--mode", "all", "--url", url], {}));
  return parseLines(readFileSync(join(dir, "tenders.jsonl"), "utf8")).map(({ tender }) => tender);
}

describe("demo", () => {
  it("makes the same plan for the same seed, with every kind of tender if the number allows", () => {
    const end = Date.UTC(2026, 10, 16, 8);
    const planSummary = (seed: number) =>
      plansFor(200, end, openRandom(seed)).map(({ subject, amount, status, publishedAt }) => [
        subject.en,
        amount,
        status,
        publishedAt,
      ]);
    assert.deepEqual(planSummary(3), planSummary(3));
    assert.notDeepEqual(planSummary(3), planSummary(4));
    assert.equal(planSummary(3).length, 200);
    const kinds = new Set(
      plansFor(PLAN_TEMPLATES.length, end, openRandom(1)).map((plan) =>
        PLAN_TEMPLATES.findIndex(
          (kind) =>
            kind.twist === plan.twist &&
            kind.status === plan.status &&
            kind.procedure === plan.procedure &&
            kind.lots === plan.lots,
        ),
      ),
    );
    assert.equal(kinds.size, PLAN_TEMPLATES.length);
  });

  it("creates 200 tenders by default, over all statuses, with many buyers and bidders, in both languages", () => {
    assert.deepEqual([demo.options?.tenders?.fallback, demo.options?.seed?.fallback], ["200", SEED]);
    const plans = plansFor(200, Date.UTC(2026, 10, 16, 8), openRandom(Number(SEED)));
    const share = (matches: (plan: TenderPlan) => unknown) => plans.filter(matches).length / plans.length;
    for (const status of TENDER_STATUSES) assert.ok(share((plan) => plan.status === status) >= 0.02, status);
    assert.ok(share(({ status }) => status === "complete") < 0.5);
    // Tenders of the basic procedure, and test tenders.
    for (const kind of [({ procedure }: TenderPlan) => procedure === "basic", ({ isTest }: TenderPlan) => isTest])
      assert.ok(share(kind) > 0.1 && share(kind) < 0.5);
    assert.ok(new Set(plans.map(({ buyer }) => buyer.name)).size >= 10);
    assert.ok(new Set(plans.flatMap(({ sellers }) => sellers.map(({ name }) => name))).size >= 10);
    assert.ok(share(({ sellers }) => sellers.length > 0) > 0.5);
    const texts = plans.map(tenderBodyOf);
    for (const { title, title_en, description, description_en, items } of texts) {
      for (const text of [title, description, ...items!.map((item) => item.description)])
        assert.match(text!, UKRAINIAN);
      for (const text of [title_en, description_en, ...items!.map((item) => item.description_en)])
        assert.match(text!, ENGLISH);
    }
    assert.ok(new Set(texts.map(({ title }) => title)).size > 50);
  });

  it("gives buyers plausible purchases, suppliers and prices", () => {
    const plans = plansFor(500, Date.UTC(2026, 10, 16, 8), openRandom(Number(SEED)));
    const tradesOf = (all: typeof BUYERS, { identifier }: TenderPlan["buyer"]) =>
      all.find(({ id }) => id === identifier.id)!.trades;
    for (const plan of plans) {
      const { subject, buyer, sellers, enquirer: interested, amount } = plan;
      assert.ok(tradesOf(BUYERS, buyer).includes(subject.trade), `${buyer.name_en} buys ${subject.en}`);
      for (const seller of [interested, ...sellers])
        assert.ok(tradesOf(SELLERS, seller).includes(subject.trade), `${seller.name_en} sells ${subject.en}`);
      const { items = [] } = tenderBodyOf(plan);
      const priceOf = ({ description }: (typeof items)[number]) =>
        subject.items.find(({ uk }) => uk === description)!.price ?? 0;
      const cost = items.reduce((sum, item) => sum + item.quantity! * priceOf(item), 0);
      assert.ok(cost <= amount, `${subject.en}: ${cost} of ${amount}`);
    }
    for (const { trade, en } of SUBJECTS) {
      assert.ok(
        BUYERS.some(({ trades }) => trades.includes(trade)),
        `somebody buys ${en}`,
      );
      const mostBidders = Math.max(...PLAN_TEMPLATES.map(({ bidders: [, most] }) => most));
      assert.ok(SELLERS.filter(({ trades }) => trades.includes(trade)).length >= mostBidders, `enough sell ${en}`);
    }
  });

  it("ends bidding on working days, unless it ends about now", () => {
    const end = Date.UTC(2026, 10, 16, 8);
    for (const { tenderingEndsAt } of plansFor(500, end, openRandom(Number(SEED))))
      if (Math.abs(end - tenderingEndsAt) > 7 * DAY)
        assert.ok(![0, 6].includes(new Date(tenderingEndsAt).getUTCDay()), new Date(tenderingEndsAt).toISOString());
  });

  it("creates every status of the procedures with bids, and the main statuses of the others, with complete tenders", {
    timeout: 4 * TIMEOUT_MS,
  }, async () => {
    // One tender of each kind; this seed includes all rare events.
    const { tenders, statuses, clock } = await fill(world, "--tenders", String(PLAN_TEMPLATES.length), "--seed", SEED);
    assert.equal(tenders, PLAN_TEMPLATES.length);
    for (const { status, ...counts } of statuses)
      for (const { name, stages, bids } of Object.values(PROCEDURES))
        if (bids) assert.equal(counts[name] > 0, stages[status] !== undefined, `${name} ${status}`);
    for (const name of DIRECT_PROCEDURES)
      for (const { status, ...counts } of statuses.filter((count) => ["active", "complete"].includes(count.status)))
        assert.ok(counts[name] > 0, `${name} ${status}`);
    const seen = await mirrorTenders(world, "all");
    const assertSome = (message: string, matches: (tender: MirroredTender) => unknown) =>
      assert.ok(seen.some(matches), message);
    assertSome("questions that are answered", ({ questions = [] }) =>
      questions.some(({ answer }: MirroredTender) => answer),
    );
    assertSome("lots", ({ lots = [] }) => lots.length > 1);
    assertSome("features", ({ features = [] }) => features.length > 0);
    assertSome("bids", ({ bids = [] }) => bids.length > 1);
    for (const { id, status, documents = [] } of seen) assert.equal(documents.length > 0, status !== "draft", id);
    for (const format of ["application/pdf", "text/plain"])
      assertSome(format, ({ documents = [] }) =>
        documents.some((document: MirroredTender) => document.format === format),
      );
    assertSome("documents of bids", ({ bids = [] }) =>
      bids.some(({ documents = [] }: MirroredTender) => documents.length > 0),
    );
    assertSome("complaints", ({ complaints = [] }) =>
      complaints.some(({ status }: MirroredTender) => status === "resolved"),
    );
    assertSome("rejected awards", ({ awards = [] }) =>
      awards.some(({ status }: MirroredTender) => status === "unsuccessful"),
    );
    assertSome("contracts", ({ contracts = [] }) =>
      contracts.some(({ status }: MirroredTender) => status === "active"),
    );
    assertSome("cancellations", ({ cancellations = [] }) => cancellations.length > 0);
    for (const broker of ["broker", "broker1", "broker1t"])
      assertSome(`a tender of ${broker}`, ({ owner }) => owner === broker);
    // Only the operator can see the owner of a bid.
    const owners = new Set<string>();
    for (const { id } of seen) {
      const environment = { DATA_DIR: world.dataDir, ...world.database.environment };
      const { tender } = JSON.parse(assertSucceeded(await runCli(["tender", "show", id, "--raw"], environment)).out);
      for (const { owner } of tender.bids ?? []) owners.add(owner);
    }
    assert.deepEqual([...owners].toSorted(), ["broker", "broker2", "broker2t"]);
    assert.ok(seen.every(({ title, title_en }) => UKRAINIAN.test(title) && ENGLISH.test(title_en)));
    const next = await runCli(["clock", "advance", clock, "--by", "P1D", "--url", world.url], {});
    assert.equal(next.code, 0, next.err);
  });

  it("has readable documents", async () => {
    const seen = await mirrorTenders(world, "documents");
    const papers = seen.flatMap(({ documents = [] }) => documents);
    const contentOf = async (type: string) =>
      (await fetch(papers.find(({ format }: MirroredTender) => format === type).url)).text();
    assert.match(await contentOf("application/pdf"), /^%PDF-1\.4\n.*\nxref\n0 6\n.*%%EOF\n$/s);
    assert.match(await contentOf("text/plain"), /^Технічне завдання\n/);
  });

  it("creates the same tenders for the same seed", { timeout: 60_000 }, async () => {
    const fillSummary = async (seed: string) => {
      const own = await openWorld();
      try {
        await fill(own, "--tenders", "3", "--seed", seed);
        const seen = await mirrorTenders(own, `${seed}-${Math.random()}`);
        return seen.map(({ title, status, value }) => `${title} ${status} ${value.amount}`).toSorted();
      } finally {
        await own.stop();
      }
    };
    const first = await fillSummary("9");
    assert.deepEqual(await fillSummary("9"), first);
    assert.notDeepEqual(await fillSummary("10"), first);
  });

  it("reports what it leaves behind and what to do next when it is interrupted", { timeout: 60_000 }, async () => {
    const own = await openWorld();
    try {
      const demo = run([...COMMAND, "demo", "--tenders", "5000", "--url", own.url]);
      const publishedSome = async () =>
        (await own.api("2.5").get("/tenders?mode=_all_", { key: null })).body.data.length > 0;
      await waitUntil(publishedSome, demo.output);
      demo.child.kill("SIGINT");
      assert.deepEqual(await demo.ended, [130, null], demo.output());
      assert.match(
        demo.output(),
        /^Interrupted\. The tenders created so far stay, .*: DATA_DIR=\.\/fresh npm start\n$/,
      );
    } finally {
      await own.stop();
    }
  });

  it("refuses to run if the sandbox has accounts of its own, and says why", async () => {
    const file = join(folder, "own.json");
    writeFileSync(
      file,
      JSON.stringify([{ name: "acme", group: "brokers", levels: "1234", keyHash: hashOf("secret") }]),
    );
    const own = await openWorld({ ACCOUNTS_FILE: file });
    const { code, err } = await runCli(["demo", "--url", own.url, "--key", "secret"], {});
    assert.equal((await own.api("2.5").get("/tenders?mode=_all_", { key: null })).body.data.length, 0);
    await own.stop();
    assert.equal(code, 1);
    assert.match(err, /does not know the key broker: it has its own accounts/);
  });

  it("refuses to run in production", async () => {
    const file = join(folder, "accounts.json");
    writeFileSync(
      file,
      JSON.stringify([{ name: "acme", group: "brokers", levels: "1234", keyHash: hashOf("secret") }]),
    );
    const production = await openWorld({ MODE: "production", ACCOUNTS_FILE: file });
    const { code, err } = await runCli(["demo", "--url", production.url, "--key", "secret"], {});
    await production.stop();
    assert.equal(code, 1);
    assert.match(err, /is not a sandbox/);
  });
});
