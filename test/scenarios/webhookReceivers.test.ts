import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { after, describe, it } from "node:test";
import { fullTender, publish } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { openWebhookApi, openWebhookReceiver } from "../support/webhookReceiver.ts";
import { expectStatus, openWorld } from "../support/world.ts";

/** Receivers that are slow, failing, unreachable or malicious. */

const SECOND = 1_000_000;

/** A world with this timeout for receivers. */
async function openWebhookWorld(webhookMsMax: number) {
  const world = await openWorld({}, false, { webhookMsMax });
  after(world.stop);
  const hooks = openWebhookApi(world);
  return {
    ...{ world, hooks },
    publishOne: () => publish(world.api("2.3"), fullTender(world.clock.now)),
    madeTo: async (url: string): Promise<string> => expectStatus(201, await hooks.create({ url })).body.data.id,
  };
}

type WebhookWorld = Awaited<ReturnType<typeof openWebhookWorld>>;
/** The long timeout suits a slow machine; the short one is for receivers that never respond. */
const patient = await openWebhookWorld(10 * 60_000);
const impatient = await openWebhookWorld(400);

/** Opens a receiver that takes over the socket once a request has arrived. */
async function openRaw(speak: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket.on("error", () => {}));
    socket.once("data", () => speak(socket));
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/`, connections: () => connections, open: () => sockets.size };
}

async function waitForAttempt({ hooks }: WebhookWorld, id: string) {
  let found: { attempts: number; status: string; error?: string; response?: { status: number } } | undefined;
  await waitUntil(
    async () => {
      [found] = await hooks.deliveries(id);
      return (found?.attempts ?? 0) > 0;
    },
    () => "an attempt",
  );
  return found!;
}

const writing = (text: string) => (socket: Socket) => void socket.end(text);
const forever = (text: string) => (socket: Socket) => {
  const timer = setInterval(() => socket.write(text), 1);
  socket.on("close", () => clearInterval(timer));
};

type ExpectedFailure = { readonly error?: string; readonly pattern?: RegExp; readonly status?: number };
const RECEIVERS: { readonly [how: string]: readonly [(socket: Socket) => void, ExpectedFailure] } = {
  "sends nothing": [() => {}, { error: "timeout" }],
  "hangs up": [(socket) => socket.destroy(), { error: "ECONNRESET" }],
  "closes the connection without a response": [writing(""), { error: "ECONNRESET" }],
  "does not speak HTTP": [writing("SSH-2.0-OpenSSH\r\n\r\n"), { pattern: /^HPE_/ }],
  "sends endless headers": [
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      forever(`x-${"y".repeat(500)}: z\r\n`)(socket);
    },
    { pattern: /^HPE_/ },
  ],
  "sends one byte at a time": [
    (socket) => {
      const letters = [..."HTTP/1.1 200 OK\r\n\r\n"];
      const timer = setInterval(() => socket.write(letters.shift() ?? " "), 100);
      socket.on("close", () => clearInterval(timer));
    },
    { error: "timeout" },
  ],
  "sends endless informational responses": [forever("HTTP/1.1 103 Early Hints\r\n\r\n"), { error: "timeout" }],
  "switches to another protocol": [
    writing("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    { pattern: /./ },
  ],
  redirects: [
    writing("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"),
    { status: 302, error: "redirects are not followed" },
  ],
  "responds with 404": [writing("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), { status: 404 }],
};

describe("a receiver that", () => {
  for (const [how, [speak, expected]] of Object.entries(RECEIVERS))
    it(`${how} counts as failed, and gets the delivery again`, async () => {
      const setup = expected.error === "timeout" ? impatient : patient;
      const { world, hooks, publishOne, madeTo } = setup;
      const raw = await openRaw(speak);
      const id = await madeTo(raw.url);
      await publishOne();
      const { status, error, response } = await waitForAttempt(setup, id);
      assert.equal(status, "pending");
      if (expected.pattern) assert.match(error ?? "", expected.pattern);
      else assert.equal(error, expected.error);
      assert.equal(response?.status, expected.status);
      const before = raw.connections();
      world.clock.forward(5 * SECOND);
      await waitUntil(
        () => raw.connections() > before,
        () => "another attempt",
      );
      await hooks.delete(id);
    });

  it("sends its response slowly uses no more sockets than the limit of concurrent deliveries", async () => {
    const { hooks, publishOne, madeTo } = patient;
    let most = 0;
    const raw = await openRaw((socket) => {
      most = Math.max(most, raw.open());
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
      const timer = setInterval(() => socket.write("x"), 1000);
      socket.on("close", () => clearInterval(timer));
    });
    const id = await madeTo(raw.url);
    for (let i = 0; i < 40; i++) await publishOne();
    await waitUntil(
      async () => (await hooks.deliveries(id, "?status=delivered")).length === 40,
      () => `${raw.connections()} of 40 came`,
    );
    await waitUntil(
      () => raw.open() === 0,
      () => `${raw.open()} are held`,
    );
    // The receiver notices the end a moment later.
    assert.ok(most <= 16, `${most} at once`);
    await hooks.delete(id);
  });

  it("responds with 200 and an endless body counts as delivered, and its body is not read", async () => {
    const { hooks, publishOne, madeTo } = patient;
    const raw = await openRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      forever(`400\r\n${"x".repeat(1024)}\r\n`)(socket);
    });
    const id = await madeTo(raw.url);
    await publishOne();
    assert.equal((await waitForAttempt(patient, id)).status, "delivered");
    await waitUntil(
      () => raw.open() === 0,
      () => "the connection to be cut",
    );
    await hooks.delete(id);
  });

  it("is down counts as failed, and gets the delivery when it is back", async () => {
    const { world, hooks, publishOne, madeTo } = patient;
    const receiver = await openWebhookReceiver();
    await receiver.close();
    const id = await madeTo(receiver.url);
    const { id: tender } = await publishOne();
    const { status, error } = await waitForAttempt(patient, id);
    assert.deepEqual([status, error], ["pending", "ECONNREFUSED"]);
    const back = await openWebhookReceiver(receiver.port);
    world.clock.forward(5 * SECOND);
    await back.waitForDeliveries(1);
    assert.equal(back.received[0]!.data.id, tender);
    await hooks.delete(id);
  });

  it("has an unknown host name counts as failed", async () => {
    const { hooks, publishOne, madeTo } = impatient;
    const id = await madeTo("http://nobody.invalid/");
    await publishOne();
    const { status, error } = await waitForAttempt(impatient, id);
    assert.equal(status, "pending");
    assert.match(error ?? "", /^ENOTFOUND|EAI_AGAIN|timeout/);
    await hooks.delete(id);
  });
});

describe("receivers that do not respond", () => {
  it("do not delay the others", async () => {
    const { hooks, publishOne } = await openWebhookWorld(10 * 60_000);
    const silent = await openRaw(() => {});
    const good = await openWebhookReceiver();
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, i) => hooks.create({ url: i === 50 ? good.url : silent.url })),
    );
    for (let i = 0; i < 5; i++) await publishOne();
    await good.waitForDeliveries(5);
    const [first] = await hooks.deliveries(expectStatus(201, made[0]!).body.data.id);
    // Its timeout has not expired, so a server that waited for it would still wait.
    assert.equal(first?.attempts ?? 0, 0);
  });
});
