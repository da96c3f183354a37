import { parseOwnJson } from "../../base/ownJson.ts";
import type { Client, FeedParams } from "../../client/index.ts";
import { batchesOf } from "../batches.ts";
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  EXIT_OK,
  type OptionValues,
  pluralize,
  resultWithMessages,
  successResult,
  textOption,
} from "../command.ts";
import { MODE_OPTION, modeOf } from "../filters.ts";
import { type Mirror, type MirrorEntry, type MirrorLine, openMirror } from "../mirror.ts";
import { clearEcho, openInterrupt } from "../output/interrupt.ts";
import { openProgress, type Progress } from "../output/progress.ts";
import { FOLLOW_RETRIES, READ_OPTIONS, type RemoteRegistry, withRemote } from "../remote.ts";

const PAGE_SIZE = 100;
const COUNT_PAGE_SIZE = 1000;
const CONCURRENCY = 8;

export const sync: CliCommand = {
  name: "sync",
  handlesSignals: true,
  takes: "DIR",
  summary: "mirrors the registry as lines of JSON in the folder DIR; continues where it stopped",
  about:
    "Every version of a tender that sync reads is appended to DIR/tenders.jsonl as a line {id, dateModified, tender}; the last line of a " +
    "tender is its current version. DIR/state.json has the offset to continue from. If sync is killed and run again, nothing is missing. " +
    "Data that is not public (drafts, sealed bids) is not included.",
  options: {
    follow: { description: "keep running and add changes until Ctrl-C" },
    compact: { description: "when complete, keep only the latest version of each tender" },
    ...MODE_OPTION,
    ...READ_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall sync ./mirror --url https://tenders.example", "Every night, adding what is new:"],
    ["npx --no-install tenderhall sync ./mirror --follow", "Continuously:"],
    [
      "npx --no-install tenderhall sync ./mirror --compact && wc -l < mirror/tenders.jsonl",
      "One line for each tender, and their number:",
    ],
  ],
  parse: (values, [folder, ...extra]) => {
    if (!folder || extra.length > 0) return { usageError: "sync takes one folder to mirror to" };
    return withRemote(values, (remote, context) => syncTo(folder, remote, values, context), {
      patient: true,
      reads: true,
    });
  },
};

async function syncTo(
  folder: string,
  remote: RemoteRegistry,
  values: OptionValues,
  context: CliContext,
): Promise<CommandResult> {
  // If the server cannot be reached, no folder is created.
  await remote.client.tenders.list({ ...modeOf(values), limit: 1 });
  const { acquireFolderLock } = await import("../../app/offline.ts");
  const lock = acquireFolderLock(folder, `another sync to ${folder} is running`, "sync.lock");
  const interrupt = openInterrupt();
  try {
    const { client, url } = remote;
    const mirror = await openMirror(folder, { url, mode: textOption(values, "mode") ?? "real" });
    const syncContext = { client, mirror, feedParams: modeOf(values), signal: interrupt.signal, context };
    return await runSync(folder, syncContext, values).finally(mirror.close);
  } finally {
    interrupt.close();
    lock.close();
  }
}

type SyncContext = {
  readonly client: Client;
  readonly mirror: Mirror;
  readonly feedParams: Pick<FeedParams, "mode">;
  readonly signal: AbortSignal;
  readonly context: CliContext;
};

async function runSync(
  folder: string,
  syncContext: SyncContext,
  { follow, compact }: OptionValues,
): Promise<CommandResult> {
  const { mirror, signal, context } = syncContext;
  const before = mirror.state().lines;
  const total = context.terminal.err.isTTY ? await countPending(syncContext) : 0;
  const progress = openProgress({ label: "syncing", total, unit: "tenders", out: context.terminal.err });
  await catchUp(syncContext, progress).finally(progress.end);
  const added = mirror.state().lines - before;
  if (compact && !signal.aborted) await mirror.compact();
  if (follow) await followChanges(syncContext);
  if (signal.aborted) clearEcho(context.terminal.err);
  const { lines, offset } = mirror.state();
  const json = { folder, added: follow ? lines - before : added, lines, offset, ended: !signal.aborted };
  const text = `${folder} has ${pluralize(lines, "version")} of tenders, ${follow ? lines - before : added} of them new.\n`;
  return signal.aborted
    ? resultWithMessages(EXIT_OK, [`To continue from here: npx --no-install tenderhall sync ${folder}`], text, json)
    : successResult(text, json);
}

async function catchUp(syncContext: SyncContext, progress: Progress): Promise<void> {
  while (!syncContext.signal.aborted) {
    const entryCount = await syncPage(syncContext);
    if (entryCount === 0) return;
    progress.step(entryCount);
  }
}

/** Adds the tenders of one page of the feed. Returns the number of its entries. */
async function syncPage(syncContext: SyncContext): Promise<number> {
  const { client, mirror, feedParams } = syncContext;
  const offset = mirror.state().offset || undefined;
  const { data, next_page } = await client.tenders.list({ ...feedParams, limit: PAGE_SIZE, offset });
  if (data.length > 0) await addTenders(syncContext, data, next_page.offset);
  return data.length;
}

/** Adds changes as they happen. Changes that arrive while others are written form the next batch. */
async function followChanges(syncContext: SyncContext): Promise<void> {
  const { client, mirror, feedParams } = syncContext;
  const stopping = new AbortController();
  const signal = AbortSignal.any([syncContext.signal, stopping.signal]);
  const offset = mirror.state().offset || undefined;
  const changes = client.follow({ ...feedParams, offset, limit: PAGE_SIZE, signal, retries: FOLLOW_RETRIES });
  try {
    for await (const batch of batchesOf(changes, PAGE_SIZE))
      await addTenders(syncContext, latestOf(batch), batch.at(-1)?.offset ?? mirror.state().offset);
  } finally {
    // If writing failed, the stream must be closed too.
    stopping.abort();
  }
}

/** The last entry of each tender: one that changed several times is read once. */
const latestOf = (entries: readonly MirrorEntry[]): readonly MirrorEntry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
];

/** Reads the tenders that the mirror lacks, and adds them before the offset after them. */
async function addTenders(
  { client, mirror }: SyncContext,
  entries: readonly MirrorEntry[],
  offset: string,
): Promise<void> {
  const missing = entries.filter(({ id, dateModified }) => !mirror.has(id, dateModified));
  await mirror.add(await mapConcurrently(missing, CONCURRENCY, (entry) => readTender(client, entry)), offset, entries);
}

/** Reads a tender. Its version may be newer than the entry; the feed then reports that version later. */
async function readTender({ tenders }: Client, { id }: MirrorEntry): Promise<MirrorLine> {
  const text = await tenders.text(id);
  const { data } = parseOwnJson<{ readonly data: MirrorEntry }>(text);
  const isCompact = text.startsWith('{"data":') && text.endsWith("}") && !text.includes("\n");
  return {
    id,
    dateModified: data.dateModified,
    tender: isCompact ? text.slice('{"data":'.length, -1) : JSON.stringify(data),
  };
}

async function mapConcurrently<From, To>(
  items: readonly From[],
  concurrency: number,
  work: (item: From) => Promise<To>,
): Promise<readonly To[]> {
  const results: To[] = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      // `index` is below the length.
      results[index] = await work(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  return results;
}

/** Counts the entries to sync, for the progress bar. Reading only the feed is fast. */
async function countPending({ client, mirror, feedParams, signal }: SyncContext): Promise<number> {
  let count = 0;
  let offset = mirror.state().offset || undefined;
  while (!signal.aborted) {
    const { data, next_page } = await client.tenders.list({ ...feedParams, limit: COUNT_PAGE_SIZE, offset });
    if (data.length === 0) break;
    count += data.length;
    offset = next_page.offset;
  }
  return count;
}
