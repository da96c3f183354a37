import { type Client, TenderhallError } from "../../client/index.ts";
import { TENDER_STATUSES } from "../../domain/model/tender.ts";
import { PROCEDURE_NAMES, type ProcedureName } from "../../domain/procedures/names.ts";
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  EXIT_FAILURE,
  jsonLine,
  resultWithMessages,
  successResult,
  textOption,
} from "../command.ts";
import type { ShowcaseSettings } from "../demo/auctionShowcase.ts";
import type { DemoContext, DemoTender } from "../demo/scenarios.ts";
import { openProgress } from "../output/progress.ts";
import { formatTable } from "../output/tables.ts";
import { type RemoteRegistry, WRITE_OPTIONS, withRemote } from "../remote.ts";
import { hasClocks } from "./clocks.ts";

const DEFAULT_TENDERS = 200;
const DEFAULT_SEED = 1;

export const demo: CliCommand = {
  name: "demo",
  interruptHint:
    "The tenders created so far stay, on a test clock of their own. For an empty registry, restart the server with another folder: DATA_DIR=./fresh npm start",
  summary: "fills a sandbox with realistic tenders in every status",
  about:
    "Several brokers create tenders, ask, bid, complain and sign contracts over two months, which pass on one test clock within seconds; " +
    "at the end the clock shows the present. Further auctions stand in each of their phases, each on a clock of its own. With --live " +
    "the command goes on until Ctrl-C: one auction after another runs in real time, with bidders who lower their prices. The same seed gives the same tenders, some of them test tenders (mode=test). The command uses " +
    "the public sandbox keys, so it refuses to run in production or against a sandbox with its own accounts.",
  options: {
    tenders: { takes: "NUMBER", description: "the number of tenders", fallback: String(DEFAULT_TENDERS) },
    live: { description: "keep one auction running until Ctrl-C" },
    seed: { takes: "NUMBER", description: "a different seed gives different tenders", fallback: String(DEFAULT_SEED) },
    ...WRITE_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall demo", "In a sandbox that runs on this machine:"],
    [
      "npx --no-install tenderhall demo --tenders 30 --seed 7 --url http://127.0.0.1:8090",
      "30 tenders in another sandbox:",
    ],
  ],
  parse: (values, positionals) => {
    const tenders = textOption(values, "tenders") ?? String(DEFAULT_TENDERS);
    const seed = textOption(values, "seed") ?? String(DEFAULT_SEED);
    if (positionals.length > 0) return { usageError: "demo takes only options" };
    if (!/^[1-9]\d{0,4}$/.test(tenders)) return { usageError: "--tenders takes a number from 1 to 99999" };
    if (!/^\d{1,9}$/.test(seed)) return { usageError: "--seed takes a whole number" };
    const options = { tenders: Number(tenders), seed: Number(seed), isLive: values.live === true };
    return withRemote(values, (remote, context) => runDemo(remote, options, context));
  },
};

type DemoOptions = { readonly tenders: number; readonly seed: number; readonly isLive: boolean };

async function runDemo(
  remote: RemoteRegistry,
  { tenders, seed, isLive }: DemoOptions,
  { terminal, json }: CliContext,
): Promise<CommandResult> {
  // Loaded only here, so that other commands start sooner.
  const { KEYS, SHOWCASE_KEYS, playTender } = await import("../demo/scenarios.ts");
  const refusal = await reasonToRefuse(remote, KEYS);
  if (refusal) return resultWithMessages(EXIT_FAILURE, [refusal]);
  const { openRandom } = await import("../demo/random.ts");
  const { DAY, HOUR, plansFor } = await import("../demo/plans.ts");
  const { runScenarios } = await import("../demo/schedule.ts");
  const endAt = Math.floor(Date.now() / HOUR) * HOUR;
  const plans = plansFor(tenders, endAt, openRandom(seed));
  const startAt = Math.min(endAt - DAY, ...plans.map(({ publishedAt }) => publishedAt));
  const { clocks } = remote.client;
  const { data: clock } = await clocks.create({ now: isoOf(startAt) });
  const published: DemoTender[] = [];
  const context: DemoContext = { remote, clock: clock.id, onPublished: (tender) => published.push(tender) };
  const total = Math.round((endAt - startAt) / HOUR);
  const progress = openProgress({ label: "simulating two months", total, unit: "hours", out: terminal.err });
  const moveTo = async (at: number) => void (await clocks.advance(clock.id, { to: isoOf(at) }));
  const onPassed = (ms: number) => progress.step(ms / HOUR);
  const scenarios = plans.map((plan) => ({ from: plan.publishedAt, scenario: playTender(context, plan) }));
  await runScenarios(scenarios, { startAt, endAt, moveTo, onPassed }).catch(rethrowWithRequest).finally(progress.end);
  const showcase = { remote, endAt, random: openRandom(seed), keys: SHOWCASE_KEYS };
  const auctions = await showAuctions(showcase).catch(rethrowWithRequest);
  const result = summarize(remote, clock.id, await countStatuses(published), auctions);
  if (!isLive) return result;
  terminal.out.write(json ? jsonLine(result.json) : result.out);
  return runLive(showcase, terminal);
}

/** An auction in each phase; none if other programs hold the auctions of the registry. */
async function showAuctions(settings: ShowcaseSettings): Promise<readonly AuctionInPhase[]> {
  const { SHOWN_PHASES, hasOwnAuctions, showAuction } = await import("../demo/auctionShowcase.ts");
  if (!(await hasOwnAuctions(settings.remote))) return [];
  const shown: AuctionInPhase[] = [];
  for (const phase of SHOWN_PHASES) {
    const { id } = await showAuction(settings, phase);
    shown.push({ phase, id });
  }
  return shown;
}

/** Runs one auction after another in real time. Ctrl-C ends it. */
async function runLive(settings: ShowcaseSettings, { out }: CliContext["terminal"]): Promise<CommandResult> {
  const { hasOwnAuctions, runInRealTime, showAuction } = await import("../demo/auctionShowcase.ts");
  const { remote } = settings;
  if (!(await hasOwnAuctions(remote)))
    return resultWithMessages(EXIT_FAILURE, [`other programs hold the auctions of ${remote.url}`]);
  for (;;) {
    const auction = await showAuction({ ...settings, endAt: Date.now() }, "pause");
    out.write(`Auction in progress: ${remote.url}/auctions/${auction.id}\n`);
    await runInRealTime(auction);
  }
}

type AuctionInPhase = { readonly phase: string; readonly id: string };

async function reasonToRefuse(
  { url, client, as }: RemoteRegistry,
  keys: readonly string[],
): Promise<string | undefined> {
  if (!(await hasClocks(client)))
    return `${url} is not a sandbox: the demo needs test clocks, which production does not have`;
  for (const key of keys)
    if (!(await isKnownKey(as({ key }))))
      return `${url} does not know the key ${key}: it has its own accounts, and the demo needs the public sandbox accounts`;
  return undefined;
}

/** Listing webhooks needs a known key: brokers may do it, other known accounts get 403. */
const isKnownKey = ({ webhooks }: Client): Promise<boolean> =>
  webhooks.list().then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof TenderhallError) || ![401, 403].includes(error.status)) throw error;
      return error.status !== 401;
    },
  );

/** Keeps the client's message, which names the refused request among thousands. */
function rethrowWithRequest(error: unknown): never {
  throw error instanceof TenderhallError && error.status > 0 ? new Error(error.message, { cause: error }) : error;
}

const isoOf = (at: number): string => new Date(at).toISOString();

type StatusCount = { readonly status: string; readonly numbers: Map<ProcedureName, number> };

async function countStatuses(published: readonly DemoTender[]): Promise<readonly StatusCount[]> {
  const counts = TENDER_STATUSES.map((status): StatusCount => {
    const numbers = new Map<ProcedureName, number>();
    for (const name of PROCEDURE_NAMES) numbers.set(name, 0);
    return { status, numbers };
  });
  for (const { scene, plan } of published) {
    // An older version of the API calls one status `tendering`.
    const { status }: { status: string } = await scene.fetchTender();
    const count = counts.find((known) => known.status === (status === "tendering" ? "active.tendering" : status));
    if (!count) throw new Error(`unknown status ${status}`);
    count.numbers.set(plan.procedure, (count.numbers.get(plan.procedure) ?? 0) + 1);
  }
  return counts;
}

function summarize(
  remote: RemoteRegistry,
  clock: string,
  counts: readonly StatusCount[],
  auctions: readonly AuctionInPhase[],
): CommandResult {
  const number = counts.flatMap(({ numbers }) => [...numbers.values()]).reduce((sum, some) => sum + some, 0);
  const rows = counts.map(({ status, numbers }) => [status, ...[...numbers.values()].map(String)]);
  const statuses = counts.map(({ status, numbers }) => ({ status, ...Object.fromEntries(numbers) }));
  const text =
    `Created ${number} tenders at ${remote.url} on the clock ${clock}:\n\n` +
    `${formatTable(["STATUS", ...PROCEDURE_NAMES], rows)}\n` +
    auctionTable(remote, auctions) +
    `Open ${remote.url}/ to look around. To let a day pass: npx --no-install tenderhall clock advance ${clock} --by P1D --url ${remote.url}\n`;
  return successResult(text, { url: remote.url, clock, tenders: number, statuses, auctions });
}

const auctionTable = ({ url }: RemoteRegistry, auctions: readonly AuctionInPhase[]): string =>
  auctions.length === 0
    ? ""
    : `${formatTable(
        ["AUCTION", "PAGE"],
        auctions.map(({ phase, id }) => [phase, `${url}/auctions/${id}`]),
      )}\n`;
