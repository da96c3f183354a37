import assert from "node:assert/strict";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { bidOf, DAY, publishForBids } from "../support/examples.ts";
import { expectStatus, openWorld, sharedWorld } from "../support/world.ts";

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

  it("says when auctions are behind, and stays ready", async () => {
    const builtin = await openWorld({ AUCTIONS: "builtin" });
    after(builtin.stop);
    const auctions = async () => {
      const { status, text } = await ask(`${builtin.url}/health/ready`);
      const metrics = await (await fetch(`${builtin.url}/metrics`)).text();
      const late = /^tenderhall_auctions_behind\{part="stages"\} (\d)$/m.exec(metrics)?.[1];
      return [status, JSON.parse(text).checks.auctions, late];
    };
    assert.deepEqual(await auctions(), [200, "ok", "0"]);
    const { path } = await publishForBids(builtin);
    const api = builtin.api("2.5");
    for (const amount of [480000, 475000]) expectStatus(201, await api.post(`${path}/bids`, bidOf(amount)));
    builtin.clock.forward(7 * DAY);
    const { auctionPeriod, status } = (await api.get(path)).body.data;
    assert.equal(status, "active.auction");
    // The world has no timers, so nobody begins the auction until somebody reads the tender.
    builtin.clock.now = Date.parse(auctionPeriod.startDate) * 1000 + 6_000_000;
    assert.deepEqual(await auctions(), [200, "behind", "1"]);
    await api.get(path);
    assert.deepEqual(await auctions(), [200, "ok", "0"]);
    const metrics = await (await fetch(`${builtin.url}/metrics`)).text();
    assert.match(metrics, /^tenderhall_auctions\{status="running"\} 1$/m);
    assert.match(metrics, /^tenderhall_auction_stage_late_seconds_bucket\{le="5"\} 0$/m);
    assert.match(metrics, /^tenderhall_auction_stage_late_seconds_bucket\{le="10"\} 1$/m);
  });
});
