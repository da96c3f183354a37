import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Environment } from "../../src/config.ts";
import { freePort, openTestPostgres, postgresPrograms } from "../support/postgres.ts";
import { openProcesses, type Process, urlOf } from "../support/processes.ts";

/** Several processes on one port, as whoever runs them meets them. */

const MAIN = [process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"];
const { folder, run: runIn } = openProcesses("workers");

const run = (dataDir: string, environment: Environment = {}): Process =>
  runIn(MAIN, { DATA_DIR: join(folder, dataDir), WORKERS: "2", ...environment });

const workersOf = ({ child }: Process): readonly number[] =>
  execFileSync("ps", ["-o", "pid=", "--ppid", String(child.pid)], { encoding: "utf8" })
    .split("\n")
    .filter(Boolean)
    .map(Number);

const publish = (url: string) =>
  fetch(`${url}/api/2.3/tenders`, {
    method: "POST",
    headers: {
      Authorization: `Basic ${btoa("broker:")}`,
      "Content-Type": "application/json",
      Connection: "close",
    },
    body: '{"data": {"title": "Hello"}}',
    // A connection that was just handed to a process that dies is nobody's, and its client must give up by itself.
    signal: AbortSignal.timeout(10_000),
  });

describe("WORKERS=2", () => {
  it("serves from two processes as from one, starts a killed one again, and ends with code 0", async () => {
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
    for (let tries = 0; tries < 1000; tries++) {
      const now = workersOf(server);
      if (now.length === 2 && !now.includes(first!) && now.includes(second!)) break;
      await pause(20);
    }
    await publishSome();
    const { data } = (await (await fetch(`${url}/api/2.3/tenders`)).json()) as { data: unknown[] };
    assert.equal(data.length, 20);
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null], server.said());
    assert.equal(server.said().match(/Tenderhall is listening on/g)?.length, 1);
  });

  it("goes on when one of them stalls", async () => {
    const server = run("stalls");
    const url = await urlOf(server);
    const [first] = workersOf(server);
    let isOver = false;
    const publishing = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (!isOver) await publish(url).catch(() => undefined);
      }),
    );
    await pause(200);
    process.kill(first!, "SIGSTOP");
    await pause(7000);
    isOver = true;
    // If it was its turn, it is gone by now, and another in its place.
    if (workersOf(server).includes(first!)) process.kill(first!, "SIGCONT");
    await publishing;
    assert.equal((await publish(url)).status, 201);
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null], server.said());
  });

  it("keeps a second start off its folder, whether one process or several", async () => {
    const server = run("locked");
    await urlOf(server);
    for (const WORKERS of ["1", "2"]) {
      const second = run("locked", { WORKERS });
      assert.deepEqual(await second.ended, [1, null]);
      assert.match(second.said(), /DATA_DIR \S+ cannot be used: another server is running on/);
    }
    server.child.kill("SIGKILL");
    await server.ended;
  });

  it("says once, and as one process does, why it cannot start", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as { port: number };
    const said = `Tenderhall cannot start:
  - PORT ${port} is taken: choose another, for example PORT=${port + 1}
npm start -- --help lists every setting.
`;
    // Whoever still starts when the one above has ended says nothing of it: which of them does is another each time.
    for (let times = 0; times < 5; times++) {
      const server = run("taken", { PORT: String(port), WORKERS: "4" });
      assert.deepEqual(await server.ended, [1, null]);
      assert.equal(server.said(), said);
    }
    taken.close();
  });
});

const programs = await postgresPrograms();

describe("workers that die while their database is away", { skip: programs ? false : "no PostgreSQL" }, () => {
  it("are there again when it is", async () => {
    const postgres = await openTestPostgres(programs!);
    const server = run("away", { DATABASE_URL: postgres.url, PORT: String(await freePort()) });
    const url = await urlOf(server);
    assert.equal((await publish(url)).status, 201);
    await postgres.kill();
    for (const worker of workersOf(server)) process.kill(worker, "SIGKILL");
    await pause(1500);
    await postgres.start();
    let status: number | undefined;
    for (let tries = 0; tries < 200 && status !== 201; tries++) {
      status = await publish(url).then(
        (answer) => answer.status,
        () => undefined,
      );
      await pause(50);
    }
    assert.equal(status, 201, server.said());
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null]);
    await postgres.stop();
  });
});

describe("a database that nobody answers for", () => {
  for (const WORKERS of ["1", "2"])
    it(`is told by its setting, without its password, by WORKERS=${WORKERS}`, async () => {
      const server = run("nobody", { WORKERS, DATABASE_URL: "postgres://me:secret@127.0.0.1:1/none" });
      assert.deepEqual(await server.ended, [1, null]);
      assert.match(server.said(), /- DATABASE_URL cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1/);
      assert.doesNotMatch(server.said(), /secret/);
    });
});
