import type { Tender } from "../../src/domain/model/tender.ts";
import { isSameJson } from "../../src/domain/values/merge.ts";
import type { Release } from "../../src/ocds/merge.ts";
import { type PublicationSettings, STANDARD_EXTENSIONS } from "../../src/ocds/packages.ts";
import { type ReleaseStep, releasesOf, type VersionView } from "../../src/ocds/release.ts";
import { publicTender } from "../../src/views/publicTender.ts";
import type { Scene } from "./decisions.ts";
import { type Walk, walk, zone } from "./randomWalks.ts";
import { START } from "./world.ts";

/** The releases of tenders on random walks. */

export const OCDS_SETTINGS: PublicationSettings = {
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
export const stepsOf = (versions: readonly VersionView[]): readonly ReleaseStep[] => [
  ...releasesOf(versions, OCDS_SETTINGS),
];

/** The releases of a tender that went through these scenes. */
export function releasesOfScenes(scenes: readonly Scene[]): readonly Release[] {
  const { versions, add } = openVersions();
  for (const { tender, now } of scenes) add(tender, now);
  return stepsOf(versions).map(({ release }) => release);
}
