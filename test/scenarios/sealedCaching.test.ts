import assert from "node:assert/strict";
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { after, before, describe, it } from "node:test";
import { ENGINE } from "../support/engines.ts";
import { bidOf, publishForBids } from "../support/examples.ts";
import { expectStatus, openWorld, type World } from "../support/world.ts";

/** The cost of a response does not reveal a sealed bid: the rendered response is reused. */

/** A body is hashed when it is rendered; a reused one already has its tag. */
const tagged: string[] = [];
const { hash } = crypto;

before(() => {
  crypto.hash = ((...all: Parameters<typeof hash>) => {
    tagged.push(String(all[1]));
    return hash(...all);
  }) as typeof hash;
  syncBuiltinESMExports();
});
after(() => {
  crypto.hash = hash;
  syncBuiltinESMExports();
});

/** How often a body that contains this text was rendered during the call. */
async function renderings(id: string, act: () => Promise<unknown>): Promise<number> {
  const begun = tagged.length;
  await act();
  return tagged.slice(begun).filter((text) => text.startsWith('{"data":') && text.includes(id)).length;
}

/** Without a key from the response cache, with a key, and through the feed. */
async function readAll({ url }: World, path: string): Promise<readonly (readonly [string | null, string])[]> {
  const targets = [path, path, "/tenders?descending=1", "/tenders?descending=1"];
  const responses = targets.map(async (target, i) => {
    const headers = i % 2 === 0 ? {} : { Authorization: "Bearer broker" };
    const response = await fetch(`${url}/api/2.3${target}`, { headers });
    return [response.headers.get("etag"), await response.text()] as const;
  });
  return Promise.all(responses);
}

/** A writer and a reader, which may be the same server. */
function testThatSealedBidsLeaveNoTrace(open: () => Promise<readonly [World, World]>): void {
  let writer: World;
  let reader: World;
  before(async () => {
    [writer, reader] = await open();
  });
  after(async () => {
    if (reader !== writer) await reader.stop();
    await writer.stop();
  });

  async function openTender() {
    const tender = await publishForBids(writer);
    reader.clock.now = writer.clock.now;
    // A response that is requested only once is not cached.
    for (let i = 0; i < 4; i++) await readAll(reader, tender.path);
    const shown = await readAll(reader, tender.path);
    assert.equal(await renderings(tender.id, () => readAll(reader, tender.path)), 0);
    return { ...tender, shown };
  }

  it("a sealed bid, its changes, its documents and a new token change no response, and render none again", async () => {
    const { id, path, token: ownerToken, shown } = await openTender();
    const api = writer.api("2.3");
    const seen = async (act: () => Promise<unknown>) => {
      await act();
      assert.equal(await renderings(id, async () => assert.deepEqual(await readAll(reader, path), shown)), 0);
    };
    let bid = "";
    let token = "";
    await seen(async () => {
      const { body } = expectStatus(201, await api.post(`${path}/bids`, bidOf(400_000)));
      [bid, token] = [`${path}/bids/${body.data.id}`, body.access.token];
    });
    await seen(async () => expectStatus(200, await api.patch(bid, { value: { amount: 399_999 } }, { token })));
    const offer = { name: "a.txt", content: "a" };
    await seen(async () => expectStatus(201, await api.upload(`${bid}/documents`, offer, { token })));
    await seen(async () => expectStatus(200, await api.delete(bid, { token })));
    await seen(async () => expectStatus(200, await api.patch(`${path}/credentials`, {}, { token: ownerToken })));
  });

  it("every public change is shown at once, and rendered once", async () => {
    const { id, path, token, shown } = await openTender();
    const api = writer.api("2.3");
    expectStatus(201, await api.post(`${path}/bids`, bidOf(400_000)));
    expectStatus(201, await api.post(`${path}/cancellations`, { reason: "perhaps" }, { token }));
    const rendered = await renderings(id, async () => {
      for (const [i, [etag, text]] of (await readAll(reader, path)).entries()) {
        assert.notEqual(etag, shown[i]![0]);
        assert.notEqual(text, shown[i]![1]);
      }
    });
    assert.ok(rendered > 0);
  });
}

describe("one server", () => {
  testThatSealedBidsLeaveNoTrace(async () => {
    const world = await openWorld();
    return [world, world];
  });
});

const skip = ENGINE === "postgres" ? false : "not on PostgreSQL";

describe("a second server of the same registry", { skip }, () => {
  if (skip) return;
  testThatSealedBidsLeaveNoTrace(async () => {
    const PUBLIC_URL = "http://registry.example";
    const server = await openWorld({ PUBLIC_URL });
    return [server, await openWorld({ PUBLIC_URL, DATA_DIR: server.dataDir, ...server.database.environment })];
  });
});
