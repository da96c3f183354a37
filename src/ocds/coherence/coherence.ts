import { compileReleases, type Release } from "../merge.ts";
import { type OcdsObject, objectAt, objectsIn, textAt } from "../ocdsValues.ts";
import { isSameValue } from "../sameValue.ts";
import type { CoherenceFinding, CoherenceRule, ReportFinding } from "./coherenceFindings.ts";
import {
  checkBidDates,
  checkCancelledAwards,
  checkDateOrder,
  checkNoNulls,
  checkParties,
  checkStatuses,
  checkTenderers,
  checkValues,
  isLater,
} from "./releaseChecks.ts";

/**
 * The coherence checks that users of open data run, besides the schema. They need no files of the standard, so
 * `tenderhall ocds check` can always run them.
 */

/** Checks one release by itself. */
export function checkRelease(release: Release): readonly CoherenceFinding[] {
  const { findings, report } = openReport(release);
  checkValues(release, report);
  checkParties(release, report);
  checkStatuses(release, report);
  checkTenderers(release, report);
  checkBidDates(release, report);
  return findings;
}

/** Checks a compiled release. */
export function checkCompiled(compiled: Release): readonly CoherenceFinding[] {
  const { findings, report } = openReport(compiled);
  checkNoNulls(compiled, report);
  checkDateOrder(compiled, report);
  checkCancelledAwards(compiled, report);
  return [...checkRelease(compiled), ...findings];
}

/** Checks all releases of a contracting process, in the order of publication, and the compiled release if it is given. */
export function checkProcess(releases: readonly Release[], compiled?: Release): readonly CoherenceFinding[] {
  const merged = compileReleases(releases);
  const { findings, report } = openReport(merged);
  if (compiled && !isSameValue(compiled, merged)) report("compiled-is-merged", "", compiled.id);
  return [
    ...releases.flatMap(checkRelease),
    ...checkSequence(releases),
    ...checkCompiled(compiled ?? merged),
    ...findings,
  ];
}

/** Checks what only several releases together can show. */
function checkSequence(releases: readonly Release[]): readonly CoherenceFinding[] {
  const ids = new Set<string>();
  let title: unknown;
  return releases.flatMap((release, i) => {
    const { findings, report } = openReport(release);
    const [first, before] = [releases[0], releases[i - 1]];
    if (release.ocid !== first?.ocid || !release.id.startsWith(release.ocid))
      report("releases-share-ocid", "/ocid", release.ocid);
    if (ids.has(release.id)) report("ids-are-unique", "/id", release.id);
    if (isLater(before?.date, release.date)) report("releases-are-dated-in-order", "/date", release.date);
    if (release.tag.includes("tender") !== (i === 0)) report("process-starts-with-tender", "/tag", release.tag);
    const newTitle = objectAt(release, "tender").title;
    if (i > 0 && newTitle !== undefined && newTitle !== title && !isAmendment(release))
      report("titles-change-by-amendment", "/tender/title", newTitle);
    if (newTitle !== undefined) title = newTitle;
    ids.add(release.id);
    return findings;
  });
}

/** Whether the release says that it amends the tender, and how. */
const isAmendment = (release: Release): boolean =>
  release.tag.includes("tenderAmendment") &&
  objectsIn(objectAt(release, "tender").amendments).some((amendment) => amendment.releaseID === release.id);

const FOUND_LENGTH_MAX = 200;

function openReport(release: OcdsObject): { readonly findings: CoherenceFinding[]; readonly report: ReportFinding } {
  const findings: CoherenceFinding[] = [];
  const [ocid, releaseID] = [textAt(release, "ocid") ?? "", textAt(release, "id") ?? ""];
  const report = (rule: CoherenceRule, path: string, found: unknown) =>
    findings.push({
      rule,
      ocid,
      releaseID,
      path,
      found: (JSON.stringify(found) ?? "nothing").slice(0, FOUND_LENGTH_MAX),
    });
  return { findings, report };
}
