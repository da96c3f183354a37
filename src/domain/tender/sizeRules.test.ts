import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fullTender } from "../../../test/support/examples.ts";
import { dialects, zone } from "../../../test/support/randomWalks.ts";
import { START } from "../../../test/support/world.ts";
import { decide } from "../decide.ts";
import type { Account, Actor } from "../model/actors.ts";
import type { CommandContext, TenderCommand } from "../model/commands.ts";
import type { SizeLimits } from "../model/sizeLimits.ts";
import type { Tender } from "../model/tender.ts";
import { decimal } from "../values/decimal.ts";
import { publish } from "./publishing.ts";

const account = (name: string): Account => ({ name, group: "brokers", levels: "1234" });
const actor = (name: string): Actor => ({ account: account(name), tokenHash: `${name} token` });
const sent = (fields: object) => ({ fields, problems: [] }) as never;
const GENEROUS: SizeLimits = {
  bidsPerAccountMax: 1000,
  bidBytesPerAccountMax: 1e9,
  tenderBytesMax: 1e9,
  storedBytesMax: 1e9,
};

let ids = 0;
const contextOf = (name: string, limits: Partial<SizeLimits>, at: number): CommandContext => ({
  ...{ actor: actor(name), at, zone, sandbox: true, limits: { ...GENEROUS, ...limits } },
  newId: () => (++ids).toString(16).padStart(32, "0"),
  newTokenHash: `${name} token`,
});

function published(limits: Partial<SizeLimits> = {}) {
  const { procurementMethodType: _type, ...fields } = dialects
    .get("2.5")!
    .readNew<Record<string, unknown>>("Tender", fullTender()).fields;
  const context = contextOf("buyer", limits, START);
  return publish({ procedure: "belowThreshold", sent: sent(fields) }, context, () => 1);
}

const DAY = 24 * 60 * 60 * 1_000_000;
const TENDERING = START + 8 * DAY;

/** What the commands lead to; of each, the rule that it was refused by, or nothing. */
function after(
  limits: Partial<SizeLimits>,
  steps: readonly (readonly [string, (tender: Tender) => TenderCommand, number?])[],
) {
  const first = published();
  assert.ok(first.ok);
  let tender = first.value;
  const rules = steps.map(([name, command, at = TENDERING]) => {
    const decided = decide(tender, command(tender), contextOf(name, limits, at));
    if (decided.ok) tender = decided.value.tender;
    else assert.equal(decided.refused.kind, "rule", JSON.stringify(decided.refused));
    return decided.ok ? undefined : "rule" in decided.refused && decided.refused.rule;
  });
  return { tender, rules };
}

const organization = (length: number) => ({
  name: "x".repeat(length),
  identifier: { scheme: "UA-EDR", id: "1", legalName: "A" },
  address: { countryName: "Україна" },
  contactPoint: { name: "A" },
});
const bidFields = (length: number) => ({ tenderers: [organization(length)], value: { amount: decimal("1") } });
const place = (length: number) => (): TenderCommand => ({ kind: "place bid", sent: sent(bidFields(length)) });
const lengthen =
  (length: number, at = 0) =>
  ({ bids }: Tender): TenderCommand => ({
    kind: "change bid",
    bid: bids[at]!.id,
    sent: sent({ tenderers: [{ name: "x".repeat(length) }] }),
  });
const file = { title: "a.txt", format: "text/plain", key: "0".repeat(32), hash: "md5:0", sha256: "0", size: 1 };
const attach =
  (title: string) =>
  ({ bids }: Tender): TenderCommand => ({ kind: "add document", of: { bid: bids[0]!.id }, file: { ...file, title } });
const ask = (length: number) => (): TenderCommand => ({
  kind: "ask question",
  sent: sent({ title: "?", description: "x".repeat(length), author: organization(1) }),
});
const edit = (length: number) => (): TenderCommand => ({
  kind: "edit tender",
  sent: sent({ description: "x".repeat(length) }),
});

describe("the bids of an account on a tender", () => {
  const LIMIT = { bidBytesPerAccountMax: 10_000 };

  it("are limited in number, independently of other accounts", () => {
    const { rules } = after({ bidsPerAccountMax: 2 }, [
      ["a", place(1)],
      ["b", place(1)],
      ["a", place(1)],
      ["a", place(1)],
      ["b", place(1)],
      ["a", lengthen(5)],
    ]);
    assert.deepEqual(rules, [undefined, undefined, undefined, "too-many-bids", undefined, undefined]);
  });

  it("are limited in size, whether placed, changed or with documents, independently of other accounts", () => {
    const { rules } = after(LIMIT, [
      ["a", place(4000)],
      ["b", place(4000)],
      ["a", place(4000)],
      ["a", place(4000)],
      ["a", lengthen(8000)],
      ["a", attach("y".repeat(4000))],
      ["b", place(4000)],
    ]);
    const refused = "bids-too-large";
    assert.deepEqual(rules, [undefined, undefined, undefined, refused, refused, refused, undefined]);
  });

  it("may always become smaller, also where a limit was lowered", () => {
    const { tender } = after({}, [
      ["a", place(4000)],
      ["a", place(9000)],
    ]);
    const context = contextOf("a", LIMIT, TENDERING);
    assert.ok(decide(tender, lengthen(3000)(tender), context).ok);
    assert.ok(!decide(tender, lengthen(4001)(tender), context).ok);
    assert.ok(decide(tender, { kind: "withdraw bid", bid: tender.bids[0]!.id }, context).ok);
  });

  it("count text as it is stored, not as the characters that it shows", () => {
    const name = (text: string) => (): TenderCommand => ({
      kind: "place bid",
      sent: sent({ ...bidFields(1), tenderers: [{ ...organization(1), name: text }] }),
    });
    for (const text of ["ї".repeat(5000), "\u0001".repeat(2000), '"'.repeat(5000)])
      assert.deepEqual(after(LIMIT, [["a", name(text)]]).rules, ["bids-too-large"]);
    assert.deepEqual(after(LIMIT, [["a", name("x".repeat(5000))]]).rules, [undefined]);
  });

  it("count long names once more for each lot that could be awarded to them", () => {
    const lots = Array.from({ length: 50 }, (_, i) => ({ id: i.toString(16).padStart(32, "a"), title: "Lot" }));
    const value = { amount: decimal("1"), currency: "UAH", valueAddedTaxIncluded: true };
    const first = published();
    assert.ok(first.ok);
    const activeLots = lots.map((lot) => ({
      ...lot,
      status: "active" as const,
      date: START,
      value,
      minimalStep: value,
    }));
    const tender = { ...first.value, lots: activeLots };
    const bid = (length: number): TenderCommand => ({
      kind: "place bid",
      sent: sent({ tenderers: [organization(length)], lotValues: lots.map(({ id }) => ({ relatedLot: id, value })) }),
    });
    const context = contextOf("a", { bidBytesPerAccountMax: 50_000 }, TENDERING);
    assert.ok(decide(tender, bid(3000), context).ok);
    assert.ok(!decide(tender, bid(6000), context).ok);
  });

  it("are measured once each: one more costs nothing for those before it", () => {
    const { tender } = after(
      {},
      Array.from({ length: 100 }, () => ["a", place(5000)] as const),
    );
    const stringify = JSON.stringify;
    let characters = 0;
    JSON.stringify = ((...all: Parameters<typeof stringify>) => {
      const text = stringify(...all);
      characters += text?.length ?? 0;
      return text;
    }) as typeof stringify;
    try {
      assert.ok(decide(tender, place(5000)(), contextOf("a", {}, TENDERING)).ok);
    } finally {
      JSON.stringify = stringify;
    }
    assert.ok(characters < 3 * 5000 + stringify({ ...tender, bids: [] }).length * 2, `${characters} characters`);
  });
});

describe("a tender without its bids", () => {
  const LIMIT = { tenderBytesMax: 20_000 };

  it("is limited in size, with half of the limit reserved for its owner", () => {
    const { rules } = after(LIMIT, [
      ["guest", ask(4000), START + DAY],
      ["guest", ask(4000), START + DAY],
      ["buyer", edit(6000), START + DAY],
      ["buyer", edit(16_000), START + DAY],
      ["buyer", edit(10), START + DAY],
    ]);
    assert.deepEqual(rules, [undefined, "tender-too-large", undefined, "tender-too-large", undefined]);
  });

  it("is not published larger than that", () => {
    assert.ok(published().ok);
    const refused = published({ tenderBytesMax: 500 });
    assert.ok(!refused.ok && "rule" in refused.refused && refused.refused.rule === "tender-too-large");
  });

  it("does not include its bids", () => {
    assert.deepEqual(after(LIMIT, [["a", place(30_000)]]).rules, [undefined]);
  });
});

describe("a tender that a server could not store", () => {
  it("is refused for everyone, and the procedure can still continue", () => {
    const { tender, rules } = after({ storedBytesMax: 30_000 }, [
      ["a", place(10_000)],
      ["b", place(10_000)],
      ["c", place(10_000)],
      ["a", lengthen(20_000)],
      ["a", lengthen(9000)],
    ]);
    assert.deepEqual(rules, [undefined, undefined, "tender-full", "tender-full", undefined]);
    const cancel: TenderCommand = {
      kind: "add cancellation",
      sent: sent({ reason: "x".repeat(20_000), status: "active" }),
    };
    assert.ok(decide(tender, cancel, contextOf("buyer", { storedBytesMax: 10_000 }, TENDERING)).ok);
  });
});
