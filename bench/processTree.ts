import { readdirSync, readFileSync } from "node:fs";
import type { ResourceUsage } from "./messages.ts";

/** The resources used by a process and its descendants, from /proc; undefined where there is no /proc. */
export function treeUsage(root: number): ResourceUsage | undefined {
  const all = processes();
  if (!all.some(({ pid }) => pid === root)) return undefined;
  const below = (pid: number): readonly ProcessStat[] => [
    ...all.filter((candidate) => candidate.pid === pid),
    ...all.filter(({ parent }) => parent === pid).flatMap((child) => below(child.pid)),
  ];
  const tree = below(root);
  return {
    cpuMicros: tree.reduce((sum, { ticks }) => sum + ticks, 0) * MICROS_PER_TICK,
    rssBytes: tree.reduce((sum, { pages }) => sum + pages, 0) * BYTES_PER_PAGE,
  };
}

/** The processor time of the threads of a process in microseconds, by thread name. */
export function threadUsage(pid: number): ReadonlyMap<string, number> {
  const micros = new Map<string, number>();
  for (const thread of numericEntries(`/proc/${pid}/task`)) {
    const stat = readStat(`/proc/${pid}/task/${thread}/stat`);
    if (stat) micros.set(stat.name, (micros.get(stat.name) ?? 0) + stat.ticks * MICROS_PER_TICK);
  }
  return micros;
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
