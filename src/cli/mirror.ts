import { createReadStream, createWriteStream } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { microsecondsOf } from "../client/place.ts";

/**
 * A folder that mirrors a registry: lines that are only ever added, and where to go on. Lines are on disk before the place
 * is, so whatever happens in between is seen again and nothing is left out.
 */
export type Mirror = {
  readonly state: () => State;
  /** Whether this state of a tender, or a later one, stands in the lines already, though the feed comes to it only now. */
  readonly has: (id: string, dateModified: string) => boolean;
  readonly add: (lines: readonly Line[], offset: string, seen: readonly Entry[]) => Promise<void>;
  /** Leaves the last line of each tender. */
  readonly compact: () => Promise<{ readonly before: number; readonly after: number }>;
  readonly close: () => Promise<void>;
};

export type Entry = { readonly id: string; readonly dateModified: string };
/** `tender` is JSON as the service wrote it, so that numbers stay as they are. */
export type Line = Entry & { readonly tender: string };

export type State = {
  readonly url: string;
  readonly mode: string;
  readonly offset: string;
  readonly lines: number;
  /** How long the lines were when this was written; nothing while they are rewritten. */
  readonly bytes: number | null;
  /** States that were read before the feed came to them. */
  readonly ahead: { readonly [id: string]: string };
};

const LINES = "tenders.jsonl";
const STATE = "state.json";
const NEW = ".new";

export async function openMirror(
  folder: string,
  asked: { readonly url: string; readonly mode: string },
): Promise<Mirror> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, LINES);
  await rm(path + NEW, { force: true });
  let state = await readState(folder, asked);
  let lines = await open(path, "a+");
  let ahead = new Map(Object.entries(state.ahead));

  async function recover(): Promise<void> {
    const whole = await cutTornLine(lines);
    if (state.bytes !== null && whole < state.bytes)
      throw new Error(`${path} is shorter than ${STATE} says: remove both, and begin anew`);
    // What was added after the place was noted, the feed will tell of again.
    const wasRewritten = state.bytes === null;
    let count = wasRewritten ? 0 : state.lines;
    for await (const line of linesFrom(path, state.bytes ?? 0)) {
      const { id, dateModified } = JSON.parse(line) as Entry;
      if (!wasRewritten) ahead.set(id, dateModified);
      count += 1;
    }
    state = { ...state, bytes: whole, lines: count };
  }

  const note = async (next: State): Promise<void> => {
    await writeWhole(folder, STATE, `${JSON.stringify(next)}\n`);
    state = next;
  };

  await recover().catch(async (error) => {
    await lines.close();
    throw error;
  });
  return {
    state: () => state,
    has: (id, dateModified) => isReached(ahead.get(id), dateModified),
    async add(added, offset, seen) {
      const text = added.map(textOf).join("");
      await lines.appendFile(text);
      await lines.sync();
      const places = new Map(seen.map(({ id, dateModified }) => [id, dateModified]));
      const kept = [...ahead].filter(([id, at]) => !isReached(places.get(id), at));
      const read = added.flatMap(({ id, dateModified }) =>
        places.get(id) === dateModified ? [] : [[id, dateModified] as const],
      );
      ahead = new Map([...kept, ...read]);
      const bytes = state.bytes! + Buffer.byteLength(text);
      await note({ ...state, offset, bytes, lines: state.lines + added.length, ahead: Object.fromEntries(ahead) });
    },
    async compact() {
      const before = state.lines;
      // From here until the end nobody can say how long the lines are.
      await note({ ...state, bytes: null });
      const after = await keepLast(path);
      await rename(path + NEW, path);
      await syncFolder(folder);
      await lines.close();
      lines = await open(path, "a+");
      await note({ ...state, bytes: (await lines.stat()).size, lines: after });
      return { before, after };
    },
    close: () => lines.close(),
  };
}

const isReached = (place: string | undefined, at: string): boolean =>
  place !== undefined && microsecondsOf(place) >= microsecondsOf(at);

const textOf = ({ id, dateModified, tender }: Line): string =>
  `{"id":${JSON.stringify(id)},"dateModified":${JSON.stringify(dateModified)},"tender":${tender}}\n`;

async function readState(folder: string, { url, mode }: { url: string; mode: string }): Promise<State> {
  const path = join(folder, STATE);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return { url, mode, offset: "", lines: 0, bytes: 0, ahead: {} };
  let state: State;
  try {
    state = JSON.parse(text);
  } catch {
    throw new Error(`${path} is not what sync wrote: remove it, and everything is read again`);
  }
  if (state.url !== url || state.mode !== mode)
    throw new Error(`${folder} mirrors ${state.url} (${state.mode} tenders): another one needs a folder of its own`);
  return state;
}

const CHUNK = 64 * 1024;
const LINE_END = 10;

/** Whoever was killed while writing left half a line. Answers how long the whole lines are. */
async function cutTornLine(lines: FileHandle): Promise<number> {
  const { size } = await lines.stat();
  let end = size;
  while (end > 0) {
    const start = Math.max(0, end - CHUNK);
    const { buffer } = await lines.read({ buffer: Buffer.alloc(end - start), position: start });
    const at = buffer.lastIndexOf(LINE_END);
    if (at >= 0) {
      end = start + at + 1;
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
async function keepLast(path: string): Promise<number> {
  const last = new Map<string, number>();
  let number = 0;
  for await (const line of linesFrom(path, 0)) last.set((JSON.parse(line) as Entry).id, number++);
  const kept = new Set(last.values());
  async function* chosen() {
    let at = 0;
    for await (const line of linesFrom(path, 0)) if (kept.has(at++)) yield `${line}\n`;
  }
  await pipeline(chosen, createWriteStream(path + NEW, { flush: true }));
  return kept.size;
}

async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name);
  const handle = await open(path + NEW, "w");
  await handle
    .writeFile(text)
    .then(() => handle.sync())
    .finally(() => handle.close());
  await rename(path + NEW, path);
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders; there the rename is as durable as it gets.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
