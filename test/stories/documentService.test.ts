import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type ClientRequest, request as httpRequest } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  documentKeyOf,
  fileKeyOf,
  md5Of,
  openDocumentServiceClient,
  signedQuery,
  storedFiles,
  withQuery,
} from "../support/documentService.ts";
import { DAY, fullTender, publish } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { errorsOf, expectStatus, openWorld, START, sharedWorld, type TestResponse } from "../support/world.ts";

/** Files that are uploaded before there is a document: who may send and read them, and for how long. */

const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;

async function assertRefused(expected: string, answering: Promise<TestResponse>): Promise<void> {
  const response = await answering;
  assert.equal(`${response.status} ${errorsOf(response).join("; ")}`, expected);
  assert.equal(response.body.status, "error");
}

/** An upload that sends its headers and the start of its form, and then stalls. */
async function stalledUpload(address: string): Promise<ClientRequest> {
  const sending = httpRequest(address, {
    method: "POST",
    headers: { "Content-Type": "multipart/form-data; boundary=x", "Content-Length": "500", Expect: "100-continue" },
  });
  sending.on("error", () => {});
  sending.flushHeaders();
  await once(sending, "continue");
  sending.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nonce');
  return sending;
}

describe("the document service", async () => {
  const world = await sharedWorld({ FILE_BYTES_MAX: "1000" });
  const client = openDocumentServiceClient(world);
  const registered = async (content: string) =>
    expectStatus(201, await client.register(`md5:${md5Of(content)}`)).body as {
      data: { url: string; hash: string };
      upload_url: string;
    };

  it("registers a hash, accepts the content at the returned URL, and serves it for a limited time", async () => {
    const { data, upload_url } = await registered("зміст");
    assert.equal(data.hash, `md5:${md5Of("зміст")}`);
    assert.match(data.url, new RegExp(`^${world.url}/get/[0-9a-f]{32}\\?Signature=[\\w%]+&KeyID=[0-9a-f]{8}$`));
    assert.ok(upload_url.startsWith(`${world.url}/upload/${fileKeyOf(data.url)}?Signature=`), upload_url);
    const uploaded = expectStatus(200, await client.upload("зміст", upload_url, { key: null })).body;
    assert.deepEqual(uploaded.data, { ...data, format: "text/plain", title: "звіт.txt" });
    const { headers, text } = expectStatus(200, await client.get(uploaded.get_url));
    assert.equal(text, "зміст");
    assert.equal(headers.get("content-type"), "text/plain");
    assert.match(headers.get("content-disposition")!, /^attachment; filename=.*\.txt; filename\*=UTF-8''/);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
  });

  it("accepts one upload at a time per URL, and responds with 503 instead of waiting for a stalled one", async () => {
    const { upload_url } = await registered("once only");
    const receiving = () => world.database.query("select id from upload_leases");
    const stalled = await stalledUpload(upload_url);
    await waitUntil(
      async () => (await receiving()).length === 1,
      () => "the upload to begin",
    );
    const meanwhile = expectStatus(503, await client.upload("once only", upload_url, { key: null }));
    assert.ok(Number(meanwhile.headers.get("retry-after")) > 0);
    stalled.destroy();
    await waitUntil(
      async () => (await client.upload("once only", upload_url, { key: null })).status === 200,
      () => "the address to be free again",
    );
    assert.equal((await receiving()).length, 0);
  });

  it("stores one file for many concurrent uploads under one Idempotency-Key", async () => {
    const before = storedFiles(world).length;
    const sent = { headers: { "Idempotency-Key": "many at once" } };
    const all = await Promise.all(Array.from({ length: 6 }, () => client.upload("the same", "/upload", sent)));
    assert.equal(new Set(all.map((response) => expectStatus(200, response).text)).size, 1);
    // The file and its metadata.
    assert.equal(storedFiles(world).length, before + 2);
    assert.equal((await client.get(all[0]!.body.get_url)).text, "the same");
  });

  it("accepts a file without a registration", async () => {
    const { data, get_url } = expectStatus(200, await client.upload("a", "/upload", {}, "a b.txt")).body;
    assert.deepEqual([data.hash, data.format, data.title], [`md5:${md5Of("a")}`, "text/plain", "a b.txt"]);
    assert.equal((await client.get(get_url)).text, "a");
  });

  it("supports ranges, ETag and HEAD", async () => {
    const { get_url } = expectStatus(200, await client.upload("0123456789")).body;
    const part = expectStatus(206, await client.get(get_url, { headers: { Range: "bytes=2-4" } }));
    assert.deepEqual([part.text, part.headers.get("content-range")], ["234", "bytes 2-4/10"]);
    const etag = part.headers.get("etag")!;
    expectStatus(304, await client.get(get_url, { headers: { "If-None-Match": etag } }));
    const head = expectStatus(200, await client.request("HEAD", get_url));
    assert.deepEqual([head.text, head.headers.get("content-length")], ["", "10"]);
  });

  it("refuses a hash that is not an MD5 hash, and a body without one", async () => {
    const required = "422 body/hash: This field is required.";
    await assertRefused(required, client.register(undefined));
    await assertRefused(required, client.register(null));
    for (const hash of ["", "md5", `sha1:${"0".repeat(40)}`, 5, {}, `MD5:${md5Of("")}`])
      await assertRefused("422 body/hash: Hash type is not supported.", client.register(hash));
    await assertRefused("422 body/hash: Hash value is wrong length.", client.register("md5:00"));
    await assertRefused("422 body/hash: Hash value is not hexadecimal.", client.register(`md5:${"x".repeat(32)}`));
    const more = { body: { data: { hash: `md5:${md5Of("")}`, title: "a.txt" } } };
    await assertRefused("422 body/title: Rogue field", client.register("", more));
    const body = "422 body/data: No JSON object could be decoded";
    await assertRefused(body, client.register("", { body: { hash: "" } }));
    const type = { headers: { "Content-Type": "text/plain" } };
    const wanted = "415 header/Content-Type: Content-Type header should be one of ['application/json']";
    await assertRefused(wanted, client.register("", type));
  });

  it("needs a key to register and upload, and responds with 405 and 404 to other methods and paths", async () => {
    const key = "401 header/Authorization: A known API key is needed";
    const files = storedFiles(world);
    for (const who of [null, "nobody"]) {
      await assertRefused(key, client.register(`md5:${md5Of("")}`, { key: who }));
      await assertRefused(key, client.upload("a", "/upload", { key: who }));
    }
    assert.deepEqual(storedFiles(world), files);
    const method = "405 url/method: Method should be one of";
    await assertRefused(`${method} POST`, client.get("/register"));
    await assertRefused(`${method} POST`, client.get("/upload"));
    await assertRefused(`${method} GET, HEAD`, client.request("POST", `/get/${"0".repeat(32)}`));
    for (const path of ["/get", "/get/", "/get/x", "/upload/x", `/get/${"A".repeat(32)}`, "/register/x"])
      await assertRefused("404 url/path: Not Found", client.get(path));
  });

  it("refuses content that differs from its registration, and stores nothing of it", async () => {
    const { upload_url } = await registered("right");
    const files = storedFiles(world);
    await assertRefused("403 body/file: Invalid checksum", client.upload("wrong", upload_url));
    assert.deepEqual(storedFiles(world), files);
    expectStatus(200, await client.upload("right", upload_url));
    await assertRefused("403 url/key: Content already uploaded", client.upload("right", upload_url));
    assert.equal(storedFiles(world).length, files.length + 2);
  });

  it("accepts one of many concurrent uploads to one URL", async () => {
    const { upload_url } = await registered("once");
    const responses = await Promise.all(Array.from({ length: 10 }, () => client.upload("once", upload_url)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(9).fill(403)]);
  });

  it("enforces the size limit and the form of uploads, and stores nothing that it refuses", async () => {
    const files = storedFiles(world);
    const large = "x".repeat(1001);
    const { upload_url } = await registered(large);
    for (const address of ["/upload", upload_url]) {
      await assertRefused("413 body/file: The limit is 1000 bytes", client.upload(large, address));
      const form = new FormData();
      form.append("other", new Blob(["a"]), "a");
      const raw = { raw: form, key: "broker" };
      await assertRefused("404 body/file: Not Found", client.request("POST", address, raw));
      const wanted = "415 header/Content-Type: Content-Type header should be one of ['multipart/form-data']";
      await assertRefused(wanted, client.request("POST", address, { body: { data: {} } }));
    }
    assert.deepEqual(storedFiles(world), files);
  });

  it("accepts and serves nothing at a URL that it did not sign", async () => {
    const { data, upload_url } = await registered("a");
    const { get_url } = expectStatus(200, await client.upload("b")).body;
    const match = "403 url/Signature: Signature does not match";
    const wrongSignature = `Signature=${encodeURIComponent(Buffer.alloc(64).toString("base64"))}`;
    for (const [ask, url] of [
      [client.upload.bind(undefined, "a"), upload_url],
      [client.get, get_url],
    ] as const) {
      const keyID = new URL(url).searchParams.get("KeyID")!;
      await assertRefused("403 url/KeyID: Key Id does not exist", ask(url.replace(keyID, "00000000")));
      await assertRefused("403 url/KeyID: Key Id does not exist", ask(url.slice(0, url.indexOf("?"))));
      await assertRefused("403 url/Signature: Signature invalid", ask(url.replace(/Signature=[^&]*/, "Signature=*")));
      await assertRefused("403 url/Signature: Signature invalid", ask(url.replace(/Signature=[^&]*&/, "")));
      await assertRefused(match, ask(url.replace(/Signature=[^&]*/, wrongSignature)));
      await assertRefused(match, ask(url.replace(fileKeyOf(url), "0".repeat(32))));
    }
    await assertRefused(match, client.upload("a", upload_url.replace(md5Of("a"), md5Of("b"))));
    // The URL of a registration vouches for the content, but does not serve it.
    await assertRefused(match, client.get(data.url));
    await assertRefused(match, client.get(withQuery(get_url, (query) => query.delete("Expires"))));
    const longer = (query: URLSearchParams) => query.set("Expires", `${Number(query.get("Expires")) + 1}`);
    await assertRefused(match, client.get(withQuery(get_url, longer)));
  });

  it("serves content for 300 seconds, or as long as it exists to a client with a signed URL for that", async () => {
    const { data, get_url } = expectStatus(200, await client.upload("a")).body;
    const keyID = new URL(data.url).searchParams.get("KeyID")!;
    const key = fileKeyOf(data.url);
    const forever = `/get/${key}?${await signedQuery(world, keyID, key)}`;
    world.clock.forward(300 * SECOND);
    assert.equal((await client.get(get_url)).text, "a");
    world.clock.forward(SECOND);
    await assertRefused("403 url/Expires: Request has expired", client.get(get_url));
    assert.equal((await client.get(forever)).text, "a");
    const unknown = "0".repeat(32);
    const nothing = client.get(`/get/${unknown}?${await signedQuery(world, keyID, unknown)}`);
    await assertRefused("404 url/key: Not Found", nothing);
  });
});

describe("the key of the document service", () => {
  it("is generated once, stored with the tenders, and identified by its public half", async () => {
    const world = await openWorld();
    try {
      const client = openDocumentServiceClient(world);
      const pem = await documentKeyOf(world);
      const raw = Buffer.from(createPublicKey(pem).export({ format: "jwk" }).x!, "base64url").toString("hex");
      const before = await client.uploadFile("a");
      assert.equal(new URL(before.url).searchParams.get("KeyID"), raw.slice(0, 8));
      await world.restart();
      assert.equal(await documentKeyOf(world), pem);
    } finally {
      await world.stop();
    }
  });

  it("may have others beside it, whose signatures are valid too", async () => {
    const world = await openWorld();
    try {
      const client = openDocumentServiceClient(world);
      const key = fileKeyOf((await client.uploadFile("a")).url);
      const older = generateKeyPairSync("ed25519");
      const signature = sign(null, Buffer.from(key), older.privateKey).toString("base64");
      const raw = Buffer.from(older.publicKey.export({ format: "jwk" }).x!, "base64url").toString("hex");
      const address = `/get/${key}?Signature=${encodeURIComponent(signature)}&KeyID=${raw.slice(0, 8)}`;
      await assertRefused("403 url/KeyID: Key Id does not exist", client.get(address));
      const folder = join(world.dataDir, "document-keys");
      mkdirSync(folder);
      writeFileSync(join(folder, "older.pem"), older.publicKey.export({ type: "spki", format: "pem" }) as string);
      await world.restart();
      assert.equal(expectStatus(200, await client.get(address)).text, "a");
    } finally {
      await world.stop();
    }
  });
});

describe("an upload that is never attached", () => {
  it("survives a restart, and expires after a day: for readers at once, on the disk an hour later", async () => {
    const world = await openWorld();
    try {
      const client = openDocumentServiceClient(world);
      const { url } = await client.uploadFile("a");
      const key = fileKeyOf(url);
      const address = `/get/${key}?${await signedQuery(world, new URL(url).searchParams.get("KeyID")!, key)}`;
      world.clock.now = START + DAY - 1;
      await world.restart();
      assert.equal((await client.get(address)).text, "a");
      assert.deepEqual(storedFiles(world), [`uploads/${key}`, `uploads/${key}.json`]);
      world.clock.now = START + DAY;
      await assertRefused("404 url/key: Not Found", client.get(address));
      world.clock.now = START + DAY + HOUR;
      await world.restart();
      assert.deepEqual(storedFiles(world), []);
    } finally {
      await world.stop();
    }
  });

  it("does not affect attached documents when it expires, however old they are", async () => {
    const world = await openWorld();
    try {
      const client = openDocumentServiceClient(world);
      const api = world.api("2.5");
      const { path, token } = await publish(api, fullTender(world.clock.now));
      const sent = await client.uploadFile("kept");
      await client.uploadFile("swept");
      const { data } = expectStatus(201, await api.post(`${path}/documents`, sent, { token })).body;
      world.clock.forward(2 * DAY);
      await world.restart();
      assert.equal(storedFiles(world).length, 2);
      assert.equal((await api.download(data.url.replace(/^http:\/\/[^/]+/, world.url), { key: null })).text, "kept");
    } finally {
      await world.stop();
    }
  });
});
