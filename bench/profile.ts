import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { ChildProcesses } from "./children.ts";
import type { Options } from "./options.ts";
import { threadUsage } from "./processTree.ts";
import type { RowPlan } from "./rows.ts";
import { openServers } from "./servers.ts";

const ROOT = dirname(import.meta.dirname);
const TOP = 25;
const WARM_UP_SECONDS = 2;

/** Profiles the main thread of the product under the load of each row, and prints where its time goes. */
export async function profileRows(
  options: Options,
  children: ChildProcesses,
  logProgress: (text: string) => void,
): Promise<void> {
  const profilesFolder = join(ROOT, "node_modules", ".cache", "profiles");
  mkdirSync(profilesFolder, { recursive: true });
  for (const plan of options.plans) {
    logProgress(`${plan.name}: preparing`);
    await profileRow(plan, options, children, mkdtempSync(join(profilesFolder, "row-")), logProgress);
  }
}

async function profileRow(
  plan: RowPlan,
  { pace, tenders, seeded }: Options,
  children: ChildProcesses,
  folder: string,
  logProgress: (text: string) => void,
): Promise<void> {
  const nodeArgs = ["--cpu-prof", `--cpu-prof-dir=${folder}`];
  const servers = openServers({ children, products: ["sqlite"], nodeArgs });
  const row = await plan.prepare({ servers, children, tenders, seeded });
  const profiled = row.contestants.findLast(({ name, server }) => name.startsWith("sqlite") && server);
  if (!profiled) return logProgress(`${plan.name} has nothing on SQLite to profile.`);
  const { pid } = profiled.server!;
  const seconds = pace.rounds * pace.seconds;
  logProgress(`${plan.name}: warming up, then under load for ${seconds} s`);
  await profiled.run(WARM_UP_SECONDS);
  const from = monotonicMicros();
  const threadsBefore = threadUsage(pid);
  const { value } = await profiled.run(seconds);
  const threads = [...threadUsage(pid)].map(
    ([name, micros]) => [name, micros - (threadsBefore.get(name) ?? 0)] as const,
  );
  const loaded = { from, to: monotonicMicros() };
  await row.end?.();
  await servers.close();
  const file = join(folder, readdirSync(folder).find((name) => name.includes(`.${pid}.`))!);
  process.stdout.write(`
${plan.name} on SQLite, one worker: ${Math.round(value)} ${row.unit} under the profiler, which slows it down.

${renderProfile(JSON.parse(readFileSync(file, "utf8")) as Profile, loaded)}

Processor time by thread under load: ${threads
    .filter(([, micros]) => micros > 0)
    .toSorted((a, b) => b[1] - a[1])
    .map(([name, micros]) => `${name} ${(micros / 1e6).toFixed(1)} s`)
    .join(", ")}.
The profile of the main thread, start and warm-up included, is in ${file}
You can open it in the developer tools of a browser (Performance, load profile).
`);
}

/** The monotonic clock of the machine, which V8 uses for its samples in every process. */
const monotonicMicros = (): number => Number(process.hrtime.bigint() / 1000n);

type TimeRange = { readonly from: number; readonly to: number };

type ProfileNode = {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
};
type Profile = {
  readonly startTime: number;
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

/** Self time under load, by module and by function. Idle time is listed separately. */
function renderProfile(profile: Profile, loaded: TimeRange): string {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const byFunction = new Map<string, number>();
  const byModule = new Map<string, number>();
  for (const { id, micros } of samplesIn(profile, loaded)) {
    const node = byId.get(id)!;
    byFunction.set(functionLabel(node), (byFunction.get(functionLabel(node)) ?? 0) + micros);
    byModule.set(moduleOf(node), (byModule.get(moduleOf(node)) ?? 0) + micros);
  }
  const busy = [...byModule].reduce((sum, [module, micros]) => sum + (module === IDLE ? 0 : micros), 0);
  const list = (times: ReadonlyMap<string, number>, linesMax: number) =>
    [...times]
      .filter(([name]) => name !== IDLE)
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, linesMax)
      .map(([name, micros]) => `  ${((100 * micros) / busy).toFixed(1).padStart(5)} %  ${name}`)
      .join("\n");
  return `Where the time goes (self time, of ${(busy / 1e6).toFixed(1)} s that the main thread was busy; idle ${((byModule.get(IDLE) ?? 0) / 1e6).toFixed(1)} s):

${list(byModule, Number.POSITIVE_INFINITY)}

The ${TOP} functions with the most self time:

${list(byFunction, TOP)}`;
}

/** The samples within a time range. A sample counts for the time until the next one. */
function samplesIn({ samples, timeDeltas, startTime }: Profile, { from, to }: TimeRange) {
  let at = startTime;
  return samples.flatMap((id, i) => {
    at += timeDeltas[i]!;
    return at >= from && at < to ? [{ id, micros: timeDeltas[i + 1] ?? 0 }] : [];
  });
}

const IDLE = "idle";
const NATIVE: { readonly [name: string]: string } = {
  "(idle)": IDLE,
  "(garbage collector)": "garbage collector",
  "(program)": "native code outside JavaScript (system calls, parser of HTTP)",
};

const PLATFORM: readonly (readonly [RegExp, string])[] = [
  [/http/, "node: HTTP"],
  [/stream|net$|event/, "node: streams, sockets, events"],
  [/timers|process\/|async|promises/, "node: timers, ticks, promises"],
  [/./, "node: the rest"],
];

/** The folder of the sources, the package, or the part of Node that a function belongs to. */
function moduleOf({ callFrame: { functionName, url } }: ProfileNode): string {
  if (url === "") return NATIVE[functionName] ?? "built-in functions (JSON, Buffer, SQLite and others)";
  if (url.startsWith("node:")) return PLATFORM.find(([pattern]) => pattern.test(url))![1];
  const path = pathOf(url);
  const [, nodeModule] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return nodeModule ? `package ${nodeModule}` : path.startsWith("src/") ? dirname(path) : path;
}

function functionLabel(node: ProfileNode): string {
  const { functionName, url, lineNumber } = node.callFrame;
  if (url === "") return NATIVE[functionName] ?? `${functionName || "(anonymous)"}  built in`;
  const place = url.startsWith("node:") ? url : pathOf(url);
  return `${functionName || "(anonymous)"}  ${place}:${lineNumber + 1}`;
}

const pathOf = (url: string): string => (url.startsWith("file:") ? relative(ROOT, fileURLToPath(url)) : url);
