import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { zone } from "../../test/support/decisions.ts";
import { openReleaseStore, openTestMaker, tenderWithItems } from "../../test/support/releaseStore.ts";
import { TooManyReplaysError, withReplayLease } from "../history/replayLimit.ts";
import { compileReleases, versionReleases } from "../ocds/merge.ts";
import { currentReleases } from "./currentReleases.ts";
import { type OpenDataPublication, readStoredReleases } from "./openData.ts";
import { recordOf } from "./records.ts";
import { parseRelease } from "./releaseProgress.ts";
import { headOf, newestDate } from "./releaseTemplates.ts";

/** A store with the releases of tenders, and what requests read them with. */
async function openPublishedStore() {
  const { store, change, close } = await openReleaseStore();
  after(close);
  const ports = { registry: store, config: { zone, sandbox: true } };
  const stored = readStoredReleases(store);
  const settings = { ocidPrefix: "ocds-213czf", publisher: "x", license: undefined, policy: undefined };
  const bulkState = async () => undefined;
  const publish = (openData: Partial<OpenDataPublication["openData"]> = {}): OpenDataPublication => ({
    openData: { ...stored, waitFor: stored.position, bulkState, ...openData },
    ...{ settings, origin: "https://tenders.example" },
  });
  return { store, change, ports, stored, publish };
}

/** The answer of a maker that has made no releases yet. */
const behind = async () => ({ sequence: 0, at: 0 });

describe("the releases of a tender that becomes a test", async () => {
  const { store, change, ports, publish } = await openPublishedStore();

  it("stay published, and no more are made, whether they are read from the store or from the ledger", async () => {
    const real = await change(undefined, tenderWithItems(1, 0, "repaired"));
    const test = await change(real, { ...tenderWithItems(1, 1, "repaired"), mode: "test" });
    const maker = openTestMaker(store);
    await maker.catchUp();
    await maker.stop();
    for (const publication of [publish(), publish({ waitFor: behind })]) {
      const record = JSON.parse((await recordOf(ports, publication, test, "embedded"))?.json ?? "{}");
      assert.deepEqual(
        record.releases?.map(({ id }: { readonly id: string }) => id),
        ["ocds-213czf-repaired-1"],
      );
    }
  });
});

describe("the releases of a tender with a long history", async () => {
  const { store, change, ports, stored, publish } = await openPublishedStore();
  let tender = await change(undefined, tenderWithItems(300, 0, "long"));
  for (let version = 1; version < 30; version++) tender = await change(tender, tenderWithItems(300, version, "long"));
  const maker = openTestMaker(store);
  await maker.catchUp();
  await maker.stop();
  const readAll = (publication: OpenDataPublication) =>
    withReplayLease(async (lease) =>
      (await Array.fromAsync(currentReleases(ports, publication, tender, lease))).flat(),
    );

  it("are the same from the store and from the ledger", async () => {
    const texts = await readAll(publish());
    assert.equal(texts.length, 30);
    const templatePages = () => assert.fail("incomplete releases are not read");
    assert.deepEqual(await readAll(publish({ waitFor: behind, templatePages })), texts);
  });

  it("have heads that can be read without parsing them", async () => {
    const texts = await readAll(publish());
    const releases = texts.map(parseRelease);
    assert.deepEqual(
      texts.map(headOf),
      releases.map(({ id, date, tag }) => ({ id, date, tag })),
    );
    assert.equal(newestDate(texts.toReversed()), releases.at(-1)?.date);
    assert.throws(() => headOf('{"id":"1"}'), TypeError);
  });

  it("are merged into a record, with versions or without", async () => {
    const releases = (await readAll(publish())).map(parseRelease);
    const read = async (form: "linked" | "embedded" | "compiled") =>
      JSON.parse((await recordOf(ports, publish(), tender, form))?.json ?? "");
    const expected = JSON.parse(
      JSON.stringify({
        ...{ ocid: "ocds-213czf-long", releases },
        ...{ compiledRelease: compileReleases(releases), versionedRelease: versionReleases(releases) },
      }),
    );
    assert.deepEqual(await read("embedded"), expected);
    const url = (id: string) => `https://tenders.example/ocds/releases/${id}#${id}`;
    const links = releases.map(({ id, date, tag }) => ({ url: url(id), date, tag }));
    assert.deepEqual(await read("linked"), { ...expected, releases: links });
    const { versionedRelease: _left, ...compiled } = expected;
    assert.deepEqual(await read("compiled"), { ...compiled, releases: links });
  });

  it("are merged for one request at a time; too many are rejected, and other work runs in between", async () => {
    let running = 0;
    let most = 0;
    // All that a request may read while others do is the first page.
    const templatePages = async function* (id: string) {
      let isFirst = true;
      for await (const page of stored.templatePages(id)) {
        if (!isFirst) most = Math.max(most, ++running);
        yield page;
        if (!isFirst) running--;
        isFirst = false;
      }
    };
    let iterations = 0;
    const count = () => {
      iterations++;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const requests = Array.from({ length: 40 }, () => recordOf(ports, publish({ templatePages }), tender, "compiled"));
    const results = await Promise.allSettled(requests);
    clearImmediate(immediate);
    const rejected = results.filter((result) => result.status === "rejected");
    assert.equal(rejected.length, 40 - 33);
    for (const { reason } of rejected) assert.ok(reason instanceof TooManyReplaysError);
    assert.ok(iterations >= (30 * 33) / 2, `${iterations} iterations of the event loop for ${30 * 33} releases`);
    assert.equal(await recordOf(ports, publish(), tender, "compiled").then(Boolean), true, "the limit is free again");
    assert.equal(most, 1);
  });
});
