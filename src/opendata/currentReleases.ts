import type { Config } from "../config/config.ts";
import type { Tender } from "../domain/model/tender.ts";
import { type LedgerReader, publicVersions, viewOfState } from "../history/publicVersions.ts";
import type { ReplayLease } from "../history/replayLimit.ts";
import { nextRelease, type ReleaseState } from "../ocds/release.ts";
import type { OpenDataPublication } from "./openData.ts";
import { fillTemplate, releaseSettingsOf, type TemplateValues } from "./releaseTemplates.ts";
import { viewSettingsOf } from "./viewSettings.ts";

/** What the releases of one tender are read from. */
export type CurrentReleasePorts = {
  readonly registry: LedgerReader;
  readonly config: Pick<Config, "zone" | "sandbox">;
};

/**
 * All releases of a tender up to now as JSON, in order and page by page; of a tender that became a test, those from before. Waits for
 * those that are about to be made. If releases are far behind, they are made from the tender's own rows of the ledger. Lets other work run
 * between pages, since a tender may have many large releases, and uses the lease of the request.
 */
export async function* currentReleases(
  ports: CurrentReleasePorts,
  { openData, settings, origin }: OpenDataPublication,
  tender: Tender,
  lease: ReplayLease,
): AsyncGenerator<readonly string[]> {
  const values = { origin, ocidPrefix: settings.ocidPrefix };
  const { at } = await openData.waitFor(tender.dateModified);
  const isStored = at >= tender.dateModified;
  const pages = isStored ? openData.templatePages(tender.id) : replayedReleases(ports, tender, values, lease);
  let characters = 0;
  for await (const page of pages) {
    const texts = isStored ? page.map((template) => fillTemplate(template, values)) : page;
    yield texts;
    characters += texts.reduce((sum, text) => sum + text.length, 0);
    await lease.beforeCharacters(characters);
    await lease.pause();
  }
}

/** The releases of a tender, made from its rows of the ledger: they are never behind, whatever is stored. */
async function* replayedReleases(
  { registry, config }: CurrentReleasePorts,
  tender: Tender,
  values: TemplateValues,
  { beforeRows }: ReplayLease,
): AsyncGenerator<readonly string[]> {
  const [viewSettings, settings] = [viewSettingsOf(config), releaseSettingsOf(values)];
  let state: ReleaseState | undefined;
  for await (const version of publicVersions(registry, tender, beforeRows)) {
    const { number, at } = version;
    const step = nextRelease(state, { number, at, tender: viewOfState(version, viewSettings) }, settings);
    if (!step) continue;
    ({ state } = step);
    yield [JSON.stringify(step.release)];
  }
}
