import { OMITTED_FIELDS, TRANSLATION_NAME, UNVERSIONED_FIELD, WHOLE_LISTS } from "./mergeRules.ts";
import { isOcdsList, isOcdsObject, type OcdsObject, type OcdsValue } from "./ocdsValues.ts";
import { isSameValue } from "./sameValue.ts";

/** Merging the releases of a contracting process into a compiled or a versioned release, as OCDS 1.1.5 defines it. */

/** The fields that every release has. `date` has a time and a zone. */
export type ReleaseHead = {
  readonly ocid: string;
  readonly id: string;
  readonly date: string;
  readonly tag: readonly string[];
};
export type Release = OcdsObject & ReleaseHead;

/** What the releases say together: later values win, null removes a value, lists are merged by the ids of their elements. */
export function compileReleases(releases: readonly Release[]): Release {
  const sorted = sortByDate(releases);
  const merged = sorted.reduce<OcdsObject>((compiled, release) => mergeRelease(compiled, release), {});
  return withCompiledHead(merged, lastOf(sorted));
}

/** Every value that the releases ever had, each with the release that it comes from. */
export function versionReleases(releases: readonly Release[]): OcdsObject {
  const versioned = sortByDate(releases).reduce<OcdsObject>((merged, release) => addVersion(merged, release), {});
  return { ocid: lastOf(releases).ocid, ...versioned };
}

/** Adds a release to what earlier ones say together. The head of a compiled release is not part of it. */
export function mergeRelease(compiled: OcdsObject, release: Release): OcdsObject {
  const content = withoutHead(release);
  return Object.keys(compiled).length === 0 && isMerged(content) ? content : mergeContent(compiled, content);
}

/** Adds content to other content, by the rules for compiled releases. */
export const mergeContent = (content: OcdsObject, added: OcdsObject): OcdsObject =>
  mergeObject(content, added, compiledField);

/** Adds a release to what earlier ones say together, with the release that each value comes from. */
export const addVersion = (versioned: OcdsObject, release: Release): OcdsObject =>
  mergeObject(versioned, withoutHead(release), versionField(release));

/** A compiled release: merged content with the head that the standard prescribes. */
export const withCompiledHead = (content: OcdsObject, { ocid, date }: ReleaseHead): Release => ({
  ocid,
  id: `${ocid}-${date}`,
  date,
  tag: ["compiled"],
  ...content,
});

/** The content of a compiled release, without its head. */
export const withoutHead = (release: OcdsObject): OcdsObject =>
  Object.fromEntries(
    Object.entries(release).filter(([name]) => !OMITTED_FIELDS.has(name) && name !== UNVERSIONED_FIELD),
  );

function lastOf(releases: readonly Release[]): Release {
  const last = releases.at(-1);
  if (last === undefined) throw new RangeError("There are no releases to merge");
  return last;
}

/** Releases of the same date keep their order. */
function sortByDate(releases: readonly Release[]): readonly Release[] {
  // `Temporal` compares microseconds and zones; a text or a `Date` would not.
  const dated = releases.map((release) => ({ release, at: Temporal.Instant.from(release.date) }));
  return dated.sort((a, b) => Temporal.Instant.compare(a.at, b.at)).map(({ release }) => release);
}

/** Merges a value that has no parts of its own into the field; `undefined` removes the field. */
type MergeField = (before: OcdsValue | undefined, value: OcdsValue, name: string) => OcdsValue | undefined;

const compiledField: MergeField = (_before, value) => (value === null ? undefined : value);

/** Appends the value to the versions of its field, unless it is the same as the last one. */
const versionField =
  ({ id, date, tag }: ReleaseHead): MergeField =>
  (before, value, name) => {
    if (TRANSLATION_NAME.test(name)) return compiledField(before, value, name);
    const versions = isOcdsList(before) ? before : [];
    const last = versions.at(-1);
    if (isOcdsObject(last) && isSameValue(last.value, value)) return before;
    return [...versions, { releaseID: id, releaseDate: date, releaseTag: tag, value }];
  };

function mergeObject(before: OcdsObject, added: OcdsObject, mergeField: MergeField): OcdsObject {
  const merged: { [name: string]: OcdsValue } = { ...before };
  for (const name of Object.keys(added)) mergeInto(merged, name, added[name], mergeField);
  return merged;
}

/** Merges an element of a list into the one with the same id, which is no field with versions. */
function mergeElement(id: OcdsValue, before: OcdsObject, added: OcdsObject, mergeField: MergeField): OcdsObject {
  const merged: { [name: string]: OcdsValue } = { id, ...before };
  for (const name of Object.keys(added)) if (name !== "id") mergeInto(merged, name, added[name], mergeField);
  return merged;
}

function mergeInto(
  merged: { [name: string]: OcdsValue },
  name: string,
  value: OcdsValue | undefined,
  mergeField: MergeField,
): void {
  if (value === undefined) return;
  const known = merged[name];
  const result = mergeValue(known, name, value, mergeField);
  if (result !== undefined) merged[name] = result;
  // An object from which a field was removed is slower to use from then on.
  else if (known !== undefined) delete merged[name];
}

/** Whether merging content into nothing gives the same content, as with nearly every first release: then it need not be copied. */
function isMerged(content: OcdsObject): boolean {
  for (const name of Object.keys(content)) {
    const value = content[name];
    if (value === null || value === undefined) return false;
    if (isOcdsList(value) ? !isMergedList(name, value) : isOcdsObject(value) && !isMergedObject(value)) return false;
  }
  return true;
}

const isMergedObject = (value: OcdsObject): boolean => Object.keys(value).length > 0 && isMerged(value);

function isMergedList(name: string, list: readonly OcdsValue[]): boolean {
  if (isWholeList(name, list)) return true;
  const ids = new Set(list.map(idOf));
  return (
    list.length > 0 && ids.size === list.length && list.every((element) => isOcdsObject(element) && isMerged(element))
  );
}

function mergeValue(
  before: OcdsValue | undefined,
  name: string,
  value: OcdsValue,
  mergeField: MergeField,
): OcdsValue | undefined {
  if (isOcdsObject(value)) {
    const merged = mergeObject(isOcdsObject(before) ? before : {}, value, mergeField);
    return Object.keys(merged).length > 0 ? merged : undefined;
  }
  if (!isOcdsList(value) || isWholeList(name, value)) return mergeField(before, value, name);
  // An empty list of objects says nothing: no element can be removed from such a list.
  return value.length === 0 ? before : mergeList(isOcdsList(before) ? before : [], value, mergeField);
}

/** Whether the list is replaced as a whole: by its name, or because its elements cannot be told apart by an id. */
export const isWholeList = (name: string, list: readonly OcdsValue[]): boolean =>
  WHOLE_LISTS.has(name) || list.some((element) => !isOcdsObject(element) || element.id === undefined);

/** Merges elements with the same id. New ones are appended, in their order. */
function mergeList(
  before: readonly OcdsValue[],
  added: readonly OcdsValue[],
  mergeField: MergeField,
): readonly OcdsValue[] {
  const merged = [...before];
  const positions = new Map(merged.map((element, i) => [idOf(element), i]));
  for (const element of added) {
    if (!isOcdsObject(element)) continue;
    const { id = null } = element;
    const position = positions.get(id) ?? merged.length;
    const current = merged[position];
    positions.set(id, position);
    merged[position] = mergeElement(id, isOcdsObject(current) ? current : {}, element, mergeField);
  }
  return merged;
}

const idOf = (element: OcdsValue): OcdsValue | undefined => (isOcdsObject(element) ? element.id : undefined);
