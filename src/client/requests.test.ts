import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { openClient, TenderhallError, type TenderSent } from "./index.ts";

/** Handles one request of a scripted server. */
type Responder = (response: ServerResponse, request: IncomingMessage) => void;
type ReceivedRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

/** Starts a server whose n-th responder handles the n-th request; the last one handles all further requests. */
async function startServer(t: TestContext, ...responders: readonly Responder[]) {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("latin1")) body += chunk;
    const { method = "", url = "", headers } = request;
    const respond = responders[Math.min(requests.length, responders.length - 1)]!;
    requests.push({ method, url, headers, body });
    respond(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, client: openClient({ url, key: "broker", retries: { max: 3, initialDelayMs: 1 } }) };
}

const respondWith =
  (status: number, body: object = {}, headers: { readonly [name: string]: string } = {}): Responder =>
  (response) =>
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
const cutConnection: Responder = (_response, request) => request.socket.destroy();
const cutBody: Responder = (response, request) => {
  response.writeHead(201, { "Content-Length": "1000" }).write('{"data":', () => request.socket.destroy());
};
/** Incomplete, because the scripted servers do not validate. */
const tender = { title: "x" } as TenderSent;
const created = respondWith(201, { data: { id: "a" }, access: { token: "t" } });

describe("a failed request", () => {
  for (const status of [408, 409, 429, 502, 503, 504])
    it(`is retried after ${status} with the same idempotency key`, async (t) => {
      const { client, requests } = await startServer(t, respondWith(status), respondWith(status), created);
      assert.equal((await client.tenders.create(tender)).token, "t");
      const keys = requests.map(({ headers }) => headers["idempotency-key"]);
      assert.equal(keys.length, 3);
      assert.ok(keys[0]);
      assert.equal(new Set(keys).size, 1);
    });

  it("is retried when the connection breaks, also in the middle of the response", async (t) => {
    const { client, requests } = await startServer(t, cutConnection, cutBody, created);
    assert.equal((await client.tenders.create(tender)).data.id, "a");
    assert.equal(new Set(requests.map(({ headers, body }) => headers["idempotency-key"] + body)).size, 1);
  });

  for (const status of [400, 401, 403, 404, 412, 422, 500])
    it(`is not retried after ${status}`, async (t) => {
      const { client, requests } = await startServer(t, respondWith(status, { status: "error", errors: [] }));
      await assert.rejects(client.tenders.create(tender), { name: "TenderhallError", status });
      assert.equal(requests.length, 1);
    });

  it("fails after `retries` retries", async (t) => {
    const { client, requests } = await startServer(t, respondWith(503));
    await assert.rejects(client.tenders.get("a"), { status: 503 });
    assert.equal(requests.length, 4);
    await assert.rejects(client.tenders.get("a", { retries: 0 }), { status: 503 });
    assert.equal(requests.length, 5);
  });

  it("has the status 0 and a cause if the registry cannot be reached", async () => {
    const client = openClient({ url: "http://127.0.0.1:1", retries: 0 });
    const error = await client.tenders.get("a").catch((reason) => reason);
    assert.ok(error instanceof TenderhallError);
    assert.equal(error.status, 0);
    assert.ok(error.cause);
  });

  it("without a response is retried only `maxUnanswered` times", async (t) => {
    const { url, requests } = await startServer(t, cutConnection, respondWith(503), respondWith(503), cutConnection);
    const client = openClient({ url, retries: { max: 3, maxUnanswered: 2, initialDelayMs: 1 } });
    await assert.rejects(client.tenders.get("a"), { status: 0 });
    assert.equal(requests.length, 4);
    const impatient = openClient({ url: "http://127.0.0.1:1", retries: { maxUnanswered: 0, initialDelayMs: 60_000 } });
    await assert.rejects(impatient.tenders.get("a"), { status: 0 });
  });

  it("reports `Retry-After` in milliseconds", async (t) => {
    const { client } = await startServer(t, respondWith(429, {}, { "Retry-After": "7" }));
    await assert.rejects(client.tenders.get("a", { retries: 0 }), { status: 429, retryAfterMs: 7000 });
  });

  it("is retried no sooner than `Retry-After` asks", async (t) => {
    const { client } = await startServer(
      t,
      respondWith(429, {}, { "Retry-After": "1" }),
      respondWith(200, { data: { id: "a" } }),
    );
    const started = performance.now();
    await client.tenders.get("a");
    assert.ok(performance.now() - started >= 990);
  });

  it("is cancelled at once by its signal while it is in flight", async (t) => {
    const controller = new AbortController();
    const { client, requests } = await startServer(t, () => controller.abort(new Error("enough")));
    await assert.rejects(client.tenders.get("a", { signal: controller.signal }), /^Error: enough$/);
    assert.equal(requests.length, 1);
  });

  it("is cancelled at once by its signal while it waits for a retry", { timeout: 30_000 }, async (t) => {
    const controller = new AbortController();
    const { client, requests } = await startServer(t, respondWith(503, {}, { "Retry-After": "61" }));
    const startTimer = setTimeout;
    const timer = t.mock.method(globalThis, "setTimeout", (...args: Parameters<typeof setTimeout>) => {
      // Only the wait for the retry is that long: the timeout of a request is 60 seconds.
      if (args[1] === 61_000) setImmediate(() => controller.abort(new Error("enough")));
      return startTimer(...args);
    });
    await assert.rejects(client.tenders.get("a", { signal: controller.signal }), /^Error: enough$/);
    timer.mock.restore();
    assert.equal(requests.length, 1);
  });

  it("is retried after `timeoutMs` without a response", async (t) => {
    const { url, requests } = await startServer(t, () => {}, respondWith(200, { data: { id: "a" } }));
    const client = openClient({ url, timeoutMs: 300, retries: { initialDelayMs: 1 } });
    assert.equal((await client.tenders.get("a")).data.id, "a");
    assert.ok(requests.length >= 2);
  });
});

describe("a request", () => {
  it("has the idempotency key of the caller, and none in a dry run", async (t) => {
    const { client, requests } = await startServer(t, created);
    await client.tenders.create(tender, { idempotencyKey: "mine" });
    await client.tenders.create(tender, { dryRun: true });
    assert.equal(requests[0]!.headers["idempotency-key"], "mine");
    assert.equal(requests[1]!.headers["idempotency-key"], undefined);
    assert.equal(requests[1]!.url, "/api/2.5/tenders?dry_run=1");
  });

  it("stores no token in a dry run", async (t) => {
    const { client } = await startServer(
      t,
      respondWith(201, { data: { id: "a" }, access: { token: "t" } }, { "X-Dry-Run": "1" }),
    );
    assert.equal((await client.tenders.create(tender, { dryRun: true })).dryRun, true);
    assert.equal(client.tokens.size, 0);
  });

  it("sends If-Match and If-None-Match and reports a 304 as notModified", async (t) => {
    const { client, requests } = await startServer(t, (response) => response.writeHead(304, { ETag: '"e"' }).end());
    const unchanged = await client.tenders.get("a", { ifNoneMatch: '"e"' });
    assert.deepEqual([unchanged.notModified, unchanged.etag, unchanged.data], [true, '"e"', undefined]);
    assert.equal(requests[0]!.headers["if-none-match"], '"e"');
    await client.tenders.patch("a", {}, { ifMatch: '"e"' });
    assert.equal(requests[1]!.headers["if-match"], '"e"');
  });

  it("for the text of a tender returns the body unchanged", async (t) => {
    const text = '{"data":{"value":{"amount":500000.10}}}';
    const { client, requests } = await startServer(t, (response) => response.end(text));
    client.tokens.set("a", "secret");
    assert.equal(await client.tenders.text("a"), text);
    assert.equal(await client.tenders.text("a", { pretty: true }), text);
    assert.deepEqual(
      requests.map(({ url, headers }) => [url, headers["x-access-token"]]),
      [
        ["/api/2.5/tenders/a", "secret"],
        ["/api/2.5/tenders/a?opt_pretty=1", "secret"],
      ],
    );
    await assert.rejects(client.tenders.text(".."), TypeError);
  });

  it("for the health returns the request id and the server's date", async (t) => {
    const date = "Mon, 16 Nov 2026 10:00:00 GMT";
    const { client } = await startServer(
      t,
      respondWith(200, {}, { Date: date, "X-Request-ID": "r" }),
      respondWith(503, {}, { "X-Request-ID": "s" }),
    );
    assert.deepEqual(await client.health.check(), { ok: true, status: 200, date, requestId: "r" });
    assert.deepEqual(await client.health.check(), { ok: false, status: 503, requestId: "s" });
  });

  it("sends neither key nor token to another origin", async (t) => {
    const { client } = await startServer(t, created);
    const other = await startServer(t, respondWith(200));
    client.tokens.set("a", "secret");
    await client.documents.download(`${other.url}/tenders/a/documents/b?download=c`);
    const { authorization, "x-access-token": token } = other.requests[0]!.headers;
    assert.deepEqual([authorization, token], [undefined, undefined]);
  });

  it("that uploads sends the same bytes again and reports the progress of every attempt", async (t) => {
    const { client, requests } = await startServer(t, respondWith(503), respondWith(201, { data: { id: "d" } }));
    const progress: number[] = [];
    const onProgress = (sent: number, total: number) => {
      progress.push(sent);
      assert.equal(total, 300_000);
    };
    await client.documents.upload({ tender: "a" }, "x".repeat(300_000), {
      name: 'a"b\r\n.txt',
      type: "text/plain",
      onProgress,
    });
    assert.equal(requests.length, 2);
    assert.equal(requests[0]!.body, requests[1]!.body);
    assert.equal(requests[0]!.headers["content-type"], requests[1]!.headers["content-type"]);
    assert.equal(requests[0]!.headers["content-length"], String(requests[0]!.body.length));
    assert.match(requests[0]!.body, /name="file"; filename="a%22b%0D%0A.txt"\r\nContent-Type: text\/plain\r\n\r\nx/);
    assert.equal(progress.filter((sent) => sent === 0).length >= 2, true);
    assert.equal(progress.at(-1), 300_000);
    assert.ok(new Set(progress).size > 2, "no progress between start and end");
  });
});

describe("the message of an error", () => {
  it("names the host that cannot be reached, and the reason", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => closed.once("listening", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const client = openClient({ url: `http://127.0.0.1:${port}`, retries: 0 });
    await assert.rejects(client.tenders.get("a"), {
      message: `GET /api/2.5/tenders/a got no response from 127.0.0.1:${port} (ECONNREFUSED)`,
      status: 0,
    });
  });

  it("says from when and until when the request is allowed", async (t) => {
    const entry = { location: "body", name: "data", description: "Not now" };
    const { client } = await startServer(
      t,
      respondWith(403, { errors: [{ ...entry, allowedFrom: "2026-11-16T10:00:00+02:00" }] }),
      respondWith(403, { errors: [{ ...entry, allowedFrom: "A", allowedUntil: "B" }] }),
      respondWith(403, { errors: [entry] }),
    );
    const messageOf = async () => ((await client.tenders.get("a").catch((error) => error)) as TenderhallError).message;
    assert.match(await messageOf(), /body\/data: Not now \(allowed from 2026-11-16T10:00:00\+02:00\)\)$/);
    assert.match(await messageOf(), /Not now \(allowed from A until B\)\)$/);
    assert.match(await messageOf(), /body\/data: Not now\)$/);
  });
});

describe("options that are undefined", () => {
  it("get their defaults and are not sent", async (t) => {
    const { url, requests } = await startServer(t, respondWith(503), created, respondWith(200, { data: [] }));
    const client = openClient({
      url,
      key: undefined,
      version: undefined,
      retries: { max: undefined, initialDelayMs: 1 },
    });
    await client.tenders.create({ title: undefined } as never, {
      clock: undefined,
      ifMatch: undefined,
      dryRun: undefined,
    });
    await client.documents.list({ tender: "a", bid: undefined }, { all: undefined, ifNoneMatch: undefined });
    const [, creation, listing] = requests;
    assert.equal(creation?.body, '{"data":{}}');
    assert.ok(!("x-test-clock" in creation!.headers) && !("if-match" in creation!.headers));
    assert.equal(listing?.url, "/api/2.5/tenders/a/documents");
  });
});

describe("a redirected download", () => {
  const credentialsOf = ({ headers }: ReceivedRequest) => [headers.authorization, headers["x-access-token"]];
  const redirectTo = (location: string): Responder => respondWith(302, {}, { Location: location });
  const content: Responder = (response) => response.writeHead(200).end("content");

  it("to another origin is complete, and sends neither key nor token there", async (t) => {
    const store = await startServer(t, content);
    const { client, requests, url } = await startServer(t, redirectTo("/get/key"), redirectTo(`${store.url}/file`));
    const response = await client.documents.download(`${url}/api/2.5/a?download=b`, { token: "t" });
    assert.equal(await response.text(), "content");
    assert.deepEqual(requests.map(credentialsOf), Array(2).fill(["Bearer broker", "t"]));
    assert.deepEqual(
      requests.map(({ url }) => url),
      ["/api/2.5/a?download=b", "/get/key"],
    );
    assert.deepEqual(store.requests.map(credentialsOf), [[undefined, undefined]]);
  });

  it("in a browser sends the token in the query, which is not redirected", async (t) => {
    const { url, requests } = await startServer(t, content);
    const browserFetch: typeof fetch = async (address, init) => {
      if (init?.redirect !== "manual") return fetch(address, init);
      return Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" });
    };
    const client = openClient({ url, key: "broker", fetch: browserFetch });
    await client.documents.download(`${url}/api/2.5/a?download=b`, { token: "t" });
    assert.deepEqual(requests.map(credentialsOf), [["Bearer broker", undefined]]);
    assert.equal(requests[0]!.url, "/api/2.5/a?download=b&acc_token=t");
  });

  it("fails if it goes in a circle", async (t) => {
    const { client, url, requests } = await startServer(t, redirectTo("/again"));
    await assert.rejects(client.documents.download(`${url}/again`), { status: 302 });
    assert.equal(requests.length, 6);
  });
});
