/** The value if it is there. Throws if it is missing, which only a bug can cause; `what` then says what is missing. */
export function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`${what} is missing`);
  return value;
}
