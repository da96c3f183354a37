import type { Config } from "../../config/config.ts";
import type { Tender } from "../../domain/model/tender.ts";
import { bidDeadlineOf, isBiddingAhead } from "../../domain/schedule.ts";
import { NOT_FOUND } from "../../http/errorResponses.ts";
import { etagOf } from "../../http/etags.ts";
import type { HttpResponse } from "../../http/responses.ts";
import type { Registry } from "../../registry/registry.ts";
import { formatMoment, formatMoney } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { nameOf } from "../layout/nameOf.ts";
import type { PageRequest } from "../layout/pageRequest.ts";
import type { PortalRoute } from "../layout/portalRoute.ts";
import { isReadable, shortLine } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { drawPreview, type PreviewTexts } from "./previewPicture.ts";

/** The pictures of links: of the site, and of a tender. */

export type PreviewPorts = { readonly registry: Registry; readonly config: Config };

export const PREVIEW_ROUTES: readonly PortalRoute<PreviewPorts>[] = [
  { pattern: /^\/preview\.png$/, handle: showSitePreview },
  { pattern: /^\/tenders\/([0-9a-f]{32})\/preview\.png$/, handle: showTenderPreview },
];

function showSitePreview(_ports: PreviewPorts, { site, language }: PageRequest): HttpResponse {
  const { home } = messagesIn(language);
  const picture = drawPreview({ siteName: site.name, overline: home.heading, title: home.lead });
  return pictureResponse(picture, () => true);
}

async function showTenderPreview(
  { registry, config }: PreviewPorts,
  { site, language }: PageRequest,
  [id = ""]: readonly string[],
): Promise<HttpResponse> {
  const tender = await registry.tender(id);
  if (!tender || tender.status === "draft") return NOT_FOUND("tender_id");
  const picture = drawPreview({ siteName: site.name, ...tenderTexts(tender, config.zone.name, language) });
  return pictureResponse(picture, registry.freshnessCheckOf(tender));
}

/** The picture has no room for more. */
const TITLE_LENGTH_MAX = 140;

/** Only what everyone sees on the page of the tender. */
function tenderTexts(tender: Tender, zoneName: string, language: Language): Omit<PreviewTexts, "siteName"> {
  const { names, home } = messagesIn(language);
  const { tenderID, status, value, procuringEntity } = tender;
  const title = shortLine(textIn(language, tender, "title") ?? "", TITLE_LENGTH_MAX);
  const deadline = isBiddingAhead(tender) ? bidDeadlineOf(tender) : undefined;
  return {
    overline: `${tenderID} · ${nameOf(names.tenderStatuses, status)}`,
    title: isReadable(title) ? title : tenderID,
    subtitle: shortLine(textIn(language, procuringEntity, "name") ?? "", TITLE_LENGTH_MAX),
    ...(value?.amount !== undefined && { fact: formatMoney(value.amount, value.currency ?? "", language) }),
    ...(deadline !== undefined && {
      otherFact: home.deadline(formatMoment(deadline, "date", zoneName, language)),
    }),
  };
}

/** The bytes are Latin-1 text, as in all cached bodies. */
const pictureResponse = (picture: Buffer, isFresh: () => boolean | Promise<boolean>): HttpResponse => ({
  status: 200,
  headers: {
    "Content-Type": "image/png",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "public, no-cache",
  },
  text: { latin1: picture.toString("latin1"), etag: etagOf(picture) },
  isFresh,
});
