import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SEGMENTS } from "../../src/dialects/dialects.ts";
import { allRules } from "../../src/http/errorRules.ts";
import { FIELD_TOPIC, topicAnchor } from "../../src/portal/docs/reference/operationSection.ts";
import { bidOf, fullTender, publish } from "../support/examples.ts";
import { crawl, idsIn, linksIn, pagesOfOperations, referenceOf, unescapeHtml } from "../support/htmlPages.ts";
import { sharedWorld } from "../support/world.ts";

const PAGE_BYTES_MAX = 150_000;
const OPERATOR_TOPIC = "Repairs by an operator";

type Described = {
  readonly paths: {
    readonly [path: string]: { readonly [method: string]: { readonly operationId?: string } };
  };
  readonly components: { readonly schemas: { readonly [name: string]: { readonly properties?: object } } };
};

/** The section of a page about one operation. */
const sectionOf = (html: string, id: string): string =>
  html.split('<section class="operation"').find((section) => section.startsWith(` id="${id}"`)) ?? "";

const rulesIn = (html: string): readonly string[] =>
  linksIn(html).flatMap((link) => /^\/docs\/errors#(?!topic-)(.+)$/.exec(link)?.[1] ?? []);

describe("the reference", async () => {
  const world = await sharedWorld();
  const pageOf = async (path: string) => (await fetch(world.url + path)).text();
  const describedBy = async (segment: string) =>
    (await (
      await fetch(`${world.url}${segment === "site" ? "" : `/api/${segment}`}/openapi.json`)
    ).json()) as Described;

  it("has pages that open quickly, because none of them is large", async () => {
    const pages = await crawl(`${world.url}/docs/api/2.5`, `${world.url}/docs/api/`);
    assert.ok(pages.size > 50);
    for (const [url, html] of pages) assert.ok(Buffer.byteLength(html) < PAGE_BYTES_MAX, `${url}: ${html.length}`);
  });

  for (const segment of [...SEGMENTS, "site"])
    it(`has every operation and every field of ${segment}, and an entry in its overview for each old anchor`, async () => {
      const { paths, components } = await describedBy(segment);
      const ids = Object.values(paths).flatMap((path) =>
        Object.values(path).flatMap(({ operationId }) => operationId ?? []),
      );
      const overview = await pageOf(`/docs/api/${segment}`);
      const pages = await pagesOfOperations(world.url, segment);
      assert.deepEqual([...pages.keys()].toSorted(), ids.toSorted());
      for (const [id, path] of pages) assert.ok(idsIn(await pageOf(path)).includes(id), `${path} has ${id}`);
      const html = await referenceOf(world.url, segment);
      for (const [name, { properties = {} }] of Object.entries(components.schemas)) {
        assert.ok(idsIn(overview).includes(`schema-${name}`), name);
        const [, section = ""] = html.split(`<section class="schema" id="schema-${name}">`);
        const text = section.slice(0, section.indexOf("</section>")).replaceAll("<wbr>", "");
        if (text.includes('class="same"')) continue;
        for (const field of Object.keys(properties))
          assert.ok(text.includes(`<code>${field}</code>`), `${name}.${field}`);
      }
    });

  it("marks older versions as old, and links each operation to the newest version", async () => {
    assert.ok(!(await pageOf("/docs/api/2.5/bids")).includes("is old"));
    for (const segment of SEGMENTS.slice(0, -1)) {
      assert.match(await pageOf(`/docs/api/${segment}`), /is old .*href="\/docs\/api\/2\.5"/);
      const bids = await pageOf(`/docs/api/${segment}/bids`);
      assert.match(bids, /is old .*href="\/docs\/api\/2\.5\/bids"/);
      const id = /id="(post_tenders_tender_id_bid(?:s|ders))"/.exec(bids)![1]!;
      assert.ok(
        linksIn(sectionOf(bids, id)).includes("/docs/api/2.5/bids#post_tenders_tender_id_bids"),
        `${segment} ${id}`,
      );
    }
  });

  it("lists each rule with the operations that it can refuse", async () => {
    const pages = await Promise.all(
      ["2.5", "site"].map(
        async (segment) => (await pageOf(`/docs/api/${segment}`)) + (await referenceOf(world.url, segment)),
      ),
    );
    const listed = new Set(pages.flatMap(rulesIn));
    const inOneLink = FIELD_TOPIC;
    const expected = allRules().filter(({ topic }) => topic !== OPERATOR_TOPIC && topic !== inOneLink);
    assert.deepEqual(
      expected.filter(({ id }) => !listed.has(id)).map(({ id }) => id),
      [],
    );
  });

  it("lists the rules that refusals contain", async () => {
    const api = world.api("2.5");
    const bids = await pageOf("/docs/api/2.5/bids");
    const { path } = await publish(api, fullTender(world.clock.now));
    const early = await api.post(`${path}/bids`, bidOf(100));
    const absent = await api.get(`${path}/bids/${"0".repeat(32)}`);
    for (const [id, { body }] of [
      ["post_tenders_tender_id_bids", early],
      ["get_tenders_tender_id_bids_bid_id", absent],
    ] as const) {
      const [{ rule }] = body.errors;
      assert.ok(rulesIn(sectionOf(bids, id)).includes(rule), `${id}: ${rule}`);
    }
    const overview = await pageOf("/docs/api/2.5");
    const unread = (await api.post(`${path}/bids`, undefined)).body.errors[0].rule;
    assert.ok(rulesIn(overview).includes(unread), unread);
    assert.ok(idsIn(await pageOf("/docs/errors")).includes(topicAnchor(FIELD_TOPIC)));
  });

  it("highlights samples on the server without changing their text", async () => {
    const section = sectionOf(await pageOf("/docs/api/2.5/tenders"), "get_tenders_tender_id");
    const [, code] = /data-language="sh"><code>(.*?)<\/code>/s.exec(section)!;
    assert.match(code!, /<span class="k">curl<\/span>/);
    const text = unescapeHtml(code!.replaceAll(/<[^>]*>/g, ""));
    assert.equal(text, `curl -s "${world.url}/api/2.5/tenders/$TENDER_ID"`);
  });
});
