import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { openClient, TenderhallError, type TenderSent } from "./index.ts";

/** A server that does to its n-th request what the n-th of these does, and remembers what it was asked. */
type Turn = (response: ServerResponse, request: IncomingMessage) => void;
type Heard = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

async function serverOf(t: TestContext, ...turns: readonly Turn[]) {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("latin1")) body += chunk;
    const { method = "", url = "", headers } = request;
    const turn = turns[Math.min(heard.length, turns.length - 1)]!;
    heard.push({ method, url, headers, body });
    turn(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, heard, client: openClient({ url, key: "broker", retries: { max: 3, initialDelayMs: 1 } }) };
}

const answers =
  (status: number, body: object = {}, headers: { readonly [name: string]: string } = {}): Turn =>
  (response) =>
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
const cutsOff: Turn = (_response, request) => request.socket.destroy();
const cutsBody: Turn = (response, request) => {
  response.writeHead(201, { "Content-Length": "1000" }).write('{"data":');
  setTimeout(() => request.socket.destroy(), 5);
};
/** What is in it matters to nobody here. */
const some = { title: "x" } as TenderSent;
const created = answers(201, { data: { id: "a" }, access: { token: "t" } });

describe("a request that fails", () => {
  for (const status of [408, 409, 429, 502, 503, 504])
    it(`is sent again after ${status}, under the same idempotency key`, async (t) => {
      const { client, heard } = await serverOf(t, answers(status), answers(status), created);
      assert.equal((await client.tenders.create(some)).token, "t");
      const keys = heard.map(({ headers }) => headers["idempotency-key"]);
      assert.equal(keys.length, 3);
      assert.ok(keys[0]);
      assert.equal(new Set(keys).size, 1);
    });

  it("is sent again when the connection breaks, also in the middle of the answer", async (t) => {
    const { client, heard } = await serverOf(t, cutsOff, cutsBody, created);
    assert.equal((await client.tenders.create(some)).data.id, "a");
    assert.equal(new Set(heard.map(({ headers, body }) => headers["idempotency-key"] + body)).size, 1);
  });

  for (const status of [400, 401, 403, 404, 412, 422, 500])
    it(`is not sent again after ${status}`, async (t) => {
      const { client, heard } = await serverOf(t, answers(status, { status: "error", errors: [] }));
      await assert.rejects(client.tenders.create(some), { name: "TenderhallError", status });
      assert.equal(heard.length, 1);
    });

  it("is given up after as many tries as wanted", async (t) => {
    const { client, heard } = await serverOf(t, answers(503));
    await assert.rejects(client.tenders.get("a"), { status: 503 });
    assert.equal(heard.length, 4);
    await assert.rejects(client.tenders.get("a", { retries: 0 }), { status: 503 });
    assert.equal(heard.length, 5);
  });

  it("that never reaches the registry has the status 0 and says why", async () => {
    const client = openClient({ url: "http://127.0.0.1:1", retries: 0 });
    const error = await client.tenders.get("a").catch((reason) => reason);
    assert.ok(error instanceof TenderhallError);
    assert.equal(error.status, 0);
    assert.ok(error.cause);
  });

  it("without any answer is given up sooner, where that is wanted", async (t) => {
    const { url, heard } = await serverOf(t, cutsOff, answers(503), answers(503), cutsOff);
    const client = openClient({ url, retries: { max: 3, maxUnanswered: 2, initialDelayMs: 1 } });
    await assert.rejects(client.tenders.get("a"), { status: 0 });
    assert.equal(heard.length, 4);
    const none = openClient({ url: "http://127.0.0.1:1", retries: { maxUnanswered: 0, initialDelayMs: 60_000 } });
    await assert.rejects(none.tenders.get("a"), { status: 0 });
  });

  it("tells how long the registry asks to wait", async (t) => {
    const { client } = await serverOf(t, answers(429, {}, { "Retry-After": "7" }));
    await assert.rejects(client.tenders.get("a", { retries: 0 }), { status: 429, retryAfterMs: 7000 });
  });

  it("waits as long as the registry asks for", async (t) => {
    const { client } = await serverOf(t, answers(429, {}, { "Retry-After": "1" }), answers(200, { data: { id: "a" } }));
    const started = performance.now();
    await client.tenders.get("a");
    assert.ok(performance.now() - started >= 990);
  });

  it("is given up at once when its signal says so, while it waits and while it is under way", async (t) => {
    const later = answers(503, {}, { "Retry-After": "60" });
    for (const turn of [later, () => {}]) {
      const controller = new AbortController();
      const { client, heard } = await serverOf(t, (response, request) => {
        turn(response, request);
        setTimeout(() => controller.abort(new Error("enough")), 20);
      });
      await assert.rejects(client.tenders.get("a", { signal: controller.signal }), /^Error: enough$/);
      assert.equal(heard.length, 1);
    }
  });

  it("counts as failed when the registry is silent for too long", async (t) => {
    const { url, heard } = await serverOf(t, () => {}, answers(200, { data: { id: "a" } }));
    const client = openClient({ url, timeoutMs: 300, retries: { initialDelayMs: 1 } });
    assert.equal((await client.tenders.get("a")).data.id, "a");
    assert.ok(heard.length >= 2);
  });
});

describe("a request", () => {
  it("has the key that the caller gives it, and none in a dry run", async (t) => {
    const { client, heard } = await serverOf(t, created);
    await client.tenders.create(some, { idempotencyKey: "mine" });
    await client.tenders.create(some, { dryRun: true });
    assert.equal(heard[0]!.headers["idempotency-key"], "mine");
    assert.equal(heard[1]!.headers["idempotency-key"], undefined);
    assert.equal(heard[1]!.url, "/api/2.5/tenders?dry_run=1");
  });

  it("in a dry run leaves no token behind", async (t) => {
    const { client } = await serverOf(
      t,
      answers(201, { data: { id: "a" }, access: { token: "t" } }, { "X-Dry-Run": "1" }),
    );
    assert.equal((await client.tenders.create(some, { dryRun: true })).dryRun, true);
    assert.equal(client.tokens.size, 0);
  });

  it("carries conditions, and is told when nothing has changed", async (t) => {
    const { client, heard } = await serverOf(t, (response) => response.writeHead(304, { ETag: '"e"' }).end());
    const kept = await client.tenders.get("a", { ifNoneMatch: '"e"' });
    assert.deepEqual([kept.notModified, kept.etag, kept.data], [true, '"e"', undefined]);
    assert.equal(heard[0]!.headers["if-none-match"], '"e"');
    await client.tenders.patch("a", {}, { ifMatch: '"e"' });
    assert.equal(heard[1]!.headers["if-match"], '"e"');
  });

  it("for a text is answered with what came, to the letter", async (t) => {
    const text = '{"data":{"value":{"amount":500000.10}}}';
    const { client, heard } = await serverOf(t, (response) => response.end(text));
    client.tokens.set("a", "secret");
    assert.equal(await client.tenders.text("a"), text);
    assert.equal(await client.tenders.text("a", { pretty: true }), text);
    assert.deepEqual(
      heard.map(({ url, headers }) => [url, headers["x-access-token"]]),
      [
        ["/api/2.5/tenders/a", "secret"],
        ["/api/2.5/tenders/a?opt_pretty=1", "secret"],
      ],
    );
    await assert.rejects(client.tenders.text(".."), TypeError);
  });

  it("for its health says who answered, and when by their clock", async (t) => {
    const date = "Mon, 16 Nov 2026 10:00:00 GMT";
    const { client } = await serverOf(
      t,
      answers(200, {}, { Date: date, "X-Request-ID": "r" }),
      answers(503, {}, { "X-Request-ID": "s" }),
    );
    assert.deepEqual(await client.health.check(), { ok: true, status: 200, date, requestId: "r" });
    assert.deepEqual(await client.health.check(), { ok: false, status: 503, requestId: "s" });
  });

  it("gives neither key nor token to another origin than the registry's", async (t) => {
    const { client } = await serverOf(t, created);
    const other = await serverOf(t, answers(200));
    client.tokens.set("a", "secret");
    await client.documents.download(`${other.url}/tenders/a/documents/b?download=c`);
    const { authorization, "x-access-token": token } = other.heard[0]!.headers;
    assert.deepEqual([authorization, token], [undefined, undefined]);
  });

  it("that uploads sends the same bytes again, and tells of every try how far it is", async (t) => {
    const { client, heard } = await serverOf(t, answers(503), answers(201, { data: { id: "d" } }));
    const told: number[] = [];
    const onProgress = (sent: number, total: number) => {
      told.push(sent);
      assert.equal(total, 300_000);
    };
    await client.documents.upload({ tender: "a" }, "x".repeat(300_000), {
      name: 'a"b\r\n.txt',
      type: "text/plain",
      onProgress,
    });
    assert.equal(heard.length, 2);
    assert.equal(heard[0]!.body, heard[1]!.body);
    assert.equal(heard[0]!.headers["content-type"], heard[1]!.headers["content-type"]);
    assert.equal(heard[0]!.headers["content-length"], String(heard[0]!.body.length));
    assert.match(heard[0]!.body, /name="file"; filename="a%22b%0D%0A.txt"\r\nContent-Type: text\/plain\r\n\r\nx/);
    assert.equal(told.filter((sent) => sent === 0).length >= 2, true);
    assert.equal(told.at(-1), 300_000);
    assert.ok(new Set(told).size > 2, "in between something was told too");
  });
});

describe("what an error says", () => {
  it("names whom nobody could reach, and why", async () => {
    const gone = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => gone.once("listening", resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const client = openClient({ url: `http://127.0.0.1:${port}`, retries: 0 });
    await assert.rejects(client.tenders.get("a"), {
      message: `GET /api/2.5/tenders/a got no answer from 127.0.0.1:${port} (ECONNREFUSED)`,
      status: 0,
    });
  });

  it("tells from when on, and until when, it is allowed", async (t) => {
    const entry = { location: "body", name: "data", description: "Not now" };
    const { client } = await serverOf(
      t,
      answers(403, { errors: [{ ...entry, allowedFrom: "2026-11-16T10:00:00+02:00" }] }),
      answers(403, { errors: [{ ...entry, allowedFrom: "A", allowedUntil: "B" }] }),
      answers(403, { errors: [entry] }),
    );
    const told = async () => ((await client.tenders.get("a").catch((error) => error)) as TenderhallError).message;
    assert.match(await told(), /body\/data: Not now \(allowed from 2026-11-16T10:00:00\+02:00\)\)$/);
    assert.match(await told(), /Not now \(allowed from A until B\)\)$/);
    assert.match(await told(), /body\/data: Not now\)$/);
  });
});

describe("options without a value", () => {
  it("are as if they were not given", async (t) => {
    const { url, heard } = await serverOf(t, answers(503), created, answers(200, { data: [] }));
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
    const [, made, listed] = heard;
    assert.equal(made?.body, '{"data":{}}');
    assert.ok(!("x-test-clock" in made!.headers) && !("if-match" in made!.headers));
    assert.equal(listed?.url, "/api/2.5/tenders/a/documents");
  });
});

describe("a download that is sent on", () => {
  const secrets = ({ headers }: Heard) => [headers.authorization, headers["x-access-token"]];
  const sendsTo = (location: string): Turn => answers(302, {}, { Location: location });
  const content: Turn = (response) => response.writeHead(200).end("content");

  it("to another origin comes whole, and shows that origin neither the key nor the token", async (t) => {
    const store = await serverOf(t, content);
    const { client, heard, url } = await serverOf(t, sendsTo("/get/key"), sendsTo(`${store.url}/file`));
    const response = await client.documents.download(`${url}/api/2.5/a?download=b`, { token: "t" });
    assert.equal(await response.text(), "content");
    assert.deepEqual(heard.map(secrets), Array(2).fill(["Bearer broker", "t"]));
    assert.deepEqual(
      heard.map(({ url }) => url),
      ["/api/2.5/a?download=b", "/get/key"],
    );
    assert.deepEqual(store.heard.map(secrets), [[undefined, undefined]]);
  });

  it("in a browser, which hides where to, carries the token where it is not sent on", async (t) => {
    const { url, heard } = await serverOf(t, content);
    const inBrowser: typeof fetch = async (address, init) => {
      if (init?.redirect !== "manual") return fetch(address, init);
      return Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" });
    };
    const client = openClient({ url, key: "broker", fetch: inBrowser });
    await client.documents.download(`${url}/api/2.5/a?download=b`, { token: "t" });
    assert.deepEqual(heard.map(secrets), [["Bearer broker", undefined]]);
    assert.equal(heard[0]!.url, "/api/2.5/a?download=b&acc_token=t");
  });

  it("in a circle fails", async (t) => {
    const { client, url, heard } = await serverOf(t, sendsTo("/again"));
    await assert.rejects(client.documents.download(`${url}/again`), { status: 302 });
    assert.equal(heard.length, 6);
  });
});
