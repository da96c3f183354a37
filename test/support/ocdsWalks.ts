import type { Tender } from "../../src/domain/model/tender.ts";
import { isSameJson } from "../../src/domain/values/merge.ts";
import type { Release } from "../../src/ocds/merge.ts";
import type { OcdsObject } from "../../src/ocds/ocdsValues.ts";
import {
  type OcdsRecord,
  openRecordMerger,
  type PackageSettings,
  packageHead,
  packageText,
  releaseLink,
  STANDARD_EXTENSIONS,
} from "../../src/ocds/packages.ts";
import {
  nextRelease,
  type ReleaseSettings,
  type ReleaseState,
  type ReleaseStep,
  type VersionView,
} from "../../src/ocds/release.ts";
import { publicTender } from "../../src/views/publicTender.ts";
import type { Scene } from "./decisions.ts";
import { type Walk, walk, zone } from "./randomWalks.ts";
import { START } from "./world.ts";

/** The releases of tenders on random walks. */

export const OCDS_SETTINGS: ReleaseSettings & PackageSettings = {
  ocidPrefix: "ocds-213czf",
  origin: "https://tenders.example",
  apiRoot: "https://tenders.example/api/2.5",
  publisher: { name: "Tenders of Example", uri: "https://tenders.example/" },
  license: "https://creativecommons.org/licenses/by/4.0/",
  extensions: [...STANDARD_EXTENSIONS, "https://tenders.example/ocds/extension/extension.json"],
};

/** Collects the public versions of a tender: what everybody sees after each change of it that everybody sees. */
export function openVersions() {
  const versions: VersionView[] = [];
  const add = (tender: Tender, at: number) => {
    if (tender.status === "draft") return;
    const view = publicTender(tender, { now: at, zone, sandbox: true });
    if (!isSameJson(view, versions.at(-1)?.tender)) versions.push({ number: versions.length + 1, at, tender: view });
  };
  return { versions, add };
}

/** The public versions of the tender of a walk. */
export function versionsOfWalk(steps: Walk): readonly VersionView[] {
  const { versions, add } = openVersions();
  let isFirst = true;
  walk(steps, (before, after, at) => {
    if (isFirst) add(before, START);
    isFirst = false;
    add(after, at);
  });
  return versions;
}

/** The releases of a tender, and the state after each. */
export function stepsOf(versions: readonly VersionView[]): readonly ReleaseStep[] {
  const steps: ReleaseStep[] = [];
  let state: ReleaseState | undefined;
  for (const version of versions) {
    const step = nextRelease(state, version, OCDS_SETTINGS);
    if (!step) continue;
    steps.push(step);
    ({ state } = step);
  }
  return steps;
}

/** A package of these releases or records, as it is served. */
export function packageOf(
  kind: "releases" | "records",
  elements: readonly (Release | OcdsRecord)[],
  uri: string,
  publishedDate = "2026-11-16T08:01:00.000000Z",
): OcdsObject {
  const head = packageHead({ uri, publishedDate }, OCDS_SETTINGS);
  return JSON.parse(
    packageText(
      head,
      kind,
      elements.map((element) => JSON.stringify(element)),
    ),
  );
}

/** The releases of a tender that went through these scenes. */
export function releasesOfScenes(scenes: readonly Scene[]): readonly Release[] {
  const { versions, add } = openVersions();
  for (const { tender, now } of scenes) add(tender, now);
  return stepsOf(versions).map(({ release }) => release);
}

/** The record of a process with its releases in it. */
export function embeddedRecord(releases: readonly Release[]): OcdsRecord {
  const merger = openRecordMerger({ hasVersions: true });
  for (const release of releases) merger.add(release);
  const [compiledRelease, versionedRelease] = [merger.compiled(), merger.versioned()];
  if (!compiledRelease || !versionedRelease) throw new RangeError("There are no releases to merge");
  return { ocid: compiledRelease.ocid, releases, compiledRelease, versionedRelease };
}

/** The record of a process with links to its releases; `addressOf` is the address of a release. */
export const linkedRecord = (releases: readonly Release[], addressOf: (release: Release) => string): OcdsRecord => ({
  ...embeddedRecord(releases),
  releases: releases.map((release) => releaseLink(addressOf(release), release)),
});
