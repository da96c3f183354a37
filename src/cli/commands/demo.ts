import { type Client, TenderhallError } from "../../client/index.ts";
import { TENDER_STATUSES } from "../../domain/model/tender.ts";
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  EXIT_FAILURE,
  resultWithMessages,
  successResult,
} from "../command.ts";
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
    "What was published so far stays, on a test clock of its own. For an empty registry, restart the server with another folder: DATA_DIR=./fresh npm start",
  summary: "fills a sandbox with a believable registry: tenders in every status, with all that belongs to them",
  about:
    "Several brokers publish, ask, bid, object and sign over two months, which pass on one test clock within seconds; the clock " +
    "then stands at the present. The same seed gives the same tenders, some of them tests (mode=test). It takes the keys that " +
    "everybody knows, and refuses in production and where a sandbox has accounts of its own.",
  options: {
    tenders: { takes: "NUMBER", means: "how many", fallback: String(DEFAULT_TENDERS) },
    seed: { takes: "NUMBER", means: "another number makes other tenders", fallback: String(DEFAULT_SEED) },
    ...WRITE_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall demo", "Beside a sandbox that runs on this machine:"],
    ["npx --no-install tenderhall demo --tenders 30 --seed 7 --url http://127.0.0.1:8090", "A few, elsewhere:"],
  ],
  parse: (values, positionals) => {
    const { tenders = String(DEFAULT_TENDERS), seed = String(DEFAULT_SEED) } = values as {
      tenders?: string;
      seed?: string;
    };
    if (positionals.length > 0) return { misused: "demo takes options only" };
    if (!/^[1-9]\d{0,4}$/.test(tenders)) return { misused: "--tenders takes a number from 1 to 99999" };
    if (!/^\d{1,9}$/.test(seed)) return { misused: "--seed takes a whole number" };
    const wish = { tenders: Number(tenders), seed: Number(seed) };
    return withRemote(values, (remote, here) => runDemo(remote, wish, here));
  },
};

type DemoOptions = { readonly tenders: number; readonly seed: number };

async function runDemo(
  remote: RemoteRegistry,
  { tenders, seed }: DemoOptions,
  { terminal }: CliContext,
): Promise<CommandResult> {
  // Loaded only here, so that other commands start sooner.
  const { KEYS } = await import("../demo/scenarios.ts");
  const refusal = await reasonToRefuse(remote, KEYS);
  if (refusal) return resultWithMessages(EXIT_FAILURE, [refusal]);
  const { openRandom: openChance } = await import("../demo/random.ts");
  const { DAY, HOUR, plansFor } = await import("../demo/plans.ts");
  const { playTender: live } = await import("../demo/scenarios.ts");
  const { runScenarios: liveThrough } = await import("../demo/schedule.ts");
  const endAt = Math.floor(Date.now() / HOUR) * HOUR;
  const plans = plansFor(tenders, endAt, openChance(seed));
  const startAt = Math.min(endAt - DAY, ...plans.map(({ publishedAt }) => publishedAt));
  const { clocks } = remote.client;
  const { data: clock } = await clocks.create({ now: isoOf(startAt) });
  const published: DemoTender[] = [];
  const context: DemoContext = { remote, clock: clock.id, onPublished: (tender) => published.push(tender) };
  const total = Math.round((endAt - startAt) / HOUR);
  const progress = openProgress({ label: "two months pass", total, unit: "hours", out: terminal.err });
  const moveTo = async (at: number) => void (await clocks.advance(clock.id, { to: isoOf(at) }));
  const onPassed = (ms: number) => progress.step(ms / HOUR);
  const lives = plans.map((plan) => ({ from: plan.publishedAt, life: live(context, plan) }));
  await liveThrough(lives, { startAt, endAt, moveTo, onPassed }).catch(rethrowWithRequest).finally(progress.end);
  return summarize(remote, clock.id, await countStatuses(published));
}

async function reasonToRefuse(
  { url, client, as }: RemoteRegistry,
  keys: readonly string[],
): Promise<string | undefined> {
  if (!(await hasClocks(client)))
    return `${url} is no sandbox: a demonstration needs test clocks, which production has not`;
  for (const key of keys)
    if (!(await isKnownKey(as({ key }))))
      return `${url} does not know the key ${key}: it has accounts of its own, and a demonstration takes those that everybody knows`;
  return undefined;
}

/** Webhooks are for brokers; whoever else is known is told so. */
const isKnownKey = ({ webhooks }: Client): Promise<boolean> =>
  webhooks.list().then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof TenderhallError) || ![401, 403].includes(error.status)) throw error;
      return error.status !== 401;
    },
  );

/** A refusal of one of thousands of requests says which one it was. */
function rethrowWithRequest(error: unknown): never {
  throw error instanceof TenderhallError && error.status > 0 ? new Error(error.message, { cause: error }) : error;
}

const isoOf = (at: number): string => new Date(at).toISOString();

type StatusCount = { readonly status: string; readonly belowThreshold: number; readonly basic: number };

async function countStatuses(published: readonly DemoTender[]): Promise<readonly StatusCount[]> {
  const counts = new Map<string, { status: string; belowThreshold: number; basic: number }>(
    TENDER_STATUSES.map((status) => [status, { status, belowThreshold: 0, basic: 0 }]),
  );
  for (const { scene, plan } of published) {
    // Under the version of the plain procedure one of them has a name of its own.
    const { status }: { status: string } = await scene.fetchTender();
    counts.get(status === "tendering" ? "active.tendering" : status)![plan.procedure] += 1;
  }
  return [...counts.values()];
}

function summarize(remote: RemoteRegistry, clock: string, counts: readonly StatusCount[]): CommandResult {
  const number = counts.reduce((sum, { belowThreshold, basic }) => sum + belowThreshold + basic, 0);
  const rows = counts.map(({ status, belowThreshold, basic }) => [status, String(belowThreshold), String(basic)]);
  const text =
    `${number} tenders are at ${remote.url}, on the clock ${clock}:\n\n` +
    `${formatTable(["STATUS", "BELOW THRESHOLD", "BASIC"], rows)}\n` +
    `Open ${remote.url}/ to look around. Let a day pass there: npx --no-install tenderhall clock advance ${clock} --by P1D --url ${remote.url}\n`;
  return successResult(text, { url: remote.url, clock, tenders: number, statuses: counts });
}
