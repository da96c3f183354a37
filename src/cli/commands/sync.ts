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
  summary: "mirrors the registry to lines of JSON in the folder DIR; goes on where it was, however it ended",
  about:
    "DIR/tenders.jsonl gains a line {id, dateModified, tender} for every state of a tender that was seen, so the last line of a " +
    "tender is how it stands; DIR/state.json says where to go on. Killed at any moment and run again, it lacks nothing. What is " +
    "not public (drafts, sealed bids) is not in it.",
  options: {
    follow: { means: "stays, and adds what changes, until Ctrl-C" },
    compact: { means: "once all is there, leaves the latest state of each tender alone" },
    ...MODE_OPTION,
    ...READ_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall sync ./mirror --url https://tenders.example", "Every night, only what is new:"],
    ["npx --no-install tenderhall sync ./mirror --follow", "As it happens:"],
    [
      "npx --no-install tenderhall sync ./mirror --compact && wc -l < mirror/tenders.jsonl",
      "A line for each tender, and how many they are:",
    ],
  ],
  parse: (values, [folder, ...more]) => {
    if (!folder || more.length > 0) return { misused: "sync takes the one folder to mirror to" };
    return withRemote(values, (remote, here) => syncTo(folder, remote, values, here), { patient: true, reads: true });
  },
};

async function syncTo(
  folder: string,
  remote: RemoteRegistry,
  values: OptionValues,
  context: CliContext,
): Promise<CommandResult> {
  // Whoever cannot be reached leaves no folder behind.
  await remote.client.tenders.list({ ...modeOf(values), limit: 1 });
  const { acquireFolderLock: holdFolder } = await import("../../app/offline.ts");
  const lock = holdFolder(folder, `another sync to ${folder} is running`, "sync.lock");
  const interrupt = openInterrupt();
  try {
    const { client, url } = remote;
    const mirror = await openMirror(folder, { url, mode: (values.mode as string | undefined) ?? "real" });
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
  const text = `${folder} holds ${pluralize(lines, "state")}, ${follow ? lines - before : added} of them new.\n`;
  return signal.aborted
    ? resultWithMessages(EXIT_OK, [`To go on from here: npx --no-install tenderhall sync ${folder}`], text, json)
    : successResult(text, json);
}

async function catchUp(syncContext: SyncContext, progress: Progress): Promise<void> {
  while (!syncContext.signal.aborted) {
    const entryCount = await syncPage(syncContext);
    if (entryCount === 0) return;
    progress.step(entryCount);
  }
}

/** One page of the feed. Answers how many it told of. */
async function syncPage(syncContext: SyncContext): Promise<number> {
  const { client, mirror, feedParams } = syncContext;
  const offset = mirror.state().offset || undefined;
  const { data, next_page } = await client.tenders.list({ ...feedParams, limit: PAGE_SIZE, offset });
  if (data.length > 0) await addTenders(syncContext, data, next_page.offset);
  return data.length;
}

/** What happens from here on, as it happens; what comes while others are being read and written is taken together. */
async function followChanges(syncContext: SyncContext): Promise<void> {
  const { client, mirror, feedParams } = syncContext;
  const stopping = new AbortController();
  const signal = AbortSignal.any([syncContext.signal, stopping.signal]);
  const offset = mirror.state().offset || undefined;
  const changes = client.follow({ ...feedParams, offset, limit: PAGE_SIZE, signal, retries: FOLLOW_RETRIES });
  try {
    for await (const batch of batchesOf(changes, PAGE_SIZE))
      await addTenders(syncContext, latestOf(batch), batch.at(-1)!.offset);
  } finally {
    // Also where the disk is full: nobody listens any more.
    stopping.abort();
  }
}

/** A tender that changed more than once meanwhile is read once, as it stands now. */
const latestOf = (entries: readonly MirrorEntry[]): readonly MirrorEntry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
];

/** Tenders are read and on disk before the place after them is. */
async function addTenders(
  { client, mirror }: SyncContext,
  entries: readonly MirrorEntry[],
  offset: string,
): Promise<void> {
  const missing = entries.filter(({ id, dateModified }) => !mirror.has(id, dateModified));
  await mirror.add(await mapConcurrently(missing, CONCURRENCY, (entry) => readTender(client, entry)), offset, entries);
}

/** The state may be newer than the one the feed told of; then the feed tells of it again. */
async function readTender({ tenders }: Client, { id }: MirrorEntry): Promise<MirrorLine> {
  const text = await tenders.text(id);
  const { data } = JSON.parse(text) as { readonly data: MirrorEntry };
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
      results[index] = await work(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  return results;
}

/** So that whoever looks on knows how long it takes: the feed alone is quick to read. */
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
