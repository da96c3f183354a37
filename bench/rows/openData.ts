import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { createGunzip } from "node:zlib";
import { tenderBody } from "../bodies.ts";
import { type ChildProcesses, dataDirOf, type ServerProcess } from "../children.ts";
import { type BenchRequest, fetchCanned, publish } from "../requests.ts";
import {
  type BenchRow,
  type Contestant,
  inProcessorTime,
  loadOf,
  type RowContext,
  type RowPlan,
  type Sample,
  underLoad,
} from "../rows.ts";
import { publishRequest } from "./writes.ts";

/** Open data: what a page of releases costs, what making releases adds to writes, and what an export takes. */

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

const EXPORT_RATIO_MAX = 2;
const EXPORT_MIB_MAX = 300;
const MIB = 1024 * 1024;

type CommandUsage = { readonly cpuMillis: number; readonly rssMib: number };

/** Runs a command of `tenderhall` and returns its processor time and its peak memory. */
async function measureCommand(
  { folder, run }: ChildProcesses,
  env: { readonly [name: string]: string },
  args: readonly string[],
): Promise<CommandUsage> {
  const file = join(folder, "usage.json");
  const nodeArgs = ["--import", join(import.meta.dirname, "..", "reportUsage.ts")];
  const settings = { ...env, USAGE_FILE: file, PUBLIC_URL: "https://tenders.example" };
  await run({ name: "export", script: "../src/cli/tenderhall.ts", args, nodeArgs, env: settings });
  const { userCPUTime, systemCPUTime, maxRSS }: NodeJS.ResourceUsage = JSON.parse(readFileSync(file, "utf8"));
  return { cpuMillis: (userCPUTime + systemCPUTime) / 1000, rssMib: (maxRSS * 1024) / MIB };
}

/** The processor time of gzip, in milliseconds. */
async function measureGzip(file: string): Promise<number> {
  const command = 'TIMEFORMAT="%U %S"; time gzip -c "$0" > /dev/null';
  const { stderr } = await promisify(execFile)("bash", ["-c", command, file]);
  return stderr
    .trim()
    .split(" ")
    .reduce((sum, seconds) => sum + Number(seconds) * 1000, 0);
}

/** Writes the files of all months, unpacked and one after another. */
async function unpackExport(folder: string, to: string): Promise<void> {
  rmSync(to, { force: true });
  for (const name of readdirSync(folder).filter((file) => file.includes("-all-")))
    await pipeline(createReadStream(join(folder, name)), createGunzip(), createWriteStream(to, { flags: "a" }));
}

/** A registry whose releases are made, with the commands to compare. The seeded one, if there is one. */
async function openExports({ children, tenders, seeded }: RowContext) {
  const dataDir = seeded.folder ?? dataDirOf(children.folder, "exported");
  const env = { DATA_DIR: dataDir };
  if (!seeded.folder)
    await children.run({ name: "exported", script: "../scripts/seed.ts", args: ["--tenders", String(tenders)], env });
  const target = join(children.folder, "exported open data");
  const bytes = join(children.folder, "exported bytes");
  mkdirSync(target, { recursive: true });
  await measureCommand(children, env, ["ocds", "export", target]);
  await unpackExport(target, bytes);
  return {
    openData: () => {
      rmSync(target, { recursive: true, force: true });
      return measureCommand(children, env, ["ocds", "export", target]);
    },
    ledger: () => measureCommand(children, env, ["export", "--to", join(children.folder, "ledger.jsonl")]),
    gzip: () => measureGzip(bytes),
  };
}

async function prepareExport(context: RowContext): Promise<BenchRow> {
  const { openData, ledger, gzip } = await openExports(context);
  const base = "export and gzip";
  const sampleOf = ({ cpuMillis, rssMib }: CommandUsage): Sample => ({ value: cpuMillis, extra: rssMib });
  return {
    unit: "ms",
    isUnloaded: true,
    startsServers: true,
    compared:
      "the processor time of `tenderhall ocds export` to an empty folder, on a registry whose releases are made, and of `tenderhall " +
      "export` plus gzip of the bytes that the other command packs",
    extraLabel: "the peak memory in MiB",
    contestants: [
      {
        name: base,
        run: async () => {
          const usage = await ledger();
          return sampleOf({ ...usage, cpuMillis: usage.cpuMillis + (await gzip()) });
        },
      },
      {
        name: "open data",
        run: async () => sampleOf(await openData()),
        against: base,
        target: { atMost: EXPORT_RATIO_MAX },
      },
    ],
  };
}

async function prepareExportMemory(context: RowContext): Promise<BenchRow> {
  const { openData, ledger } = await openExports(context);
  const memory = (run: () => Promise<CommandUsage>) => async () => ({ value: (await run()).rssMib });
  return {
    unit: "MiB",
    isUnloaded: true,
    startsServers: true,
    compared: "the peak memory of `tenderhall ocds export`, beside that of `tenderhall export`",
    contestants: [
      { name: "export", run: memory(ledger) },
      { name: "open data", run: memory(openData), target: { atMost: EXPORT_MIB_MAX } },
    ],
  };
}

export const OPEN_DATA: readonly RowPlan[] = [
  { name: "page of 100 releases", hasTarget: true, roundsMax: 5, prepare: preparePages },
  { name: "writes with open data", hasTarget: true, roundsMax: 5, prepare: prepareWrites },
  { name: "export of open data", hasTarget: true, roundsMax: 3, prepare: prepareExport },
  { name: "memory of that export", hasTarget: true, roundsMax: 1, prepare: prepareExportMemory },
];
