import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { fullTender, publish } from "../support/examples.ts";
import { OCID_PREFIX, readOpenData } from "../support/openData.ts";
import { openProduction } from "../support/production.ts";
import { outcomeOf } from "../support/stages.ts";
import { expectStatus, openWorld } from "../support/world.ts";

describe("open data of large tenders", () => {
  it("has as many records on a page as fit, and all of them by following the links", async () => {
    const world = await openWorld();
    after(() => world.stop());
    const api = world.api("2.5");
    const [item] = fullTender(world.clock.now).items;
    const items = Array.from({ length: 300 }, (_, i) => ({ ...item, description: `${i} ${"послуги ".repeat(400)}` }));
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) {
      const { path } = await publish(api, { ...fullTender(world.clock.now), items });
      ids.push(`${OCID_PREFIX}-${path.split("/").at(-1)}`);
    }
    const found: string[] = [];
    const sizes: number[] = [];
    for (let next: string | undefined = "/ocds/records?limit=10"; next !== undefined; ) {
      const { body, text } = expectStatus(200, await readOpenData(world, next));
      found.push(...body.records.map(({ ocid }: { readonly ocid: string }) => ocid));
      sizes.push(text.length);
      next = body.links?.next;
    }
    assert.deepEqual(found, ids);
    assert.ok(sizes.length > 1 && Math.max(...sizes) < 9 * 1024 * 1024, sizes.join());
    const { body: newest } = await readOpenData(world, "/ocds/records?limit=10&descending=1");
    assert.ok(newest.records.length < 6);
    assert.equal(newest.records[0].ocid, ids.at(-1));
    const search = expectStatus(200, await readOpenData(world, "/tenders.ocds.json")).body;
    assert.deepEqual(new Set(search.records.map(({ ocid }: { readonly ocid: string }) => ocid)), new Set(ids));
    assert.ok(search.records.every((record: object) => !("versionedRelease" in record)));
  });
});

const PUBLIC_URL = "https://tenders.example";

describe("open data in production", () => {
  it("is off until prefix, publisher and licence are set", async () => {
    const settings = { OCDS_PREFIX: "ocds-abc123", OCDS_PUBLISHER: "Реєстр", OCDS_LICENSE: "https://example.org/by" };
    const names = Object.keys(settings);
    for (const missing of [...names.map((name) => [name]), names]) {
      const entries = Object.entries(settings).filter(([name]) => !missing.includes(name));
      const { world, publishTender } = await openProduction({}, { PUBLIC_URL, ...Object.fromEntries(entries) });
      const { path } = await publishTender();
      const id = path.split("/").at(-1);
      const record = `/ocds/records/ocds-abc123-${id}`;
      const tender = `/api/2.5${path}?opt_schema=ocds`;
      const paths = ["/ocds/releases", `/ocds/releases/ocds-abc123-${id}-1`, "/ocds/records", record, tender];
      for (const address of [...paths, "/ocds/extensions/tenderhall/extension.json", "/data/manifest.json"])
        assert.match(outcomeOf(await readOpenData(world, address)), /^404 /, `${address} without ${missing}`);
    }
    const { world, publishTender } = await openProduction({}, { PUBLIC_URL, ...settings });
    const { path } = await publishTender();
    const { body } = expectStatus(200, await readOpenData(world, "/ocds/releases"));
    assert.equal(body.releases[0].ocid, `ocds-abc123-${path.split("/").at(-1)}`);
    assert.deepEqual([body.publisher.name, body.license], ["Реєстр", "https://example.org/by"]);
  });
});
