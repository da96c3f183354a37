import type { Path, Problem } from "../model/refusals.ts";
import type { Bid, Tender } from "../model/tender.ts";
import type { Procedure } from "../procedures/procedure.ts";

/** Finds the required fields of tenders and bids by running the checks: on an empty object first, then on what they report missing. */

/** Empty values for fields that are objects or lists, so that the checks report the required fields inside. */
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
  deliveryDate: () => ({}),
  deliveryAddress: () => ({}),
  items: () => [{}],
  tenderers: () => [{}],
};

type NestedObject = { [step: string | number]: NestedObject };

function setAt(root: object, path: Path, value: object): void {
  const parent = path.slice(0, -1).reduce<NestedObject>((at, step) => at[step]!, root as NestedObject);
  parent[path.at(-1)!] = value as NestedObject;
}

/** The innermost required fields: their parents are left out, as they are required implicitly. */
function findRequired<Candidate extends object>(
  candidate: Candidate,
  check: (candidate: Candidate) => readonly Problem[],
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

// The checks only report what is missing, so they accept objects that are not complete tenders or bids.
const EMPTY = { lots: [] } as object as Tender;

/** A `field-required` problem for each field that a new tender of this procedure must have. */
export const requiredToPublish = ({ checkTender }: Procedure): readonly Problem[] =>
  findRequired({ ...EMPTY }, checkTender);

/** A `field-required` problem for each field that a new bid in this procedure must have. */
export const requiredToBid = ({ bids }: Procedure): readonly Problem[] =>
  bids ? findRequired({} as Bid, (bid) => bids.check(bid, EMPTY)) : [];
