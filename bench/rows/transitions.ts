import { setTimeout as pause } from "node:timers/promises";
import { type BenchRequest, fetchData, publishWithDeadline, TENDERS } from "../requests.ts";
import type { BenchRow, Contestant, RowContext, RowPlan, Sample } from "../rows.ts";

/** A thousand tenders end their enquiries at the same instant. */

const TENDERS_AT_ONCE = 1000;
const LEAD_MS = 2500;
const STORED_MS_MAX = 60_000;
const LOOK_EVERY_MS = 5;

async function prepareTransitions({ servers }: RowContext): Promise<BenchRow> {
  const contestants: Contestant[] = [];
  for (const name of servers.products.filter((which) => !which.endsWith("x2"))) {
    const server = await servers.product(name);
    contestants.push({
      name,
      run: () => measureTransitions(server.url),
      server,
      ...(name === "postgres" && { against: "sqlite" }),
    });
  }
  return {
    unit: "ms",
    isUnloaded: true,
    compared:
      `${TENDERS_AT_ONCE} tenders whose enquiries end at one instant: from that instant until the feed, asked every ` +
      `${LOOK_EVERY_MS} ms, shows the last of them changed`,
    extraLabel: "the largest dateModified after the instant, in ms",
    contestants,
  };
}

async function measureTransitions(url: string): Promise<Sample> {
  const { at, tenders } = await publishWithDeadline(url, TENDERS_AT_ONCE, LEAD_MS);
  const ids = new Set(tenders.map(({ id }) => id));
  await pause(at - Date.now());
  const offset = encodeURIComponent(new Date(at).toISOString());
  const page: BenchRequest = { method: "GET", path: `${TENDERS}?limit=${TENDERS_AT_ONCE}&offset=${offset}` };
  for (;;) {
    const listed = await fetchData<readonly { readonly id: string; readonly dateModified: string }[]>(url, page, 200);
    const value = Date.now() - at;
    const changed = listed.filter(({ id }) => ids.has(id));
    if (changed.length === TENDERS_AT_ONCE)
      return { value, extra: Math.max(...changed.map(({ dateModified }) => Date.parse(dateModified))) - at };
    if (value > STORED_MS_MAX) throw new Error(`${changed.length} of ${TENDERS_AT_ONCE} transitions after a minute`);
    await pause(LOOK_EVERY_MS);
  }
}

export const TRANSITIONS: readonly RowPlan[] = [
  { name: "1,000 transitions at once", roundsMax: 3, prepare: prepareTransitions },
];
