import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { BIDDER, OWNER, type Scene, STRANGER, zone } from "../../../test/support/decisions.ts";
import { accepted, contested, DIRECT_PROCEDURES, direct, recorded } from "../../../test/support/directScenes.ts";
import {
  addDocument,
  answerQuestion,
  askQuestion,
  cancelLot,
  DEADLINE,
  fileClaim,
  LOT_A,
  onA,
  onBoth,
  placeBid,
  replaceDocument,
  TENDERING,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import {
  awarded,
  closed,
  decided,
  placed,
  plain,
  published,
  qualifying,
  SCENES,
  STATUSES,
  signed,
  tendering,
} from "../../../test/support/scenes.ts";
import {
  assertSound,
  renderTender,
  SITE,
  screenAt,
  sectionText,
  visibleText,
} from "../../../test/support/tenderPages.ts";
import type { Feature, Item, Question, Tender } from "../../domain/model/tender.ts";
import { decimal } from "../../domain/values/decimal.ts";
import { HOUR, MINUTE } from "../../domain/values/time.ts";
import type { PublicVersion } from "../../history/publicVersions.ts";
import { LANGUAGES } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { renderPortalPage } from "../layout/pageLayout.ts";
import { pastScreenOf, screenSameUntil } from "./screenOf.ts";
import { renderTenderCalendar } from "./tenderCalendar.ts";
import { tenderPage } from "./tenderPage.ts";

/** A scene of each status that each procedure has, apart from drafts. */
const SCENES_BY_NAME: { readonly [name: string]: () => Scene } = {
  ...Object.fromEntries(
    STATUSES.filter((status) => status !== "draft").map((status) => [`belowThreshold, ${status}`, SCENES[status]]),
  ),
  "belowThreshold with lots, active.qualification": () => qualifying([onBoth("900", "800"), onA("700")], twoLots),
  "belowThreshold with a cancelled lot": () => published(twoLots).send(OWNER, cancelLot(LOT_A)),
  "basic, active.enquiries": () => plain(),
  "basic, active.tendering": () => placed(plain().at(TENDERING), ["1", "2"]),
  "basic, active.qualification": () => placed(plain().at(TENDERING), ["1"]).at(DEADLINE).tick(),
  ...Object.fromEntries(
    DIRECT_PROCEDURES.flatMap((procedure) => [
      [`${procedure}, published`, () => direct(procedure)],
      [`${procedure}, supplier recorded`, () => recorded(procedure)],
      [`${procedure}, supplier accepted`, () => accepted(procedure)],
    ]),
  ),
  "negotiation, contested": () => contested(),
};

describe("the page of a tender", () => {
  for (const [name, sceneOf] of Object.entries(SCENES_BY_NAME))
    it(`is sound and says the status in words, in every language: ${name}`, () => {
      const scene = sceneOf();
      for (const language of LANGUAGES)
        for (const query of ["", "view=print"]) {
          const page = renderTender(scene, language, query);
          assertSound(page);
          const { names } = messagesIn(language);
          const text = visibleText(page);
          assert.ok(text.includes(names.tenderStatuses[scene.tender.status]));
          assert.ok(text.includes(names.procedures[scene.tender.procedure]));
          assert.ok(text.includes(scene.tender.tenderID));
        }
    });

  it("has a title, a description, its addresses and structured data", () => {
    const { tender, now } = published({ title: "Обіди", title_en: "Lunches" });
    const page = renderTender({ tender, now }, "en");
    assert.match(page, new RegExp(`<title>Lunches · ${tender.tenderID} · Tenderhall</title>`));
    assert.match(page, new RegExp(`<link rel="canonical" href="https://tenders.example/en/tenders/${tender.id}">`));
    assert.match(page, /<meta property="og:type" content="article">/);
    assert.match(page, /<meta name="description" content="Public tender UA-2026-11-16-000001\. Buyer: /);
    const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page) ?? [];
    const [webPage] = JSON.parse(json)["@graph"];
    assert.equal(webPage.about.seeks["@type"], "Demand");
    assert.equal(webPage.about.seeks.name, "Lunches");
    assert.doesNotMatch(page, /noindex/);
    for (const [type, form] of [
      ["text/calendar", "ics"],
      ["application/atom+xml", "atom"],
    ] as const) {
      const address = `/en/tenders/${tender.id}.${form}`;
      assert.match(page, new RegExp(`<link rel="alternate" type="${RegExp.escape(type)}" [^>]*href="${address}">`));
      assert.match(page, new RegExp(`<a href="${address}" type="${RegExp.escape(type)}">`));
    }
    assert.match(renderTender({ tender, now }, "uk"), /<h1><bdi lang="">Обіди<\/bdi><\/h1>/);
  });

  it("of a test tender says so, is not to be indexed and links to no profile", () => {
    const page = renderTender(published({ title: "[ТЕСТУВАННЯ] Обіди" }).with({ mode: "test" }));
    assert.match(page, /This is a test tender/);
    assert.match(page, /<meta name="robots" content="noindex/);
    assert.doesNotMatch(page, /\/buyers\//);
    assert.match(renderTender(published()), /href="\/en\/buyers\/UA-EDR-/);
  });

  it("links bidders to their profiles as soon as their bids count there, which open bids do after the deadline", () => {
    const open = placed(plain().at(TENDERING), ["1"]);
    assert.match(sectionText(renderTender(open), "bids"), /UAH 1/);
    assert.doesNotMatch(renderTender(open), /\/suppliers\//);
    assert.match(renderTender(open.at(DEADLINE).tick()), /href="\/en\/suppliers\/UA-EDR-/);
    assert.match(renderTender(qualifying()), /href="\/en\/suppliers\/UA-EDR-/);
  });

  it("says before the deadline that bids are open, where the procedure does not seal them, and only there", () => {
    for (const language of LANGUAGES) {
      const { open } = messagesIn(language).tender.bids;
      const says = (scene: Scene) =>
        ["summary", "bids"].map((section) => sectionText(renderTender(scene, language), section).includes(open));
      const bidding = plain().at(TENDERING).tick();
      for (const scene of [plain(), bidding, placed(bidding, ["1"])]) assert.deepEqual(says(scene), [true, true]);
      const others = [
        placed(bidding, ["1"]).at(DEADLINE).tick(),
        published(),
        tendering(["1"]),
        qualifying(),
        direct("reporting"),
      ];
      for (const scene of others) assert.deepEqual(says(scene), [false, false]);
    }
    assert.match(sectionText(renderTender(plain().at(TENDERING).tick()), "bids"), /No bids have been submitted yet\./);
  });

  it("says during enquiries when bids can be placed, and not that they are sealed", () => {
    for (const scene of [published(), plain()])
      assert.match(
        sectionText(renderTender(scene), "bids"),
        /^Bids .*Bids can be placed from 23 November 2026 at 10:00 *\.$/,
      );
    assert.doesNotMatch(sectionText(renderTender(published()), "bids"), /sealed|submitted/);
    const undated = plain().with({ enquiryPeriod: undefined, tenderPeriod: undefined });
    assert.match(sectionText(renderTender(undated), "bids"), /Bids cannot be placed yet\./);
  });

  it("leaves out columns of tables in which no row has a value", () => {
    const { tender } = published(twoLots);
    const lotsOf = (scene: Scene) => sectionText(renderTender(scene), "lots");
    assert.doesNotMatch(lotsOf(published(twoLots)), /Auction/);
    const lots = tender.lots.map((lot) => ({ ...lot, auctionPeriod: { startDate: DEADLINE + HOUR } }));
    assert.match(lotsOf(closed([onBoth("900", "800"), onA("700")], twoLots).with({ lots })), /Auction/);
    const itemsWith = (delivery: Partial<Item>) =>
      sectionText(
        renderTender(published().with({ items: (tender.items ?? []).map((item) => ({ ...item, ...delivery })) })),
        "items",
      );
    assert.match(itemsWith({ deliveryDate: { endDate: DEADLINE } }), /Delivery/);
    assert.doesNotMatch(itemsWith({ deliveryDate: undefined, deliveryAddress: undefined }), /Delivery/);
  });

  it("shows documents with their size, checksums and earlier versions", () => {
    const first = published().send(OWNER, addDocument());
    const page = renderTender(first.later(MINUTE).send(OWNER, replaceDocument(first.id)));
    const text = sectionText(page, "documents");
    assert.match(text, /Earlier: 1 version/);
    assert.match(text, /SHA-256 \w+/);
    assert.match(page, new RegExp(`href="/api/[\\d.]+/tenders/${first.tender.id}/documents/${first.id}\\?download=`));
  });

  it("shows questions without their authors until the competition is over, and answers", () => {
    const asked = published().send(STRANGER, askQuestion({ title: "Чи є каша?" }));
    assert.match(sectionText(renderTender(asked), "questions"), /Чи є каша\?.*There is no answer yet/);
    assert.doesNotMatch(sectionText(renderTender(asked), "questions"), /Author/);
    const answered = asked.later(MINUTE).send(OWNER, answerQuestion(asked.id, "Так"));
    assert.match(sectionText(renderTender(answered), "questions"), /Answer .* Так/);
  });

  it("shows claims that were filed, and no drafts", () => {
    const filed = published().send(STRANGER, fileClaim({ title: "Несправедливо", status: "claim" }));
    assert.match(sectionText(renderTender(filed), "complaints"), /Claim .*Несправедливо.*Awaiting the buyer’s answer/);
    const draft = published().send(STRANGER, fileClaim({ title: "Несправедливо", status: "draft" }));
    assert.equal(sectionText(renderTender(draft), "complaints"), "");
  });

  it("compares bids by price, with the decisions on them", () => {
    const page = renderTender(decided(qualifying(["500", "400"]).later(HOUR), "active"));
    const text = sectionText(page, "bids");
    assert.ok(text.indexOf("400.00") < text.indexOf("500.00"), text);
    assert.match(text, /400\.00.*Winner.*500\.00/);
    assert.match(sectionText(page, "awards"), /Winner.*Can be contested until/);
  });

  it("compares bids by their weighted prices where other criteria count, and says so", () => {
    const features: readonly Feature[] = [
      {
        ...{ code: "eco", title: "Еко", title_en: "Eco label", featureOf: "tenderer" },
        enum: ["0.15", "0"].map((value) => ({ value: decimal(value), title: value })),
      },
    ];
    const offer = (amount: string, value: string) =>
      placeBid(amount, { parameters: [{ code: "eco", value: decimal(value) }] });
    const page = renderTender(decided(qualifying([offer("400", "0"), offer("450", "0.15")], { features }), "active"));
    const text = sectionText(page, "bids");
    assert.match(text, /Price Weighted price .*UAH 450\.00 382\.50 .*Winner .*UAH 400\.00 400\.00/);
    assert.match(sectionText(page, "summary"), /Award criterion Lowest price, taking the other criteria into account/);
    // The basic procedure accepts any parameters.
    const strange = placed(plain({ features }).at(TENDERING), [offer("400", "-0.85"), offer("450", "0.15")]);
    assert.match(sectionText(renderTender(strange), "bids"), /UAH 450\.00 382\.50 .*UAH 400\.00 — /);
    const plainPage = renderTender(qualifying(["500", "400"]));
    assert.doesNotMatch(sectionText(plainPage, "bids"), /Weighted price/);
    assert.match(sectionText(plainPage, "summary"), /Award criterion Lowest price(?!,)/);
  });

  it("compares the bids of each lot", () => {
    const page = renderTender(qualifying([onBoth("900", "800"), onA("700")], twoLots));
    const text = sectionText(page, "bids");
    assert.match(text, /Lot:.*700\.00.*900\.00.*Lot:.*800\.00/);
  });

  it("counts a bid for several lots once, as the summary does", () => {
    const page = renderTender(qualifying([onBoth("900", "800"), onBoth("700", "850"), onBoth("600", "950")], twoLots));
    assert.match(page, /<a href="#bids">Bids<\/a> <span class="count">3<\/span>/);
    assert.match(sectionText(page, "summary"), /Bids received 3/);
  });

  it("is in the language of the reader, as far as the tender is", () => {
    const address = { region: "Вінницька область" };
    const features = [
      {
        ...{ code: "speed", title: "Швидкість", title_en: "Speed", featureOf: "tenderer" as const },
        enum: [{ value: decimal("0.1"), title: "Так" }],
      },
    ];
    const scene = qualifying(["400"]);
    const [bid] = scene.tender.bids;
    assert.ok(bid);
    const shown = scene.with({
      features,
      bids: [{ ...bid, parameters: [{ code: "speed", value: decimal("0.1") }] }],
      procuringEntity: { ...scene.tender.procuringEntity, address },
    });
    const english = renderTender(shown);
    assert.match(sectionText(english, "summary"), /Region Vinnytsia region/);
    assert.ok(english.includes('href="/en/tenders?region=vinnytsia"'));
    assert.match(sectionText(english, "bids"), /Speed : 10/);
    assert.match(sectionText(renderTender(shown, "uk"), "summary"), /Вінницька область/);
    assert.match(sectionText(renderTender(shown, "uk"), "bids"), /Швидкість : 10/);
    const abroad = shown.with({
      procuringEntity: { ...scene.tender.procuringEntity, address: { region: "Mazowsze" } },
    });
    assert.match(sectionText(renderTender(abroad), "summary"), /Region Mazowsze/);
  });

  it("shows contracts with what they save", () => {
    const scene = signed(awarded(["400"]));
    assert.match(sectionText(renderTender(scene), "contracts"), /Signed.*400\.00.*99\.9 % below the expected value/);
    const pending = awarded(["400"]);
    assert.doesNotMatch(sectionText(renderTender(pending), "contracts"), /below the expected value/);
  });
});

describe("sealed bids", () => {
  it("change nothing on the page, in its calendar or in how long it stays the same", () => {
    const [empty, full] = [tendering([]), tendering(["400", "500"])];
    const now = DEADLINE - HOUR;
    const without = { tender: empty.at(now).tender, now };
    const { id, dateModified } = without.tender;
    const withBids = { tender: { ...full.at(now).tender, id, dateModified }, now };
    for (const language of LANGUAGES) {
      for (const query of ["", "show=bids", "view=print"])
        assert.equal(renderTender(withBids, language, query), renderTender(without, language, query));
      const [sealed, none] = [screenAt(withBids, language), screenAt(without, language)];
      assert.equal(renderTenderCalendar(sealed), renderTenderCalendar(none));
      assert.equal(screenSameUntil(sealed), screenSameUntil(none));
    }
    assert.match(sectionText(renderTender(tendering(["400"])), "bids"), /Bids are sealed/);
  });

  it("stay hidden during the auction", () => {
    const page = renderTender(closed(["417", "523"]));
    assert.doesNotMatch(page, /417\.|523\.|417,|523,/);
    assert.match(sectionText(page, "bids"), /Bids are sealed/);
  });
});

describe("hostile texts", () => {
  const HOSTILE = `</script><script>alert(1)</script><b>"'&\u0000\u202e\ud800 --> ]]>`;

  it("are shown as text everywhere", () => {
    const hostile = JSON.parse(
      JSON.stringify(
        published(twoLots)
          .send(STRANGER, askQuestion())
          .send(STRANGER, fileClaim({ status: "claim" })).tender,
      ),
      (key, value: unknown) =>
        typeof value === "string" && /^(title|description|name|legalName|streetAddress|region|locality)/.test(key)
          ? HOSTILE
          : value,
    );
    const scene = { tender: hostile, now: published().now };
    for (const language of LANGUAGES)
      for (const query of ["", "view=print", "show=questions"]) {
        const page = renderTender(scene, language, query);
        assert.doesNotMatch(page, /<script>alert|<b>|\u0000/);
        assertSound(page.toWellFormed());
        // The title of the tab has no characters that turn what follows around.
        assert.doesNotMatch(/<title>(.*?)<\/title>/s.exec(page)?.[1] ?? "", /[\u0000\u202e]/);
      }
  });

  it("of 64 KB are collapsed, and cut on the page of the whole tender", () => {
    const long = "довгий текст ".repeat(5000);
    const page = renderTender(published({ title: long, description: long }));
    assertSound(page);
    assert.ok(page.length < 60_000, String(page.length));
    assert.match(page, /<h1><bdi lang="">[^<]{250,310}…<\/bdi><\/h1>/);
    assert.match(page, /<details><summary>Show the whole text<\/summary>/);
  });
});

describe("a huge tender", () => {
  const item = (i: number): Item => ({
    id: `item ${i}`,
    description: `Предмет номер ${i}, з описом звичайної довжини`,
  });
  const question = (i: number): Question => ({ id: `q${i}`, date: i, title: `Запитання ${i}`, description: "Чому?" });
  const huge = () =>
    published().with({
      items: Array.from({ length: 1000 }, (_, i) => item(i + 1)),
      questions: Array.from({ length: 1000 }, (_, i) => question(i + 1)),
    });

  it("is cut, with links to the rest in pages", () => {
    const page = renderTender(huge());
    assertSound(page);
    assert.ok(gzipSync(page).length < 20_000, `${gzipSync(page).length} bytes`);
    assert.match(page, /href="\/en\/tenders\/\w+\?show=items">Show all 1,000</);
    assert.match(page, /Запитання 1000\b/);
    assert.doesNotMatch(page, /Предмет номер 21,|Запитання 990\b/);
  });

  it("shows every entry on some page", () => {
    const scene = huge();
    const pages = Array.from({ length: 10 }, (_, i) => renderTender(scene, "uk", `show=items&page=${i + 1}`));
    for (const page of pages) {
      assertSound(page);
      assert.match(page, /noindex/);
      assert.ok(gzipSync(page).length < 20_000);
    }
    const shown = pages.flatMap((page) =>
      [...page.matchAll(/Предмет номер (\d+),/g)].map(([, number]) => Number(number)),
    );
    assert.deepEqual(
      shown,
      Array.from({ length: 1000 }, (_, i) => i + 1),
    );
  });

  it("is cut less in the version for print", () => {
    const page = renderTender(huge(), "en", "view=print");
    assert.match(page, /Предмет номер 200,/);
    assert.match(page, /800 more on the site/);
    assert.match(page, /<img src="\/en\/tenders\/\w+\/qr\.svg"/);
  });
});

describe("a wrong parameter", () => {
  it("is named with what is allowed, and has no effect", () => {
    const scene = published().send(BIDDER, askQuestion());
    const cases = {
      "show=everything": /show: “everything” cannot be shown\. Allowed values: timeline, lots, items/,
      "show=items&page=2": /page: there is no page “2”\. Allowed: 1 to 1/,
      "page=zero": /page: there is no page “zero”/,
      "view=3d": /view: “3d” is unknown\. Allowed value: print/,
      "colour=red": /The parameter “colour” is unknown/,
      "show=items&show=lots": /show: the parameter is given twice/,
      "show=__proto__": /show: “__proto__” cannot be shown/,
    };
    for (const [query, message] of Object.entries(cases)) {
      const page = renderTender(scene, "en", query);
      assertSound(page);
      assert.match(visibleText(page), message, query);
      assert.match(page, /noindex/);
    }
    for (const query of ["utm_source=mail", "fbclid=1"])
      assert.equal(renderTender(scene, "en", query), renderTender(scene, "en"));
  });
});

describe("the page of a tender as it was", () => {
  const { tender, now } = tendering(["400"]);
  const version: PublicVersion = { number: 3, at: now, act: "edit tender", tender, before: undefined };
  const screen = pastScreenOf(
    { version, at: now, isLast: false },
    tender,
    { zone, sandbox: false },
    { language: "en", site: SITE },
  );
  const page = renderPortalPage(tenderPage(screen), SITE, "en").markup;

  it("says so, leads to the present and is not listed", () => {
    assertSound(page);
    assert.match(visibleText(page), /This is the tender as it was on .* It is version 3;/);
    assert.match(page, new RegExp(`<a href="/en/tenders/${tender.id}">The tender now</a>`));
    assert.match(page, /noindex/);
    assert.doesNotMatch(page, /\w{32}\/preview\.png|qr\.svg|\.ics"/);
  });

  it("offers nothing to do, counts no time down, and stays in the past", () => {
    const present = renderTender({ tender, now });
    assert.match(sectionText(present, "actions"), /bid/);
    assert.equal(sectionText(page, "actions"), "");
    assert.match(sectionText(present, "summary"), /left/);
    assert.doesNotMatch(sectionText(page, "summary"), /left/);
    assert.match(page, /href="\/en\/tenders\/\w+\?at=[^"&]+&amp;view=print"/);
    assert.match(page, /href="\/api\/2\.5\/tenders\/\w+\?at=/);
  });

  it("links to the files that the tender still has", () => {
    const { tender: withDocument } = published().send(OWNER, addDocument());
    const pageOf = (present: Tender) =>
      renderPortalPage(
        tenderPage(
          pastScreenOf(
            { version: { ...version, tender: withDocument }, at: now, isLast: false },
            present,
            { zone, sandbox: false },
            { language: "en", site: SITE },
          ),
        ),
        SITE,
        "en",
      ).markup;
    assert.match(pageOf(withDocument), /\?download=/);
    const gone = pageOf({ ...withDocument, documents: [] });
    assert.doesNotMatch(gone, /\?download=/);
    assert.match(sectionText(gone, "documents"), /SHA-256/);
  });

  it("has nothing of sealed bids", () => {
    assert.doesNotMatch(page, /400/);
    assert.match(sectionText(page, "bids"), /sealed|until/);
  });
});
