import type { Config } from "../../config/config.ts";
import { MINUTE } from "../../domain/values/time.ts";
import { pageLimitOf } from "../../feed/pageLimit.ts";
import { findPastVersion, type PastVersionProblem } from "../../history/pastVersion.ts";
import { changedJson, changesBetween, pointerOf } from "../../history/publicChanges.ts";
import { type PublicVersion, viewOfState } from "../../history/publicVersions.ts";
import { versionsAfter, versionsBefore } from "../../history/versionQueries.ts";
import { okResponse, renderShape } from "../../http/dataResponses.ts";
import { BAD_AT, BAD_OFFSET, BAD_PARAMS, NOT_FOUND } from "../../http/errorResponses.ts";
import { type Exchange, requireTender } from "../../http/exchange.ts";
import { ignoredParametersHeader } from "../../http/ignoredParameters.ts";
import type { HttpResponse, ResponseHeaders } from "../../http/responses.ts";
import type { RegistryPort } from "../../http/runCommand.ts";

/** The public history of a tender: its versions, and the tender as it was at any time. */

type HistoryExchange = Exchange<RegistryPort & { readonly config: Config }>;

/** Past versions do not change, but a later release of the service may show more of them. */
const CACHED_FOR_A_DAY: ResponseHeaders = { "Cache-Control": "public, max-age=86400" };

/** A commit is visible a moment after its instant: this long after it, nothing can be added before that instant. */
const SETTLED_AFTER = MINUTE;

const PROBLEM_RESPONSES: { readonly [problem in PastVersionProblem]: HttpResponse } = {
  "no time": BAD_AT("Must be a time in ISO 8601, such as 2026-11-15T03:16:58.884710+02:00"),
  future: BAD_AT("Must not be in the future"),
  unpublished: NOT_FOUND("tender_id"),
};

/** The tender as everybody saw it at the instant of the parameter `at`. */
export async function showTenderAt(exchange: HistoryExchange, text: string): Promise<HttpResponse> {
  const { ports, now } = exchange;
  const { config, registry } = ports;
  const tender = requireTender(exchange);
  const realTime = tender.testClock === undefined ? now : await registry.nowFor({});
  const found = await findPastVersion(registry, tender, text, { zone: config.zone, realTime });
  if ("problem" in found) return PROBLEM_RESPONSES[found.problem];
  const isSettled = !found.isLast || found.at < realTime - SETTLED_AFTER;
  const response = okResponse(exchange, "Tender", viewOfState(found.version, config));
  return isSettled ? { ...response, headers: CACHED_FOR_A_DAY } : response;
}

const KNOWN_PARAMS = new Set(["limit", "offset", "descending", "opt_pretty", "opt_jsonp", "acc_token"]);
const NUMBER = /^\d{1,9}$/;

/** A page ends early after so many characters of changes, which may be as long as texts of the tender. */
const PAGE_LENGTH_MAX = 1024 * 1024;

/** A page of the versions of a tender, oldest first unless `descending` is set. */
export async function showHistory(exchange: HistoryExchange): Promise<HttpResponse> {
  const { query, ports } = exchange;
  const { registry, config } = ports;
  const tender = requireTender(exchange);
  const limit = pageLimitOf(query, config.limits.pageDefault, config.limits.pageMax);
  if (limit.problem) return BAD_PARAMS([limit.problem]);
  const offset = query.get("offset") || undefined;
  if (offset !== undefined && !NUMBER.test(offset)) return BAD_OFFSET;
  const descending = Boolean(query.get("descending"));
  const beyond = offset === undefined ? undefined : Number(offset);
  const versions = descending
    ? await versionsBefore(registry, tender, beyond, limit.value + 1)
    : await versionsAfter(registry, tender, beyond ?? 0, limit.value + 1);
  const entries = renderEntries(exchange, versions.slice(0, limit.value));
  const isWhole = entries.length === versions.length;
  const last = versions[entries.length - 1]?.number ?? beyond;
  const links = JSON.stringify({ next_page: nextPage(exchange, { limit: limit.value, descending, offset: last }) });
  // The first versions of a tender stay the first, whatever happens to it later.
  const isPermanent = !isWhole && !descending;
  return {
    status: 200,
    headers: { ...(isPermanent && CACHED_FOR_A_DAY), ...ignoredParametersHeader(query, KNOWN_PARAMS, []) },
    json: `{"data":[${entries.join(",")}],${links.slice(1)}`,
    ...(!tender.testClock && { isFresh: registry.freshnessCheckOf(tender) }),
  };
}

/** The JSON of the versions, up to the length of a page but at least one. */
function renderEntries(exchange: HistoryExchange, versions: readonly PublicVersion[]): readonly string[] {
  const entries: string[] = [];
  let length = 0;
  for (const version of versions) {
    entries.push(renderEntry(exchange, version));
    length += entries.at(-1)?.length ?? 0;
    if (length > PAGE_LENGTH_MAX) break;
  }
  return entries;
}

function renderEntry(exchange: HistoryExchange, version: PublicVersion): string {
  const { dialect, root, ports } = exchange;
  const { number, at, act, tender, before } = version;
  const view = viewOfState(version, ports.config);
  const changes = changesBetween(before && viewOfState(before, ports.config), view).map(
    ({ path, format, before: oldValue, after: newValue }) => ({
      path: pointerOf(path),
      before: changedJson(dialect, format, oldValue, root),
      after: changedJson(dialect, format, newValue, root),
    }),
  );
  return renderShape(exchange, "HistoryEntry", { number, date: at, act, status: tender.status, changes });
}

type PageParameters = { readonly limit: number; readonly descending: boolean; readonly offset: number | undefined };

function nextPage({ root, path }: HistoryExchange, { limit, descending, offset }: PageParameters) {
  const next = new URLSearchParams({
    ...(offset !== undefined && { offset: String(offset) }),
    limit: String(limit),
    ...(descending && { descending: "1" }),
  });
  const uri = `${root}${path}?${next}`;
  return { offset: offset === undefined ? "" : String(offset), path: uri.replace(/^\w+:\/\/[^/]+/, ""), uri };
}
