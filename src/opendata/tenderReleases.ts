import { withReplayLease } from "../history/replayLimit.ts";
import { NO_RELEASES, OPEN_DATA_OFF } from "../http/errorResponses.ts";
import { requireTender } from "../http/exchange.ts";
import { ignoredParametersHeader } from "../http/ignoredParameters.ts";
import { originOf } from "../http/origins.ts";
import type { HttpResponse } from "../http/responses.ts";
import { currentReleases } from "./currentReleases.ts";
import { openGenerationCheck } from "./openData.ts";
import { packageSettingsOf, publishedPackage } from "./publication.ts";
import type { OpenDataExchange } from "./releasePages.ts";
import { newestDate } from "./releaseTemplates.ts";

/** Others of a tender, such as `at` and `opt_fields`, have no effect: a header names them. */
const KNOWN_PARAMS = new Set(["opt_schema", "opt_pretty", "opt_jsonp", "acc_token"]);

/** `GET /tenders/ID?opt_schema=ocds`: a release package of all releases of the tender. */
export async function showTenderReleases(exchange: OpenDataExchange): Promise<HttpResponse> {
  const { ports, request, root, path } = exchange;
  const { openData, config, registry } = ports;
  if (!openData || !config.openData) return OPEN_DATA_OFF;
  const tender = requireTender(exchange);
  const publication = { openData, settings: config.openData, origin: originOf(ports, request) };
  const isSameGeneration = await openGenerationCheck(openData);
  const elements = await withReplayLease(async (lease) =>
    (await Array.fromAsync(currentReleases(ports, publication, tender, lease))).flat(),
  );
  const facts = { uri: `${root}${path}?opt_schema=ocds`, publishedDate: newestDate(elements) };
  const packageSettings = packageSettingsOf(publication.settings, publication.origin);
  const json = publishedPackage(facts, { kind: "releases", elements }, packageSettings);
  const headers = { ...ignoredParametersHeader(exchange.query, KNOWN_PARAMS, []) };
  if (json === undefined) return { ...NO_RELEASES, headers };
  const isTenderFresh = registry.freshnessCheckOf(tender);
  const isFresh = async () => (await isTenderFresh()) && (await isSameGeneration());
  // A test clock may be moved by another process at any time.
  return { status: 200, headers, json, ...(!tender.testClock && { isFresh }) };
}
