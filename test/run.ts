// `npm test` and `npm run test:all`. A few processes share the files; CONTRIBUTING.md says what the tiers are.
import { parseArgs } from "node:util";
import { planJobs, rememberTimes } from "./runner/jobs.ts";
import { printResult, printSummary } from "./runner/printing.ts";
import { timesOf } from "./runner/process.ts";
import { type PostgresServer, PROCESSES, runJobs } from "./runner/schedule.ts";
import { ENGINES, type Engine, selectFiles } from "./runner/selection.ts";

const HELP = `npm test [-- [--bail] [part of a path ...]]
npm run test:all [-- [--bail] [part of a path ...]]

npm test proves the product quickly: the unit tests, short property tests, one story for each resource on SQLite, the
contract suites of both databases, short crash and feed checks. npm run test:all runs every file, stories on both
databases. With parts of paths, only the files whose path contains one of them run, whatever their tier.

  --bail                  stop at the first failure
  TEST_ENGINE=postgres    run stories on this engine only (sqlite or postgres)
  TEST_DATABASE_URL       use this PostgreSQL, not one that the tests start
  TEST_POSTGRES=15        start this version of PostgreSQL
  TEST_S3_URL             also test documents in this S3 (scripts/s3-server.sh)
  TEST_SEED=random        try other random cases than usual; with the seed of a failure, those that failed
  TEST_RUNS=20            try so many times the usual number of random cases
  TEST_QUIET_SECONDS      how long a process may report nothing before it counts as hung (300)
`;

const { values, positionals: parts } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    bail: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
if (values.help) process.stdout.write(HELP);
else await runTests();

async function runTests(): Promise<void> {
  const startedMs = performance.now();
  const files = selectFiles(values.all, parts);
  if (files.length === 0) fail(`No test file matches ${parts.join(" ")}`);
  const engines = chosenEngines();
  const jobs = planJobs(files, engines, PROCESSES);
  const isPostgresNeeded = jobs.some((job) => job.needsPostgres);
  const postgres = isPostgresNeeded ? openPostgres() : Promise.resolve(undefined);
  const isLive = jobs.length === 1;
  const results = await runJobs(jobs, {
    postgres,
    environment: { TEST_TIER: values.all ? "all" : "fast" },
    isLive,
    stopsAtFailure: values.bail,
    onResult: isLive ? () => {} : printResult,
  });
  const server = await postgres;
  await server?.stop();
  rememberTimes(Object.assign({}, ...results.map(timesOf)));
  const isPostgresMissing = isPostgresNeeded && !server;
  const run = { results, files: files.length, startedMs, engines, version: server?.version, isPostgresMissing };
  process.exitCode = printSummary(run) ? 0 : 1;
}

/** `npm test` is fast because its stories run on SQLite only. */
function chosenEngines(): readonly Engine[] {
  const name = process.env.TEST_ENGINE;
  if (!name) return values.all ? ENGINES : ["sqlite"];
  const engine = ENGINES.find((known) => known === name);
  return engine ? [engine] : fail(`TEST_ENGINE must be one of: ${ENGINES.join(", ")}`);
}

/** The server of TEST_DATABASE_URL, or a new one; undefined if npm has none for this platform. */
async function openPostgres(): Promise<PostgresServer | undefined> {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { url, version: "PostgreSQL of TEST_DATABASE_URL", stop: async () => {} };
  // Loading the driver takes longer than a short test.
  const { openTestPostgres, postgresPrograms } = await import("./support/postgres.ts");
  const programs = await postgresPrograms();
  return programs ? openTestPostgres(programs) : undefined;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
