import assert from "node:assert/strict";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openWorld, sharedWorld } from "../support/world.ts";

/** Health endpoints say whether the process runs and whether it can serve. */

const ask = async (url: string) => {
  const response = await fetch(url, { headers: { Connection: "close" } });
  return { status: response.status, text: await response.text(), headers: response.headers };
};

describe("health", async () => {
  const world = await sharedWorld();

  it("is available at its former URLs, and separately for the process and its parts", async () => {
    for (const path of ["/health", "/api/2.5/health", "/health/live"]) {
      const { status, text } = await ask(world.url + path);
      assert.deepEqual([status, text], [200, '{"status":"ok"}']);
    }
    const { status, text } = await ask(`${world.url}/health/ready`);
    assert.deepEqual([status, text], [200, '{"status":"ok","checks":{"store":"ok","files":"ok"}}']);
  });

  it("is not rate-limited", async () => {
    const limited = await openWorld({ RATE_LIMIT_PER_MINUTE: "1" });
    for (const path of ["/health/live", "/health/ready", "/health"])
      for (let i = 0; i < 3; i++) assert.equal((await ask(limited.url + path)).status, 200);
    await limited.stop();
  });

  it("reports which part is not ready, but not why", async () => {
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
