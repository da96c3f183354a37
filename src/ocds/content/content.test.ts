import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AUCTION, BIDDER, OWNER, type Scene } from "../../../test/support/decisions.ts";
import { CAUSE, direct, recorded } from "../../../test/support/directScenes.ts";
import {
  addDocument,
  askQuestion,
  cancelLot,
  cancelTender,
  DEADLINE,
  finishAuction,
  LOT_A,
  meals,
  money,
  onBoth,
  replaceDocument,
  setAuctionUrls,
  TENDERING,
  twoLots,
} from "../../../test/support/domainCommands.ts";
import { NO_OCDS_FILES, readOcdsCodes, readOcdsFile } from "../../../test/support/ocdsFiles.ts";
import { OCDS_SETTINGS } from "../../../test/support/ocdsWalks.ts";
import { cook, school } from "../../../test/support/organizations.ts";
import { zone } from "../../../test/support/randomWalks.ts";
import {
  awarded,
  closed,
  plain,
  published,
  qualifying,
  SCENES,
  STATUSES,
  signed,
  tendering,
} from "../../../test/support/scenes.ts";
import type { TenderCommand } from "../../domain/model/commands.ts";
import { decimal } from "../../domain/values/decimal.ts";
import { MINUTE } from "../../domain/values/time.ts";
import { publicTender } from "../../views/publicTender.ts";
import { ExactNumber, objectAt, objectsIn } from "../ocdsValues.ts";
import { contentOf } from "./content.ts";
import { OCDS_CURRENCIES } from "./currencies.ts";
import { dateOf, moneyOf, webAddressOf, withUniqueIds } from "./fieldValues.ts";
import { itemList, procurementCategoryOf } from "./itemList.ts";
import { partyReferences } from "./partyRoles.ts";

const contentOfScene = ({ tender, now }: Scene) =>
  contentOf(publicTender(tender, { now, zone, sandbox: false }), OCDS_SETTINGS);
const tenderOf = (scene: Scene) => objectAt(contentOfScene(scene), "tender");

describe("the content of a tender", () => {
  it("has a status of OCDS for every status of ours", () => {
    const statuses = STATUSES.filter((status) => status !== "draft").map((status) => {
      const { status: mapped, statusDetails } = tenderOf(SCENES[status]());
      assert.equal(statusDetails, status);
      return [status, mapped];
    });
    assert.deepEqual(Object.fromEntries(statuses), {
      "active.enquiries": "active",
      "active.tendering": "active",
      "active.auction": "active",
      "active.qualification": "complete",
      "active.awarded": "complete",
      complete: "complete",
      cancelled: "cancelled",
      unsuccessful: "unsuccessful",
    });
    assert.equal(tenderOf(direct("reporting")).status, "active");
    assert.equal(tenderOf(recorded("reporting")).status, "complete");
  });

  it("says how the tender is held, in the words of OCDS", () => {
    const { procurementMethod, procurementMethodDetails, awardCriteria, submissionMethod, mainProcurementCategory } =
      tenderOf(published());
    assert.deepEqual(
      { procurementMethod, procurementMethodDetails, awardCriteria, submissionMethod, mainProcurementCategory },
      {
        procurementMethod: "open",
        procurementMethodDetails: "belowThreshold",
        awardCriteria: "priceOnly",
        submissionMethod: ["electronicAuction"],
        mainProcurementCategory: "services",
      },
    );
    assert.equal(tenderOf(plain()).procurementMethodDetails, "basic");
    const negotiation = tenderOf(direct("negotiation"));
    assert.equal(negotiation.procurementMethod, "limited");
    assert.equal(negotiation.procurementMethodRationale, CAUSE.causeDescription);
    assert.equal(negotiation.cause, CAUSE.cause);
  });

  it("rates criteria if there are features", () => {
    const options = ["0", "0.1"].map((value) => ({ title: value, value: decimal(value) }));
    const features = [{ code: "OCDS-1", featureOf: "tenderer" as const, title: "Відстрочка", enum: options }];
    assert.equal(tenderOf(published({ features })).awardCriteria, "ratedCriteria");
  });

  it("names the buyer once as a party with both roles, and refers to it", () => {
    const content = contentOfScene(published());
    const id = `UA-EDR-${school.identifier.id}`;
    const [party] = objectsIn(content.parties);
    assert.deepEqual(content.buyer, { id, name: school.name });
    assert.deepEqual(objectAt(content, "tender").procuringEntity, content.buyer);
    assert.deepEqual(party?.roles, ["buyer", "procuringEntity"]);
    assert.deepEqual(party?.identifier, school.identifier);
    assert.deepEqual(party?.address, school.address);
  });

  it("gives every reference the name of its party, however the tender writes it in each place", () => {
    const won = awarded(["400"]);
    const [bid] = won.stored.bids;
    const [award] = won.tender.awards;
    assert.ok(bid && award);
    const bids = [
      { ...bid, tenderers: [{ ...cook, name: "Смачно" }] },
      { ...bid, id: "2", tenderers: [{ ...school, name: "Школа" }] },
    ];
    const content = contentOfScene(won.with({ bids, awards: [{ ...award, suppliers: [cook] }] }));
    const names = new Map(objectsIn(content.parties).map(({ id, name }) => [id, name]));
    assert.deepEqual([...names.values()], [school.name, "Смачно"]);
    const references = partyReferences(content);
    assert.equal(references.length, 7);
    for (const { id, name } of references) assert.equal(name, names.get(id));
  });

  it("gives an organisation without an identifier an id by its place", () => {
    const { identifier: _identifier, ...unregistered } = cook;
    const { now } = published();
    const questions = [{ id: "1", date: now, author: unregistered }];
    const content = contentOfScene(published().with({ status: "unsuccessful", questions }));
    const [enquiry] = objectsIn(objectAt(content, "tender").enquiries);
    assert.deepEqual(objectAt(enquiry ?? {}, "author"), { id: "enquiries/1", name: cook.name });
    assert.deepEqual(objectsIn(content.parties)[1]?.roles, ["enquirer"]);
  });

  it("hides who asked while the API hides it", () => {
    const content = contentOfScene(published().send(BIDDER, askQuestion({ author: cook })));
    assert.equal(objectsIn(objectAt(content, "tender").enquiries)[0]?.author, undefined);
    assert.equal(objectsIn(content.parties).length, 1);
  });

  it("has the newest version of a document with an absolute address", () => {
    const first = published().send(OWNER, addDocument());
    const content = tenderOf(first.later(MINUTE).send(OWNER, replaceDocument(first.id)));
    const documents = objectsIn(content.documents);
    assert.equal(documents.length, 1);
    assert.match(
      String(documents[0]?.url),
      /^https:\/\/tenders\.example\/api\/2\.5\/tenders\/\w+\/documents\/\w+\?download=/,
    );
    assert.equal(documents[0]?.datePublished, "2026-11-16T08:00:00.000000Z");
    assert.equal(documents[0]?.dateModified, "2026-11-16T08:01:00.000000Z");
  });

  it("has the address of an auction that another service holds", () => {
    const auctionUrl = "https://auction.example/1";
    const scene = closed(["400", "500"]).send(AUCTION, setAuctionUrls({ auctionUrl }));
    assert.equal(tenderOf(scene).auctionUrl, auctionUrl);
  });

  it("has the items of its lot in an award", () => {
    const items = [
      { ...meals, relatedLot: LOT_A },
      { ...meals, relatedLot: "b".repeat(32) },
    ];
    const content = contentOfScene(
      qualifying(
        [
          {
            kind: "place bid",
            sent: {
              fields: { tenderers: [cook], lotValues: [{ relatedLot: LOT_A, value: money("900") }] },
              problems: [],
            },
          },
        ],
        { ...twoLots, items },
      ),
    );
    const [award] = objectsIn(content.awards);
    assert.deepEqual(
      objectsIn(award?.items).map(({ relatedLot }) => relatedLot),
      [LOT_A],
    );
    assert.deepEqual(award?.relatedLots, [LOT_A]);
  });

  it("says that a lot is complete as soon as it has an award, and that it ends with the tender", () => {
    const onLotA: TenderCommand = {
      kind: "place bid",
      sent: { fields: { tenderers: [cook], lotValues: [{ relatedLot: LOT_A, value: money("900") }] }, problems: [] },
    };
    const statusesOfLots = (scene: Scene) =>
      objectsIn(tenderOf(scene).lots).map(({ status, statusDetails }) => [status, statusDetails]);
    assert.deepEqual(statusesOfLots(tendering([onLotA], twoLots)), [
      ["active", "active"],
      ["active", "active"],
    ]);
    assert.deepEqual(statusesOfLots(qualifying([onLotA], twoLots)), [
      ["complete", "active"],
      ["unsuccessful", "unsuccessful"],
    ]);
    assert.deepEqual(statusesOfLots(tendering([onLotA], twoLots).send(OWNER, cancelTender)), [
      ["cancelled", "active"],
      ["cancelled", "active"],
    ]);
  });

  it("says that an award has ended with its tender or its lot, unless the contract is signed", () => {
    const statuses = (scene: Scene) => objectsIn(contentOfScene(scene).awards).map(({ status }) => status);
    const won = awarded(["400"]);
    assert.deepEqual(statuses(won), ["active"]);
    assert.deepEqual(statuses(won.later(MINUTE).send(OWNER, cancelTender)), ["cancelled"]);
    assert.deepEqual(statuses(signed(won).with({ status: "cancelled" })), ["active"]);
    const onLots = qualifying([onBoth("900", "800")], twoLots).later(MINUTE);
    assert.deepEqual(statuses(onLots), ["pending", "pending"]);
    assert.deepEqual(statuses(onLots.send(OWNER, cancelLot(LOT_A))), ["cancelled", "pending"]);
  });

  it("dates a bid by its receipt, not by a price that the auction lowered after the deadline", () => {
    const sealed = closed(["400", "500"]).later(MINUTE);
    const [lowered, unchanged] = sealed.stored.bids;
    assert.ok(lowered && unchanged);
    const result = { value: { amount: decimal("350") }, date: sealed.now };
    const offers = [{ id: lowered.id, ...result }, { id: unchanged.id }];
    const scene = sealed.send(AUCTION, finishAuction({ bids: offers }));
    const bids = objectsIn(objectAt(contentOfScene(scene), "bids").details);
    assert.deepEqual(
      bids.map(({ date, datePriceSet }) => ({ date, datePriceSet })),
      [
        { date: undefined, datePriceSet: dateOf(scene.now) },
        { date: dateOf(unchanged.date), datePriceSet: dateOf(unchanged.date) },
      ],
    );
    const onLots = qualifying([onBoth("900", "800")], twoLots);
    const [onBothLots] = objectsIn(objectAt(contentOfScene(onLots), "bids").details);
    assert.ok(onBothLots?.date !== undefined && onBothLots.datePriceSet === undefined);
  });

  it("says that a rejected bid is disqualified", () => {
    const scene = awarded(["400"]);
    const [award] = scene.tender.awards;
    assert.ok(award);
    const bids = (each: Scene) => objectsIn(objectAt(contentOfScene(each), "bids").details);
    assert.equal(bids(scene)[0]?.status, "valid");
    assert.equal(bids(scene.with({ awards: [{ ...award, status: "unsuccessful" }] }))[0]?.status, "disqualified");
  });

  it("says nothing about bids in a tender without any, while more may come", () => {
    const start = plain().at(published().now).tick();
    assert.equal(tenderOf(start).numberOfTenderers, undefined);
    assert.equal(tenderOf(closed([])).numberOfTenderers, 0);
    assert.equal(tenderOf(qualifying(["400"])).numberOfTenderers, 1);
  });

  it("does not say that nobody submitted a bid if the bids were deleted unseen", () => {
    const beforeDeadline = tendering(["400", "500"]).send(OWNER, cancelTender);
    const inAuction = closed(["400", "500"]).later(MINUTE).send(OWNER, cancelTender);
    for (const { tender, now } of [beforeDeadline, inAuction])
      assert.deepEqual(publicTender(tender, { now, zone, sandbox: false }).bids, []);
    assert.equal(tenderOf(beforeDeadline).numberOfTenderers, undefined);
    assert.equal(tenderOf(inAuction).numberOfTenderers, undefined);
    const openly = plain().at(TENDERING).tick();
    assert.equal(tenderOf(openly.send(OWNER, cancelTender)).numberOfTenderers, undefined);
    assert.equal(tenderOf(openly.at(DEADLINE).tick().send(OWNER, cancelTender)).numberOfTenderers, 0);
  });
});

describe("values in OCDS", () => {
  it("are dates in UTC of the same length, between 1990 and 2049", () => {
    assert.equal(dateOf(Date.UTC(2026, 9, 25) * 1000 + 1), "2026-10-25T00:00:00.000001Z");
    assert.equal(dateOf(Date.UTC(1990, 0) * 1000), "1990-01-01T00:00:00.000000Z");
    assert.equal(dateOf(Date.UTC(1990, 0) * 1000 - 1), undefined);
    assert.equal(dateOf(Date.UTC(2050, 0) * 1000 - 1), "2049-12-31T23:59:59.999999Z");
    assert.equal(dateOf(Date.UTC(2050, 0) * 1000), undefined);
  });

  it("are amounts with every digit", () => {
    const { amount } = moneyOf({ amount: decimal("12345678901234567890.12"), currency: "UAH" });
    assert.ok(amount instanceof ExactNumber);
    assert.equal(JSON.stringify({ amount }), '{"amount":12345678901234567890.12}');
    assert.deepEqual(moneyOf({ amount: decimal("0.1"), currency: "UAH", valueAddedTaxIncluded: false }), {
      amount: 0.1,
      currency: "UAH",
      valueAddedTaxIncluded: false,
    });
  });

  it("are amounts also in a currency that OCDS does not know", () => {
    assert.deepEqual(moneyOf({ amount: decimal("1"), currency: "XYZ" }), { amount: 1, unlistedCurrency: "XYZ" });
    assert.deepEqual(moneyOf({ amount: decimal("1") }), { amount: 1 });
    assert.deepEqual(moneyOf({ currency: "UAH" }), {});
  });

  it("are currencies of the list of OCDS, whatever the runtime knows", { skip: NO_OCDS_FILES }, () => {
    const listed = readOcdsCodes("currency.csv");
    assert.deepEqual(new Set(listed), OCDS_CURRENCIES);
    const { currency } = readOcdsFile("schema/release-schema.json").definitions.Value.properties;
    assert.deepEqual(new Set(currency.enum.filter((code: unknown) => code !== null)), OCDS_CURRENCIES);
  });

  it("are addresses of the web, with every other character escaped", () => {
    assert.equal(
      webAddressOf(" https://example.com/a b|c?d={e}#f#g "),
      "https://example.com/a%20b%7Cc?d=%7Be%7D#f%23g",
    );
    assert.equal(webAddressOf("http://приклад.укр/"), "http://xn--80aikifvh.xn--j1amh/");
    assert.equal(webAddressOf("https://example.com/100%"), "https://example.com/100%25");
    for (const wrong of ["", "www.example.com", "mailto:a@example.com", "javascript:alert(1)", "http://[::1]/"])
      assert.equal(webAddressOf(wrong), undefined);
  });

  it("have ids that are unique in their list, whatever clients send", () => {
    const ids = withUniqueIds([{ id: "1" }, { id: "1" }, {}, { id: " " }, { id: "1-2" }]).map(({ id }) => id);
    assert.deepEqual(ids, ["1", "1-2", "3", "4", "1-2-5"]);
  });

  it("are units of UN/CEFACT only if their code can be one", () => {
    const unitsOf = (...codes: readonly string[]) =>
      itemList(codes.map((code) => ({ unit: { code, name: "шт" } }))).map(({ unit }) => unit);
    assert.deepEqual(unitsOf("H87", "KG", "44617100-9", "шт", "kg"), [
      { scheme: "UNCEFACT", id: "H87", name: "шт" },
      { scheme: "UNCEFACT", id: "KG", name: "шт" },
      { id: "44617100-9", name: "шт" },
      { id: "шт", name: "шт" },
      { id: "kg", name: "шт" },
    ]);
  });

  it("are goods, works or services by the division of CPV", () => {
    const categoryOf = (id: string) => procurementCategoryOf([{}, { classification: { scheme: "CPV", id } }]);
    assert.deepEqual(
      ["03000000-1", "44000000-0", "45000000-7", "48000000-8", "50000000-5", "98000000-3", "99999999-9", "x"].map(
        categoryOf,
      ),
      ["goods", "goods", "works", "goods", "services", "services", undefined, undefined],
    );
  });
});
