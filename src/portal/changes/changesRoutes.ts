import { CURRENT_SEGMENT } from "../../dialects/dialects.ts";
import type { Tender } from "../../domain/model/tender.ts";
import { versionsBefore, versionsNumbered } from "../../history/versionQueries.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { ATOM_TYPE } from "../feeds/atom.ts";
import { fileResponse } from "../layout/fileResponse.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { type PageRequest, pageResponse } from "../layout/pageRequest.ts";
import type { PortalRoute } from "../layout/portalRoute.ts";
import { tenderNotFoundResponse } from "../tender/tenderNotFound.ts";
import { decoded, findTender, redirectTo, type TenderPagePorts } from "../tender/tenderRoutes.ts";
import { tenderPath } from "../tender/tenderScreen.ts";
import { type ChangesScreen, comparisonPage, versionsPage } from "./changesPage.ts";
import { readChangesQuery } from "./changesQuery.ts";
import { renderVersionFeed } from "./versionFeed.ts";
import { changesPath } from "./versionList.ts";

/** The addresses of the changes of a tender: the page `/tenders/ID/changes`, and the feed `/tenders/ID.atom`. */

export const CHANGES_ROUTES: readonly PortalRoute<TenderPagePorts>[] = [
  { pattern: /^\/tenders\/([^/]+)\/changes$/, parameters: "checked by handler", handle: showChanges },
  { pattern: /^\/tenders\/([^/]+)\.atom$/, handle: showFeed },
];

/** Versions on a page. */
const VERSIONS_PER_PAGE = 50;

async function showChanges(
  ports: TenderPagePorts,
  pageRequest: PageRequest,
  [segment = ""]: readonly string[],
): Promise<HttpResponse> {
  const { registry } = ports;
  const found = await findTender(ports, segment);
  if (found && "movedTo" in found) return redirectTo(pageRequest, changesPath(found.movedTo));
  const versions = found ? await versionsBefore(registry, found.tender, undefined, VERSIONS_PER_PAGE) : [];
  const [last] = versions;
  if (!found || !last) return tenderNotFoundResponse(pageRequest, decoded(segment), ports.config.zone.name);
  const { tender } = found;
  const { changes: texts } = messagesIn(pageRequest.language);
  const { query, problems } = readChangesQuery(pageRequest.query, last.number, texts);
  const screen = { ...screenOf(ports, pageRequest), last, problems };
  const options = {
    status: problems.length > 0 ? 400 : 200,
    ...(!tender.testClock && problems.length === 0 && { isFresh: registry.freshnessCheckOf(tender) }),
  };
  if (query.kind === "comparison") return compare(ports, pageRequest, tender, screen, query, options);
  const { before } = query;
  const shown = before === undefined ? versions : await versionsBefore(registry, tender, before, VERSIONS_PER_PAGE);
  return pageResponse(versionsPage(screen, shown, before), pageRequest, options);
}

async function showFeed(
  ports: TenderPagePorts,
  pageRequest: PageRequest,
  [segment = ""]: readonly string[],
): Promise<HttpResponse> {
  const { registry, config } = ports;
  const found = await findTender(ports, segment);
  if (found && "movedTo" in found) return redirectTo(pageRequest, `${tenderPath(found.movedTo)}.atom`);
  const versions = found ? await versionsBefore(registry, found.tender, undefined, VERSIONS_PER_PAGE) : [];
  const [last] = versions;
  if (!found || !last) return tenderNotFoundResponse(pageRequest, decoded(segment), config.zone.name);
  return fileResponse(renderVersionFeed(versions, last, screenOf(ports, pageRequest)), {
    type: ATOM_TYPE,
    language: pageRequest.language,
    ...(!found.tender.testClock && { isFresh: registry.freshnessCheckOf(found.tender) }),
  });
}

async function compare(
  { registry }: TenderPagePorts,
  pageRequest: PageRequest,
  tender: Tender,
  screen: ChangesScreen,
  numbers: { readonly from: number; readonly to: number },
  options: Parameters<typeof pageResponse>[2],
): Promise<HttpResponse> {
  const found = await versionsNumbered(registry, tender, [numbers.from, numbers.to]);
  const [from, to] = [found.get(numbers.from), found.get(numbers.to)];
  if (!from || !to) throw new Error(`versions ${numbers.from} and ${numbers.to} of ${tender.id} were not found again`);
  return pageResponse(comparisonPage(screen, from, to), pageRequest, options);
}

const screenOf = ({ config }: TenderPagePorts, { site, language }: PageRequest) => ({
  site,
  language,
  zone: config.zone,
  zoneName: config.zone.name,
  views: { zone: config.zone, sandbox: config.sandbox },
  apiPath: `${site.basePath}/api/${CURRENT_SEGMENT}`,
});
