import { type Client, TenderhallError } from "../client/index.ts";
import { TENDER_STATUSES } from "../domain/tender.ts";
import { hasClocks } from "./clocks.ts";
import type { Living, Stage } from "./demo/lives.ts";
import { type Command, complained, type Here, type Operated, REFUSED, said } from "./operated.ts";
import { openProgress } from "./progress.ts";
import { REMOTE_OPTIONS, type Remote, withRemote } from "./remote.ts";
import { tableOf } from "./tables.ts";

const TENDERS = 200;
const SEED = 1;

export const demo: Command = {
  name: "demo",
  interrupted:
    "What was published so far stays, on a test clock of its own. For an empty registry, restart the server with another folder: DATA_DIR=./fresh npm start",
  summary: "fills a sandbox with a believable registry: tenders in every status, with all that belongs to them",
  about:
    "Several brokers publish, ask, bid, object and sign over two months, which pass on one test clock within seconds; the clock " +
    "then stands at the present. The same seed gives the same tenders, some of them tests (mode=test). It takes the keys that " +
    "everybody knows, and refuses in production and where a sandbox has accounts of its own.",
  options: {
    tenders: { takes: "NUMBER", means: "how many", fallback: String(TENDERS) },
    seed: { takes: "NUMBER", means: "another number makes other tenders", fallback: String(SEED) },
    ...REMOTE_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall demo", "Beside a sandbox that runs on this machine:"],
    ["npx --no-install tenderhall demo --tenders 30 --seed 7 --url http://127.0.0.1:8090", "A few, elsewhere:"],
  ],
  read: (values, positionals) => {
    const { tenders = String(TENDERS), seed = String(SEED) } = values as { tenders?: string; seed?: string };
    if (positionals.length > 0) return { misused: "demo takes options only" };
    if (!/^[1-9]\d{0,4}$/.test(tenders)) return { misused: "--tenders takes a number from 1 to 99999" };
    if (!/^\d{1,9}$/.test(seed)) return { misused: "--seed takes a whole number" };
    const wish = { tenders: Number(tenders), seed: Number(seed) };
    return withRemote(values, (remote, here) => fill(remote, wish, here));
  },
};

type Wish = { readonly tenders: number; readonly seed: number };

async function fill(remote: Remote, { tenders, seed }: Wish, { terminal }: Here): Promise<Operated> {
  // Loaded only here, so that other commands start sooner.
  const { KEYS } = await import("./demo/lives.ts");
  const refused = await whyNot(remote, KEYS);
  if (refused) return complained(REFUSED, [refused]);
  const { openChance } = await import("./demo/chance.ts");
  const { DAY, HOUR, plansFor } = await import("./demo/plans.ts");
  const { live } = await import("./demo/lives.ts");
  const { liveThrough } = await import("./demo/schedule.ts");
  const endAt = Math.floor(Date.now() / HOUR) * HOUR;
  const plans = plansFor(tenders, endAt, openChance(seed));
  const startAt = Math.min(endAt - DAY, ...plans.map(({ publishedAt }) => publishedAt));
  const { clocks } = remote.client;
  const { data: clock } = await clocks.create({ now: isoOf(startAt) });
  const living: Living[] = [];
  const stage: Stage = { remote, clock: clock.id, onPublished: (one) => living.push(one) };
  const total = Math.round((endAt - startAt) / HOUR);
  const progress = openProgress({ what: "two months pass", total, unit: "hours", out: terminal.err });
  const moveTo = async (at: number) => void (await clocks.advance(clock.id, { to: isoOf(at) }));
  const onPassed = (ms: number) => progress.step(ms / HOUR);
  const lives = plans.map((plan) => ({ from: plan.publishedAt, life: live(stage, plan) }));
  await liveThrough(lives, { startAt, endAt, moveTo, onPassed }).catch(toldWhich).finally(progress.end);
  return told(remote, clock.id, await countsOf(living));
}

async function whyNot({ url, client, as }: Remote, keys: readonly string[]): Promise<string | undefined> {
  if (!(await hasClocks(client)))
    return `${url} is no sandbox: a demonstration needs test clocks, which production has not`;
  for (const key of keys)
    if (!(await isKnown(as({ key }))))
      return `${url} does not know the key ${key}: it has accounts of its own, and a demonstration takes those that everybody knows`;
  return undefined;
}

/** Webhooks are for brokers; whoever else is known is told so. */
const isKnown = ({ webhooks }: Client): Promise<boolean> =>
  webhooks.list().then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof TenderhallError) || ![401, 403].includes(error.status)) throw error;
      return error.status !== 401;
    },
  );

/** A refusal of one of thousands of requests says which one it was. */
function toldWhich(error: unknown): never {
  throw error instanceof TenderhallError && error.status > 0 ? new Error(error.message, { cause: error }) : error;
}

const isoOf = (at: number): string => new Date(at).toISOString();

type Count = { readonly status: string; readonly belowThreshold: number; readonly basic: number };

async function countsOf(living: readonly Living[]): Promise<readonly Count[]> {
  const counts = new Map<string, { status: string; belowThreshold: number; basic: number }>(
    TENDER_STATUSES.map((status) => [status, { status, belowThreshold: 0, basic: 0 }]),
  );
  for (const { scene, plan } of living) {
    // Under the version of the plain procedure one of them has a name of its own.
    const { status }: { status: string } = await scene.seen();
    counts.get(status === "tendering" ? "active.tendering" : status)![plan.procedure] += 1;
  }
  return [...counts.values()];
}

function told(remote: Remote, clock: string, counts: readonly Count[]): Operated {
  const number = counts.reduce((sum, { belowThreshold, basic }) => sum + belowThreshold + basic, 0);
  const rows = counts.map(({ status, belowThreshold, basic }) => [status, String(belowThreshold), String(basic)]);
  const text =
    `${number} tenders are at ${remote.url}, on the clock ${clock}:\n\n` +
    `${tableOf(["STATUS", "BELOW THRESHOLD", "BASIC"], rows)}\n` +
    `Open ${remote.url}/ to look around. Let a day pass there: npx --no-install tenderhall clock advance ${clock} --by P1D --url ${remote.url}\n`;
  return said(text, { url: remote.url, clock, tenders: number, statuses: counts });
}
