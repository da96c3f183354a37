import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";

/** The lines of a file that may use a timer, and why. */
type AllowedTimers = { readonly lines: number; readonly reason: string };

const ALLOWED: { readonly [file: string]: AllowedTimers } = {
  "src/app/liveAccounts.test.ts": { lines: 1, reason: "keeps the process alive while it waits for an event" },
  "src/client/requests.test.ts": { lines: 2, reason: "notices when the client waits for a retry" },
  "src/documents/multipart.test.ts": { lines: 1, reason: "sends without end" },
  "src/store/postgres/postgres.test.ts": {
    lines: 2,
    reason: "holds the write lock for too long; retries while the database is away",
  },
  "src/webhooks/addresses.test.ts": { lines: 1, reason: "gives up when nothing happens" },
  "test/docs/commands.test.ts": {
    lines: 2,
    reason: "polls for the result of a command, and publishes until it is there",
  },
  "test/packing/deploy.test.ts": { lines: 2, reason: "polls for a healthy server, and gives up when nothing happens" },
  "test/runner/process.ts": { lines: 3, reason: "gives up when nothing happens" },
  "test/runner/run.test.ts": { lines: 4, reason: "tests that must be stopped, and one that throws when it has ended" },
  "test/scenarios/auctionCrash.test.ts": { lines: 2, reason: "retries while no server responds, and polls for a turn" },
  "test/scenarios/clientFollow.test.ts": { lines: 1, reason: "gives up when nothing happens" },
  "test/scenarios/dev.test.ts": { lines: 1, reason: "keeps a server alive" },
  "test/scenarios/hostileHttp.test.ts": { lines: 1, reason: "gives up when nothing happens" },
  "test/scenarios/idempotencyFaults.test.ts": { lines: 1, reason: "retries while no server responds" },
  "test/scenarios/metricsWorkers.test.ts": { lines: 1, reason: "gives up a request to a stopped worker" },
  "test/scenarios/process.test.ts": { lines: 1, reason: "polls for the permission to install" },
  "test/scenarios/streamServers.test.ts": { lines: 1, reason: "retries while the server is away" },
  "test/scenarios/webhookReceivers.test.ts": { lines: 3, reason: "receivers that respond slowly or without end" },
  "test/scenarios/webhookServers.test.ts": { lines: 2, reason: "retries while the server or its database is away" },
  "test/scenarios/workers.test.ts": { lines: 1, reason: "gives up a request to a killed worker" },
  "test/soak/readers.ts": { lines: 3, reason: "polls the feed" },
  "test/soak/request.ts": { lines: 1, reason: "gives up a request to a stalled server" },
  "test/soak/servers.ts": { lines: 3, reason: "polls for a server that starts" },
  "test/soak/soak.ts": { lines: 1, reason: "injects faults at random moments of a soak that runs for a given time" },
  "test/soak/writers.ts": { lines: 1, reason: "retries while no server responds" },
  "test/support/processes.ts": { lines: 2, reason: "polls for a condition" },
};

const TIMERS = [
  ...["setTimeout", "setInterval", "scheduler\\.wait", "Atomics\\.wait(?:Async)?", "AbortSignal\\.timeout"],
  ...["waitForNextPoll", "waitForTimeout", "pg_sleep", "sleep \\$?\\{?[\\d.]"],
];
const IMPORT = /^import [^;]*;$/gm;
/** A name under which a timer is imported. */
const ALIAS = /\b(?:setTimeout|setInterval|waitForNextPoll) as (\w+)/g;

/** The lines that use a timer, with their numbers. Imports do not count, but the names that they give to timers do. */
function timerLinesOf(text: string): readonly string[] {
  const aliases = [...text.matchAll(ALIAS)].map(([, alias]) => `(?<!\\.)${alias}\\(`);
  const pattern = new RegExp(`\\b(?:${[...TIMERS, ...aliases].join("|")})`);
  const body = text.replaceAll(IMPORT, (statement) => statement.replaceAll(/[^\n]/g, ""));
  return body.split("\n").flatMap((line, i) => (pattern.test(line) ? [`${i + 1}: ${line.trim()}`] : []));
}

describe("tests", () => {
  it("wait for conditions, not for a fixed time: on a busy machine it is too short, on an idle one too long", () => {
    const files = globSync(["test/**/*.ts", "src/**/*.{test,contract}.ts"])
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => file !== "test/waiting.test.ts");
    assert.ok(files.length > 200);
    const unexpected = files.flatMap((file) => {
      const found = timerLinesOf(readFileSync(file, "utf8"));
      const allowed = ALLOWED[file]?.lines ?? 0;
      return found.length === allowed ? [] : [`${file}: ${allowed} allowed, found\n  ${found.join("\n  ")}`];
    });
    assert.deepEqual(unexpected, [], unexpected.join("\n"));
    assert.deepEqual(
      Object.keys(ALLOWED).filter((file) => !files.includes(file)),
      [],
    );
  });

  it("are recognized as waiting, whatever the timer", () => {
    const waits = [
      "await new Promise((resolve) => setTimeout(resolve, 200));",
      'import { setTimeout as pause } from "node:timers/promises";\nawait pause(200);',
      'import * as timers from "node:timers/promises";\nawait timers.setTimeout(200);',
      'import {\n  setTimeout as rest,\n} from "node:timers/promises";\nawait Promise.all([rest(5)]);',
      "const delay = promisify(setTimeout);",
      "await scheduler.wait(200);",
      "Atomics.wait(lock, 0, 0, 200);",
      "await page.waitForTimeout(200);",
      "await database.query('select pg_sleep(1)');",
      "const script = `start & sleep 2; stop`;",
      "await waitForNextPoll();",
    ];
    for (const text of waits) assert.equal(timerLinesOf(text).length, 1, text);
    const conditions = [
      'import { waitForNextPoll } from "./processes.ts";\nawait waitUntil(isReady, output);',
      "sse.pause();",
      "await new Promise(setImmediate);",
    ];
    for (const text of conditions) assert.deepEqual(timerLinesOf(text), [], text);
  });
});
