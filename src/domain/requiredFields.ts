import type { Path, Problem } from "./model/refusals.ts";
import type { Bid, Tender } from "./model/tender.ts";
import type { Procedure } from "./procedures/procedure.ts";

/** What has to be sent, found by asking the checks themselves: of nothing at first, then of ever more of what they miss. */

/** What is no single value: empty, so that the checks say what belongs into it. */
const EMPTY_PARENTS: { readonly [name: string]: () => object } = {
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

type NestedObject = { [step: string | number]: NestedObject };

function setAt(root: object, path: Path, value: object): void {
  const parent = path.slice(0, -1).reduce<NestedObject>((at, step) => at[step]!, root as NestedObject);
  parent[path.at(-1)!] = value as NestedObject;
}

/** Only what holds nothing else that is needed: who sends that, sends what it is in. */
function findRequired<Thing extends object>(
  candidate: Thing,
  check: (candidate: Thing) => readonly Problem[],
): readonly Problem[] {
  const missing = check(candidate).filter(({ rule }) => rule === "field-required");
  const emptyParents = missing.filter(({ path }) => Object.hasOwn(EMPTY_PARENTS, String(path.at(-1))));
  for (const { path } of emptyParents) setAt(candidate, path, EMPTY_PARENTS[String(path.at(-1))!]!());
  if (emptyParents.length === 0) return missing;
  const innerProblems = findRequired(candidate, check);
  const isWithin = (outer: Path) => (inner: Problem) => outer.every((step, i) => inner.path[i] === step);
  return missing.flatMap((problem) =>
    emptyParents.includes(problem) && innerProblems.some(isWithin(problem.path))
      ? innerProblems.filter(isWithin(problem.path))
      : [problem],
  );
}

const EMPTY = { lots: [] } as object as Tender;

export const requiredToPublish = ({ checkTender }: Procedure): readonly Problem[] =>
  findRequired({ ...EMPTY }, checkTender);

export const requiredToBid = ({ checkBid }: Procedure): readonly Problem[] =>
  findRequired({} as Bid, (bid) => checkBid(bid, EMPTY));
