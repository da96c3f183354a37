import { partyReferences } from "./content/partyRoles.ts";
import { isWholeList } from "./merge.ts";
import {
  isOcdsList,
  isOcdsObject,
  type OcdsObject,
  type OcdsValue,
  objectAt,
  objectsIn,
  textAt,
} from "./ocdsValues.ts";
import { withContext } from "./releaseContext.ts";
import { isSameValue } from "./sameValue.ts";

/**
 * What a release says to lead from one content to the next: whole objects that changed, with nulls for values that are no longer
 * there. Merged into `before`, it gives `after`, provided that `after` went through `retain`.
 */
export function diffContent(before: OcdsObject, after: OcdsObject): OcdsObject {
  const changes: { [name: string]: OcdsValue } = {};
  for (const [name, value] of Object.entries(after)) {
    if (name === "parties" || isSameValue(before[name], value)) continue;
    changes[name] = changedValue(before[name], value, name);
  }
  if (isOcdsObject(changes.tender))
    changes.tender = withAllTenderers(changes.tender, objectAt(before, "tender"), objectAt(after, "tender"));
  const parties = partiesFor(changes, objectsIn(before.parties), objectsIn(after.parties));
  return withContext(parties.length > 0 ? { ...changes, parties } : changes, after);
}

/** A release has the number of tenderers only together with all of them, so that it can be checked by itself. */
function withAllTenderers(changes: OcdsObject, before: OcdsObject, after: OcdsObject): OcdsObject {
  const { numberOfTenderers, tenderers: _changed, ...rest } = changes;
  const isSame = isSameValue(before.tenderers, after.tenderers) && before.numberOfTenderers === after.numberOfTenderers;
  if (isSame) return rest;
  return {
    ...rest,
    ...(numberOfTenderers !== undefined && { numberOfTenderers }),
    ...(after.tenderers !== undefined && { tenderers: withNulls(before.tenderers, after.tenderers, "tenderers") }),
  };
}

/** An object whole, except for its lists of objects with ids, of which only the changed elements are there. */
function changedValue(before: OcdsValue | undefined, value: OcdsValue, name: string): OcdsValue {
  if (isOcdsList(value)) return isWholeList(name, value) ? value : changedElements(objectsIn(before), objectsIn(value));
  if (!isOcdsObject(value) || !isOcdsObject(before)) return value;
  const changed: { [name: string]: OcdsValue } = {};
  for (const [field, inner] of Object.entries(value)) {
    const earlier = before[field];
    const isList = isOcdsList(inner) && !isWholeList(field, inner);
    if (isList && isSameValue(earlier, inner)) continue;
    changed[field] = isList ? changedElements(objectsIn(earlier), objectsIn(inner)) : withNulls(earlier, inner, field);
  }
  return { ...changed, ...nullsFor(before, value) };
}

function changedElements(before: readonly OcdsObject[], list: readonly OcdsObject[]): readonly OcdsValue[] {
  const earlier = new Map(before.map((element) => [element.id, element]));
  return list
    .filter((element) => !isSameValue(earlier.get(element.id), element))
    .map((element) => withNulls(earlier.get(element.id), element, ""));
}

/** The value whole, with null wherever `before` had something that it no longer has. */
function withNulls(before: OcdsValue | undefined, value: OcdsValue, name: string): OcdsValue {
  if (isOcdsList(value)) {
    if (isWholeList(name, value)) return value;
    const earlier = new Map(objectsIn(before).map((element) => [element.id, element]));
    return objectsIn(value).map((element) => withNulls(earlier.get(element.id), element, ""));
  }
  if (!isOcdsObject(value) || !isOcdsObject(before)) return value;
  const whole: { [name: string]: OcdsValue } = {};
  for (const [field, inner] of Object.entries(value)) whole[field] = withNulls(before[field], inner, field);
  return { ...whole, ...nullsFor(before, value) };
}

/** Nulls for what only `before` has. Objects cannot be null, so their fields are. */
function nullsFor(before: OcdsObject, after: OcdsObject): OcdsObject {
  const nulls: { [name: string]: OcdsValue } = {};
  for (const [name, value] of Object.entries(before))
    if (after[name] === undefined) nulls[name] = isOcdsObject(value) ? nullsFor(value, {}) : null;
  return nulls;
}

/** Organisations that changed, and all that the release refers to. */
function partiesFor(
  changes: OcdsObject,
  before: readonly OcdsObject[],
  after: readonly OcdsObject[],
): readonly OcdsValue[] {
  const referred = new Set(partyReferences(changes).map(({ id }) => id));
  const earlier = new Map(before.map((party) => [party.id, party]));
  return after
    .filter((party) => referred.has(textAt(party, "id") ?? "") || !isSameValue(earlier.get(party.id), party))
    .map((party) => withNulls(earlier.get(party.id), party, ""));
}
