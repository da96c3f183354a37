import type { Tender } from "../domain/model/tender.ts";
import { type ReplayLease, withReplayLease } from "../history/replayLimit.ts";
import type { Release } from "../ocds/merge.ts";
import type { OcdsObject } from "../ocds/ocdsValues.ts";
import { openRecordMerger, releaseLink } from "../ocds/packages.ts";
import { type CurrentReleasePorts, currentReleases } from "./currentReleases.ts";
import type { OpenDataPublication } from "./openData.ts";
import { releaseAddress } from "./releasePages.ts";
import { parseRelease } from "./releaseProgress.ts";

/**
 * What a record has besides the compiled release: links to its releases and the versioned release, the releases themselves and the
 * versioned release, or only the links. The versioned release of a tender can be many times as large as the tender.
 */
export type RecordForm = "linked" | "embedded" | "compiled";

/** The JSON of a record, and the date of its newest release. */
export type RecordText = { readonly json: string; readonly date: string };

/** Merging so much text takes a few milliseconds. */
const SLICE_CHARACTERS = 64 * 1024;

/** The record of a tender: everything about it in one object; undefined if it has no releases. Other work runs while it is made. */
export const recordOf = (
  ports: CurrentReleasePorts,
  publication: OpenDataPublication,
  tender: Tender,
  form: RecordForm,
): Promise<RecordText | undefined> =>
  withReplayLease(async (lease) => {
    const merger = openRecordMerger({ hasVersions: form !== "compiled" });
    const elements: string[] = [];
    let characters = 0;
    for await (const page of currentReleases(ports, publication, tender, lease))
      for (const text of page) {
        const release = parseRelease(text);
        merger.add(release);
        elements.push(form === "embedded" ? text : linkTo(release, publication));
        characters += text.length;
        if (characters < SLICE_CHARACTERS) continue;
        await lease.pause();
        characters = 0;
      }
    const compiled = merger.compiled();
    if (!compiled) return undefined;
    const versioned = merger.versioned();
    const parts = [
      `"ocid":${JSON.stringify(compiled.ocid)}`,
      `"releases":[${elements.join(",")}]`,
      `"compiledRelease":${JSON.stringify(compiled)}`,
      ...(versioned ? [`"versionedRelease":${await jsonOf(versioned, lease)}`] : []),
    ];
    return { json: `{${parts.join(",")}}`, date: compiled.date };
  });

const linkTo = (release: Release, { origin }: OpenDataPublication): string =>
  JSON.stringify(releaseLink(releaseAddress(origin, release.id), release));

/** The JSON of an object. Other work runs after each of its fields, as they may be long. */
async function jsonOf(object: OcdsObject, { pause }: ReplayLease): Promise<string> {
  const fields: string[] = [];
  for (const [name, value] of Object.entries(object)) {
    fields.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
    await pause();
  }
  return `{${fields.join(",")}}`;
}
