import type { Decimal } from "../domain/values/decimal.ts";

/** The JSON values that releases consist of. */

declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes exactly as this text. */
    rawJSON(text: string): unknown;
  }
}

/** A number with more digits than a double can hold. It is written digit by digit. */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toJSON(): unknown {
    return JSON.rawJSON(this.source);
  }
}

export type OcdsValue = string | number | boolean | null | ExactNumber | readonly OcdsValue[] | OcdsObject;
export type OcdsObject = { readonly [name: string]: OcdsValue };

/** Whether the value is an object, not a list, a number or null. */
export const isOcdsObject = (value: unknown): value is OcdsObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/** Whether the value is a list. */
export const isOcdsList = (value: unknown): value is readonly OcdsValue[] => Array.isArray(value);

/** The objects of a list; none if the value is not a list. */
export const objectsIn = (value: unknown): readonly OcdsObject[] =>
  isOcdsList(value) ? value.filter((element) => isOcdsObject(element)) : [];

/** The object at a name; an empty one if there is none. */
export const objectAt = (holder: OcdsObject, name: string): OcdsObject => {
  const value = holder[name];
  return isOcdsObject(value) ? value : {};
};

/** The text at a name, if there is one. */
export const textAt = (holder: OcdsObject, name: string): string | undefined => {
  const value = holder[name];
  return typeof value === "string" ? value : undefined;
};

/** Doubles hold every decimal of so many characters exactly, so their shortest text is the same decimal. */
const SAFE_LENGTH = 15;

/** A decimal as a JSON number that keeps every digit. */
export function numberOf(decimal: Decimal): number | ExactNumber {
  const double = Number(decimal);
  return decimal.length <= SAFE_LENGTH || String(double) === decimal ? double : new ExactNumber(decimal);
}

/** Parses a stored release without losing digits of its numbers. */
export function parseOcds(text: string): OcdsObject {
  const value: unknown = JSON.parse(text, (_name, parsed, context?: { readonly source?: string }) =>
    typeof parsed === "number" && context?.source !== undefined ? exactly(parsed, context.source) : parsed,
  );
  if (!isOcdsObject(value)) throw new TypeError("A release must be a JSON object");
  return value;
}

const exactly = (double: number, source: string): number | ExactNumber =>
  source.length <= SAFE_LENGTH || JSON.stringify(double) === source ? double : new ExactNumber(source);
