import type { Path, Problem } from "../model/refusals.ts";
import { problem } from "../model/refusals.ts";
import type { Item, Tender } from "../model/tender.ts";
import { checkItem, checkSameGroup, commonProblems } from "../tender/tenderRules.ts";
import {
  checkEach,
  checkIfPresent,
  checkNotEmpty,
  checkOrganization,
  checkRequired,
  childPath,
  findProblems,
  joinProblems,
  notAChoice,
  tooShort,
} from "../validation.ts";

/** The rules for the fields of a tender that is awarded directly to a supplier, without competing bids. */

/** The problems of a tender that reports a purchase: no lots, and no reason for buying without competition. */
export const checkReport = (tender: Tender): readonly Problem[] =>
  findProblems((path) => joinProblems(directProblems(withoutLots(tender), path), checkNoLots(tender, path)));

/** The items without their lots, of which `checkNoLots` says all that there is to say. */
const withoutLots = (tender: Tender): Tender =>
  tender.items?.some(({ relatedLot }) => relatedLot !== undefined)
    ? { ...tender, items: tender.items.map(({ relatedLot: _relatedLot, ...item }) => item) }
    : tender;

/** What a procedure demands of the reason for buying without competition. */
export type CauseRules = { readonly causes: readonly string[]; readonly isRequired: boolean };

/** The problems of a tender that gives a reason for buying without competition. */
export const checkNegotiation =
  (rules: CauseRules) =>
  (tender: Tender): readonly Problem[] =>
    findProblems((path) => joinProblems(directProblems(tender, path), checkCause(tender, path, rules)));

function directProblems(tender: Tender, path: Path): readonly Problem[] {
  return joinProblems(
    checkRequired(tender, path, "title", "procuringEntity", "value"),
    checkIfPresent(tender.procuringEntity, childPath(path, "procuringEntity"), checkOrganization),
    checkNotEmpty(tender.items, childPath(path, "items")),
    checkEach(tender.items, childPath(path, "items"), checkDeliveredItem),
    checkSameGroup(tender.items ?? []),
    commonProblems(tender, path, ["title", "value"]),
  );
}

/** When and where an item is delivered must be known: nobody will ask. */
function checkDeliveredItem(item: Item, path: Path): readonly Problem[] {
  return joinProblems(
    checkItem(item, path),
    checkRequired(item, path, "deliveryDate", "deliveryAddress"),
    checkIfPresent(item.deliveryDate, childPath(path, "deliveryDate"), (period, at) =>
      checkRequired(period, at, "endDate"),
    ),
  );
}

const checkNoLots = ({ items }: Tender, path: Path): readonly Problem[] =>
  checkEach(items, childPath(path, "items"), ({ relatedLot }, at) =>
    relatedLot === undefined ? [] : [problem(childPath(at, "relatedLot"), "This option is not available", "no-lots")],
  );

function checkCause(tender: Tender, path: Path, { causes, isRequired }: CauseRules): readonly Problem[] {
  const { cause, causeDescription } = tender;
  return joinProblems(
    checkRequired(tender, path, ...(isRequired ? (["cause"] as const) : []), "causeDescription"),
    cause === undefined || causes.includes(cause) ? [] : [notAChoice(childPath(path, "cause"), causes)],
    causeDescription === "" ? [tooShort(childPath(path, "causeDescription"))] : [],
  );
}
