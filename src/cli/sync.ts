import type { Client, FeedWishes } from "../client/index.ts";
import { batchesOf } from "./batches.ts";
import { MODE_OPTION, modeOf } from "./filters.ts";
import { clearEcho, openInterrupt } from "./interrupting.ts";
import { type Entry, type Line, type Mirror, openMirror } from "./mirror.ts";
import { type Command, complained, counted, DONE, type Here, type Operated, said, type Values } from "./operated.ts";
import { openProgress, type Progress } from "./progress.ts";
import { FOLLOWED_AGAIN, READING_OPTIONS, type Remote, withRemote } from "./remote.ts";

const PAGE = 100;
const COUNTED_PAGE = 1000;
const ABREAST = 8;

export const sync: Command = {
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
    ...READING_OPTIONS,
  },
  examples: [
    ["npx --no-install tenderhall sync ./mirror --url https://tenders.example", "Every night, only what is new:"],
    ["npx --no-install tenderhall sync ./mirror --follow", "As it happens:"],
    [
      "npx --no-install tenderhall sync ./mirror --compact && wc -l < mirror/tenders.jsonl",
      "A line for each tender, and how many they are:",
    ],
  ],
  read: (values, [folder, ...more]) => {
    if (!folder || more.length > 0) return { misused: "sync takes the one folder to mirror to" };
    return withRemote(values, (remote, here) => syncTo(folder, remote, values, here), { patient: true, reads: true });
  },
};

async function syncTo(folder: string, remote: Remote, values: Values, here: Here): Promise<Operated> {
  // Whoever cannot be reached leaves no folder behind.
  await remote.client.tenders.list({ ...modeOf(values), limit: 1 });
  const { holdFolder } = await import("../beside.ts");
  const held = holdFolder(folder, `another sync to ${folder} is running`, "sync.lock");
  const interrupt = openInterrupt();
  try {
    const { client, url } = remote;
    const mirror = await openMirror(folder, { url, mode: (values.mode as string | undefined) ?? "real" });
    const filling = { client, mirror, wishes: modeOf(values), signal: interrupt.signal, here };
    return await fill(folder, filling, values).finally(mirror.close);
  } finally {
    interrupt.close();
    held.close();
  }
}

type Filling = {
  readonly client: Client;
  readonly mirror: Mirror;
  readonly wishes: Pick<FeedWishes, "mode">;
  readonly signal: AbortSignal;
  readonly here: Here;
};

async function fill(folder: string, filling: Filling, { follow, compact }: Values): Promise<Operated> {
  const { mirror, signal, here } = filling;
  const before = mirror.state().lines;
  const total = here.terminal.err.isTTY ? await countAhead(filling) : 0;
  const progress = openProgress({ what: "syncing", total, unit: "tenders", out: here.terminal.err });
  await catchUp(filling, progress).finally(progress.end);
  const added = mirror.state().lines - before;
  if (compact && !signal.aborted) await mirror.compact();
  if (follow) await followOn(filling);
  if (signal.aborted) clearEcho(here.terminal.err);
  const { lines, offset } = mirror.state();
  const json = { folder, added: follow ? lines - before : added, lines, offset, ended: !signal.aborted };
  const text = `${folder} holds ${counted(lines, "state")}, ${follow ? lines - before : added} of them new.\n`;
  return signal.aborted
    ? complained(DONE, [`To go on from here: npx --no-install tenderhall sync ${folder}`], text, json)
    : said(text, json);
}

async function catchUp(filling: Filling, progress: Progress): Promise<void> {
  while (!filling.signal.aborted) {
    const seen = await step(filling);
    if (seen === 0) return;
    progress.step(seen);
  }
}

/** One page of the feed. Answers how many it told of. */
async function step(filling: Filling): Promise<number> {
  const { client, mirror, wishes } = filling;
  const offset = mirror.state().offset || undefined;
  const { data, next_page } = await client.tenders.list({ ...wishes, limit: PAGE, offset });
  if (data.length > 0) await take(filling, data, next_page.offset);
  return data.length;
}

/** What happens from here on, as it happens; what comes while others are being read and written is taken together. */
async function followOn(filling: Filling): Promise<void> {
  const { client, mirror, wishes } = filling;
  const leaving = new AbortController();
  const signal = AbortSignal.any([filling.signal, leaving.signal]);
  const offset = mirror.state().offset || undefined;
  const changes = client.follow({ ...wishes, offset, limit: PAGE, signal, retries: FOLLOWED_AGAIN });
  try {
    for await (const batch of batchesOf(changes, PAGE)) await take(filling, latestOf(batch), batch.at(-1)!.offset);
  } finally {
    // Also where the disk is full: nobody listens any more.
    leaving.abort();
  }
}

/** A tender that changed more than once meanwhile is read once, as it stands now. */
const latestOf = (entries: readonly Entry[]): readonly Entry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
];

/** Tenders are read and on disk before the place after them is. */
async function take({ client, mirror }: Filling, entries: readonly Entry[], offset: string): Promise<void> {
  const wanted = entries.filter(({ id, dateModified }) => !mirror.has(id, dateModified));
  await mirror.add(await inOrder(wanted, ABREAST, (entry) => read(client, entry)), offset, entries);
}

/** The state may be newer than the one the feed told of; then the feed tells of it again. */
async function read({ tenders }: Client, { id }: Entry): Promise<Line> {
  const text = await tenders.text(id);
  const { data } = JSON.parse(text) as { readonly data: Entry };
  const isPlain = text.startsWith('{"data":') && text.endsWith("}") && !text.includes("\n");
  return {
    id,
    dateModified: data.dateModified,
    tender: isPlain ? text.slice('{"data":'.length, -1) : JSON.stringify(data),
  };
}

async function inOrder<From, To>(
  all: readonly From[],
  abreast: number,
  work: (one: From) => Promise<To>,
): Promise<readonly To[]> {
  const done: To[] = new Array(all.length);
  let next = 0;
  const worker = async () => {
    while (next < all.length) {
      const at = next++;
      done[at] = await work(all[at]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(abreast, all.length) }, worker));
  return done;
}

/** So that whoever looks on knows how long it takes: the feed alone is quick to read. */
async function countAhead({ client, mirror, wishes, signal }: Filling): Promise<number> {
  let count = 0;
  let offset = mirror.state().offset || undefined;
  while (!signal.aborted) {
    const { data, next_page } = await client.tenders.list({ ...wishes, limit: COUNTED_PAGE, offset });
    if (data.length === 0) break;
    count += data.length;
    offset = next_page.offset;
  }
  return count;
}
