import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { md5Of, openDocumentServiceClient } from "../support/documentService.ts";
import { fullTender, type PublishedTender, publish } from "../support/examples.ts";
import { openS3Prefix, S3_MISSING } from "../support/s3.ts";
import { expectStatus, openWorld, type World } from "../support/world.ts";

/** With documents in S3, clients see no difference unless downloads are redirected there. */

async function openWorldInS3(query = "") {
  const corner = await openS3Prefix(query);
  const world = await openWorld(corner.environment);
  after(async () => {
    await world.stop();
    await corner.clean();
  });
  return { world, corner };
}

const content = "0123456789".repeat(1000);
const upload = (world: World, { path, token }: PublishedTender, text = content) =>
  world.api("2.5").upload(`${path}/documents`, { name: "звіт.txt", content: text, type: "text/plain" }, { token });

if (S3_MISSING) it("documents in S3", { skip: S3_MISSING }, () => {});
else {
  describe("documents in S3", streamed);
  describe("documents in S3 with redirected downloads", redirected);
}

async function streamed(): Promise<void> {
  const { world, corner } = await openWorldInS3();
  const api = world.api("2.5");

  it("are served completely, by range, by HEAD, and as 304 to a client that has them", async () => {
    const { url, hash } = expectStatus(201, await upload(world, await publish(api, fullTender()))).body.data;
    assert.equal(hash, `md5:${md5Of(content)}`);
    const full = expectStatus(200, await api.download(url));
    assert.equal(full.text, content);
    assert.equal(full.headers.get("content-type"), "text/plain");
    assert.match(full.headers.get("content-disposition")!, /^attachment; .*\.txt$/);
    const part = expectStatus(206, await api.download(url, { headers: { Range: "bytes=9995-" } }));
    assert.deepEqual([part.text, part.headers.get("content-range")], ["56789", "bytes 9995-9999/10000"]);
    const sentTo = expectStatus(302, await api.request("HEAD", url)).headers.get("location")!;
    const head = expectStatus(200, await api.request("HEAD", sentTo));
    assert.deepEqual([head.text, head.headers.get("content-length")], ["", "10000"]);
    expectStatus(304, await api.download(url, { headers: { "If-None-Match": full.headers.get("etag")! } }));
  });

  it("are the only objects in the bucket, after refused uploads and the document service too", async () => {
    const tender = await publish(api, fullTender());
    expectStatus(403, await upload(world, { ...tender, token: "0".repeat(32) }));
    const made = expectStatus(201, await upload(world, tender)).body.data;
    const sent = { method: "PUT", token: tender.token };
    const file = { name: "b.txt", content: "second" };
    expectStatus(200, await api.upload(`${tender.path}/documents/${made.id}`, file, sent));
    const uploaded = await openDocumentServiceClient(world).uploadFile("third");
    expectStatus(201, await api.post(`${tender.path}/documents`, uploaded, { token: tender.token }));
    await world.restart();
    const { data } = (await api.get(`${tender.path}/documents?all=1`)).body;
    const texts = await Promise.all(data.map(async ({ url }: { url: string }) => (await api.download(url)).text));
    assert.deepEqual(texts.sort(), [content, "second", "third"]);
    const names = (await corner.names()).map((name) => name.split("/")[0]);
    assert.deepEqual(new Set(names), new Set(["files", "notes"]));
  });
}

async function redirected(): Promise<void> {
  const { world } = await openWorldInS3("&download=redirect");
  const api = world.api("2.5");

  it("are downloaded by a link that needs no key, must not be cached and supports ranges", async () => {
    const { url } = expectStatus(201, await upload(world, await publish(api, fullTender()))).body.data;
    const { headers, text } = expectStatus(302, await api.get(url));
    assert.deepEqual([headers.get("cache-control"), text], ["no-store", ""]);
    const link = new URL(headers.get("location")!);
    assert.equal(link.searchParams.get("X-Amz-Expires"), "60");
    const followed = await fetch(link);
    assert.equal(await followed.text(), content);
    assert.equal(followed.headers.get("content-type"), "text/plain");
    assert.match(followed.headers.get("content-disposition")!, /^attachment; .*filename\*=UTF-8''%D0%B7/);
    assert.equal(await (await fetch(link, { headers: { Range: "bytes=0-2" } })).text(), "012");
  });

  it("are not redirected if the response has no content", async () => {
    const { url } = expectStatus(201, await upload(world, await publish(api, fullTender()))).body.data;
    const head = expectStatus(200, await api.request("HEAD", url));
    assert.equal(head.headers.get("content-length"), "10000");
    expectStatus(304, await api.get(url, { headers: { "If-None-Match": head.headers.get("etag")! } }));
    expectStatus(416, await api.get(url, { headers: { Range: "bytes=10000-" } }));
    expectStatus(404, await api.get(url.replace(/download=.*/, `download=${"0".repeat(32)}`)));
  });
}
