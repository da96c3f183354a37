import { MODE_OPTION, modeOf } from "./filters.ts";
import { type Interrupt, openInterrupt, rest } from "./interrupting.ts";
import { type Entry, type Line, type Mirror, openMirror } from "./mirror.ts";
import { type Command, complained, counted, DONE, type Here, type Operated, said, type Values } from "./operated.ts";
import { openProgress, type Progress } from "./progress.ts";
import { type Query, REMOTE_OPTIONS, type Remote, remoteOf } from "./remote.ts";

const PAGE = 200;
const COUNTED_PAGE = "1000";
const ABREAST = 8;
const ASKED_AGAIN_MS = 1000;

export const sync: Command = {
  name: "sync",
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
    ...REMOTE_OPTIONS,
  },
  examples: [
    ["npx tenderhall sync ./mirror --url https://tenders.example", "Every night, only what is new:"],
    ["npx tenderhall sync ./mirror --follow", "As it happens:"],
    [
      `npx tenderhall sync ./mirror --compact && jq -r .tender.status mirror/tenders.jsonl | sort | uniq -c`,
      "How many in which status:",
    ],
  ],
  read: (values, [folder, ...more]) => {
    if (!folder || more.length > 0) return { misused: "sync takes the one folder to mirror to" };
    return (here) => syncTo(folder, values, here);
  },
};

async function syncTo(folder: string, values: Values, here: Here): Promise<Operated> {
  const { holdFolder } = await import("../beside.ts");
  const remote = remoteOf(values, here.environment, { patient: true });
  const held = holdFolder(folder, `another sync to ${folder} is running`);
  const interrupt = openInterrupt();
  try {
    const mirror = await openMirror(folder, { url: remote.url, mode: (values.mode as string | undefined) ?? "real" });
    return await fill(folder, { remote, mirror, query: modeOf(values), interrupt, here }, values).finally(mirror.close);
  } finally {
    interrupt.close();
    held.close();
  }
}

type Filling = {
  readonly remote: Remote;
  readonly mirror: Mirror;
  readonly query: Query;
  readonly interrupt: Interrupt;
  readonly here: Here;
};

async function fill(folder: string, filling: Filling, { follow, compact }: Values): Promise<Operated> {
  const { mirror, interrupt, here } = filling;
  const { signal } = interrupt;
  const before = mirror.state().lines;
  const total = here.terminal.err.isTTY ? await countAhead(filling) : 0;
  const progress = openProgress({ what: "syncing", total, unit: "tenders", out: here.terminal.err });
  await catchUp(filling, progress).finally(progress.end);
  const added = mirror.state().lines - before;
  if (compact && !signal.aborted) await mirror.compact();
  while (follow && !signal.aborted) if ((await step(filling)) === 0) await rest(ASKED_AGAIN_MS, signal);
  const { lines, offset } = mirror.state();
  const json = { folder, added: follow ? lines - before : added, lines, offset, ended: !signal.aborted };
  const text = `${folder} holds ${counted(lines, "state")}, ${follow ? lines - before : added} of them new.\n`;
  return signal.aborted
    ? complained(DONE, [`To go on from here: npx tenderhall sync ${folder}`], text, json)
    : said(text, json);
}

async function catchUp(filling: Filling, progress: Progress): Promise<void> {
  while (!filling.interrupt.signal.aborted) {
    const seen = await step(filling);
    if (seen === 0) return;
    progress.step(seen);
  }
}

/** One page of the feed: its tenders are read and on disk before the next place is. Answers how many it told of. */
async function step({ remote, mirror, query }: Filling): Promise<number> {
  const { offset } = mirror.state();
  const { data, next_page } = await remote.page({ ...query, limit: String(PAGE), offset: offset || undefined });
  const entries = data as readonly Entry[];
  if (entries.length === 0) return 0;
  const wanted = entries.filter(({ id, dateModified }) => !mirror.has(id, dateModified));
  await mirror.add(await inOrder(wanted, ABREAST, (entry) => read(remote, entry)), next_page.offset, entries);
  return entries.length;
}

/** The state may be newer than the one the feed told of; then the feed tells of it again. */
async function read(remote: Remote, { id }: Entry): Promise<Line> {
  const text = await remote.getText(`/tenders/${id}`);
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
async function countAhead({ remote, mirror, query, interrupt }: Filling): Promise<number> {
  let count = 0;
  let offset = mirror.state().offset || undefined;
  while (!interrupt.signal.aborted) {
    const { data, next_page } = await remote.page({ ...query, limit: COUNTED_PAGE, offset });
    if (data.length === 0) break;
    count += data.length;
    offset = next_page.offset;
  }
  return count;
}
