/** The texts of values that were serialised before. They are dropped together with the values. */
const texts = new WeakMap<object, string>();

/**
 * The JSON of a value that is never changed in place. It is made once, for all who need it: a new tender is measured before it is
 * stored, for example.
 */
export function jsonText(value: object): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}
