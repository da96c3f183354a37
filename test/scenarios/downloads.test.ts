import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { md5Of, openDocumentServiceClient, withQuery } from "../support/documentService.ts";
import { bidOf, fullTender, type PublishedTender, publish, publishForBids } from "../support/examples.ts";
import { errorsOf, expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

/** Downloads: under 2.5 by a signed URL of the document service, under older versions directly. */

const SECOND = 1_000_000;
const REDIRECTED = ["2.0", "2.1", "2.2", "2.4", "2.5"];
const paper = { name: "Умови (нові).txt", content: "0123456789", type: "text/plain" };

describe("the URL of a document", async () => {
  const world = await sharedWorld();
  const today = world.api("2.5");
  let tender: PublishedTender;
  let id: string;
  let key: string;
  before(async () => {
    tender = await publish(today, fullTender(world.clock.now));
    const { data } = expectStatus(201, await today.upload(`${tender.path}/documents`, paper, tender)).body;
    id = data.id;
    key = new URL(data.url).searchParams.get("download")!;
  });
  const ask = (version: string, method = "GET"): Promise<TestResponse> =>
    world.api(version).request(method, `${tender.path}/documents/${id}?download=${key}`, { key: null });
  const locationOf = (response: TestResponse): string => expectStatus(302, response).headers.get("location")!;

  for (const version of REDIRECTED)
    it(`responds with 302 under ${version}, to a signed URL that must not be cached`, async () => {
      const response = await ask(version);
      const location = new URL(locationOf(response));
      assert.equal(`${location.origin}${location.pathname}`, `${world.url}/get/${key}`);
      assert.ok(
        ["Signature", "KeyID", "Expires"].every((name) => location.searchParams.get(name)),
        location.href,
      );
      assert.deepEqual([response.text, response.headers.get("cache-control")], ["", "no-store"]);
      expectStatus(302, await ask(version, "HEAD"));
    });

  for (const version of ["2.3", "0", "0.1", "0.2"])
    it(`responds with the file itself under ${version}, as before`, async () => {
      const { text, headers } = expectStatus(200, await ask(version));
      assert.deepEqual([text, headers.get("content-type")], ["0123456789", "text/plain"]);
    });

  it("leads to the file with its type, its name, ranges and an ETag, and needs no key", async () => {
    const address = locationOf(await ask("2.5"));
    const get = (headers = {}) => today.get(address, { key: null, headers });
    const { text, headers } = expectStatus(200, await get());
    assert.deepEqual([text, headers.get("content-type")], ["0123456789", "text/plain"]);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    const encoded = "%D0%A3%D0%BC%D0%BE%D0%B2%D0%B8%20%28%D0%BD%D0%BE%D0%B2%D1%96%29.txt";
    assert.equal(headers.get("content-disposition"), `attachment; filename=${encoded}; filename*=UTF-8''${encoded}`);
    const part = expectStatus(206, await get({ Range: "bytes=2-4" }));
    assert.deepEqual([part.text, part.headers.get("content-range")], ["234", "bytes 2-4/10"]);
    expectStatus(304, await get({ "If-None-Match": headers.get("etag")! }));
    const head = expectStatus(200, await today.request("HEAD", address, { key: null }));
    assert.equal(head.headers.get("content-length"), "10");
  });

  it("is invalid after 300 seconds and after any change to it", async () => {
    const address = locationOf(await ask("2.5"));
    const read = (change: (query: URLSearchParams) => void) => today.get(withQuery(address, change), { key: null });
    const mismatch = ["url/Signature: Signature does not match"];
    const other = "0".repeat(32);
    assert.deepEqual(errorsOf(expectStatus(403, await read((query) => query.delete("Prefix")))), mismatch);
    assert.deepEqual(
      errorsOf(expectStatus(403, await read((query) => query.set("Prefix", `${tender.id}/${other}`)))),
      mismatch,
    );
    assert.deepEqual(errorsOf(expectStatus(403, await read((query) => query.set("Expires", "99999999999")))), mismatch);
    assert.deepEqual(errorsOf(expectStatus(403, await today.get(address.replace(key, other)))), mismatch);
    world.clock.forward(300 * SECOND);
    expectStatus(200, await read(() => {}));
    world.clock.forward(2 * SECOND);
    assert.deepEqual(errorsOf(expectStatus(403, await read(() => {}))), ["url/Expires: Request has expired"]);
  });

  it("serves each version under its own name", async () => {
    const path = `${tender.path}/documents/${id}`;
    const newer = { name: "new.txt", content: "new", type: "text/csv" };
    const { url } = expectStatus(200, await today.upload(path, newer, { ...tender, method: "PUT" })).body.data;
    const { text, headers } = expectStatus(200, await today.download(url, { key: null }));
    assert.deepEqual(
      [text, headers.get("content-type"), headers.get("content-disposition")],
      ["new", "text/csv", "attachment; filename=new.txt"],
    );
    assert.equal(
      (await today.get(locationOf(await ask("2.5")), { key: null })).headers.get("content-type"),
      "text/plain",
    );
    const none = await today.get(`${path}?download=${"0".repeat(32)}`);
    assert.deepEqual(errorsOf(expectStatus(404, none)), ["url/download: Not Found"]);
  });

  it("of a sealed bid is available only to its owner, and is invalid once the bid is withdrawn", async () => {
    const { path } = await publishForBids(world);
    const { data, access } = expectStatus(201, await today.post(`${path}/bids`, bidOf(100))).body;
    const own = { token: access.token };
    const bid = `${path}/bids/${data.id}`;
    const { url } = expectStatus(201, await today.upload(`${bid}/documents`, paper, own)).body.data;
    for (const sent of [{ key: null }, { key: "broker1" }, { key: "auction" }, { key: "token" }, {}])
      assert.equal(expectStatus(403, await today.get(url, sent)).headers.get("location"), null);
    const address = locationOf(await today.get(url, own));
    assert.equal((await today.get(address, { key: null })).text, "0123456789");
    expectStatus(200, await today.delete(bid, own));
    assert.deepEqual(errorsOf(expectStatus(404, await today.get(address, { key: null }))), ["url/key: Not Found"]);
  });
});

describe("the URL that a document is registered with", async () => {
  const world = await sharedWorld();
  const client = openDocumentServiceClient(world);

  it("cannot be used for a download, even if its hash looks like a time", async () => {
    const { url } = expectStatus(201, await client.register(`md5:${"9".repeat(32)}`)).body.data;
    for (const expires of ["9".repeat(32), "99999999999", ""]) {
      const misread = await client.get(withQuery(url, (query) => query.set("Expires", expires)));
      assert.deepEqual(errorsOf(expectStatus(403, misread)), ["url/Signature: Signature does not match"]);
    }
  });

  it("differs from the URLs for download and upload", async () => {
    const api = world.api("2.5");
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const { get_url, data } = expectStatus(200, await client.upload("a")).body;
    const { upload_url } = expectStatus(201, await client.register(`md5:${md5Of("b")}`)).body;
    const bare = withQuery(get_url, (query) => query.delete("Expires"));
    for (const url of [get_url, upload_url, bare, upload_url.replace("/upload/", "/get/")]) {
      const { status } = await api.post(`${path}/documents`, { ...data, url }, { token });
      assert.ok(status === 403 || status === 422, `${status} for ${url}`);
    }
    expectStatus(201, await api.post(`${path}/documents`, data, { token }));
  });
});
