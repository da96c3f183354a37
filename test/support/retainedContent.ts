import assert from "node:assert/strict";
import { isOcdsList, isOcdsObject, type OcdsObject, type OcdsValue, objectsIn } from "../../src/ocds/ocdsValues.ts";

/** Values that the schema does not allow to be null, so they stay when a tender no longer has them. */
const KEPT = ["buyer", "procuringEntity", "author", "additionalClassifications", "additionalIdentifiers"];
/** What depends on everything that was published before. */
const HISTORICAL = ["/tender/amendments", "/tender/numberOfTenderers", "/tender/status"];
/** What may be left of an element that the tender no longer has, besides lists of such elements. */
const LEFT = ["id", "status", "awardID", ...KEPT];

/**
 * Asserts that published content says what a version says: every value of it, and nothing else except what releases cannot remove.
 * Organisations are not compared if something removed refers to them.
 */
export function assertSays(published: OcdsObject, version: OcdsObject, path = ""): void {
  for (const [name, value] of Object.entries(version)) {
    const at = `${path}/${name}`;
    if (HISTORICAL.includes(at) || at === "/parties" || name === "roles") continue;
    const said = published[name];
    if (isOcdsObject(value)) assertSays(isOcdsObject(said) ? said : {}, value, at);
    else if (isListOfElements(name, value)) assertLists(objectsIn(said), objectsIn(value), at);
    else assert.deepEqual(said, value, at);
  }
  for (const [name, value] of Object.entries(published)) {
    const at = `${path}/${name}`;
    if (version[name] !== undefined || HISTORICAL.includes(at) || at === "/parties" || KEPT.includes(name)) continue;
    assertOnlyRemains(value, at);
  }
}

/** Lists without ids, and those that are replaced as a whole, are compared as a whole. */
const isListOfElements = (name: string, value: OcdsValue): boolean =>
  !KEPT.includes(name) &&
  isOcdsList(value) &&
  value.every((element) => isOcdsObject(element) && element.id !== undefined);

function assertLists(published: readonly OcdsObject[], version: readonly OcdsObject[], path: string): void {
  const current = new Map(version.map((element) => [element.id, element]));
  const ids = published.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, path);
  assert.deepEqual(
    version.map(({ id }) => id).filter((id) => !ids.includes(id)),
    [],
    path,
  );
  for (const element of published) {
    const now = current.get(element.id);
    if (now) assertSays(element, now, path);
    else assertOnlyRemains([element], path);
  }
}

/** Asserts that a value consists of nothing but the remains of elements. */
function assertOnlyRemains(value: OcdsValue, path: string): void {
  if (isOcdsObject(value))
    for (const [name, inner] of Object.entries(value)) assertOnlyRemains(inner, `${path}/${name}`);
  else {
    assert.ok(isOcdsList(value), `${path} is ${JSON.stringify(value)}`);
    for (const element of objectsIn(value))
      for (const [name, inner] of Object.entries(element))
        if (!LEFT.includes(name)) assertOnlyRemains(inner, `${path}/${name}`);
  }
}
