import type { Tender } from "../../domain/model/tender.ts";
import { procedureOf } from "../../domain/procedures/index.ts";
import type { Instant } from "../../domain/values/time.ts";
import type { LedgerReader } from "../../history/publicVersions.ts";
import { versionsNumbered } from "../../history/versionQueries.ts";
import type { Registry } from "../../registry/registry.ts";

/**
 * When the tender was published, by its own clock, as far as its state tells: enquiries begin with the publication, and a tender that
 * has kept the status with which it was published has the time of that.
 */
export function publicationOf(tender: Tender): Instant | undefined {
  const { enquiryPeriod, status, date } = tender;
  return enquiryPeriod?.startDate ?? (status === procedureOf(tender).entryStatus ? date : undefined);
}

/**
 * When the tender was published, by its own clock. If its state does not tell, the index does. The index has real times, so the time of a
 * test clock is read from the first version, which takes longer, but only in the sandbox.
 */
export async function readPublication(
  reader: LedgerReader & Pick<Registry, "publicationTimes">,
  tender: Tender,
): Promise<Instant | undefined> {
  const known = publicationOf(tender);
  if (known !== undefined) return known;
  const { id, testClock } = tender;
  if (testClock === undefined) return (await reader.publicationTimes([id])).get(id);
  return (await versionsNumbered(reader, tender, [1])).get(1)?.tender.date;
}
