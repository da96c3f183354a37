import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  fileKeyOf,
  md5Of,
  openDocumentServiceClient,
  storedFiles,
  type UploadedFile,
  withQuery,
} from "../support/documentService.ts";
import {
  bidOf,
  DAY,
  formatTime,
  fullTender,
  type PublishedTender,
  plainTender,
  publish,
  publishForBids,
} from "../support/examples.ts";
import { expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

/** Documents inside a new bid are attached with it in one change, or refused with it. */

const errorLines = ({ status, body }: TestResponse): string[] =>
  body.errors.map(
    ({ location, name, description }: { [part: string]: unknown }) =>
      `${status} ${location}/${name}: ${typeof description === "string" ? description : JSON.stringify(description)}`,
  );

for (const version of ["2.3", "2.5"])
  describe(`documents inside a new bid under ${version}`, async () => {
    const world = await sharedWorld();
    const api = world.api(version);
    const client = openDocumentServiceClient(world);
    const place = ({ path }: PublishedTender, documents: readonly object[], more: object = {}, query = "") =>
      api.post(`${path}/bids${query}`, bidOf(100, { documents }), more);
    const waiting = () => storedFiles(world).filter((name) => name.startsWith("uploads/"));

    const bidsPlaced = async () => (await world.database.query("select * from ledger where act = 'place bid'")).length;

    /** Asserts a refusal after which there are no more bids and files than before. */
    async function assertRefused(
      expected: string,
      tender: PublishedTender,
      documents: readonly object[],
    ): Promise<void> {
      const files = storedFiles(world);
      const bids = await bidsPlaced();
      assert.deepEqual(errorLines(await place(tender, documents)), [expected]);
      assert.deepEqual(storedFiles(world), files);
      assert.equal(await bidsPlaced(), bids);
    }

    it("may be attached again by their own account only, while they are sealed", async () => {
      const tender = await publishForBids(world);
      const own = await client.uploadFile("sealed");
      expectStatus(201, await place(tender, [own]));
      expectStatus(201, await place(tender, [own]));
      const elsewhere = await client.uploadFile("elsewhere");
      const other = await publish(world.api("2.3"), fullTender(world.clock.now));
      expectStatus(201, await api.post(`${other.path}/documents`, elsewhere, { token: other.token }));
      const refusalOf = async (document: object) => errorLines(await place(tender, [document], { key: "broker2" }));
      assert.deepEqual(await refusalOf(own), await refusalOf(elsewhere));
    });

    it("are attached with their files as if each had been registered separately", async () => {
      const tender = await publishForBids(world);
      const first = await client.uploadFile("перший");
      const second = await client.uploadFile("другий", "second.txt");
      const metadata = { documentType: "commercialProposal", description: "Опис", language: "uk", title_en: "Offer" };
      const { data, access } = expectStatus(
        201,
        await place(tender, [{ ...first, ...metadata, author: "x" }, second]),
      ).body;
      assert.equal(data.documents.length, 2);
      const [{ id, url, datePublished, dateModified, ...one }, other] = data.documents;
      assert.deepEqual(one, {
        ...metadata,
        title: first.title,
        format: "text/plain",
        hash: first.hash,
        documentOf: "tender",
      });
      assert.deepEqual([datePublished, dateModified], [data.date, data.date]);
      assert.equal(other.title, "second.txt");
      const path = `${tender.path}/bids/${data.id}/documents`;
      assert.equal(url, `${api.root}${path}/${id}?download=${fileKeyOf(first.url)}`);
      assert.equal((await api.download(url, { token: access.token })).text, "перший");
      assert.equal((await api.download(other.url, { token: access.token })).text, "другий");
      assert.deepEqual(waiting(), []);
      const listed = expectStatus(200, await api.get(path, { token: access.token })).body.data;
      assert.deepEqual(listed, data.documents);
    });

    it("are as sealed as the bid and change nothing public", async () => {
      const tender = await publishForBids(world);
      const before = (await api.get(tender.path, { key: null })).text;
      const { data } = expectStatus(201, await place(tender, [await client.uploadFile("таємно")])).body;
      assert.equal((await api.get(tender.path, { key: null })).text, before);
      const hidden = version === "2.5" ? 403 : 404;
      expectStatus(hidden, await api.get(data.documents[0].url, { key: null }));
      expectStatus(hidden, await api.get(data.documents[0].url, { key: "broker1" }));
    });

    it("make the bid fail if they come from elsewhere, lack a hash or have a bad signature", async () => {
      const tender = await publishForBids(world);
      const good = await client.uploadFile("a");
      const { hash: _left, ...unhashed } = good;
      const foreign = "403 body/url: Can add document only from document service.";
      await assertRefused(foreign, tender, [good, { ...good, url: "http://elsewhere.example/a.pdf" }]);
      await assertRefused("422 body/hash: This field is required.", tender, [unhashed]);
      const changed = (change: (query: URLSearchParams) => void): UploadedFile => ({
        ...good,
        url: withQuery(good.url, change),
      });
      const unknown = changed((query) => query.set("KeyID", "00000000"));
      await assertRefused("422 body/url: Document url expired.", tender, [unknown]);
      const undecodable = changed((query) => query.set("Signature", "not base64"));
      await assertRefused("422 body/url: Document url signature invalid.", tender, [undecodable]);
      const wrong = { ...good, hash: `md5:${md5Of("b")}` };
      await assertRefused("422 body/url: Document url invalid.", tender, [wrong]);
      expectStatus(201, await place(tender, [good]));
    });

    it("are attached all or none: a missing upload refuses the bid and leaves the other uploads pending", async () => {
      const tender = await publishForBids(world);
      const hash = `md5:${md5Of("nothing")}`;
      const { url } = expectStatus(201, await client.register(hash)).body.data;
      const there = await client.uploadFile("there");
      const missing = { url, hash, title: "a.txt", format: "text/plain" };
      const text = "422 body/url: Nothing was uploaded to this document url, or more than a day ago.";
      await assertRefused(text, tender, [there, missing]);
      expectStatus(201, await place(tender, [there]));
    });

    it("are validated after permission and time, and before their files are looked up", async () => {
      const tender = await publishForBids(world);
      const { url, hash, format } = await client.uploadFile("a");
      const { status, body } = await place(tender, [{ url, hash, format }, { rogue: 1 }]);
      assert.equal(status, 422);
      assert.match(JSON.stringify(body.errors), /rogue/);
      const untitled = await place(tender, [{ url, hash, format }]);
      assert.deepEqual([untitled.status, untitled.body.errors.length], [422, 1]);
      assert.match(JSON.stringify(untitled.body.errors), /title/);
      expectStatus(422, await place(tender, "none" as unknown as object[]));
      const elsewhere = { url: "http://elsewhere.example/", title: "a", format };
      expectStatus(403, await place(tender, [elsewhere], { key: "auction" }));
      const early = await publish(api, fullTender(world.clock.now));
      assert.deepEqual(errorLines(await place(early, [elsewhere])), [
        "403 body/data: Can't add bid in current (active.enquiries) tender status",
      ]);
    });

    it("stay pending after a dry run, and are attached once by a repeated request", async () => {
      const tender = await publishForBids(world);
      const sent = await client.uploadFile("once");
      const files = storedFiles(world);
      expectStatus(201, await place(tender, [sent], {}, "?dry_run=1"));
      assert.deepEqual(storedFiles(world), files);
      const headers = { "Idempotency-Key": `bid-${version}` };
      const first = expectStatus(201, await place(tender, [sent], { headers })).body;
      assert.deepEqual(expectStatus(201, await place(tender, [sent], { headers })).body, first);
      const document = await api.get(first.data.documents[0].url.split("?")[0], { token: first.access.token });
      assert.equal(expectStatus(200, document).body.data.previousVersions.length, 0);
    });

    it("can use an upload for one tender only, the first that attaches it", async () => {
      const both = { tenderPeriod: { endDate: formatTime(world.clock.now + 60 * DAY) } };
      const first = await publishForBids(world, both);
      const second = await publishForBids(world);
      const shared = await client.uploadFile("shared");
      const twice = [shared, { ...shared, title: "again.txt" }];
      expectStatus(201, await place(second, twice));
      expectStatus(201, await place(second, [shared]));
      assert.equal((await place(first, [shared])).status, 403);
    });

    it("are ignored in a PATCH of the bid, because documents have their own endpoints", async () => {
      const tender = await publishForBids(world);
      const { data, access } = expectStatus(201, await place(tender, [await client.uploadFile("a")])).body;
      const path = `${tender.path}/bids/${data.id}`;
      for (const documents of [[], null, data.documents, [{ title: "changed" }]]) {
        const patched = expectStatus(200, await api.patch(path, { documents }, { token: access.token })).body.data;
        assert.deepEqual(patched.documents, data.documents);
      }
    });
  });

describe("documents inside a new bid under 0.x", async () => {
  const world = await sharedWorld();
  for (const version of ["0", "0.1", "0.2"])
    it(`are refused by ${version}, which cannot register documents`, async () => {
      const api = world.api(version);
      const { path } = await publish(world.api("2.3"), plainTender(world.clock.now));
      const response = await api.post(`${path}/bids`, {
        documents: [await openDocumentServiceClient(world).uploadFile("a")],
      });
      assert.equal(errorLines(response)[0], "422 body/documents: Rogue field");
    });
});
