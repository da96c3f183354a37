import assert from "node:assert/strict";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openProcesses, urlOf, waitUntil } from "../support/processes.ts";
import { openWorld, sharedWorld } from "../support/world.ts";

/** Whoever watches the service is told whether it runs, and whether it can serve. */

const MAIN = [process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"];

const ask = async (url: string) => {
  const response = await fetch(url, { headers: { Connection: "close" } });
  return { status: response.status, text: await response.text(), headers: response.headers };
};

describe("health", async () => {
  const world = await sharedWorld();

  it("is asked as before, and of the process and its parts apart", async () => {
    for (const path of ["/health", "/api/2.5/health", "/health/live"]) {
      const { status, text } = await ask(world.url + path);
      assert.deepEqual([status, text], [200, '{"status":"ok"}']);
    }
    const { status, text } = await ask(`${world.url}/health/ready`);
    assert.deepEqual([status, text], [200, '{"status":"ok","checks":{"store":"ok","files":"ok"}}']);
  });

  it("is not counted by the rate limit", async () => {
    const limited = await openWorld({ RATE_LIMIT_PER_MINUTE: "1" });
    for (const path of ["/health/live", "/health/ready", "/health"])
      for (let i = 0; i < 3; i++) assert.equal((await ask(limited.url + path)).status, 200);
    await limited.stop();
  });

  it("says which part is not ready, and nothing of why", async () => {
    const files = join(world.dataDir, "files");
    renameSync(files, `${files}.away`);
    try {
      const { status, text, headers } = await ask(`${world.url}/health/ready`);
      assert.equal(status, 503);
      assert.equal(text, '{"status":"unavailable","checks":{"store":"ok","files":"unavailable"}}');
      assert.ok(headers.get("retry-after"));
      assert.equal((await ask(`${world.url}/health/live`)).status, 200);
    } finally {
      mkdirSync(files, { recursive: true });
      renameSync(`${files}.away`, files);
    }
    assert.equal((await ask(`${world.url}/health/ready`)).status, 200);
  });
});

describe("a server that is told to end", () => {
  const { folder, run } = openProcesses("health");

  for (const WORKERS of ["1", "2"])
    it(`is not ready first, and serves on until its drain is over (WORKERS=${WORKERS})`, async () => {
      const server = run(MAIN, { DATA_DIR: join(folder, WORKERS), DRAIN_SECONDS: "2", WORKERS });
      const url = await urlOf(server);
      assert.equal((await ask(`${url}/health/ready`)).status, 200);
      server.child.kill("SIGTERM");
      await waitUntil(async () => (await ask(`${url}/health/ready`)).status === 503, server.output);
      await pause(200);
      const { status, text } = await ask(`${url}/health/ready`);
      assert.deepEqual([status, JSON.parse(text).status], [503, "stopping"]);
      assert.equal((await ask(`${url}/health/live`)).status, 200);
      assert.equal((await ask(`${url}/api/2.5/tenders`)).status, 200);
      assert.deepEqual(await server.ended, [0, null], server.output());
    });
});
