import assert from "node:assert/strict";
import { type IncomingHttpHeaders, request } from "node:http";
import { describe, it } from "node:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { fullTender, plainTender, publish } from "../support/examples.ts";
import { openSse } from "../support/sse.ts";
import { openWebhookApi } from "../support/webhookReceiver.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

/** Which responses are compressed, and which never are. */

type Raw = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly bytes: Buffer };
type CompressedResponse = {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
};

/** The exact bytes of a response: without default headers and without decompression. */
function ask(url: string, { method = "GET", headers = {}, body }: CompressedResponse = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const accepting = (encodings: string, more: { readonly [name: string]: string } = {}): CompressedResponse => ({
  headers: { "Accept-Encoding": encodings, ...more },
});

const UNPACK: { readonly [encoding: string]: (bytes: Buffer) => Buffer } = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};
const ENCODINGS = Object.keys(UNPACK);

const world = await sharedWorld();
const api = world.api("2.5");
const { path, token } = await publish(api, {
  ...fullTender(world.clock.now),
  description: "Стільці й столи ".repeat(500),
});
const tender = `${world.url}/api/2.5${path}`;
for (let i = 0; i < 30; i++) await publish(world.api("2.3"), { ...plainTender(), title: `Tender ${i}` });

const COMPRESSED: { readonly [name: string]: string } = {
  "the first page": `${world.url}/`,
  "a page of the documentation": `${world.url}/docs/guides/first-tender`,
  "a script of the documentation": `${world.url}/docs/assets/docs.js`,
  "what the documentation is searched by": `${world.url}/docs/search.json`,
  "the description of a version": `${world.url}/api/2.5/openapi.json`,
  "the description of all that is the same in all versions": `${world.url}/openapi.json`,
  "a tender": tender,
  "a tender, indented": `${tender}?opt_pretty=1`,
  "a page of the feed": `${world.url}/api/2.5/tenders`,
  "a page of the feed with fields": `${world.url}/api/2.5/tenders?opt_fields=title`,
};

describe("a response above the compression threshold", () => {
  for (const [name, url] of Object.entries(COMPRESSED))
    it(`is compressed as its client accepts: ${name}`, async () => {
      const plain = await ask(url);
      assert.equal(plain.status, 200);
      assert.deepEqual([plain.headers["content-encoding"], plain.headers.vary], [undefined, "Accept-Encoding"]);
      const tags = new Set([plain.headers.etag]);
      for (const encoding of ENCODINGS)
        for (const time of ["first", "second"]) {
          const { status, headers, bytes } = await ask(url, accepting(encoding));
          assert.deepEqual(
            [status, headers["content-encoding"], headers.vary],
            [200, encoding, "Accept-Encoding"],
            time,
          );
          assert.equal(headers["content-type"], plain.headers["content-type"]);
          assert.equal(headers["content-length"], String(bytes.length));
          assert.ok(bytes.length < plain.bytes.length / 1.5, `${bytes.length} of ${plain.bytes.length}`);
          assert.equal(UNPACK[encoding]!(bytes).toString(), plain.bytes.toString());
          tags.add(headers.etag);
        }
      if (plain.headers.etag) assert.equal(tags.size, 1 + ENCODINGS.length, "each form has a tag of its own");
    });

  it("is not compressed if the client accepts no supported encoding or prefers identity", async () => {
    const plain = await ask(tender);
    for (const accepted of [
      "",
      "deflate",
      "identity",
      "gzip;q=0, br;q=0, zstd;q=0",
      "*;q=0",
      "gzip;q=0.2, identity;q=0.3",
    ]) {
      const { headers, bytes } = await ask(tender, accepting(accepted));
      assert.deepEqual([headers["content-encoding"], headers.etag], [undefined, plain.headers.etag], accepted);
      assert.equal(bytes.toString(), plain.bytes.toString());
    }
  });

  it("uses the most preferred encoding, and never identity if that is ruled out", async () => {
    const encodingFor = async (accepted: string) =>
      (await ask(tender, accepting(accepted))).headers["content-encoding"];
    assert.equal(await encodingFor("br;q=0.5, gzip;q=0.8"), "gzip");
    assert.equal(await encodingFor("gzip, br, zstd"), "zstd");
    assert.equal(await encodingFor("identity;q=0, gzip;q=0.1"), "gzip");
    assert.ok(ENCODINGS.includes((await encodingFor("*"))!));
    const best = await ask(`${world.url}/openapi.json`, accepting("gzip, br, zstd"));
    assert.equal(best.headers["content-encoding"], "br");
  });

  it("has the same headers for HEAD", async () => {
    for (const url of Object.values(COMPRESSED)) {
      const [got, head] = [await ask(url, accepting("gzip")), await ask(url, { method: "HEAD", ...accepting("gzip") })];
      for (const name of ["content-encoding", "content-length", "etag", "vary", "content-type"])
        assert.equal(head.headers[name], got.headers[name], `${name} of ${url}`);
      assert.equal(head.bytes.length, 0);
    }
  });

  it("is a 304 for a client that has any of its encodings, with the matching ETag", async () => {
    for (const url of [
      COMPRESSED["a page of the documentation"]!,
      COMPRESSED["the description of a version"]!,
      tender,
    ]) {
      const plain = (await ask(url)).headers.etag!;
      const zipped = (await ask(url, accepting("gzip"))).headers.etag!;
      for (const [known, named] of [
        [plain, plain],
        [zipped, zipped],
        [`W/${zipped}`, zipped],
        [`"other", ${zipped}`, zipped],
      ])
        for (const accepted of ["gzip", "br", "identity"]) {
          const { status, headers, bytes } = await ask(url, accepting(accepted, { "If-None-Match": known! }));
          assert.deepEqual([status, headers.etag, headers.vary, bytes.length], [304, named, "Accept-Encoding", 0]);
          assert.equal(headers["content-encoding"], undefined);
        }
      const other = await ask(url, accepting("gzip", { "If-None-Match": zipped.replace("-gzip", "-deflate") }));
      assert.equal(other.status, 200);
    }
  });

  it("can be updated with If-Match and the ETag of any of its encodings, until it changes", async () => {
    const { path, token } = await publish(api, { ...fullTender(world.clock.now), description: "d".repeat(5000) });
    const url = `${world.url}/api/2.5${path}`;
    for (const encoding of ENCODINGS) {
      const tag = (await ask(url, accepting(encoding))).headers.etag!;
      assert.match(tag, new RegExp(`-${encoding}"$`));
      const sent = (title: string) => api.patch(path, { title }, { token, headers: { "If-Match": tag } });
      expectStatus(200, await sent(`By ${encoding}`));
      expectStatus(412, await sent("Too late"));
      expectStatus(412, await api.patch(path, { title: "x" }, { token, headers: { "If-Match": `W/${tag}` } }));
    }
  });

  it("is compressed again after a change", async () => {
    const { path, token } = await publish(api, { ...fullTender(world.clock.now), description: "d".repeat(5000) });
    const url = `${world.url}/api/2.5${path}`;
    for (const title of ["One", "Two", "Three"]) {
      expectStatus(200, await api.patch(path, { title }, { token }));
      for (let i = 0; i < 2; i++) {
        const { bytes } = await ask(url, accepting("gzip"));
        assert.equal(JSON.parse(gunzipSync(bytes).toString()).data.title, title);
      }
    }
  });
});

const AS_IT_IS = accepting("gzip, br, zstd", { Authorization: "Bearer broker" });

describe("a response is never compressed if it", () => {
  const isPlain = ({ status, headers }: Raw, expected = 200) =>
    assert.deepEqual([status, headers["content-encoding"]], [expected, undefined]);

  it("is short, and then has no Vary either", async () => {
    const { path } = await publish(world.api("2.3"), plainTender());
    const { headers } = await ask(`${world.url}/api/0${path}/documents`, AS_IT_IS);
    assert.deepEqual([headers["content-encoding"], headers.vary], [undefined, undefined]);
  });

  it("contains an owner token", async () => {
    const data = { ...fullTender(world.clock.now), description: "d".repeat(5000) };
    const headers = { ...AS_IT_IS.headers, "Content-Type": "application/json" };
    const made = await ask(`${world.url}/api/2.5/tenders`, { method: "POST", headers, body: JSON.stringify({ data }) });
    isPlain(made, 201);
    assert.match(made.bytes.toString(), /"access":\{"token":"/);
    const changed = { ...headers, "X-Access-Token": token };
    isPlain(await ask(tender, { method: "PATCH", headers: changed, body: '{"data": {"title": "Changed"}}' }));
  });

  it("shows the owner's view", async () => {
    isPlain(await ask(`${tender}?acc_token=${token}`, AS_IT_IS));
    isPlain(await ask(tender, accepting("gzip", { ...AS_IT_IS.headers, "X-Access-Token": token })));
  });

  it("must not be stored, such as an account's webhooks", async () => {
    const hooks = openWebhookApi(world);
    for (let i = 0; i < 20; i++) expectStatus(201, await hooks.create({ url: `http://127.0.0.1:9/${i}` }));
    const listed = await ask(`${world.url}/webhooks`, AS_IT_IS);
    isPlain(listed);
    assert.ok(listed.bytes.length > 2000);
  });

  it("is a stream", async () => {
    const sse = await openSse(`${world.url}/api/2.5/tenders/stream`, AS_IT_IS);
    assert.deepEqual([sse.status, sse.headers["content-encoding"]], [200, undefined]);
    await sse.waitUntil(({ events }) => events.length > 0);
    sse.close();
  });

  it("is a file, complete or a range", async () => {
    const content = "text ".repeat(1000);
    const { path, token } = await publish(world.api("2.3"), plainTender());
    const uploaded = await world
      .api("2.3")
      .upload(`${path}/documents`, { name: "a.txt", content, type: "text/plain" }, { token });
    const { url } = expectStatus(201, uploaded).body.data;
    const identity = await ask(url, AS_IT_IS);
    isPlain(identity);
    assert.equal(identity.bytes.toString(), content);
    const part = await ask(url, accepting("gzip", { Range: "bytes=0-1999" }));
    isPlain(part, 206);
    assert.equal(part.bytes.toString(), content.slice(0, 2000));
  });

  it("is a JSONP script", async () => isPlain(await ask(`${tender}?opt_jsonp=show`, AS_IT_IS)));

  it("is an error", async () => {
    const data = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`x${i}`, 1]));
    const headers = { ...AS_IT_IS.headers, "Content-Type": "application/json" };
    isPlain(
      await ask(`${world.url}/api/2.5/tenders`, { method: "POST", headers, body: JSON.stringify({ data }) }),
      422,
    );
  });

  it("is sent by a service with COMPRESSION=off, which has no Vary either", async () => {
    const off = await sharedWorld({ COMPRESSION: "off" });
    for (const page of ["/", "/docs", "/openapi.json", "/api/2.5/openapi.json"]) {
      const raw = await ask(`${off.url}${page}`, AS_IT_IS);
      isPlain(raw);
      assert.equal(raw.headers.vary, undefined);
    }
  });
});
