import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Environment } from "../../src/config/config.ts";
import { freePort } from "../support/ports.ts";
import { openTestPostgres, postgresPrograms } from "../support/postgres.ts";
import {
  childrenOf,
  NO_PROCESSES,
  openProcesses,
  type RunningProcess,
  urlOf,
  waitUntil,
} from "../support/processes.ts";

/** Several processes on one port. */

const MAIN = [process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"];
const { folder, run: runIn } = openProcesses("workers");

const run = (dataDir: string, environment: Environment = {}): RunningProcess =>
  runIn(MAIN, { DATA_DIR: join(folder, dataDir), WORKERS: "2", ...environment });

const workersOf = ({ child }: RunningProcess): readonly number[] => childrenOf(child.pid!);

const publish = (url: string) =>
  fetch(`${url}/api/2.3/tenders`, {
    method: "POST",
    headers: {
      Authorization: `Basic ${btoa("broker:")}`,
      "Content-Type": "application/json",
      Connection: "close",
    },
    body: '{"data": {"title": "Hello"}}',
    // A connection that was handed to a dying process gets no response, so its client must time out.
    signal: AbortSignal.timeout(10_000),
  });

describe("WORKERS=2", { skip: NO_PROCESSES }, () => {
  it("serves from two processes as from one, restarts a killed one, and exits with code 0", async () => {
    const server = run("serves");
    const url = await urlOf(server);
    assert.equal(workersOf(server).length, 2);
    const publishSome = async () => {
      for (const { status } of await Promise.all(Array.from({ length: 10 }, () => publish(url))))
        assert.equal(status, 201);
    };
    await publishSome();
    const [first, second] = workersOf(server);
    process.kill(first!, "SIGKILL");
    await waitUntil(() => {
      const now = workersOf(server);
      return now.length === 2 && !now.includes(first!) && now.includes(second!);
    }, server.output);
    await publishSome();
    const { data } = (await (await fetch(`${url}/api/2.3/tenders`)).json()) as { data: unknown[] };
    assert.equal(data.length, 20);
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null], server.output());
    assert.equal(server.output().match(/Tenderhall is listening on/g)?.length, 1);
  });

  it("continues when one of them stalls", async () => {
    const server = run("stalls");
    const url = await urlOf(server);
    let isOver = false;
    const published: string[] = [];
    const publishing = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (!isOver) await publish(url).then(keepId, () => undefined);
      }),
    );
    // A stalled worker leaves its connections without a response; every response that arrives is final.
    async function keepId(response: Response): Promise<void> {
      const { data } = (await response.json()) as { data?: { id: string } };
      if (response.status === 201) published.push(data!.id);
      else assert.equal(response.status, 503);
    }
    const publishedMore = async (count: number) => {
      const wanted = published.length + count;
      await waitUntil(
        () => published.length >= wanted,
        () => `${published.length} of ${wanted}: ${server.output()}`,
      );
    };
    await publishedMore(10);
    // Both workers stall once, so that the one with the write lock stalls while more is published.
    for (const worker of workersOf(server)) {
      process.kill(worker, "SIGSTOP");
      await publishedMore(30);
      // If it held the write lock, it has been replaced by now.
      if (workersOf(server).includes(worker)) process.kill(worker, "SIGCONT");
      await waitUntil(
        () => workersOf(server).length === 2,
        () => "two workers",
      );
    }
    isOver = true;
    await publishing;
    const found = await Promise.all(published.map(async (id) => (await fetch(`${url}/api/2.3/tenders/${id}`)).status));
    assert.deepEqual(new Set(found), new Set([200]));
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null], server.output());
  });

  it("prevents a second server in its folder, with one process or several", async () => {
    const server = run("locked");
    await urlOf(server);
    for (const WORKERS of ["1", "2"]) {
      const second = run("locked", { WORKERS });
      assert.deepEqual(await second.ended, [1, null]);
      assert.match(second.output(), /DATA_DIR \S+ cannot be used: another server is running on/);
    }
    server.child.kill("SIGKILL");
    await server.ended;
  });

  it("reports once why it cannot start, as a single process does", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as { port: number };
    const expected = `Tenderhall cannot start:
  - PORT ${port} is taken: choose another, for example PORT=${port + 1}
npm start -- --help lists every setting.
`;
    // Repeated, because which worker reports the problem first varies from run to run.
    for (let times = 0; times < 5; times++) {
      const server = run("taken", { PORT: String(port), WORKERS: "4" });
      assert.deepEqual(await server.ended, [1, null]);
      assert.equal(server.output(), expected);
    }
    taken.close();
  });
});

const programs = await postgresPrograms();

describe("workers that die during a database outage", {
  skip: NO_PROCESSES || (!programs && "there is no PostgreSQL"),
}, () => {
  it("are restarted when it ends", async () => {
    const postgres = await openTestPostgres(programs!);
    const server = run("away", { DATABASE_URL: postgres.url, PORT: String(await freePort()) });
    const url = await urlOf(server);
    assert.equal((await publish(url)).status, 201);
    await postgres.kill();
    for (const worker of workersOf(server)) process.kill(worker, "SIGKILL");
    // The workers that replace them wait for the database.
    await waitUntil(() => server.output().split("waiting for the database").length > 2, server.output);
    await postgres.start();
    await waitUntil(
      () =>
        publish(url).then(
          ({ status }) => status === 201,
          () => false,
        ),
      server.output,
    );
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null]);
    await postgres.stop();
  });
});

describe("an unreachable database", () => {
  for (const WORKERS of ["1", "2"])
    it(`is reported by its setting, without its password, with WORKERS=${WORKERS}`, async () => {
      const DATABASE_URL = "postgres://me:secret@127.0.0.1:1/none";
      const server = run("nobody", { WORKERS, DATABASE_URL, DATABASE_WAIT_SECONDS: "0" });
      assert.deepEqual(await server.ended, [1, null]);
      assert.match(server.output(), /- DATABASE_URL cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1/);
      assert.doesNotMatch(server.output(), /secret/);
    });
});
