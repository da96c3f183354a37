import type { Config } from "../config/config.ts";
import type { Tender } from "../domain/model/tender.ts";
import { publicVersions, type ViewSettings, viewOfState } from "../history/publicVersions.ts";
import { NO_RELEASES, OPEN_DATA_OFF } from "../http/errorResponses.ts";
import { type Exchange, requireTender } from "../http/exchange.ts";
import { originOf } from "../http/origins.ts";
import type { HttpResponse } from "../http/responses.ts";
import type { RegistryPort } from "../http/runCommand.ts";
import type { Release } from "../ocds/merge.ts";
import { hasReleases, nextRelease, type ReleaseSettings, type ReleaseState } from "../ocds/release.ts";
import type { Registry } from "../registry/registry.ts";
import { packageSettingsOf, publishedPackage } from "./publication.ts";
import { releaseSettingsOf } from "./releaseTemplates.ts";

/** The settings that views in open data depend on. */
export const viewSettingsOf = ({ zone, sandbox }: Pick<Config, "zone" | "sandbox">): ViewSettings => ({
  zone,
  sandbox,
});

/** All releases of a tender up to now, made from its own rows of the ledger: they are never behind, whatever is stored. */
export async function releasesOfTender(
  { ledgerOf }: Pick<Registry, "ledgerOf">,
  tender: Tender,
  viewSettings: ViewSettings,
  settings: ReleaseSettings,
): Promise<readonly Release[]> {
  const releases: Release[] = [];
  let state: ReleaseState | undefined;
  if (!hasReleases(tender)) return releases;
  for await (const version of publicVersions({ ledgerOf }, tender)) {
    const { number, at } = version;
    const step = nextRelease(state, { number, at, tender: viewOfState(version, viewSettings) }, settings);
    if (!step) continue;
    releases.push(step.release);
    ({ state } = step);
  }
  return releases;
}

type TenderExchange = Exchange<RegistryPort & { readonly config: Config }>;

/** `GET /tenders/ID?opt_schema=ocds`: a release package of all releases of the tender. */
export async function showTenderReleases(exchange: TenderExchange): Promise<HttpResponse> {
  const { ports, request, root, path } = exchange;
  const { config, registry } = ports;
  const { openData } = config;
  if (!openData) return OPEN_DATA_OFF;
  const tender = requireTender(exchange);
  const origin = originOf(ports, request);
  const settings = releaseSettingsOf({ origin, ocidPrefix: openData.ocidPrefix });
  const releases = await releasesOfTender(registry, tender, viewSettingsOf(config), settings);
  const elements = releases.map((release) => JSON.stringify(release));
  const facts = { uri: `${root}${path}?opt_schema=ocds`, publishedDate: releases.at(-1)?.date ?? "" };
  const json = publishedPackage(facts, { kind: "releases", elements }, packageSettingsOf(openData, origin));
  if (json === undefined) return NO_RELEASES;
  // A test clock may be moved by another process at any time.
  return { status: 200, json, ...(!tender.testClock && { isFresh: registry.freshnessCheckOf(tender) }) };
}
