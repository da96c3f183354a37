import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openForReading } from "../../src/app/offline.ts";
import { updateBulkFiles } from "../../src/opendata/bulk/bulkFiles.ts";
import { bulkFolderOf } from "../../src/opendata/bulk/bulkFolder.ts";
import { readBulkSource } from "../../src/opendata/bulk/bulkSource.ts";
import { bidOf } from "../support/examples.ts";
import { allReleases, OCID_PREFIX } from "../support/openData.ts";
import { populate } from "../support/populatedRegistry.ts";
import { crawlPortal } from "../support/portalCrawl.ts";
import { endTendering, reachTendering } from "../support/procedure.ts";
import { expectStatus, openWorld, type World } from "../support/world.ts";

/** The whole portal, with its feeds, files and headers, is byte for byte the same with and without a sealed bid. */

const SUPPLIER = {
  name: "Секретний постачальник",
  identifier: { scheme: "UA-EDR", id: "31415926", legalName: "Секретний постачальник" },
  address: { countryName: "Україна" },
  contactPoint: { name: "Таємний контакт", telephone: "0440000000" },
};

/** What programs read of the same data, and pages that no link leads to because they name the supplier. */
const OTHER_PATHS = [
  "/sitemap.xml",
  "/sitemap-suppliers-1.xml",
  "/api/2.5/search?q=31415926",
  "/api/2.5/search?q=секретний",
  "/api/2.5/search?supplier=UA-EDR-31415926",
  "/api/2.5/search",
  "/tenders?supplier=UA-EDR-31415926",
  "/tenders?q=секретний",
  "/tenders?supplier=секретний",
  "/tenders.csv?q=секретний",
  "/suppliers/UA-EDR-31415926",
  "/suppliers",
  "/suppliers?q=секретний",
  "/en/suppliers?q=31415926",
  "/buyers?q=секретний",
  "/statistics",
  "/statistics?measure=competition",
  "/en/statistics?measure=savings",
  "/calendar.ics",
  "/ocds/releases",
  "/ocds/records",
  "/ocds/records?releases=embedded",
  "/tenders.ocds.json",
];

async function portalOf({ url, api }: World, tender: string): Promise<readonly string[]> {
  const id = tender.split("/").at(-1);
  const { tenderID, dateModified } = expectStatus(200, await api("2.5").get(tender, { key: null })).body.data;
  const past = `at=${encodeURIComponent(dateModified)}`;
  const own = [
    ...[`/tenders/${id}?${past}`, `/en/tenders/${id}?${past}&view=print`, `/tenders/${id}?${past}&show=timeline`],
    ...["", ".ics", ".atom", "/changes"].flatMap((form) => [`/tenders/${id}${form}`, `/en/tenders/${id}${form}`]),
    ...[`/tenders/${tenderID}`, `/api/2.5/tenders/${id}/history`],
    ...[`/api/2.5/tenders/${id}?opt_schema=ocds`, `/ocds/records/${OCID_PREFIX}-${id}`],
  ];
  const crawled = await crawlPortal(url, ["/", "/en", ...own, ...OTHER_PATHS]);
  return [...crawled.values()].map(
    ({ path, status, headers, body }) => `${path} ${status} ${JSON.stringify(headers)} ${body.toString("base64")}`,
  );
}

/** Asserts that all pages are the same. Shows only what differs, as the pages are long. */
function assertSame(pages: readonly string[], expected: readonly string[]): void {
  const without = (others: readonly string[]) => (page: string) => !others.includes(page);
  assert.deepEqual(pages.filter(without(expected)), expected.filter(without(pages)));
  assert.equal(pages.length, expected.length);
}

/** Brings the bulk files of open data up to date, as the server does every hour. Returns them as everyone sees them, by their paths. */
async function bulkFilesOf({ url, config }: World): Promise<ReadonlyMap<string, string>> {
  await allReleases({ url });
  assert.ok(config.openData);
  const { store, close } = await openForReading(config);
  const source = readBulkSource(store);
  const bulk = { folder: bulkFolderOf(config), source, settings: config.openData, origin: url };
  const { files } = await updateBulkFiles(bulk).finally(close);
  const paths = ["/data", "/en/data", "/data/manifest.json", ...files.map(({ name }) => `/data/${name}`)];
  const fetched = paths.map(async (path): Promise<[string, string]> => {
    const response = await fetch(url + path, { headers: { "Accept-Encoding": "identity" } });
    const headers = ["etag", "last-modified", "content-length"].map((name) => response.headers.get(name));
    const body = Buffer.from(await response.arrayBuffer()).toString("base64");
    return [path, `${response.status} ${headers.join(" ")} ${body}`];
  });
  return new Map(await Promise.all(fetched));
}

describe("the portal while bids are sealed", () => {
  it("is byte for byte the same with and without a bid, its documents, its changes and its withdrawal", async () => {
    const world = await openWorld();
    try {
      await populate(world);
      const story = await reachTendering(world, []);
      const without = await portalOf(world, story.path);
      assert.ok(without.length > 40, `only ${without.length} addresses were found`);
      const placed = await story.as("broker", "POST", "/bids", bidOf(345678, { tenderers: [SUPPLIER] }));
      const { data, access } = expectStatus(201, placed).body;
      const path = `${story.path}/bids/${data.id}`;
      const file = { name: "ціна.txt", content: "345678" };
      expectStatus(201, await story.api.upload(`${path}/documents`, file, { token: access.token }));
      expectStatus(200, await story.api.patch(path, { value: { amount: 300_000 } }, { token: access.token }));
      assertSame(await portalOf(world, story.path), without);
      expectStatus(200, await story.api.delete(path, { token: access.token }));
      assertSame(await portalOf(world, story.path), without);
    } finally {
      await world.stop();
    }
  });

  it("shows nothing of the bid on pages of a time before the opening, also after it", async () => {
    const world = await openWorld();
    try {
      const story = await reachTendering(world, []);
      const { dateModified } = expectStatus(200, await story.api.get(story.path)).body.data;
      const page = `${world.url}/tenders/${story.path.split("/").at(-1)}?at=${encodeURIComponent(dateModified)}`;
      const before = await (await fetch(page)).text();
      assert.match(before, /id="timeline"/);
      expectStatus(201, await story.as("broker", "POST", "/bids", bidOf(345678, { tenderers: [SUPPLIER] })));
      assert.equal(await (await fetch(page)).text(), before);
      await endTendering(story);
      assert.equal(await (await fetch(page)).text(), before);
    } finally {
      await world.stop();
    }
  });

  it("has the same bulk files of open data, which are not even made again, and the bid in them after the opening", async () => {
    const world = await openWorld();
    try {
      await populate(world);
      const story = await reachTendering(world, []);
      const without = await bulkFilesOf(world);
      assert.ok([...without].every(([, response]) => response.startsWith("200 ")));
      const placed = await story.as("broker", "POST", "/bids", bidOf(345678, { tenderers: [SUPPLIER] }));
      const { data, access } = expectStatus(201, placed).body;
      const path = `${story.path}/bids/${data.id}`;
      expectStatus(200, await story.api.patch(path, { value: { amount: 300_000 } }, { token: access.token }));
      const sealed = await bulkFilesOf(world);
      assert.deepEqual([...sealed.keys()], [...without.keys()]);
      for (const [file, response] of sealed) assert.ok(response === without.get(file), file);
      await endTendering(story);
      const opened = await bulkFilesOf(world);
      assert.notEqual(opened.get("/data/bids-all-1.csv.gz"), without.get("/data/bids-all-1.csv.gz"));
    } finally {
      await world.stop();
    }
  });

  it("shows the bid after the opening, so that the comparison can fail", async () => {
    const world = await openWorld();
    try {
      const story = await reachTendering(world, [bidOf(345678, { tenderers: [SUPPLIER] })]);
      await endTendering(story);
      const pages = await portalOf(world, story.path);
      const decoded = pages.map((page) => Buffer.from(page.slice(page.lastIndexOf(" ") + 1), "base64").toString());
      assert.ok(decoded.some((page) => page.includes("Секретний постачальник")));
      const found = expectStatus(200, await world.api("2.5").get("/search?supplier=UA-EDR-31415926")).body;
      assert.equal(found.data.length, 1);
      const named = async (path: string) => (await (await fetch(world.url + path)).text()).includes(SUPPLIER.name);
      for (const path of ["/suppliers", "/suppliers?q=секретний", "/tenders", "/tenders?supplier=секретний"])
        assert.ok(await named(path), path);
      assert.equal(await named("/buyers?q=школа"), false);
    } finally {
      await world.stop();
    }
  });
});
