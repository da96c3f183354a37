import type { Procedure } from "./procedures/procedure.ts";
import type { Path, Problem } from "./refusals.ts";
import type { Bid, Tender } from "./tender.ts";

/** What has to be sent, found by asking the checks themselves: of nothing at first, then of ever more of what they miss. */

/** What is no single value: empty, so that the checks say what belongs into it. */
const HOLLOW: { readonly [name: string]: () => object } = {
  procuringEntity: () => ({}),
  identifier: () => ({}),
  address: () => ({}),
  contactPoint: () => ({}),
  value: () => ({}),
  minimalStep: () => ({}),
  enquiryPeriod: () => ({}),
  tenderPeriod: () => ({}),
  classification: () => ({}),
  items: () => [{}],
  tenderers: () => [{}],
};

type Open = { [step: string | number]: Open };

function put(thing: object, path: Path, value: object): void {
  const holder = path.slice(0, -1).reduce<Open>((at, step) => at[step]!, thing as Open);
  holder[path.at(-1)!] = value as Open;
}

/** Only what holds nothing else that is needed: who sends that, sends what it is in. */
function found<Thing extends object>(thing: Thing, check: (thing: Thing) => readonly Problem[]): readonly Problem[] {
  const missing = check(thing).filter(({ rule }) => rule === "field-required");
  const hollow = missing.filter(({ path }) => Object.hasOwn(HOLLOW, String(path.at(-1))));
  for (const { path } of hollow) put(thing, path, HOLLOW[String(path.at(-1))!]!());
  if (hollow.length === 0) return missing;
  const inside = found(thing, check);
  const isWithin = (outer: Path) => (inner: Problem) => outer.every((step, i) => inner.path[i] === step);
  return missing.flatMap((one) =>
    hollow.includes(one) && inside.some(isWithin(one.path)) ? inside.filter(isWithin(one.path)) : [one],
  );
}

const EMPTY = { lots: [] } as object as Tender;

export const neededToPublish = ({ checkTender }: Procedure): readonly Problem[] => found({ ...EMPTY }, checkTender);

export const neededToBid = ({ checkBid }: Procedure): readonly Problem[] =>
  found({} as Bid, (bid) => checkBid(bid, EMPTY));
