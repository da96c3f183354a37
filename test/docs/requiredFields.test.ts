import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { REQUIRED, type Requirements } from "../../scripts/requiredFields.ts";
import { NEWEST, type ShapeName } from "../../src/dialects/newestShapes.ts";
import { DIRECT_PROCEDURES } from "../support/directScenes.ts";
import { cook, directTender, fullTender, publish, school } from "../support/examples.ts";
import { claimOf, LOT_A, lotBid, lotOf, onLot, UNKNOWN_ID, withLots } from "../support/procedure.ts";
import { sharedWorld } from "../support/world.ts";

/** The client's types require exactly the fields that the service requires. */

type Body = { readonly [name: string]: unknown };
type Removal = { readonly path: string; readonly body: Body; readonly isRequired: boolean };

const isEnough = ({ either, unless }: Requirements, body: Body): boolean =>
  !either ||
  unless?.values.includes(String(body[unless.field])) ||
  either.some((set) => set.every((name) => name in body));

/** The body without one of its fields, for each field, and whether the types allow that. */
function removals(body: Body, shape: string, requirements = REQUIRED[shape] ?? {}, at = ""): readonly Removal[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const { [name]: _left, ...rest } = body;
    const isRequired = requirements.always?.includes(name) || !isEnough(requirements, rest);
    return [{ path: `${at}${name}`, body: rest, isRequired }, ...removalsInside(body, name, value, shape, at)];
  });
}

function removalsInside(body: Body, name: string, value: unknown, shape: string, at: string): readonly Removal[] {
  const { of: nested } = NEWEST[shape as ShapeName][name] ?? {};
  if (!nested) return [];
  const own = REQUIRED[nested] ?? {};
  const requirements = { ...own, always: [...(own.always ?? []), ...(REQUIRED[shape]?.inside?.[name] ?? [])] };
  const [first, ...others] = [value].flat() as Body[];
  return removals(first!, nested, requirements, `${at}${name}.`).map((removal) => ({
    ...removal,
    body: { ...body, [name]: Array.isArray(value) ? [removal.body, ...others] : removal.body },
  }));
}

/** The sender, and the fields that are not tried. */
type Sender = { readonly key?: string; readonly token?: string; readonly besides?: readonly string[] };

const PLACE = { latitude: "49.2", longitude: "28.5", elevation: "300" };
const FEATURE = { code: "speed", title: "Швидкість", enum: [{ title: "Швидко", value: 0.1 }] };

describe("the client's types for creating objects", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const tender = fullTender(world.clock.now);
  const [item] = tender.items;

  /** A dry run: only errors about missing fields count, and those come before errors about the status. */
  async function checkRequired(path: string, shape: string, body: Body, { besides = [], ...by }: Sender = {}) {
    for (const { path: left, body: sent, isRequired } of removals(body, shape)) {
      if (besides.includes(left)) continue;
      const { status, text } = await api.post(`${path}?dry_run=1`, sent, by);
      const isMissed = status === 422 && text.includes("This field is required.");
      assert.equal(isMissed, isRequired, `${shape} without ${left}: ${status} ${text}`);
    }
  }

  it("require the fields of a tender that the service requires", async () => {
    await checkRequired("/tenders", "Tender", {
      ...tender,
      guarantee: { amount: 1, currency: "UAH" },
      procuringEntity: { ...school, kind: "general", additionalIdentifiers: [school.identifier] },
      features: [FEATURE],
      items: [
        {
          ...item,
          unit: { ...item!.unit, value: { amount: 1, currency: "UAH" } },
          deliveryAddress: school.address,
          deliveryLocation: PLACE,
          deliveryDate: { endDate: tender.tenderPeriod.endDate },
        },
      ],
    });
  });

  it("require the fields of a tender with lots that the service requires, without a step of its own", async () => {
    // The tender's amounts follow from its lots, but the types require them, because they have one type of value. Lots need a step
    // only where bids compete, which the types cannot express.
    const besides = ["value.amount", "minimalStep.amount", "lots.minimalStep"];
    await checkRequired("/tenders", "Tender", { ...tender, ...withLots(world.clock.now) }, { besides });
  });

  it("require no periods and no step of a tender without bids, and a supplier of its award", async () => {
    for (const procedure of DIRECT_PROCEDURES) {
      // The types do not express what only these procedures require.
      const ownFields = ["procurementMethodType", "cause", "causeDescription"];
      const itemFields = ["deliveryDate", "deliveryDate.endDate", "deliveryAddress"].map((name) => `items.${name}`);
      const direct = directTender(procedure, world.clock.now);
      await checkRequired("/tenders", "Tender", direct, { besides: [...ownFields, ...itemFields] });
      const { path, token } = await publish(api, direct);
      const award = { suppliers: [cook], value: { amount: 1, currency: "UAH" } };
      await checkRequired(`${path}/awards`, "Award", award, { token });
    }
  });

  it("require the fields of a lot, a question, a complaint and a cancellation that the service requires", async () => {
    const { path, token } = await publish(api, tender);
    const lot = { ...lotOf(LOT_A), guarantee: { amount: 1 } };
    await checkRequired(`${path}/lots`, "Lot", lot, { token, besides: ["minimalStep"] });
    await checkRequired(`${path}/questions`, "Question", { title: "Коли?", description: "?", author: cook });
    await checkRequired(`${path}/complaints`, "Complaint", { ...claimOf() });
    await checkRequired(
      `${path}/cancellations`,
      "Cancellation",
      { reason: "Годі", cancellationOf: "tender" },
      { token },
    );
  });

  it("require the fields of a bid that the service requires, with lots and without", async () => {
    const featured = await publish(api, { ...tender, features: [FEATURE] });
    const parameters = [{ code: "speed", value: 0.1 }];
    const bid = { tenderers: [cook], value: { amount: 400, currency: "UAH" }, parameters, status: "draft" };
    // Only some tenders have features, which the types cannot express.
    await checkRequired(`${featured.path}/bids`, "Bid", bid, { besides: ["parameters"] });
    const lotted = await publish(api, { ...tender, ...withLots(world.clock.now) });
    await checkRequired(`${lotted.path}/bids`, "Bid", lotBid(onLot(LOT_A, 400)) as Body);
  });

  it("require the fields of awards, contracts and registered documents that the service requires", async () => {
    const { path, token } = await publish(api, tender);
    const admin = { key: "token" };
    // Only awards of bids have a `bid_id`.
    const award = { suppliers: [cook], bid_id: UNKNOWN_ID, title: "За рішенням суду" };
    await checkRequired(`${path}/awards`, "Award", award, { ...admin, besides: ["bid_id"] });
    const value = { amount: 1, currency: "UAH" };
    await checkRequired(`${path}/contracts`, "Contract", { awardID: UNKNOWN_ID, suppliers: [cook], value }, admin);
    const registered = {
      url: "http://127.0.0.1:1/get/x",
      title: "a.txt",
      format: "text/plain",
      hash: `md5:${UNKNOWN_ID}`,
    };
    await checkRequired(`${path}/documents`, "Registration", registered, { token });
  });
});
