import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { Environment } from "../../src/config/config.ts";
import { ENGINE, openDatabase, openSchema } from "../support/engines.ts";
import { openTestPostgres, postgresPrograms } from "../support/postgres.ts";
import {
  childrenOf,
  NO_PROCESSES,
  openProcesses,
  type RunningProcess,
  TIMEOUT_MS,
  urlOf,
  waitForNextPoll,
  waitUntil,
} from "../support/processes.ts";
import {
  type DeliveryResponder,
  openWebhookApi,
  openWebhookReceiver,
  type ReceivedDelivery,
  respondOk,
} from "../support/webhookReceiver.ts";
import { expectStatus, openApi, openWorld } from "../support/world.ts";

/** Webhooks of processes that are killed at any moment. */

const MAIN = [process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"];
const { folder, run } = openProcesses("webhooks");

/** A registry that any number of processes serve. */
async function openRegistry(name: string) {
  const DATA_DIR = join(folder, name);
  mkdirSync(DATA_DIR);
  const database = await openDatabase(DATA_DIR);
  after(database.drop);
  const serve = async (environment: Environment = {}) => {
    const server = run(MAIN, { DATA_DIR, LOG: "off", ...database.environment, ...environment });
    return { server, ...openRetryingClient(await urlOf(server)) };
  };
  return { serve };
}

type Tender = { readonly path: string; readonly token: string };

function openRetryingClient(url: string) {
  const api = (version: string) => openApi(() => url, version);
  /** A server that has just come back may say that it is not ready: under the same key it is asked again. */
  const publish = async (title: string): Promise<Tender> => {
    const sent = { headers: { "Idempotency-Key": `publish ${title}`.replaceAll(" ", "-") } };
    for (;;) {
      const answered = await api("2.3").post("/tenders", { title }, sent);
      if (answered.status !== 503) {
        const { body } = expectStatus(201, answered);
        return { path: `/tenders/${body.data.id}`, token: body.access.token };
      }
      await waitForNextPoll();
    }
  };
  const retitle = ({ path, token }: Tender, title: string) => api("2.3").patch(path, { title }, { token });
  return { url, api, publish, retitle };
}

const titlesOf = (received: readonly ReceivedDelivery[]): readonly string[] => received.map(({ data }) => data.title);
const kill = async ({ child, ended }: RunningProcess) => {
  child.kill("SIGKILL");
  await ended;
};
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const waitForTitles = (received: readonly ReceivedDelivery[], titles: readonly string[]) =>
  waitUntil(
    () => titles.every((title) => titlesOf(received).includes(title)),
    () => `missing: ${titles.filter((title) => !titlesOf(received).includes(title))}`,
  );

/** A duplicate delivery would arrive before a later change. */
async function assertDeliveredOnce(
  { publish }: { readonly publish: (title: string) => Promise<Tender> },
  received: readonly ReceivedDelivery[],
  titles: readonly string[],
): Promise<void> {
  const later = names("later", 10);
  for (const title of later) {
    await publish(title);
    await waitForTitles(received, [title]);
  }
  assert.deepEqual(titlesOf(received).toSorted(), [...titles, ...later].toSorted());
}

/** Lets some deliveries through, then holds the responses. Resolves when one is held; the result releases them. */
async function holdDelivery(receiver: Awaited<ReturnType<typeof openWebhookReceiver>>): Promise<() => void> {
  await receiver.waitForDeliveries(receiver.received.length + 30);
  const held: Parameters<DeliveryResponder>[] = [];
  receiver.respond = (...delivery) => void held.push(delivery);
  await waitUntil(
    () => held.length > 0,
    () => "a held delivery",
  );
  return () => {
    receiver.respond = respondOk;
    for (const delivery of held) respondOk(...delivery);
  };
}

describe("a server that is killed during deliveries", () => {
  it("loses no delivery and keeps the order of a tender's changes", { timeout: 4 * TIMEOUT_MS }, async () => {
    const { serve } = await openRegistry("killed");
    const receiver = await openWebhookReceiver();
    let first = await serve();
    expectStatus(201, await openWebhookApi(first).create({ url: receiver.url, opt_fields: "title" }));
    const tenders = await Promise.all(names("", 12).map((name) => first.publish(`${name} 000000`)));
    const last = tenders.map(() => 0);
    for (let round = 0; round < 2; round++) {
      const { server, retitle } = first;
      let isOver = false;
      const writing = tenders.map(async (tender, i) => {
        while (!isOver) {
          const next = last[i]! + 1;
          const answered = await retitle(tender, `${i} ${String(next).padStart(6, "0")}`).catch(() => undefined);
          if (answered?.status === 200) last[i] = next;
        }
      });
      await holdDelivery(receiver);
      await kill(server);
      receiver.respond = respondOk;
      isOver = true;
      await Promise.all(writing);
      first = await serve();
    }
    // A request without a response may have taken effect, so each tender gets a last change that is acknowledged.
    const final = await Promise.all(
      tenders.map(async (tender, i) => {
        const title = `${i} 999999`;
        expectStatus(200, await first.retitle(tender, title));
        return title;
      }),
    );
    await waitForTitles(receiver.received, final);
    for (const i of tenders.keys()) {
      const titles = titlesOf(receiver.received).filter((title) => title.startsWith(`${i} `));
      assert.deepEqual(titles, titles.toSorted(), "the order of a tender's changes");
    }
    await kill(first.server);
  });
});

const programs = await postgresPrograms();
const skip = ENGINE !== "postgres" || !programs ? "not on PostgreSQL" : false;

describe("two servers", { skip }, () => {
  it("deliver each change once, and one continues when the other is killed", { timeout: 4 * TIMEOUT_MS }, async () => {
    const { serve } = await openRegistry("two");
    const receiver = await openWebhookReceiver();
    const [first, other] = [await serve(), await serve()];
    expectStatus(201, await openWebhookApi(first).create({ url: receiver.url, opt_fields: "title" }));
    const both = names("both", 40);
    await Promise.all(both.map((name, i) => (i % 2 ? first : other).publish(name)));
    await waitForTitles(receiver.received, both);
    await assertDeliveredOnce(first, receiver.received, both);

    await kill(first.server);
    const after = names("after", 10);
    await Promise.all(after.map((name) => other.publish(name)));
    await waitForTitles(receiver.received, after);
    const third = await serve();
    await kill(other.server);
    const third10 = names("third", 10);
    await Promise.all(third10.map((name) => third.publish(name)));
    await waitForTitles(receiver.received, third10);
    await kill(third.server);
  });

  it("deliver each change once when the delivering one stalls and resumes", { timeout: 4 * TIMEOUT_MS }, async () => {
    const { serve } = await openRegistry("stalls");
    const receiver = await openWebhookReceiver();
    const first = await serve();
    expectStatus(201, await openWebhookApi(first).create({ url: receiver.url, opt_fields: "title" }));
    await first.publish("alone");
    await receiver.waitForDeliveries(1);
    const other = await serve();
    first.server.child.kill("SIGSTOP");
    const stalled = names("stalled", 10);
    await Promise.all(stalled.map((name) => other.publish(name)));
    await waitForTitles(receiver.received, stalled);
    first.server.child.kill("SIGCONT");
    const again = names("again", 20);
    await Promise.all(again.map((name, i) => (i % 2 ? first : other).publish(name)));
    await waitForTitles(receiver.received, again);
    await assertDeliveredOnce(other, receiver.received, ["alone", ...stalled, ...again]);
    for (const { server } of [first, other]) await kill(server);
  });
});

describe("a database that fails during deliveries", { skip }, () => {
  it("loses no delivery", { timeout: 4 * TIMEOUT_MS }, async () => {
    const postgres = await openTestPostgres(programs!);
    const world = await openWorld((await openSchema(postgres.url)).environment, true);
    const receiver = await openWebhookReceiver();
    const { publish } = openRetryingClient(world.url);
    const { id } = expectStatus(201, await openWebhookApi(world).create({ url: receiver.url, opt_fields: "title" }))
      .body.data;
    const titles: string[] = [];
    for (let round = 0; round < 2; round++) {
      let isOver = false;
      const writing = Array.from({ length: 6 }, async (_, client) => {
        for (let i = 0; !isOver; i++) {
          const title = `${round} ${client} ${i}`;
          await publish(title).then(
            () => titles.push(title),
            () => waitForNextPoll(),
          );
        }
      });
      const release = await holdDelivery(receiver);
      await postgres.kill();
      isOver = true;
      const restarted = postgres.start();
      release();
      await Promise.all([restarted, ...writing]);
    }
    await waitForTitles(receiver.received, titles);
    await waitUntil(
      async () => (await openWebhookApi(world).get(`/${id}/deliveries?status=pending`)).body.data?.length === 0,
      () => "all to be written",
    );
    await world.stop();
    await postgres.stop();
  });
});

describe("workers", { skip: NO_PROCESSES }, () => {
  it("deliver each change once, and continue when any of them is killed", { timeout: 4 * TIMEOUT_MS }, async () => {
    const { serve } = await openRegistry("workers");
    const receiver = await openWebhookReceiver();
    const serving = await serve({ WORKERS: "2" });
    const { server, url, publish } = serving;
    const workers = () => childrenOf(server.child.pid!);
    expectStatus(201, await openWebhookApi(openRetryingClient(url)).create({ url: receiver.url, opt_fields: "title" }));
    const first = names("first", 20);
    await Promise.all(first.map((name) => publish(name)));
    await waitForTitles(receiver.received, first);
    await assertDeliveredOnce(serving, receiver.received, first);
    for (const place of [0, 1]) {
      const before = workers();
      process.kill(before[place]!, "SIGKILL");
      await waitUntil(
        () => {
          const now = workers();
          return now.length === 2 && !now.includes(before[place]!);
        },
        () => "another worker",
      );
      const title = `after ${place}`;
      await waitUntil(
        () =>
          publish(title).then(
            () => true,
            () => false,
          ),
        () => "to publish",
      );
      await waitForTitles(receiver.received, [title]);
    }
    server.child.kill("SIGTERM");
    assert.deepEqual(await server.ended, [0, null], server.output());
  });
});
