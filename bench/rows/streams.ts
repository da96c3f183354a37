import { setTimeout as pause } from "node:timers/promises";
import { tenderBody } from "../bodies.ts";
import { type ChangeReader, openPollingReader, openStreamReader } from "../changeReaders.ts";
import type { ServerProcess } from "../children.ts";
import { fetchCanned, publish, TENDERS } from "../requests.ts";
import type { BenchRow, Contestant, RowContext, RowPlan, Sample } from "../rows.ts";

/** Ten thousand changes, received by a hundred readers each. */

const CHANGES = 10_000;
const CHANGES_TO_WARM_UP = 1000;
const READERS = 100;
const LATE_MS_MAX = 120_000;

type OpenReader = (url: string, offset: string) => Promise<ChangeReader>;

async function prepareStreams({ servers }: RowContext): Promise<BenchRow> {
  const contestants: Contestant[] = [];
  for (const name of servers.products.filter((which) => !which.endsWith("x2"))) {
    const server = await servers.product(name);
    const nobody = `${name}, nobody listens`;
    contestants.push(
      { name: nobody, run: measureRun(server, undefined), server },
      { name: `${name}, streams`, run: measureRun(server, openStreamReader), server, against: nobody },
      { name: `${name}, polling`, run: measureRun(server, openPollingReader), server, against: nobody },
    );
  }
  return {
    unit: "changes/s",
    compared:
      `${CHANGES} tenders published by 32 connections until each of ${READERS} readers has been told of all of them, ` +
      `${CHANGES * READERS} deliveries, none lost and none twice; polling: the same readers ask for the next page at once, or ` +
      "100 ms after an empty one",
    extraLabel: "from the last acknowledged change until the last reader knows of it, in ms",
    contestants,
  };
}

/** The first round is a warm-up. */
function measureRun(server: ServerProcess, open: OpenReader | undefined): () => Promise<Sample> {
  let changes = CHANGES_TO_WARM_UP;
  return async () => {
    const sample = await measureDelivery(server, open, changes);
    changes = CHANGES;
    return sample;
  };
}

async function measureDelivery(server: ServerProcess, open: OpenReader | undefined, changes: number): Promise<Sample> {
  const { url } = server;
  const offset = await lastOffset(url);
  const listeners = open ? await Promise.all(Array.from({ length: READERS }, () => open(url, offset))) : [];
  const before = await server.usage();
  const started = performance.now();
  const published = await publish(url, changes, tenderBody());
  const written = performance.now();
  while (listeners.some(({ receivedIds }) => receivedIds.length < changes)) {
    if (performance.now() - written > LATE_MS_MAX) break;
    await pause(1);
  }
  const ended = performance.now();
  const after = await server.usage();
  const ids = new Set(published.map(({ id }) => id));
  for (const { receivedIds, stop } of listeners) {
    stop();
    if (
      receivedIds.length !== changes ||
      !new Set(receivedIds).isSubsetOf(ids) ||
      new Set(receivedIds).size !== changes
    )
      throw new Error(
        `a reader was told of ${receivedIds.length} changes, ${new Set(receivedIds).size} of them different, of ${changes}`,
      );
  }
  return {
    value: (changes * 1000) / (ended - started),
    extra: ended - written,
    cpuMicros: before && after && (after.cpuMicros - before.cpuMicros) / changes,
  };
}

async function lastOffset(url: string): Promise<string> {
  const { body } = await fetchCanned(url, { method: "GET", path: `${TENDERS}?descending=1&limit=1` });
  const { prev_page: last } = JSON.parse(body) as { prev_page: { offset: string } };
  return last.offset;
}

export const STREAMS: readonly RowPlan[] = [{ name: "stream to 100 readers", roundsMax: 3, prepare: prepareStreams }];
