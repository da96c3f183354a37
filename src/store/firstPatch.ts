import { parseOwnJson } from "../base/ownJson.ts";
import type { Tender } from "../domain/model/tender.ts";

/** What the patch that creates a record begins and ends with; its JSON is in between. */
export const FIRST_PATCH_START = '[{"op":"add","path":"","value":';
export const FIRST_PATCH_END = "}]";

/** The patch that creates a record with this JSON. */
export const firstPatch = (document: string): string => `${FIRST_PATCH_START}${document}${FIRST_PATCH_END}`;

/** The JSON in a patch that creates a record; `undefined` if it is another patch. */
export const documentOfFirstPatch = (patch: string): string | undefined =>
  patch.startsWith(FIRST_PATCH_START) && patch.endsWith(FIRST_PATCH_END)
    ? patch.slice(FIRST_PATCH_START.length, -FIRST_PATCH_END.length)
    : undefined;

/** Whether the patch creates a record with exactly this JSON, so that it need not be stored twice. */
export const isFirstPatchOf = (document: string, patch: string): boolean =>
  patch.length === FIRST_PATCH_START.length + document.length + FIRST_PATCH_END.length &&
  patch.startsWith(FIRST_PATCH_START);

type PatchedRow = { readonly sequence: number; readonly patch: string };
type Operation = { readonly path: string; readonly value?: unknown };

/** The status that a row of the ledger of a tender sets, if it does. */
function statusSetBy(patch: string): string | undefined {
  const document = documentOfFirstPatch(patch);
  if (document !== undefined) return parseOwnJson<Tender>(document).status;
  // Most patches do not change the status, and need not be parsed.
  if (!patch.includes('"/status"')) return undefined;
  const set = parseOwnJson<readonly Operation[]>(patch).findLast(({ path }) => path === "/status");
  return typeof set?.value === "string" ? set.value : undefined;
}

/**
 * The sequence number of the row that published a tender: the first after which it is no draft. `rows` are rows of the tender itself,
 * in order; `before` is the result for those before them.
 */
export function publicationIn(rows: readonly PatchedRow[], before?: number): number | undefined {
  let publication = before;
  for (const { sequence, patch } of rows) {
    const status = statusSetBy(patch);
    if (status === "draft") publication = undefined;
    else if (status !== undefined) publication ??= sequence;
  }
  return publication;
}
