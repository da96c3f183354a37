import { readdirSync, readFileSync } from "node:fs";
import type { ResourceUsage } from "./messages.ts";

/** What a process and all below it have used, as the kernel counts it; where there is no /proc, nobody knows. */
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

/** The processor time of each thread of a process, by the name that it goes by. */
export function threadUsage(pid: number): ReadonlyMap<string, number> {
  const micros = new Map<string, number>();
  for (const thread of numericEntries(`/proc/${pid}/task`)) {
    const counted = readStat(`/proc/${pid}/task/${thread}/stat`);
    if (counted) micros.set(counted.name, (micros.get(counted.name) ?? 0) + counted.ticks * MICROS_PER_TICK);
  }
  return micros;
}

/** Linux reports in these units on every machine that it shares with Node. */
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

/** Its fields are counted from behind the name, which may hold anything. */
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
