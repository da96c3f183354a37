import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Engine, isStory, needsPostgres } from "./selection.ts";

/** Files that one process runs in one go: a process for each file would spend most of its time on loading the service. */
export type Job = { readonly engine: Engine; readonly needsPostgres: boolean; readonly files: readonly string[] };

/** The wall time of each file in the last run that had it, so that the next run deals the files out evenly. */
export type Times = { readonly [fileOnEngine: string]: number };

export const timeKey = (file: string, engine: Engine): string => `${file} ${engine}`;

const TIMES = "node_modules/.cache/tenderhall/test-times.json";
/** What a file is expected to take that has never run. */
const MS_PER_BYTE = 0.1;
/** A job is long enough to be worth its process, and short enough to leave several for each process. */
const JOB_MS_MIN = 4000;
const JOBS_PER_PROCESS = 4;

/** Files that take longest, whatever their size: pages in a browser. */
const isLong = (file: string): boolean => file.startsWith("test/browser/");

/** The longest jobs come first, so that no long job starts when everything else has ended. */
export function planJobs(files: readonly string[], engines: readonly Engine[], processes: number): readonly Job[] {
  const times = readTimes();
  const stories = files.filter(isStory);
  const others = files.filter((file) => !stories.includes(file));
  const chosen = [
    ...others.map((file) => ({ file, engine: "sqlite" as Engine })),
    ...engines.flatMap((engine) => stories.map((file) => ({ file, engine }))),
  ].map(({ file, engine }) => ({
    file,
    engine,
    needsPostgres: engine === "postgres" || needsPostgres(file),
    ms: times[timeKey(file, engine)] ?? statSync(file).size * MS_PER_BYTE,
  }));
  const [long, short] = [chosen.filter(({ file }) => isLong(file)), chosen.filter(({ file }) => !isLong(file))];
  const jobMs = Math.max(JOB_MS_MIN, msOf(short) / (processes * JOBS_PER_PROCESS));
  const kinds = Map.groupBy(short, (job) => `${job.engine} ${job.needsPostgres}`);
  const longJobs = long
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ engine, needsPostgres, file }) => ({ engine, needsPostgres, files: [file] }));
  const shortJobs = [...kinds.values()]
    .flatMap((kind) => dealOut(kind, jobMs))
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ job }) => job);
  return [...longJobs, ...shortJobs];
}

type ChosenFile = Omit<Job, "files"> & { readonly file: string; readonly ms: number };

const msOf = (chosen: readonly ChosenFile[]): number => chosen.reduce((sum, { ms }) => sum + ms, 0);

/** The longest first, each to the job that has least. */
function dealOut(chosen: readonly ChosenFile[], jobMs: number): readonly { readonly job: Job; readonly ms: number }[] {
  const [{ engine, needsPostgres }] = chosen as [ChosenFile];
  const count = Math.min(chosen.length, Math.ceil(msOf(chosen) / jobMs));
  const jobs = Array.from({ length: count }, () => ({ files: [] as string[], ms: 0 }));
  for (const { file, ms } of chosen.toSorted((a, b) => b.ms - a.ms)) {
    const least = jobs.reduce((found, job) => (job.ms < found.ms ? job : found));
    least.files.push(file);
    least.ms += ms;
  }
  return jobs.map(({ files, ms }) => ({ job: { engine, needsPostgres, files }, ms }));
}

function readTimes(): Times {
  try {
    return JSON.parse(readFileSync(TIMES, "utf8"));
  } catch {
    return {};
  }
}

/** The times serve speed alone: where they cannot be written, nothing is lost. */
export function rememberTimes(times: Times): void {
  try {
    mkdirSync(dirname(TIMES), { recursive: true });
    writeFileSync(TIMES, JSON.stringify({ ...readTimes(), ...times }));
  } catch {}
}
