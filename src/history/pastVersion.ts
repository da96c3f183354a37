import type { Tender } from "../domain/model/tender.ts";
import { type Instant, parseInstant, type Zone } from "../domain/values/time.ts";
import type { LedgerReader, PublicVersion } from "./publicVersions.ts";
import { versionAt } from "./versionQueries.ts";

/** The version of a tender that a reader asks for by a time. */

/** Why there is no version to show: the text is no time, nobody knows the future, or the tender was not published yet. */
export type PastVersionProblem = "no time" | "future" | "unpublished";

/** The version at an instant. It is the last one so far, or another one followed. */
export type PastVersion = { readonly version: PublicVersion; readonly isLast: boolean; readonly at: Instant };

/**
 * A time whose offset has lost its sign: in a query, a `+` that is not encoded means a space, and people copy times as they read them.
 */
const withOffsetSign = (text: string): string => text.replace(/(?<=T\d\d:\d\d\S*) (?=\d\d:\d\d$)/, "+");

/** The version that everybody saw at the time in `text`; `realTime` is the present, whatever test clock the tender is on. */
export async function findPastVersion(
  reader: LedgerReader,
  tender: Tender,
  text: string,
  { zone, realTime }: { readonly zone: Zone; readonly realTime: Instant },
): Promise<PastVersion | { readonly problem: PastVersionProblem }> {
  const at = parseInstant(withOffsetSign(text), zone);
  if (typeof at !== "number") return { problem: "no time" };
  // Instants of commits are unique, so that of the last one may be a little ahead of the clock.
  if (at > Math.max(realTime, tender.dateModified)) return { problem: "future" };
  const found = await versionAt(reader, tender, at);
  return found ? { ...found, at } : { problem: "unpublished" };
}
