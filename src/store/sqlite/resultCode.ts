/** The result code that SQLite gives its errors as `errcode`; `undefined` for other errors. */
export function resultCodeOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}
