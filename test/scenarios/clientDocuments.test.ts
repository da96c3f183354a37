import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { openClient } from "../../src/client/index.ts";
import { bidOf, DAY, fullTender } from "../support/examples.ts";
import { sharedWorld } from "../support/world.ts";

const world = await sharedWorld();
const open = () => openClient({ url: world.url, key: "broker" });
const md5 = (content: string) => `md5:${createHash("md5").update(content).digest("hex")}`;

async function tender() {
  const client = open();
  return { client, id: (await client.tenders.create(fullTender(world.clock.now))).data.id };
}

describe("documents in the client", () => {
  for (const [kind, file] of [
    ["text", "Умови"],
    ["bytes", new TextEncoder().encode("Умови")],
    ["a Blob", new Blob(["Умови"], { type: "text/html" })],
    ["a File", new File(["Умови"], "свій.txt", { type: "text/plain" })],
  ] as const)
    it(`are uploaded from ${kind} and downloaded unchanged`, async () => {
      const { client, id } = await tender();
      const name = file instanceof File ? undefined : "умови №1.txt";
      const { data, location } = await client.documents.upload({ tender: id }, file, { name });
      assert.equal(data.title, name ?? "свій.txt");
      assert.equal(data.format, file instanceof Blob ? file.type : "application/octet-stream");
      assert.equal(data.hash, md5("Умови"));
      assert.ok(location?.endsWith(data.id));
      assert.equal(await (await client.documents.download(data)).text(), "Умови");
    });

  it("report the progress of a large upload from zero to its full size", async () => {
    const { client, id } = await tender();
    const content = "Ї".repeat(2_000_000);
    const progress: number[] = [];
    const onProgress = (sent: number, total: number) => {
      assert.equal(total, 4_000_000);
      progress.push(sent);
    };
    const { data } = await client.documents.upload({ tender: id }, content, { name: "big", onProgress });
    assert.equal(data.hash, md5(content));
    assert.equal(progress[0], 0);
    assert.equal(progress.at(-1), 4_000_000);
    assert.ok(progress.length > 10);
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    );
  });

  it("can be aborted by a signal during the transfer", async () => {
    const { client, id } = await tender();
    const controller = new AbortController();
    const onProgress = (sent: number) => {
      if (sent > 100_000) controller.abort(new Error("enough"));
    };
    const { signal } = controller;
    await assert.rejects(
      client.documents.upload({ tender: id }, "x".repeat(20_000_000), { name: "big", onProgress, signal }),
      /enough/,
    );
    assert.deepEqual((await client.documents.list({ tender: id })).data, []);
  });

  it("have versions and metadata", async () => {
    const { client, id } = await tender();
    const parent = { tender: id };
    const { data } = await client.documents.upload(parent, "1", { name: "a.txt", type: "text/plain" });
    await client.documents.replace(parent, data.id, "2", { name: "a.txt", type: "text/plain" });
    await client.documents.patch(parent, data.id, { description: "Друга" });
    const { data: now } = await client.documents.get(parent, data.id);
    assert.deepEqual([now.description, now.previousVersions?.length], ["Друга", 1]);
    assert.equal(await (await client.documents.download(now.previousVersions![0]!)).text(), "1");
    assert.equal((await client.documents.list(parent)).data.length, 1);
    assert.equal((await client.documents.list(parent, { all: true })).data.length, 2);
  });

  it("of a sealed bid are readable only by the bidder", async () => {
    const { client, id } = await tender();
    world.clock.forward(7 * DAY);
    const bid = await client.bids.create(id, bidOf(400));
    const parent = { tender: id, bid: bid.data.id };
    const { data } = await client.documents.upload(parent, "таємно", { name: "bid.txt" });
    assert.equal(await (await client.documents.download(data)).text(), "таємно");
    await assert.rejects(open().documents.download(data), { status: 403 });
  });

  it("can be sent through the document service", async () => {
    const { client, id } = await tender();
    const announced = await client.documentService.register(md5("3"));
    const sent = await client.documentService.upload("3", { name: "c.txt", uploadUrl: announced.upload_url });
    assert.equal(await (await client.documentService.get(sent.get_url)).text(), "3");
    const { data } = await client.documents.register({ tender: id }, sent.data);
    const next = await client.documentService.upload("4", { name: "c.txt", type: "text/plain" });
    const version = await client.documents.registerVersion({ tender: id }, data.id, next.data);
    assert.equal(version.data.hash, md5("4"));
    assert.equal(await (await client.documents.download(version.data)).text(), "4");
  });
});
