import { isVoidReference, partyReferences, withRoles } from "./content/partyRoles.ts";
import { withDecidedStatus } from "./content/tenderSection.ts";
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

/**
 * What stays of earlier content although the tender no longer has it. Merging releases can remove a value, but it cannot remove an
 * element of a list that is merged by ids, nor a value that the schema does not allow to be null.
 */

/** What a removed element says besides its id. Elements of other lists say nothing. */
const REMOVED: { readonly [list: string]: OcdsObject } = {
  "tender.lots": { status: "cancelled" },
  "bids.details": { status: "withdrawn" },
  awards: { status: "cancelled" },
  contracts: { status: "cancelled" },
};

/** Fields that every element of a list must have, even a removed one. */
const REQUIRED: { readonly [list: string]: string } = { contracts: "awardID" };

/** Values that cannot be null: references to organisations, and lists that are replaced as a whole. They keep their last value. */
export const NOT_NULLABLE: ReadonlySet<string> = new Set([
  "buyer",
  "procuringEntity",
  "author",
  "additionalClassifications",
  "additionalIdentifiers",
]);

/**
 * The content that merging can lead to from `before`, and that says what `content` says. Lists that are merged by ids are in the order
 * in which their elements were published first. An element that is no longer there remains as its id, without the other fields, and
 * as cancelled or withdrawn if it has a status.
 */
export function retain(before: OcdsObject, content: OcdsObject): OcdsObject {
  const merged = withoutWrongTendererCount(retainObject(before, content, ""));
  const present = new Set(objectsIn(content.parties).map(({ id }) => id));
  return withRoles(withDecidedStatus(withPartyNames(withReferredParties(before, merged, present))));
}

/**
 * The content without the number of tenderers, if some of them were removed: their void references remain in the list, and analysts
 * reject a number that is not the length of the list.
 */
function withoutWrongTendererCount(content: OcdsObject): OcdsObject {
  const { numberOfTenderers: _count, ...tender } = objectAt(content, "tender");
  return objectsIn(tender.tenderers).some(isVoidReference) ? { ...content, tender } : content;
}

function retainObject(before: OcdsObject, content: OcdsObject, path: string): OcdsObject {
  const merged: { [name: string]: OcdsValue } = {};
  for (const [name, value] of Object.entries(content))
    merged[name] = retainValue(before[name], value, path === "" ? name : `${path}.${name}`, name);
  for (const [name, value] of Object.entries(before)) {
    if (content[name] !== undefined) continue;
    const rest = NOT_NULLABLE.has(name) ? value : remainderOf(value, path === "" ? name : `${path}.${name}`, name);
    if (rest !== undefined) merged[name] = rest;
  }
  return merged;
}

function retainValue(before: OcdsValue | undefined, value: OcdsValue, path: string, name: string): OcdsValue {
  if (isOcdsObject(value)) return isOcdsObject(before) ? retainObject(before, value, path) : value;
  if (!isOcdsList(value) || isWholeList(name, value)) return value;
  return retainList(objectsIn(before), objectsIn(value), path);
}

function retainList(before: readonly OcdsObject[], list: readonly OcdsObject[], path: string): readonly OcdsObject[] {
  const current = new Map(list.map((element) => [element.id, element]));
  const known = new Set(before.map(({ id }) => id));
  return [
    ...before.map((element) => {
      const now = current.get(element.id);
      return now ? retainObject(element, now, path) : removedElement(element, path);
    }),
    ...list.filter(({ id }) => !known.has(id)),
  ];
}

/** What stays of a value that is no longer there: only lists of objects with ids, wherever they are in it. */
function remainderOf(value: OcdsValue, path: string, name: string): OcdsValue | undefined {
  if (isOcdsList(value))
    return isWholeList(name, value) ? undefined : objectsIn(value).map((element) => removedElement(element, path));
  if (!isOcdsObject(value)) return undefined;
  const rest = retainObject(value, {}, path);
  return Object.keys(rest).length > 0 ? rest : undefined;
}

function removedElement(element: OcdsObject, path: string): OcdsObject {
  const required = REQUIRED[path];
  const lists = Object.entries(element).flatMap(([name, value]) => {
    const rest = NOT_NULLABLE.has(name) ? value : remainderOf(value, `${path}.${name}`, name);
    return rest === undefined ? [] : [[name, rest] as const];
  });
  return {
    ...(element.id !== undefined && { id: element.id }),
    ...(required !== undefined && element[required] !== undefined && { [required]: element[required] }),
    ...REMOVED[path],
    ...Object.fromEntries(lists),
  };
}

/**
 * An organisation stays as it was if what is left of removed elements refers to it by name. If all references to it are void, it is
 * removed like other elements, except for its roles.
 */
function withReferredParties(before: OcdsObject, content: OcdsObject, present: ReadonlySet<unknown>): OcdsObject {
  const referred = new Set(partyReferences(content).flatMap(({ id, name }) => (name === undefined ? [] : [id])));
  const earlier = new Map(objectsIn(before.parties).map((party) => [party.id, party]));
  const parties = objectsIn(content.parties).map((party) =>
    !present.has(party.id) && referred.has(textAt(party, "id") ?? "") ? (earlier.get(party.id) ?? party) : party,
  );
  return parties.length > 0 ? { ...content, parties } : content;
}

/** The content with the present names in references that it keeps from before: the organisation may have another name by now. */
function withPartyNames(content: OcdsObject): OcdsObject {
  const names = new Map(objectsIn(content.parties).map(({ id, name }) => [id, name]));
  return partyReferences(content).reduce((renamed, { id, name, path }) => {
    const present = names.get(id);
    return name === undefined || present === undefined || name === present
      ? renamed
      : withFields(renamed, path.split("/").slice(1), { name: present });
  }, content);
}

/** A copy of the object in which the object at the path has these fields. A step of the path is a field, or a position in a list. */
function withFields(holder: OcdsObject, [step, ...rest]: readonly string[], fields: OcdsObject): OcdsObject {
  if (step === undefined) return { ...holder, ...fields };
  const value = holder[step];
  if (!isOcdsList(value)) return { ...holder, [step]: withFields(objectAt(holder, step), rest, fields) };
  const [position, ...inner] = rest;
  const list = value.map((element, i) =>
    isOcdsObject(element) && String(i) === position ? withFields(element, inner, fields) : element,
  );
  return { ...holder, [step]: list };
}
