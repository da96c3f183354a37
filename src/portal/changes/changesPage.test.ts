import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { zone } from "../../../test/support/decisions.ts";
import { LOT_A, twoLots } from "../../../test/support/domainCommands.ts";
import { closed, published, qualifying } from "../../../test/support/scenes.ts";
import { SITE } from "../../../test/support/tenderPages.ts";
import { NEWEST, type ShapeName } from "../../dialects/newestShapes.ts";
import type { Document, Feature, Tender, TenderStatus } from "../../domain/model/tender.ts";
import { decimal } from "../../domain/values/decimal.ts";
import type { PublicVersion } from "../../history/publicVersions.ts";
import { publicTender } from "../../views/publicTender.ts";
import { LANGUAGES } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import type { PortalPage } from "../layout/portalPage.ts";
import { actText } from "./actText.ts";
import { fieldLabel } from "./changeLabels.ts";
import { type ChangesScreen, comparisonPage, versionsPage } from "./changesPage.ts";
import { readChangesQuery } from "./changesQuery.ts";
import { renderComparison } from "./comparisonPart.ts";

const { tender, now } = published({ ...twoLots, title: "Шкільне харчування для учнів початкових класів" });
const SETTINGS = { zoneName: zone.name, apiPath: "/registry/api/2.5", presentFiles: new Set(["k1", "k2"]) };
const viewOf = (changes: Partial<Tender>) => publicTender({ ...tender, ...changes }, { now, zone, sandbox: false });
const comparison = (changes: Partial<Tender>, language: "uk" | "en" = "uk", from: Partial<Tender> = {}) =>
  renderComparison({ before: viewOf(from), after: viewOf(changes) }, { language, ...SETTINGS }).markup;
const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

describe("the comparison of two versions", () => {
  test("names fields as people do, with money and times in their language", () => {
    const value = { amount: decimal("1234.5"), currency: "UAH", valueAddedTaxIncluded: true };
    const from = { value: { ...value, amount: decimal("1000") } };
    assert.match(
      textOf(comparison({ value }, "uk", from)),
      /^Закупівля Очікувана вартість Було 1\s000,00\sгрн з ПДВ Стало 1\s234,50\sгрн з ПДВ$/,
    );
    assert.match(
      textOf(comparison({ value }, "en", from)),
      /^Tender Expected value Before UAH\s1,000\.00 including VAT After UAH\s1,234\.50 including VAT$/,
    );
  });

  test("shows long texts word by word, with words for those who do not see colours", () => {
    const markup = comparison({ title: "Шкільне харчування для учнів старших класів" });
    assert.match(markup, /<del>.*\[вилучено\].*початкових .*<\/del><ins>.*\[додано\].*старших .*<\/ins>/s);
  });

  test("names criteria other than price and their weights as the page of the tender does", () => {
    const features: readonly Feature[] = [
      {
        ...{ code: "eco", title: "Екологічне маркування", title_en: "Eco label", featureOf: "tenderer" },
        enum: [{ value: decimal("0.1"), title: "Так", title_en: "Yes" }],
      },
    ];
    const [bid] = qualifying().tender.bids;
    const changed = (value: string) => ({
      features,
      bids: bid ? [{ ...bid, parameters: [{ code: "eco", value: decimal(value) }] }] : [],
      status: "active.qualification" as const,
    });
    const text = textOf(comparison(changed("0.1"), "en", changed("0")));
    assert.match(text, /Before Eco label : 0\s% After Eco label : 10\s%/);
    assert.match(textOf(comparison({ features }, "uk")), /Так : 10\s%/);
  });

  test("names an element of a list by its title", () => {
    const lots = tender.lots.map((lot) =>
      lot.id === LOT_A ? { ...lot, title: "Обіди", status: "cancelled" as const } : lot,
    );
    const text = textOf(comparison({ lots }));
    assert.match(text, /^Лот: Обіди Стан Було Активний Стало Відмінений/);
    assert.match(textOf(comparison({ lots: tender.lots.slice(1) })), /Вилучено/);
  });

  test("shows which file replaced which, with checksums and links", () => {
    const first: Document = {
      ...{ id: "d".repeat(32), title: "Умови.pdf", format: "application/pdf", key: "k1", hash: "md5:11", sha256: "aa" },
      ...{ size: 1, datePublished: now, dateModified: now },
    };
    const second = { ...first, key: "k2", hash: "md5:22", sha256: "bb", dateModified: now + 1_000_000 };
    const third = { ...second, key: "k3", hash: "md5:33", sha256: "cc" };
    const added = comparison({ documents: [first] }, "en");
    assert.match(textOf(added), /^Document: Умови\.pdf Added .*md5:11 .*SHA-256 aa/);
    assert.match(added, /href="\/registry\/api\/2\.5\/tenders\/\w+\/documents\/d{32}\?download=k1"/);
    const replaced = comparison({ documents: [first, second] }, "en", { documents: [first] });
    assert.match(textOf(replaced), /New version Before .*md5:11 .*SHA-256 aa .*After .*md5:22 .*SHA-256 bb/);
    assert.doesNotMatch(textOf(replaced), /Added/);
    assert.match(replaced, /download=k1".*download=k2"/s);
    const gone = comparison({ documents: [] }, "en", { documents: [third] });
    assert.match(textOf(gone), /Removed .*SHA-256 cc/);
    assert.doesNotMatch(gone, /download=/, "a file that the tender no longer has cannot be downloaded");
    // Two versions between the compared ones: each replaced the one before it.
    const twice = textOf(comparison({ documents: [first, second, third] }, "en", { documents: [first] }));
    assert.match(twice, /New version Before .*md5:11 .*After .*md5:22 .*New version Before .*md5:22 .*After .*md5:33/);
  });

  test("escapes everything that users wrote, and shows it in its own direction", () => {
    const hostile = '<script>alert("1")</script>\u202e&amp;';
    const markup = comparison({
      title: hostile,
      description: hostile.repeat(10),
      items: [{ id: "1", description: hostile }],
    });
    assert.doesNotMatch(markup, /<script/);
    assert.match(markup, /<bdi lang="">&lt;script&gt;/);
  });

  test("of huge tenders stays small", () => {
    const items = Array.from({ length: 1000 }, (_, i) => ({ id: String(i), description: "x".repeat(1000) }));
    const markup = comparison({ items, title: "т ".repeat(30_000), description: "ї".repeat(65_000) }, "uk", {
      title: "н ".repeat(30_000),
    });
    assert.ok(markup.length < 500_000, String(markup.length));
    assert.match(markup, /Показано не все/);
    assert.match(markup, /Текст скорочено/);
  });

  test("says so if nothing is different", () => {
    assert.equal(textOf(comparison({ dateModified: 5 }, "en")), "No public field changed.");
  });

  test("shows the bids when they are opened, and nothing of them before", () => {
    const [sealed, open] = [closed(["400", "500"]), qualifying(["400", "500"])].map((scene) =>
      publicTender(scene.tender, { now: scene.now, zone, sandbox: false }),
    );
    const show = (before: typeof sealed, after: typeof sealed) =>
      textOf(renderComparison({ before: before!, after: after! }, { language: "en", ...SETTINGS }).markup);
    assert.match(show(sealed, open), /Bid: .* Added .*Price UAH\s400\.00/);
    assert.doesNotMatch(show(sealed, sealed), /400/);
  });
});

describe("the pages of changes", () => {
  const version: PublicVersion = { number: 2, at: now, act: "edit tender", tender, before: { at: now, tender } };
  const screenWith = (changes: Partial<ChangesScreen>): ChangesScreen => ({
    ...{ site: SITE, language: "uk", zone, zoneName: zone.name, views: { zone, sandbox: false }, apiPath: "/api/2.5" },
    ...{ last: version, problems: [] },
    ...changes,
  });

  test("are listed by search engines only as the list of the last versions, and not for test tenders", () => {
    const isListed = ({ isUnlisted }: PortalPage) => isUnlisted === undefined;
    assert.ok(isListed(versionsPage(screenWith({}), [version], undefined)));
    assert.ok(!isListed(versionsPage(screenWith({}), [version], 3)));
    assert.ok(!isListed(versionsPage(screenWith({ problems: [{ message: "wrong" }] }), [version], undefined)));
    assert.ok(!isListed(comparisonPage(screenWith({}), { ...version, number: 1 }, version)));
    const last = { ...version, tender: { ...tender, mode: "test" as const } };
    assert.ok(!isListed(versionsPage(screenWith({ last }), [last], undefined)));
  });
});

describe("what happened in a version", () => {
  test("is the moment of the timeline that came, if the status tells, or else that a deadline passed", () => {
    const afterDeadline = (before: TenderStatus, after: TenderStatus) =>
      actText(
        {
          ...{ number: 2, at: now, act: "advance", tender: { ...tender, status: after } },
          before: { at: now, tender: { ...tender, status: before } },
        },
        "en",
      );
    assert.equal(afterDeadline("active.enquiries", "active.tendering"), "Bidding begins");
    for (const after of ["active.auction", "active.qualification", "unsuccessful"] as const)
      assert.equal(afterDeadline("active.tendering", after), "Bidding ends");
    assert.equal(afterDeadline("active.auction", "active.qualification"), "The auction ends");
    assert.equal(afterDeadline("active.enquiries", "active.qualification"), "A deadline passed");
    assert.equal(afterDeadline("active.awarded", "active.awarded"), "A deadline passed");
    const edited = { number: 2, at: now, act: "edit tender" as const, tender, before: { at: now, tender } };
    assert.equal(actText(edited, "en"), "The buyer changed the tender");
  });
});

describe("the names of fields", () => {
  test("are complete: every field of a tender and of anything in it has one", () => {
    const seen = new Set<ShapeName>();
    const pending: ShapeName[] = ["Tender"];
    for (let shape = pending.pop(); shape; shape = pending.pop()) {
      if (seen.has(shape)) continue;
      seen.add(shape);
      for (const [name, field] of Object.entries(NEWEST[shape])) {
        if (field.kind === "shape") pending.push(field.of as ShapeName);
        for (const language of LANGUAGES)
          assert.notEqual(fieldLabel(shape, name, language), name, `${shape}.${name} in ${language}`);
      }
    }
    assert.ok(seen.size > 20);
  });
});

describe("the parameters of the page of changes", () => {
  const read = (query: string, last = 5) =>
    readChangesQuery(new URLSearchParams(query), last, messagesIn("en").changes);

  test("are two versions to compare, or where to go on in the list", () => {
    assert.deepEqual(read("from=2&to=5"), { query: { kind: "comparison", from: 2, to: 5 }, problems: [] });
    assert.deepEqual(read("before=4").query, { kind: "list", before: 4 });
    assert.deepEqual(read("utm_source=x"), { query: { kind: "list", before: undefined }, problems: [] });
  });

  for (const [query, message] of Object.entries({
    "from=2": /give both/,
    "from=3&to=3": /less than/,
    "from=3&to=2": /less than/,
    "from=0&to=2": /from: there is no version “0”. Allowed: 1 to 5\./,
    "from=1&to=6": /to: there is no version “6”/,
    "from=1e0&to=2": /from/,
    "before=-1": /before/,
    "before=1&before=2": /twice/,
    "x=%00%F0": /“\u0000\ufffd”|unknown/,
  }))
    test(`are named if they are wrong: ${query}`, () => {
      const { query: shown, problems } = read(query);
      assert.deepEqual(shown, { kind: "list", before: undefined });
      assert.match(problems.map((problem) => problem.message).join(" "), message);
    });
});
