import { createReadStream, createWriteStream } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { microsecondsOf } from "../client/feedPosition.ts";

/**
 * A folder that mirrors a registry: lines that are only ever added, and where to go on. Lines are on disk before the place
 * is, so whatever happens in between is seen again and nothing is left out.
 */
export type Mirror = {
  readonly state: () => MirrorState;
  /** Whether this state of a tender, or a later one, stands in the lines already, though the feed comes to it only now. */
  readonly has: (id: string, dateModified: string) => boolean;
  readonly add: (lines: readonly MirrorLine[], offset: string, entries: readonly MirrorEntry[]) => Promise<void>;
  /** Leaves the last line of each tender. */
  readonly compact: () => Promise<{ readonly before: number; readonly after: number }>;
  readonly close: () => Promise<void>;
};

export type MirrorEntry = { readonly id: string; readonly dateModified: string };
/** `tender` is JSON as the service wrote it, so that numbers stay as they are. */
export type MirrorLine = MirrorEntry & { readonly tender: string };

export type MirrorState = {
  readonly url: string;
  readonly mode: string;
  readonly offset: string;
  readonly lines: number;
  /** How long the lines were when this was written; nothing while they are rewritten. */
  readonly bytes: number | null;
  /** States that were read before the feed came to them. */
  readonly ahead: { readonly [id: string]: string };
};

const LINES_FILE = "tenders.jsonl";
const STATE_FILE = "state.json";
const NEW_SUFFIX = ".new";

export async function openMirror(
  folder: string,
  source: { readonly url: string; readonly mode: string },
): Promise<Mirror> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, LINES_FILE);
  await rm(path + NEW_SUFFIX, { force: true });
  let state = await readState(folder, source);
  let lines = await open(path, "a+");
  let ahead = new Map(Object.entries(state.ahead));

  async function recover(): Promise<void> {
    const completeBytes = await truncateTornLine(lines);
    if (state.bytes !== null && completeBytes < state.bytes)
      throw new Error(`${path} is shorter than ${STATE_FILE} says: remove both, and begin anew`);
    // What was added after the place was noted, the feed will tell of again.
    const wasRewritten = state.bytes === null;
    let count = wasRewritten ? 0 : state.lines;
    for await (const line of linesFrom(path, state.bytes ?? 0)) {
      const { id, dateModified } = JSON.parse(line) as MirrorEntry;
      if (!wasRewritten) ahead.set(id, dateModified);
      count += 1;
    }
    state = { ...state, bytes: completeBytes, lines: count };
  }

  const saveState = async (next: MirrorState): Promise<void> => {
    await writeAtomically(folder, STATE_FILE, `${JSON.stringify(next)}\n`);
    state = next;
  };

  await recover().catch(async (error) => {
    await lines.close();
    throw error;
  });
  return {
    state: () => state,
    has: (id, dateModified) => isAtLeast(ahead.get(id), dateModified),
    async add(added, offset, entries) {
      const text = added.map(serializeLine).join("");
      await lines.appendFile(text);
      await lines.sync();
      const entryTimes = new Map(entries.map(({ id, dateModified }) => [id, dateModified]));
      const stillAhead = [...ahead].filter(([id, at]) => !isAtLeast(entryTimes.get(id), at));
      const newlyAhead = added.flatMap(({ id, dateModified }) =>
        entryTimes.get(id) === dateModified ? [] : [[id, dateModified] as const],
      );
      ahead = new Map([...stillAhead, ...newlyAhead]);
      const bytes = state.bytes! + Buffer.byteLength(text);
      await saveState({ ...state, offset, bytes, lines: state.lines + added.length, ahead: Object.fromEntries(ahead) });
    },
    async compact() {
      const before = state.lines;
      // From here until the end nobody can say how long the lines are.
      await saveState({ ...state, bytes: null });
      const after = await writeLatestLines(path);
      await rename(path + NEW_SUFFIX, path);
      await syncFolder(folder);
      await lines.close();
      lines = await open(path, "a+");
      await saveState({ ...state, bytes: (await lines.stat()).size, lines: after });
      return { before, after };
    },
    close: () => lines.close(),
  };
}

const isAtLeast = (reached: string | undefined, at: string): boolean =>
  reached !== undefined && microsecondsOf(reached) >= microsecondsOf(at);

const serializeLine = ({ id, dateModified, tender }: MirrorLine): string =>
  `{"id":${JSON.stringify(id)},"dateModified":${JSON.stringify(dateModified)},"tender":${tender}}\n`;

async function readState(folder: string, { url, mode }: { url: string; mode: string }): Promise<MirrorState> {
  const path = join(folder, STATE_FILE);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return { url, mode, offset: "", lines: 0, bytes: 0, ahead: {} };
  let state: MirrorState;
  try {
    state = JSON.parse(text);
  } catch {
    throw new Error(`${path} is not what sync wrote: remove it, and everything is read again`);
  }
  if (state.url !== url || state.mode !== mode)
    throw new Error(`${folder} mirrors ${state.url} (${state.mode} tenders): another one needs a folder of its own`);
  return state;
}

const CHUNK_BYTES = 64 * 1024;
const LINE_END = 10;

/** Whoever was killed while writing left half a line. Answers how long the whole lines are. */
async function truncateTornLine(lines: FileHandle): Promise<number> {
  const { size } = await lines.stat();
  let end = size;
  while (end > 0) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const { buffer } = await lines.read({ buffer: Buffer.alloc(end - start), position: start });
    const lineEnd = buffer.lastIndexOf(LINE_END);
    if (lineEnd >= 0) {
      end = start + lineEnd + 1;
      break;
    }
    end = start;
  }
  if (end < size) {
    await lines.truncate(end);
    await lines.sync();
  }
  return end;
}

const linesFrom = (path: string, start: number): AsyncIterable<string> =>
  createInterface({ input: createReadStream(path, { start }), crlfDelay: Number.POSITIVE_INFINITY });

/** Two passes: which line is the last of its tender, then those lines. Memory holds a number for each tender. */
async function writeLatestLines(path: string): Promise<number> {
  const last = new Map<string, number>();
  let number = 0;
  for await (const line of linesFrom(path, 0)) last.set((JSON.parse(line) as MirrorEntry).id, number++);
  const latest = new Set(last.values());
  async function* latestLines() {
    let at = 0;
    for await (const line of linesFrom(path, 0)) if (latest.has(at++)) yield `${line}\n`;
  }
  await pipeline(latestLines, createWriteStream(path + NEW_SUFFIX, { flush: true }));
  return latest.size;
}

async function writeAtomically(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name);
  const handle = await open(path + NEW_SUFFIX, "w");
  await handle
    .writeFile(text)
    .then(() => handle.sync())
    .finally(() => handle.close());
  await rename(path + NEW_SUFFIX, path);
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders; there the rename is as durable as it gets.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
