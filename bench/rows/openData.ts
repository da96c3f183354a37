import { setTimeout as pause } from "node:timers/promises";
import { tenderBody } from "../bodies.ts";
import type { ServerProcess } from "../children.ts";
import { type BenchRequest, fetchCanned, publish } from "../requests.ts";
import {
  type BenchRow,
  type Contestant,
  inProcessorTime,
  loadOf,
  type RowContext,
  type RowPlan,
  underLoad,
} from "../rows.ts";
import { publishRequest } from "./writes.ts";

/** Open data: what a page of releases costs, and what making releases adds to writes. */

const PUBLISHED = 250;
const PAGE_SIZE = 100;
/** More than the response cache holds, so that each request is handled. */
const ADDRESSES = 500;
const RELEASES_PATH = `/ocds/releases?limit=${PAGE_SIZE}`;
/** The largest fields of a tender, so that an entry is about as large as a release. */
const FEED_FIELDS =
  "title,description,items,procuringEntity,value,minimalStep,enquiryPeriod,tenderPeriod,features,status";
const FEED_PATH = `/api/2.5/tenders?limit=${PAGE_SIZE}&opt_fields=${FEED_FIELDS}`;

/** The costs are compared for as many bytes. */
const UNIT_BYTES = 100_000;
const PAGE_RATIO_MAX = 3;
const WRITE_RATIO_MAX = 1.1;

/** Waits until the server has made a whole page of releases and knows that there are more. */
async function waitForReleases({ url }: ServerProcess): Promise<void> {
  for (;;) {
    const { body } = await fetchCanned(url, { method: "GET", path: RELEASES_PATH });
    if (body.includes('"next":')) return;
    await pause(100);
  }
}

/** The same read under many addresses. */
const readsOf = (path: string): readonly BenchRequest[] =>
  Array.from({ length: ADDRESSES }, (_, i) => ({ method: "GET", path: `${path}&utm_content=${i}` }));

/** The processor time of a request for as many bytes of its body. */
async function forBytes(name: string, server: ServerProcess, path: string, more: Partial<Contestant> = {}) {
  const bytes = Buffer.byteLength((await fetchCanned(server.url, { method: "GET", path })).body);
  const contestant = inProcessorTime(underLoad(name, server, loadOf(server.url, readsOf(path), 4)));
  const run = async (seconds: number) => {
    const sample = await contestant.run(seconds);
    return { ...sample, value: (sample.value * UNIT_BYTES) / bytes, extra: bytes / 1000 };
  };
  return { ...contestant, ...more, run };
}

async function preparePages({ servers }: RowContext): Promise<BenchRow> {
  const server = await servers.startProduct("open data", {});
  await publish(server.url, PUBLISHED, tenderBody());
  await waitForReleases(server);
  const feed = "feed page";
  return {
    unit: "us",
    compared: `the processor time of a page of ${PAGE_SIZE} OCDS releases, and of a page of the feed with as many entries and the largest fields of tenders, each for 100 kB of its body; neither is cached`,
    extraLabel: "the size of the page in kB",
    contestants: [
      await forBytes(feed, server, FEED_PATH),
      await forBytes("releases", server, RELEASES_PATH, { against: feed, target: { atMost: PAGE_RATIO_MAX } }),
    ],
    end: () => server.stop(),
  };
}

async function prepareWrites({ servers }: RowContext): Promise<BenchRow> {
  const without = await servers.startProduct("no open data", {}, ["--no-open-data"]);
  const withData = await servers.startProduct("with open data", {});
  const measured = (name: string, server: ServerProcess, more: Partial<Contestant> = {}): Contestant => ({
    ...inProcessorTime(underLoad(name, server, loadOf(server.url, [publishRequest()]))),
    ...more,
  });
  const base = "no open data";
  return {
    unit: "us",
    compared:
      "the processor time of a durable POST of a tender by 32 connections, on a server that makes no OCDS releases and on one that makes " +
      "them beside the writes",
    contestants: [
      measured(base, without),
      measured("open data", withData, { against: base, target: { atMost: WRITE_RATIO_MAX } }),
    ],
    end: async () => void (await Promise.all([without.stop(), withData.stop()])),
  };
}

export const OPEN_DATA: readonly RowPlan[] = [
  { name: "page of 100 releases", hasTarget: true, roundsMax: 5, prepare: preparePages },
  { name: "writes with open data", hasTarget: true, roundsMax: 5, prepare: prepareWrites },
];
