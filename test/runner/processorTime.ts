import { readFileSync } from "node:fs";

/** Linux counts the time of ended children in ticks of this length, on every architecture that Node runs on. */
const TICK_MS = 10;

/** Where `/proc/<pid>/stat` has the user and system time of the children that have ended, counted from the process's state. */
const CHILD_TIMES = [13, 14] as const;

/**
 * Processor time (user and system) that this process and its ended children have used so far, in milliseconds. A platform
 * without /proc counts this process alone.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + endedChildrenMs();
}

function endedChildrenMs(): number {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // The program's name comes before the state and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return CHILD_TIMES.reduce((sum, at) => sum + Number(fields[at]) * TICK_MS, 0);
  } catch {
    return 0;
  }
}
