import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openClient } from "../../src/client/index.ts";
import { checkProcess } from "../../src/ocds/coherence/coherence.ts";
import { fullTender, publish } from "../support/examples.ts";
import { NO_OCDS_FILES } from "../support/ocdsFiles.ts";
import { openOcdsValidator } from "../support/ocdsValidator.ts";
import { allReleases, OCID_PREFIX, readOpenData, releasesOf } from "../support/openData.ts";
import { outcomeOf, reachStage } from "../support/stages.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

describe("open data", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const ofTender = (id: string) => releasesOf(world, id);

  it("is nothing at all without tenders", async () => {
    for (const address of ["/ocds/releases", "/ocds/records", "/tenders.ocds.json", "/data/manifest.json"])
      assert.equal(outcomeOf(await readOpenData(world, address)), "404 url/releases: There are no such releases");
  });

  it("has a release for each public change of a tender, numbered, and none for sealed bids", async () => {
    const { path } = await reachStage(world, "complete");
    const id = path.split("/").at(-1) ?? "";
    const releases = await ofTender(id);
    assert.deepEqual(
      releases.map((release) => release.id),
      [1, 2, 3, 4, 5].map((number) => `${OCID_PREFIX}-${id}-${number}`),
    );
    assert.deepEqual(
      releases.map(({ tag }) => tag),
      [
        ["tender"],
        ["tenderUpdate"],
        ["tenderUpdate", "award"],
        ["tenderUpdate", "awardUpdate"],
        ["tenderUpdate", "contract"],
      ],
    );
    assert.deepEqual(checkProcess(releases), []);
  });

  it("lists all releases in the order of change, whatever the size of a page, as the tenders themselves do", async () => {
    const first = await publish(api, fullTender(world.clock.now));
    const second = await publish(api, fullTender(world.clock.now));
    await expectStatus(200, await api.patch(first.path, { title: "Нова назва" }, { token: first.token }));
    const all = await allReleases(world);
    assert.deepEqual(await allReleases(world, "limit=1"), all);
    assert.deepEqual(
      all.map(({ date }) => date),
      all.map(({ date }) => date).toSorted(),
    );
    for (const { path } of [first, second]) {
      const id = path.split("/").at(-1) ?? "";
      assert.deepEqual(
        all.filter(({ ocid }) => ocid === `${OCID_PREFIX}-${id}`),
        await ofTender(id),
      );
    }
    const newest = await readOpenData(world, "/ocds/releases?descending=1&limit=2");
    assert.deepEqual(newest.body.releases, all.toReversed().slice(0, 2));
    const filtered = await allReleases(world, `tenderID=${(await api.get(second.path)).body.data.tenderID}`);
    assert.deepEqual(filtered, await ofTender(second.path.split("/").at(-1) ?? ""));
  });

  it("has a record of each tender, with its releases linked or embedded", async () => {
    const { path } = await reachStage(world, "active.awarded");
    const id = path.split("/").at(-1) ?? "";
    const ocid = `${OCID_PREFIX}-${id}`;
    const releases = await ofTender(id);
    const { body: embedded } = await readOpenData(world, `/ocds/records/${ocid}?releases=embedded`);
    assert.deepEqual(embedded.records[0].releases, releases);
    assert.equal(embedded.records[0].compiledRelease.date, releases.at(-1)?.date);
    assert.equal(embedded.publishedDate, releases.at(-1)?.date);
    const { body: linked } = await readOpenData(world, `/ocds/records/${ocid}`);
    assert.equal(linked.uri, `${world.url}/ocds/records/${ocid}`);
    for (const [i, link] of linked.records[0].releases.entries()) {
      const single = await readOpenData(world, link.url);
      assert.deepEqual(single.body.releases, [releases[i]]);
      assert.equal(single.headers.get("cache-control"), "public, no-cache");
      const again = await fetch(link.url, { headers: { "If-None-Match": single.headers.get("etag") ?? "" } });
      assert.equal(again.status, 304);
    }
    const { tenderID } = (await api.get(path)).body.data;
    const { body: page } = await readOpenData(world, `/ocds/records?tenderID=${tenderID}`);
    assert.deepEqual(page.records, linked.records);
  });

  it("is valid by the schemas of the standard", { skip: NO_OCDS_FILES }, async () => {
    const { errorsOf } = openOcdsValidator();
    for (const kind of ["releases", "records", "records?releases=embedded"]) {
      const { body } = await readOpenData(world, `/ocds/${kind}`);
      assert.deepEqual(errorsOf(kind === "releases" ? "releasePackage" : "recordPackage", body), []);
    }
    for (const release of await allReleases(world)) assert.deepEqual(errorsOf("release", release), []);
  });

  it("is read page by page by the client", async () => {
    const client = openClient({ url: world.url });
    const releases = await Array.fromAsync(client.ocds.releases({ limit: 2 }));
    assert.deepEqual(releases, await allReleases(world));
    assert.deepEqual(await Array.fromAsync(client.ocds.releases({ offset: "2049-01-01" })), []);
    const last = releases.at(-1);
    const { records } = await client.ocds.record(last?.ocid ?? "", { releases: "embedded" });
    assert.deepEqual(records[0]?.releases.at(-1), last);
    assert.deepEqual((await client.ocds.release(last?.id ?? "")).releases, [last]);
    const ocids = (await Array.fromAsync(client.ocds.records({ limit: 1 }))).map(({ ocid }) => ocid);
    assert.deepEqual(new Set(ocids), new Set(releases.map(({ ocid }) => ocid)));
  });

  it("is continued by the client where it ended, and skips nothing, although test clocks are ahead of time", async () => {
    const { data: clock } = expectStatus(201, await api.post(`${world.url}/sandbox/clocks`, {})).body;
    const headers = { "X-Test-Clock": clock.id };
    const { data, access } = expectStatus(
      201,
      await api.post("/tenders", fullTender(world.clock.now), { headers }),
    ).body;
    const ahead = `${world.url}/sandbox/clocks/${clock.id}/advance`;
    expectStatus(200, await api.post(ahead, { by: "P2D" }));
    const path = `/tenders/${data.id}`;
    const file = { name: "вимоги.txt", content: "Вимоги" };
    expectStatus(201, await api.upload(`${path}/documents`, file, { token: access.token }));
    const client = openClient({ url: world.url });
    const first = client.ocds.releases({ limit: 2 });
    const seen = new Set((await Array.fromAsync(first)).map(({ id }) => id));
    const { path: later } = await publish(api, fullTender(world.clock.now));
    const rest = client.ocds.releases({ limit: 2, offset: first.cursor });
    for await (const { id } of rest) seen.add(id);
    const all = await allReleases(world);
    assert.deepEqual([...seen].toSorted(), all.map(({ id }) => id).toSorted());
    assert.ok([...seen].some((id) => id.includes(later.split("/").at(-1) ?? "")));
    const dates = all.map(({ date }) => date);
    assert.notDeepEqual(dates, dates.toSorted(), "a date is ahead of the order");
    const { body } = await readOpenData(world, "/ocds/releases?limit=1000");
    assert.equal(body.publishedDate, dates.toSorted().at(-1));
  });

  it("serves the extension that its packages name", async () => {
    const { body } = await readOpenData(world, "/ocds/releases?limit=1");
    const own = body.extensions.find((address: string) => address.startsWith(world.url));
    const { body: extension } = await readOpenData(world, own);
    assert.deepEqual(extension.compatibility, ["1.1"]);
    for (const file of [...extension.schemas, ...extension.codelists.map((name: string) => `codelists/${name}`)])
      assert.equal((await fetch(new URL(file, own))).status, 200, file);
    assert.equal((await fetch(new URL("codelists/%2BpartyRole.csv", own))).status, 200);
    assert.equal((await readOpenData(world, `${own.replace("extension.json", "codelists/%FF")}`)).status, 400);
    assert.equal((await readOpenData(world, own.replace("extension.json", "constructor"))).status, 404);
  });

  it("has the records of all tenders that a search finds, page by page", async () => {
    const title = "Сорок п'ять ялинок";
    const expected: string[] = [];
    for (let i = 0; i < 45; i++) {
      const { path } = await publish(api, { ...fullTender(world.clock.now), title });
      expected.push(`${OCID_PREFIX}-${path.split("/").at(-1)}`);
    }
    const ocidsOf = (body: { readonly records: readonly { readonly ocid: string }[] }) =>
      body.records.map(({ ocid }) => ocid);
    const pages: (readonly string[])[] = [];
    let [next, previous]: (string | undefined)[] = ["/tenders.ocds.json?q=ялинок&sort=newest", undefined];
    while (next !== undefined) {
      const { body } = expectStatus(200, await readOpenData(world, next));
      assert.equal(body.links?.prev, previous);
      pages.push(ocidsOf(body));
      [next, previous] = [body.links?.next, body.uri];
    }
    assert.deepEqual(
      pages.map(({ length }) => length),
      [20, 20, 5],
    );
    assert.deepEqual(pages.flat().toSorted(), expected.toSorted());
  });

  it("says what is wrong with a request", async () => {
    const outcome = async (path: string) => outcomeOf(await api.request("GET", path));
    const site = async (path: string) => outcomeOf(await readOpenData(world, path));
    assert.equal(await site("/ocds/releases?limit=0"), "422 params/limit: Value must be an integer from 1 to 1000.");
    assert.equal(await site("/ocds/releases?offset=soon"), "404 params/offset: Offset expired/invalid");
    assert.match(await site("/ocds/releases?status=wrong"), /^422 params\/status: No such status: wrong/);
    for (const list of ["/ocds/releases", "/ocds/records", "/tenders.ocds.json"])
      assert.equal(await site(`${list}?mode=test`), "422 params/mode: Open data is only about real tenders.", list);
    assert.equal(
      await site("/ocds/records?releases=all"),
      "422 params/releases: Value must be one of linked, embedded.",
    );
    assert.equal(await site("/ocds/releases?offset=2049-01-01"), "404 url/releases: There are no such releases");
    assert.equal(await site(`/ocds/records/${OCID_PREFIX}-1`), "404 url/ocid: Not Found");
    assert.equal(await site(`/ocds/releases/${OCID_PREFIX}-1-1`), "404 url/release_id: Not Found");
    const { path } = await publish(api, { ...fullTender(world.clock.now), mode: "test" });
    assert.equal(await outcome(`${path}?opt_schema=ocds`), "404 url/releases: There are no such releases");
    assert.equal(await outcome(`${path}?opt_schema=other`), "422 params/opt_schema: Value must be ocds.");
    assert.equal(await site(`/ocds/records/${OCID_PREFIX}-${path.split("/").at(-1)}`), "404 url/ocid: Not Found");
  });

  it("names parameters that have no effect", async () => {
    const { path } = await publish(api, fullTender(world.clock.now));
    const ignored = async (address: string) =>
      expectStatus(200, await readOpenData(world, address)).headers.get("x-ignored-parameters");
    const tender = `/api/2.5${path}?opt_schema=ocds`;
    assert.equal(await ignored(`${tender}&at=zzz&opt_fields=id&opt_pretty=1`), "at, opt_fields");
    assert.equal(await ignored(tender), null);
    const record = `/ocds/records/${OCID_PREFIX}-${path.split("/").at(-1)}`;
    assert.equal(await ignored(`${record}?releases=embedded&at=zzz`), "at");
    const release = `/ocds/releases/${OCID_PREFIX}-${path.split("/").at(-1)}-1`;
    assert.equal(await ignored(`${release}?releases=embedded`), "releases");
  });

  it("is answered with 304 to a reader who has it, and compressed", async () => {
    const address = `${world.url}/ocds/releases?limit=3`;
    const response = await fetch(address, { headers: { "Accept-Encoding": "gzip" } });
    assert.equal(response.headers.get("content-encoding"), "gzip");
    await response.text();
    const again = await fetch(address, { headers: { "If-None-Match": response.headers.get("etag") ?? "" } });
    assert.equal(again.status, 304);
  });
});
