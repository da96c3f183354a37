import { createReadStream, createWriteStream } from "node:fs";
import { type FileHandle, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { parseOwnJson } from "../base/ownJson.ts";
import { microsecondsOf } from "../client/feedPosition.ts";

/**
 * A folder that mirrors a registry: a file that lines are appended to, and a state file with the offset to continue from.
 * Lines are synced to disk before the offset, so that after a crash some changes are read again and none is missed.
 */
export type Mirror = {
  readonly state: () => MirrorState;
  /** Whether the lines have this version of a tender, or a later one, although the feed reaches it only now. */
  readonly has: (id: string, dateModified: string) => boolean;
  /** Appends lines, then stores `offset`; `entries` are the feed entries that the lines were read for. */
  readonly add: (lines: readonly MirrorLine[], offset: string, entries: readonly MirrorEntry[]) => Promise<void>;
  /** Keeps only the last line of each tender. Returns the number of lines before and after. */
  readonly compact: () => Promise<{ readonly before: number; readonly after: number }>;
  readonly close: () => Promise<void>;
};

/** A version of a tender. */
export type MirrorEntry = { readonly id: string; readonly dateModified: string };
/** A line of the mirror. `tender` is the JSON of the registry, unparsed, so that numbers keep their digits. */
export type MirrorLine = MirrorEntry & { readonly tender: string };

/** The contents of state.json. */
export type MirrorState = {
  readonly url: string;
  readonly mode: string;
  readonly offset: string;
  readonly lines: number;
  /** The length of the lines file when this was written; null while it is being rewritten. */
  readonly bytes: number | null;
  /** Versions that were read before the feed reached them: the time of change by tender id. */
  readonly ahead: { readonly [id: string]: string };
};

const LINES_FILE = "tenders.jsonl";
const STATE_FILE = "state.json";
const NEW_SUFFIX = ".new";

/** Opens or creates a mirror, and repairs it after a crash. Throws if the folder mirrors another registry. */
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
      throw new Error(`${path} is shorter than ${STATE_FILE} says: remove both files to start over`);
    // The feed will report lines that were appended after the offset was stored once more.
    const wasRewritten = state.bytes === null;
    let count = wasRewritten ? 0 : state.lines;
    for await (const line of linesFrom(path, state.bytes ?? 0)) {
      const { id, dateModified } = parseOwnJson<MirrorEntry>(line);
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
    async add(newLines, offset, entries) {
      const text = newLines.map(serializeLine).join("");
      await lines.appendFile(text);
      await lines.sync();
      const entryTimes = new Map(entries.map(({ id, dateModified }) => [id, dateModified]));
      const stillAhead = [...ahead].filter(([id, at]) => !isAtLeast(entryTimes.get(id), at));
      const newlyAhead = newLines.flatMap(({ id, dateModified }) =>
        entryTimes.get(id) === dateModified ? [] : [[id, dateModified] as const],
      );
      ahead = new Map([...stillAhead, ...newlyAhead]);
      // `recover` and `compact` leave a number.
      const bytes = (state.bytes ?? 0) + Buffer.byteLength(text);
      await saveState({
        ...state,
        offset,
        bytes,
        lines: state.lines + newLines.length,
        ahead: Object.fromEntries(ahead),
      });
    },
    async compact() {
      const before = state.lines;
      // Until the new length is stored, a crash leaves either file, and `recover` counts its lines.
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
    throw new Error(`${path} was not written by sync: remove it to read everything again`);
  }
  if (state.url !== url || state.mode !== mode)
    throw new Error(`${folder} mirrors ${state.url} (${state.mode} tenders): use another folder`);
  return state;
}

const CHUNK_BYTES = 64 * 1024;
const LINE_END = 10;

/** Removes the incomplete last line that a killed process left. Returns the length of the complete lines. */
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

/** Copies the last line of each tender, in two passes, so that memory holds only a number for each tender. */
async function writeLatestLines(path: string): Promise<number> {
  const lastLineOf = new Map<string, number>();
  let lineNumber = 0;
  for await (const line of linesFrom(path, 0)) lastLineOf.set(parseOwnJson<MirrorEntry>(line).id, lineNumber++);
  const latest = new Set(lastLineOf.values());
  async function* latestLines() {
    let current = 0;
    for await (const line of linesFrom(path, 0)) if (latest.has(current++)) yield `${line}\n`;
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
  // Windows cannot open a folder.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
