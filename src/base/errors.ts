/** The message of whatever was thrown. JavaScript may throw any value; our own code and Node throw errors. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The code by which Node, drivers and the operating system tell errors apart, such as `ENOENT`; `undefined` if there is none. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
