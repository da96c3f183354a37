import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openDocumentServiceClient } from "../support/documentService.ts";
import { ENGINE } from "../support/engines.ts";
import { bidOf, fullTender, publish, publishForBids } from "../support/examples.ts";
import { allReleases, OCID_PREFIX } from "../support/openData.ts";
import { expectStatus, openWorld, type World } from "../support/world.ts";

/** Several servers on one database and one file store. */

const skip = ENGINE === "postgres" ? false : "not on PostgreSQL";

describe("two servers of one registry", { skip }, async () => {
  if (skip) return;
  const PUBLIC_URL = "http://registry.example";
  const first = await openWorld({ PUBLIC_URL });
  const other = await openWorld({ PUBLIC_URL, DATA_DIR: first.dataDir, ...first.database.environment });
  after(async () => {
    await other.stop();
    await first.stop();
  });
  const forward = (microseconds: number) => {
    for (const { clock } of [first, other]) clock.forward(microseconds);
  };
  const ledgerOf = async ({ database }: World, id: string) =>
    (await database.query("select act from ledger where tender_id = $1 order by sequence", id)).map(({ act }) => act);

  it("see each other's changes at once, in the tender and in the feed", async () => {
    const { path, id, token } = await publish(first.api("2.3"), fullTender(first.clock.now));
    for (const [writer, reader] of [
      [first, other],
      [other, first],
      [first, other],
    ] as const) {
      const title = `By ${writer.url}`;
      expectStatus(200, await writer.api("2.3").patch(path, { title }, { token }));
      assert.equal((await reader.api("2.5").get(path)).body.data.title, title);
      const [last] = (await reader.api("2.3").get("/tenders?descending=1&limit=1&opt_fields=title")).body.data;
      assert.deepEqual([last.id, last.title], [id, title]);
    }
  });

  it("share one sequence of tender numbers", async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? first : other).api("2.3").post("/tenders", { title: "x" })),
    );
    const numbers = made.map(({ body }) => Number(body.data.tenderID.slice(-6))).sort((a, b) => a - b);
    assert.deepEqual(
      numbers,
      Array.from(numbers, (_, i) => numbers[0]! + i),
    );
  });

  it("carry out a deadline once, however many of them notice it", async () => {
    const { path, id } = await publishForBids(first);
    other.clock.now = first.clock.now;
    const bids = [480000, 490000].map((amount, i) => [first, other][i]!.api("2.3").post(`${path}/bids`, bidOf(amount)));
    for (const bid of await Promise.all(bids)) expectStatus(201, bid);
    const before = await ledgerOf(first, id);
    forward(30 * 24 * 60 * 60 * 1_000_000);
    const seen = await Promise.all([first, other, first, other].map((world) => world.api("2.3").get(path)));
    assert.equal(new Set(seen.map(({ body }) => body.data.dateModified)).size, 1);
    assert.deepEqual((await ledgerOf(first, id)).slice(before.length), ["advance"]);
  });

  it("make each release once, in the same order for the readers of either", async () => {
    const servers = [first, other];
    const publishOn = ({ api, clock }: World) => publish(api("2.5"), fullTender(clock.now));
    const written = Array.from({ length: 30 }, (_, i) => publishOn(servers[i % 2] ?? first));
    const ids = (await Promise.all(written)).map(({ id }) => id);
    const [left, right] = await Promise.all([allReleases(first, "limit=7"), allReleases(other)]);
    assert.deepEqual(left, right);
    const releaseIds = left.map(({ id }) => id);
    assert.equal(new Set(releaseIds).size, releaseIds.length);
    for (const id of ids) assert.equal(releaseIds.filter((releaseId) => releaseId.includes(id)).length, 1);
    const [stored] = await first.database.query("select count(*) as number from releases");
    assert.equal(Number(stored?.number), left.length);
    const feed = (await first.api("2.5").get("/tenders?limit=1000")).body.data;
    const order = feed.map(({ id }: { readonly id: string }) => id).filter((id: string) => ids.includes(id));
    const released = left.map(({ ocid }) => ocid.slice(OCID_PREFIX.length + 1)).filter((id) => ids.includes(id));
    assert.deepEqual(released, order, "the order of the feed");
  });

  it("share documents and the signing key of URLs", async () => {
    const { path, token } = await publish(first.api("2.3"), fullTender(first.clock.now));
    const sent = await openDocumentServiceClient(first).uploadFile("shared");
    const made = await other.api("2.3").post(`${path}/documents`, sent, { token });
    const { pathname, search } = new URL(expectStatus(201, made).body.data.url);
    for (const { url } of [first, other]) assert.equal(await (await fetch(url + pathname + search)).text(), "shared");
  });

  it("attach an upload to one tender only, even if both are requested at once", async () => {
    for (let round = 0; round < 5; round++) {
      const sent = await openDocumentServiceClient(first).uploadFile("fresh");
      const tenders = await Promise.all(
        [first, other].map((world) => publish(world.api("2.3"), fullTender(first.clock.now))),
      );
      const requests = tenders.map(({ path, token }, i) =>
        [first, other][i]!.api("2.3").post(`${path}/documents`, sent, { token }),
      );
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      assert.deepEqual(statuses.sort(), [201, 403]);
    }
  });
});
