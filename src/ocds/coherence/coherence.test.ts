import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OWNER } from "../../../test/support/decisions.ts";
import { editTender, LOT_A, TENDERING } from "../../../test/support/domainCommands.ts";
import { releasesOfScenes } from "../../../test/support/ocdsWalks.ts";
import { decided, published, qualifying, signed } from "../../../test/support/scenes.ts";
import { MINUTE } from "../../domain/values/time.ts";
import { compileReleases, type Release } from "../merge.ts";
import { isOcdsList, isOcdsObject, type OcdsObject, type OcdsValue } from "../ocdsValues.ts";
import { checkProcess } from "./coherence.ts";
import { COHERENCE_RULES, type CoherenceRule } from "./coherenceFindings.ts";

/** A tender from its contract back to its publication, in five releases. */
function coherentReleases(): readonly Release[] {
  const qualification = qualifying(["400"]);
  const won = decided(qualification.later(MINUTE), "active");
  const start = published({ description: "Обіди" });
  const edited = start.later(MINUTE).send(OWNER, editTender({ title: "Інша назва" }));
  const { id, items } = start.tender;
  const sameTender = [qualification, won, signed(won)].map((scene) => scene.with({ id, items }));
  return releasesOfScenes([start, edited, edited.at(TENDERING), ...sameTender]);
}

/** The value with another one at the end of the path, or without it. Steps into lists are positions. */
function changed(
  value: OcdsValue | undefined,
  [step, ...rest]: readonly (string | number)[],
  to: OcdsValue | undefined,
): OcdsValue {
  if (isOcdsList(value)) return value.map((element, i) => (i === step ? next(element, rest, to) : element));
  const object = isOcdsObject(value) ? value : {};
  const { [String(step)]: inner, ...others } = object;
  const result = rest.length === 0 ? to : changed(inner, rest, to);
  return result === undefined ? others : { ...others, [String(step)]: result };
}

const next = (element: OcdsValue, rest: readonly (string | number)[], to: OcdsValue | undefined): OcdsValue =>
  rest.length === 0 ? (to ?? null) : changed(element, rest, to);

type Mutation = {
  /** Which release is changed: the position, or the compiled one. */
  readonly of: number | "compiled";
  readonly path: readonly (string | number)[];
  readonly to?: OcdsValue;
  /** Another change of the same release, if one is not enough. */
  readonly and?: Pick<Mutation, "path" | "to">;
};

/** For each rule, a change of coherent data that breaks it. */
const MUTATIONS: { readonly [rule in CoherenceRule]: Mutation } = {
  "no-empty-values": { of: 0, path: ["tender", "description"], to: " " },
  "no-nulls-in-compiled": { of: "compiled", path: ["tender", "description"], to: null },
  "dates-have-zones": { of: 0, path: ["tender", "tenderPeriod", "endDate"], to: "2026-11-30T08:00:00" },
  "dates-are-plausible": { of: 0, path: ["tender", "tenderPeriod", "endDate"], to: "2050-01-01T00:00:00Z" },
  "amounts-are-numbers": { of: 0, path: ["tender", "value", "amount"], to: "500000" },
  "party-ids-are-texts": { of: 0, path: ["parties", 0, "id"], to: 1 },
  "ids-are-unique": { of: 2, path: ["id"], to: "" },
  "no-awards-while-active": { of: "compiled", path: ["tender", "status"], to: "active" },
  "no-awards-of-active-lots": {
    of: "compiled",
    path: ["tender", "lots"],
    to: [{ id: LOT_A, status: "active" }],
    and: { path: ["awards", 0, "relatedLots"], to: [LOT_A] },
  },
  "no-active-lots-after-end": {
    of: "compiled",
    path: ["tender"],
    to: { id: "1", status: "cancelled", lots: [{ id: LOT_A, status: "active" }] },
  },
  "cancelled-awards-end": {
    of: "compiled",
    path: ["tender", "status"],
    to: "cancelled",
    and: { path: ["contracts"] },
  },
  "contracts-have-active-awards": { of: "compiled", path: ["awards", 0, "status"], to: "pending" },
  "dates-are-in-order": { of: "compiled", path: ["awards", 0, "date"], to: "2026-11-17T00:00:00Z" },
  "bids-precede-deadline": { of: "compiled", path: ["bids", "details", 0, "date"], to: "2027-11-17T00:00:00Z" },
  "events-precede-release": { of: 3, path: ["awards", 0, "date"], to: "2027-11-17T00:00:00Z" },
  "tenderers-are-counted": { of: "compiled", path: ["tender", "numberOfTenderers"], to: 2 },
  "zero-tenderers-are-certain": {
    of: "compiled",
    path: ["tender"],
    to: { id: "1", status: "cancelled", procurementMethodDetails: "belowThreshold", numberOfTenderers: 0 },
  },
  "references-have-parties": { of: 0, path: ["buyer", "id"], to: "UA-EDR-1" },
  "references-have-names-of-parties": { of: 0, path: ["buyer", "name"], to: "Інша назва" },
  "references-have-roles": { of: 0, path: ["parties", 0, "roles"], to: ["buyer"] },
  "roles-have-references": { of: "compiled", path: ["parties", 0, "roles"], to: ["buyer", "procuringEntity", "payer"] },
  "releases-share-ocid": { of: 1, path: ["ocid"], to: "ocds-213czf-other" },
  "releases-are-dated-in-order": { of: 1, path: ["date"], to: "2026-11-15T00:00:00Z" },
  "process-starts-with-tender": { of: 1, path: ["tag"], to: ["tender"] },
  "titles-change-by-amendment": { of: 1, path: ["tag"], to: ["tenderUpdate"] },
  "compiled-is-merged": { of: "compiled", path: ["tender", "title"], to: "Чужа" },
};

const isRelease = (value: OcdsValue): value is Release => isOcdsObject(value) && typeof value.date === "string";

function mutated(release: OcdsObject, { path, to, and }: Mutation): Release {
  const first = changed(release, path, to);
  const result = and ? changed(first, and.path, and.to) : first;
  assert.ok(isRelease(result));
  return result;
}

describe("the coherence checks", () => {
  const releases = coherentReleases();
  const compiled = compileReleases(releases);

  it("find nothing in coherent releases", () => {
    assert.equal(releases.length, 6);
    assert.deepEqual(checkProcess(releases, compiled), []);
  });

  for (const [rule, sentence] of Object.entries(COHERENCE_RULES)) {
    it(`find where this is not true: ${sentence}`, () => {
      const mutation = Object.entries(MUTATIONS).find(([name]) => name === rule)?.[1];
      assert.ok(mutation);
      const { of, to } = mutation;
      const findings =
        of === "compiled"
          ? checkProcess(releases, mutated(compiled, mutation))
          : checkProcess(
              releases.map((release, i) =>
                i === of
                  ? mutated(release, to === "" ? { ...mutation, to: releases[0]?.id ?? "" } : mutation)
                  : release,
              ),
            );
      const found = findings.filter((finding) => finding.rule === rule);
      assert.ok(found.length > 0, JSON.stringify(findings));
      assert.ok(found.every(({ ocid, releaseID, path: at }) => ocid && releaseID && (at === "" || at.startsWith("/"))));
    });
  }

  it("do not demand an order of dates where the buyer records what happened", () => {
    const byHand = changed(compiled, ["tender", "procurementMethodDetails"], "reporting");
    const early = changed(byHand, ["awards", 0, "date"], "2026-11-17T00:00:00Z");
    assert.ok(isRelease(early));
    assert.ok(!checkProcess(releases, early).some(({ rule }) => rule === "dates-are-in-order"));
  });
});
