/** A server may bring older data up to its schema; nobody understands those of a newer one. */
export function checkIsNotNewer(seen: number, known: number): void {
  if (seen > known)
    throw new Error(`the data are of a newer Tenderhall (schema ${seen}; this one knows ${known}): update the program`);
}

/** Whoever only reads must find the schema that it knows. */
export function checkIsKnown(seen: number, known: number): void {
  checkIsNotNewer(seen, known);
  if (seen === 0) throw new Error("there is no registry here yet");
  if (seen < known)
    throw new Error(
      `the data are of an older Tenderhall (schema ${seen}; this one is of ${known}): start the new server on them first`,
    );
}
