import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openProcesses, urlOf, waitUntil } from "../support/processes.ts";

const MAIN = [process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"];

const ask = async (url: string) => {
  const response = await fetch(url, { headers: { Connection: "close" } });
  return { status: response.status, text: await response.text() };
};

describe("a server that gets SIGTERM", () => {
  const { folder, run } = openProcesses("health");

  for (const WORKERS of ["1", "2"])
    it(`is not ready at first, and serves until its drain time is over (WORKERS=${WORKERS})`, async () => {
      const server = run(MAIN, { DATA_DIR: join(folder, WORKERS), DRAIN_SECONDS: "5", WORKERS });
      const url = await urlOf(server);
      assert.equal((await ask(`${url}/health/ready`)).status, 200);
      server.child.kill("SIGTERM");
      await waitUntil(async () => (await ask(`${url}/health/ready`)).status === 503, server.output);
      const { status, text } = await ask(`${url}/health/ready`);
      assert.deepEqual([status, JSON.parse(text).status], [503, "stopping"]);
      assert.equal((await ask(`${url}/health/live`)).status, 200);
      assert.equal((await ask(`${url}/api/2.5/tenders`)).status, 200);
      assert.deepEqual(await server.ended, [0, null], server.output());
    });
});
