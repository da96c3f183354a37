import type { Tender } from "../domain/model/tender.ts";
import type { Instant } from "../domain/values/time.ts";
import { type LedgerReader, type PublicVersion, publicVersions } from "./publicVersions.ts";
import { iterateWithReplayLease } from "./replayLimit.ts";

/** Questions about the public history of a tender. Each replays the ledger of the tender as far as it must. */

const limitedVersions = (reader: LedgerReader, tender: Tender): AsyncGenerator<PublicVersion> =>
  iterateWithReplayLease(({ beforeRows }) => publicVersions(reader, tender, beforeRows));

/** The first versions after a number, in order. */
export async function versionsAfter(
  reader: LedgerReader,
  tender: Tender,
  number: number,
  limit: number,
): Promise<readonly PublicVersion[]> {
  const found: PublicVersion[] = [];
  for await (const version of limitedVersions(reader, tender)) {
    if (version.number <= number) continue;
    found.push(version);
    if (found.length >= limit) break;
  }
  return found;
}

/** The last versions, or the last before a number; the newest first. */
export async function versionsBefore(
  reader: LedgerReader,
  tender: Tender,
  number: number | undefined,
  limit: number,
): Promise<readonly PublicVersion[]> {
  const found: PublicVersion[] = [];
  for await (const version of limitedVersions(reader, tender)) {
    if (number !== undefined && version.number >= number) break;
    found.push(version);
    if (found.length > limit) found.shift();
  }
  return found.toReversed();
}

/** The version at an instant, and whether it is the last one; undefined before the publication. */
export async function versionAt(
  reader: LedgerReader,
  tender: Tender,
  at: Instant,
): Promise<{ readonly version: PublicVersion; readonly isLast: boolean } | undefined> {
  let found: PublicVersion | undefined;
  for await (const version of limitedVersions(reader, tender)) {
    if (version.at > at) return found && { version: found, isLast: false };
    found = version;
  }
  return found && { version: found, isLast: true };
}

/** The versions with these numbers, as far as there are such, by their numbers. */
export async function versionsNumbered(
  reader: LedgerReader,
  tender: Tender,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, PublicVersion>> {
  const found = new Map<number, PublicVersion>();
  const last = Math.max(...numbers);
  for await (const version of limitedVersions(reader, tender)) {
    if (numbers.includes(version.number)) found.set(version.number, version);
    if (version.number >= last) break;
  }
  return found;
}
