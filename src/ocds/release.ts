import type { Instant } from "../domain/values/time.ts";
import type { PublicTender } from "../views/publicTender.ts";
import { changedTerms, withAmendment, withAmendmentsOf } from "./amendments.ts";
import { contentOf } from "./content/content.ts";
import type { ContentSettings } from "./content/contentContext.ts";
import { utcText } from "./content/fieldValues.ts";
import { diffContent } from "./diffContent.ts";
import type { Release } from "./merge.ts";
import type { OcdsObject } from "./ocdsValues.ts";
import { latestEvent } from "./pastDates.ts";
import { releaseTags } from "./releaseTags.ts";
import { retain } from "./retain.ts";
import { isSameValue } from "./sameValue.ts";

/** Releases from the public versions of a tender, one after another. */

/** What releases depend on besides the tender. */
export type ReleaseSettings = ContentSettings & {
  /** `ocds-` and six characters, which identify the publisher. */
  readonly ocidPrefix: string;
};

/** A public version of a tender: how everybody saw it right after a change. */
export type VersionView = {
  /** Counts the public changes of the tender, from 1 for its publication. */
  readonly number: number;
  /** When the change was committed. */
  readonly at: Instant;
  readonly tender: PublicTender;
};

/**
 * What the next release of a tender depends on. `content` is the compiled release without its head, so a registry can continue from
 * the releases that it has stored: `{ content: withoutHead(compiled), releaseID, date }` of the newest.
 */
export type ReleaseState = {
  readonly content: OcdsObject;
  /** The id of the newest release. */
  readonly releaseID: string;
  /** The date of the newest release. */
  readonly date: string;
};

/** A new release, and the state that the following one is made from. */
export type ReleaseStep = { readonly release: Release; readonly state: ReleaseState };

/** The open contracting id of a tender. It never changes. */
export const ocidOf = ({ ocidPrefix }: Pick<ReleaseSettings, "ocidPrefix">, tenderId: string): string =>
  `${ocidPrefix}-${tenderId}`;

/**
 * Whether the present state of a tender is published: drafts are not public, and tests are not procurement. If a repair turns a published
 * tender into a test, its releases stay, because releases are immutable, and it gets no more.
 */
export const isPublished = ({ status, mode }: Pick<PublicTender, "status" | "mode">): boolean =>
  status !== "draft" && mode !== "test";

/**
 * The release of a public version, after the state that the versions before it led to; `undefined` before the first. There is no
 * release if the version changes nothing that OCDS can express: the state then stays the same.
 *
 * Releases are numbered like the public versions, so a missing number says that something else changed in public. Sealed bids make no
 * public versions, so they leave no gaps.
 */
export function nextRelease(
  before: ReleaseState | undefined,
  { number, at, tender }: VersionView,
  settings: ReleaseSettings,
): ReleaseStep | undefined {
  if (!isPublished(tender)) return undefined;
  const ocid = ocidOf(settings, tender.id);
  const id = `${ocid}-${number}`;
  const current = contentOf(tender, settings);
  const retained = before ? retain(before.content, withAmendmentsOf(before.content, current)) : current;
  if (before && isSameValue(before.content, retained)) return undefined;
  const date = releaseDate(before, at, tender, current);
  const terms = before ? changedTerms(before.content, retained) : [];
  const content =
    before && terms.length > 0
      ? withAmendment(retained, terms, { number, date, releaseID: id, amendsReleaseID: before.releaseID })
      : retained;
  const head = { ocid, id, date, tag: releaseTags(before?.content, content), initiationType: "tender" };
  const changes = before ? diffContent(before.content, content) : content;
  return { release: { ...head, ...changes }, state: { content, releaseID: id, date } };
}

/**
 * When the change was committed. A tender on a test clock is ahead of that: its release is as late as the latest event in it, and later
 * than the release before.
 */
function releaseDate(before: ReleaseState | undefined, at: Instant, tender: PublicTender, content: OcdsObject): string {
  const committed = utcText(at);
  if (tender.testClock === undefined) return committed;
  const after = before && Temporal.Instant.from(before.date).add({ microseconds: 1 });
  const earliest = after?.toString({ smallestUnit: "microsecond" }) ?? "";
  // All of them are in UTC with the same number of digits.
  return [committed, latestEvent(content) ?? "", earliest].reduce((a, b) => (a > b ? a : b));
}
