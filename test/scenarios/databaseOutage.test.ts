import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGINE, openSchema } from "../support/engines.ts";
import { publish } from "../support/examples.ts";
import { openTestPostgres, postgresPrograms } from "../support/postgres.ts";
import { waitUntil } from "../support/processes.ts";
import { expectStatus, openWorld } from "../support/world.ts";

const programs = await postgresPrograms();
const skip = ENGINE !== "postgres" || !programs ? "not on PostgreSQL" : false;

describe("a server that loses its PostgreSQL", { skip }, () => {
  test("responds with 503 and Retry-After, and recovers without a restart", async () => {
    const postgres = await openTestPostgres(programs!);
    const { environment } = await openSchema(postgres.url);
    const world = await openWorld(environment, true);
    try {
      const api = world.api("2.3");
      const { path, token } = await publish(api, { title: "Before" });
      expectStatus(200, await api.get(path));
      await postgres.kill();
      // The processes of its connections end a moment later.
      await waitUntil(
        async () => (await fetch(`${world.url}/health`)).status === 503,
        () => "the outage to be noticed",
      );
      const responses = [
        await api.get(path),
        await api.get("/tenders"),
        await api.post("/tenders", { title: "Lost" }),
        await api.patch(path, { title: "Lost" }, { token }),
      ];
      for (const { status, headers, text } of responses)
        assert.deepEqual([status, headers.get("retry-after")], [503, "1"], text);
      assert.equal((await fetch(`${world.url}/health`)).status, 503);
      const ready = await fetch(`${world.url}/health/ready`);
      assert.equal(ready.status, 503);
      assert.deepEqual(((await ready.json()) as { checks: object }).checks, { store: "unavailable", files: "ok" });
      assert.equal((await fetch(`${world.url}/health/live`)).status, 200);
      assert.equal((await fetch(`${world.url}/metrics`)).status, 200);
      await postgres.start();
      await waitUntil(
        async () => (await fetch(`${world.url}/health`)).status === 200,
        () => "the server to be healthy again",
      );
      assert.equal(expectStatus(200, await api.get(path)).body.data.title, "Before");
      expectStatus(200, await api.patch(path, { title: "After" }, { token }));
      assert.equal((await api.get("/tenders")).body.data.length, 1);
    } finally {
      await world.stop();
      await postgres.stop();
    }
  });
});
