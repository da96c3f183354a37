import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { ALL, BULK_KINDS, type BulkFile, type BulkKind, compareTexts, headerOf, nameOf } from "./bulkState.ts";
import { type GzipFile, openGzipFile, openPart } from "./gzipFile.ts";

/** The bulk files of all months. They consist of the gzip members of the months, so nothing is compressed again. */

/** A file of all months, and the files that it consists of. */
export type WholeFilePlan = { readonly name: string; readonly kind: BulkKind; readonly sources: readonly BulkFile[] };

/** The files of all months that there have to be. Earlier ones stay the same while only later months change. */
export function planWholeFiles(files: readonly BulkFile[], unpackedBytesMax: number): readonly WholeFilePlan[] {
  return BULK_KINDS.flatMap((kind) => {
    const sources = files
      .filter((file) => file.kind === kind && file.period !== ALL)
      .toSorted((a, b) => compareTexts(a.period, b.period));
    return grouped(sources, unpackedBytesMax).map((group, i) => ({
      ...{ name: nameOf(kind, ALL, i + 1), kind },
      sources: group,
    }));
  });
}

/** The file of a plan, if it was made of exactly these sources before. */
export const madeBefore = ({ name, sources }: WholeFilePlan, files: readonly BulkFile[]): BulkFile | undefined =>
  files.find(
    (file) =>
      file.name === name &&
      file.sources?.length === sources.length &&
      file.sources.every((sha256, i) => sha256 === sources[i]?.sha256),
  );

/** Neighbours that fit into one file. */
function grouped(parts: readonly BulkFile[], unpackedBytesMax: number): readonly (readonly BulkFile[])[] {
  const groups: BulkFile[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    bytes += part.unpackedBytes;
    if (bytes > unpackedBytesMax) {
      groups.push([]);
      bytes = part.unpackedBytes;
    }
    groups.at(-1)?.push(part);
  }
  return groups;
}

/** Makes a file of all months. It still has a temporary name. `step` is called after each piece: it may wait, or throw to stop. */
export async function makeWholeFile(
  folder: string,
  { name, kind, sources }: WholeFilePlan,
  step: () => Promise<void> | undefined,
): Promise<BulkFile> {
  const file = await openGzipFile(folder, name);
  const headerBytes = Buffer.byteLength(headerOf(kind));
  let [unpackedBytes, lines] = [0, 0];
  try {
    for (const [i, source] of sources.entries()) {
      const skipped = i === 0 ? 0 : headerBytes;
      await appendPart(folder, file, source, skipped, step);
      unpackedBytes += source.unpackedBytes - skipped;
      lines += source.lines;
    }
    const head = sources[0]?.head ?? { bytes: 0, unpackedBytes: 0 };
    const date = Math.max(...sources.map((source) => source.date));
    const made = { ...(await file.end()), ...{ unpackedBytes, lines, head, kind, date } };
    return { ...made, period: ALL, sources: sources.map(({ sha256 }) => sha256) };
  } catch (error) {
    await file.abort().catch(() => {});
    throw error;
  }
}

const unpack = promisify(gunzip);

/** Appends the members of a file. If its header is skipped, only its first member is compressed again. */
async function appendPart(
  folder: string,
  file: GzipFile,
  source: BulkFile,
  skippedBytes: number,
  step: () => Promise<void> | undefined,
): Promise<void> {
  const input = await openPart(folder, source);
  if (!input) throw new Error(`${source.name} was changed by another process`);
  try {
    const start = skippedBytes === 0 ? 0 : source.head.bytes;
    if (start > 0) {
      const packed = Buffer.alloc(start);
      await input.read(packed, 0, start, 0);
      const member = file.openMember();
      await member.write((await unpack(packed)).subarray(skippedBytes));
      await member.end();
    }
    for await (const chunk of input.createReadStream({ start, autoClose: false, highWaterMark: 256 * 1024 })) {
      await file.append(chunk);
      await step();
    }
  } finally {
    await input.close();
  }
}
