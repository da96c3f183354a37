import { isOcdsList, isOcdsObject, type OcdsValue } from "./ocdsValues.ts";

/** Called for a value with its path as a JSON pointer, and the name of the field that it is in. */
export type ValueVisitor = (value: OcdsValue, path: string, name: string) => void;

/** Visits a value and everything in it, from the outside in. */
export function walkValue(value: OcdsValue, visit: ValueVisitor, path = "", name = ""): void {
  visit(value, path, name);
  if (isOcdsList(value)) for (const [i, element] of value.entries()) walkValue(element, visit, `${path}/${i}`, name);
  else if (isOcdsObject(value))
    for (const [field, inner] of Object.entries(value)) walkValue(inner, visit, `${path}/${field}`, field);
}
