/** A server may bring older data up to its schema; nobody understands those of a newer one. */
export function checkIsNotNewer(found: number, supported: number): void {
  if (found > supported)
    throw new Error(
      `the data are of a newer Tenderhall (schema ${found}; this one knows ${supported}): update the program`,
    );
}

/** Whoever only reads must find the schema that it knows. */
export function checkIsKnown(found: number, supported: number): void {
  checkIsNotNewer(found, supported);
  if (found === 0) throw new Error("there is no registry here yet");
  if (found < supported)
    throw new Error(
      `the data are of an older Tenderhall (schema ${found}; this one is of ${supported}): start the new server on them first`,
    );
}
