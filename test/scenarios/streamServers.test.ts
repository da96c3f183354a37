import assert from "node:assert/strict";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ENGINE, openSchema } from "../support/engines.ts";
import { fullTender, publish } from "../support/examples.ts";
import { openTestPostgres, postgresPrograms } from "../support/postgres.ts";
import { openProcesses, urlOf, waitForNextPoll, waitUntil } from "../support/processes.ts";
import { entriesIn, openSse, type SseConnection } from "../support/sse.ts";
import { expectStatus, openApi, openWorld } from "../support/world.ts";

/** Streams of several servers, of killed servers, and of servers without their database. */

const isPostgres = ENGINE === "postgres";
const programs = await postgresPrograms();
const MAIN = [process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"];
const { folder, run } = openProcesses("streams");
const streamOf = (url: string, query = "") => `${url}/api/2.3/tenders/stream?${query}`;
const idsOf = (sse: Pick<SseConnection, "events">) => entriesIn(sse).map(({ id }) => id!);

/** Publishes until it is stopped. Returns the acknowledged changes. */
function writing(url: () => string) {
  const ids: string[] = [];
  let isDone = false;
  const run = async () => {
    while (!isDone) {
      const response = await openApi(url, "2.3")
        .post("/tenders", {})
        .catch(() => undefined);
      if (response?.status === 201) ids.push(response.body.data.id);
      else await waitForNextPoll();
    }
  };
  const ended = Promise.all([run(), run(), run()]);
  return {
    ids,
    waitForWrites: (count: number) =>
      waitUntil(
        () => ids.length >= count,
        () => `${ids.length} of ${count} acknowledged writes`,
      ),
    stop: async () => {
      isDone = true;
      await ended;
    },
  };
}

describe("streams of two servers on one database", { skip: isPostgres ? false : "not on PostgreSQL" }, async () => {
  if (!isPostgres) return;
  const first = await openWorld();
  const other = await openWorld({ DATA_DIR: first.dataDir, ...first.database.environment });
  after(async () => {
    await other.stop();
    await first.stop();
  });

  it("send changes made on the other server, and can be resumed there", async () => {
    const sse = await openSse(streamOf(other.url, "opt_fields=title"));
    const { id, path, token } = await publish(first.api("2.3"), fullTender(first.clock.now));
    await sse.waitUntil(({ events }) => events.length === 1);
    expectStatus(200, await first.api("2.3").patch(path, { title: "Changed" }, { token }));
    await sse.waitUntil(({ events }) => events.length === 2);
    assert.deepEqual(idsOf(sse), [id, id]);
    assert.equal(entriesIn(sse)[1]!.title, "Changed");
    sse.close();
    const next = await publish(other.api("2.3"), {});
    const again = await openSse(streamOf(first.url), { lastEventId: sse.lastEventId });
    await again.waitUntil(({ events }) => events.length === 1);
    assert.deepEqual(idsOf(again), [next.id]);
    again.close();
  });

  it("send every change of concurrent writers on both once and in order", async () => {
    const before = (await first.api("2.3").get("/tenders?descending=1&limit=1")).body.data[0].dateModified;
    const offset = `offset=${encodeURIComponent(before)}`;
    const streams = await Promise.all([first, other].map(({ url }) => openSse(streamOf(url, offset))));
    const writers = [first, other].map((world) => writing(() => world.url));
    await Promise.all(writers.map(({ waitForWrites }) => waitForWrites(50)));
    await Promise.all(writers.map(({ stop }) => stop()));
    const written = writers.flatMap(({ ids }) => ids);
    for (const sse of streams) {
      await sse.waitUntil(({ events }) => events.length >= written.length);
      assert.deepEqual(idsOf(sse).sort(), written.toSorted());
      sse.close();
    }
    assert.deepEqual(streams[0]!.events, streams[1]!.events);
  });
});

describe("a stream of one worker of WORKERS=2", { skip: isPostgres ? "not on SQLite" : false }, () => {
  it("sends changes made on the other worker, and ends on shutdown", async () => {
    const server = run(MAIN, { DATA_DIR: join(folder, "workers"), WORKERS: "2" });
    const url = await urlOf(server);
    const streams = await Promise.all(Array.from({ length: 8 }, () => openSse(streamOf(url))));
    const writer = writing(() => url);
    await writer.waitForWrites(100);
    await writer.stop();
    for (const sse of streams) {
      await sse.waitUntil(({ events }) => events.length >= writer.ids.length);
      assert.deepEqual(idsOf(sse).sort(), writer.ids.toSorted());
    }
    server.child.kill("SIGTERM");
    for (const sse of streams) assert.equal(await sse.ended, "end");
    assert.deepEqual(await server.ended, [0, null]);
  });
});

describe("a stream of a killed server", () => {
  it("is resumed on the next server without loss", async () => {
    const schema = isPostgres ? await openSchema() : undefined;
    const environment = { DATA_DIR: join(folder, "killed"), ...schema?.environment };
    let server = run(MAIN, environment);
    let url = await urlOf(server);
    const writer = writing(() => url);
    const received: SseConnection["events"] = [];
    let lastEventId = "";
    for (let life = 0; life < 3; life++) {
      const sse = await openSse(streamOf(url), { lastEventId });
      await sse.waitUntil(({ events }) => events.length > 20);
      server.child.kill("SIGKILL");
      assert.equal(await sse.ended, "cut");
      received.push(...sse.events);
      lastEventId = sse.lastEventId;
      server = run(MAIN, environment);
      url = await urlOf(server);
    }
    await writer.stop();
    const sse = await openSse(streamOf(url), { lastEventId });
    await sse.waitUntil(({ events }) =>
      writer.ids.every((id) => idsOf({ events: [...received, ...events] }).includes(id)),
    );
    const ids = idsOf({ events: [...received, ...sse.events] });
    assert.equal(new Set(ids).size, ids.length, "none comes twice");
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null]);
    await schema?.drop();
  });
});

const skip = isPostgres && programs ? false : "not on PostgreSQL";

describe("a stream of a server that loses its database", { skip }, () => {
  it("stays open and skips nothing", async () => {
    const postgres = await openTestPostgres(programs!);
    const { environment } = await openSchema(postgres.url);
    const world = await openWorld({ ...environment, STREAM_BEAT_SECONDS: "1" }, true);
    try {
      const first = await publish(world.api("2.3"), {});
      const sse = await openSse(streamOf(world.url, "opt_fields=title"));
      await sse.waitUntil(({ events }) => events.length === 1);
      await postgres.kill();
      const refused = await openSse(streamOf(world.url));
      assert.equal(refused.status, 503);
      const beats = sse.comments.length;
      await sse.waitUntil(({ comments }) => comments.length >= beats + 2);
      await postgres.start();
      await waitUntil(
        async () => (await fetch(`${world.url}/health`)).status === 200,
        () => "the server to be healthy again",
      );
      const second = await publish(world.api("2.3"), {});
      await sse.waitUntil(({ events }) => events.length === 2);
      assert.deepEqual(idsOf(sse), [first.id, second.id]);
      sse.close();
    } finally {
      await world.stop();
      await postgres.stop();
    }
  });
});
