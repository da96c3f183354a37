import { readdirSync, readFileSync } from "node:fs";
import type { ResourceUsage } from "./messages.ts";

/** The resources used by a process and its descendants, from /proc; undefined where there is no /proc. */
export function treeUsage(root: number): ResourceUsage | undefined {
  const tree = treeOf(root);
  if (tree.length === 0) return undefined;
  return {
    cpuMicros: tree.reduce((sum, stat) => sum + cpuMicrosOf(stat), 0),
    rssBytes: tree.reduce((sum, { pages }) => sum + pages, 0) * BYTES_PER_PAGE,
  };
}

/** What one process of a tree has used so far. */
export type ProcessUsage = {
  readonly pid: number;
  readonly cpuMicros: number;
  /** The bytes that it caused to be written to disk. */
  readonly writtenBytes: number;
};

/** The usage of a process and of each of its descendants; empty where there is no /proc. */
export const usageByProcess = (root: number): readonly ProcessUsage[] =>
  treeOf(root).map((stat) => ({
    pid: stat.pid,
    cpuMicros: cpuMicrosOf(stat),
    writtenBytes: Number(/^write_bytes: (\d+)$/m.exec(readText(`/proc/${stat.pid}/io`))?.[1] ?? 0),
  }));

/** The processor time of the threads of a process in microseconds, by thread name. */
export function threadUsage(pid: number): ReadonlyMap<string, number> {
  const micros = new Map<string, number>();
  for (const thread of numericEntries(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    const stat = readStat(`${folder}/stat`);
    if (!stat) continue;
    const used = scheduledMicros(folder) ?? stat.ticks * MICROS_PER_TICK;
    micros.set(stat.name, (micros.get(stat.name) ?? 0) + used);
  }
  return micros;
}

function treeOf(root: number): readonly ProcessStat[] {
  const all = processes();
  const below = (pid: number): readonly ProcessStat[] => [
    ...all.filter((candidate) => candidate.pid === pid),
    ...all.filter(({ parent }) => parent === pid).flatMap((child) => below(child.pid)),
  ];
  return below(root);
}

/** The scheduler counts nanoseconds for each thread; without its statistics, the resolution is a tick. */
function cpuMicrosOf({ pid, ticks }: ProcessStat): number {
  const threads = numericEntries(`/proc/${pid}/task`).map((thread) => scheduledMicros(`/proc/${pid}/task/${thread}`));
  const known = threads.filter((micros) => micros !== undefined);
  return known.length === threads.length && known.length > 0
    ? known.reduce((sum, micros) => sum + micros, 0)
    : ticks * MICROS_PER_TICK;
}

/** The processor time of a thread, from its folder in /proc. */
function scheduledMicros(folder: string): number | undefined {
  const [nanos] = readText(`${folder}/schedstat`).split(" ");
  return nanos ? Number(nanos) / 1000 : undefined;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The units of /proc on all platforms that Node supports. */
const MICROS_PER_TICK = 10_000;
const BYTES_PER_PAGE = 4096;

type ProcessStat = {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  readonly ticks: number;
  readonly pages: number;
};

const processes = (): readonly ProcessStat[] =>
  numericEntries("/proc").flatMap((pid) => readStat(`/proc/${pid}/stat`) ?? []);

function numericEntries(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Fields are counted after the name in parentheses, which may contain spaces. */
function readStat(file: string): ProcessStat | undefined {
  try {
    const [, pid, name, rest] = /^(\d+) \((.*)\) (.*)$/s.exec(readFileSync(file, "utf8"))!;
    const fields = rest!.split(" ");
    return {
      pid: Number(pid),
      name: name!,
      parent: Number(fields[1]),
      ticks: Number(fields[11]) + Number(fields[12]),
      pages: Number(fields[21]),
    };
  } catch {
    return undefined;
  }
}
