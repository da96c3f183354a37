import type { Address, ContactPoint } from "../../domain/model/tender.ts";
import { bidDeadlineOf, isBiddingAhead } from "../../domain/schedule.ts";
import { cpvCategory } from "../../indexing/cpvCategory.ts";
import { regionOf } from "../../indexing/regions.ts";
import { cpvName } from "../cpv/cpv.ts";
import { codeText, type SummaryRow, statusTag, summaryList, userText } from "../layout/components.ts";
import { formatNumber } from "../layout/formats.ts";
import { LANGUAGE_ROWS } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { nameOf } from "../layout/nameOf.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn, translationOf } from "../layout/textIn.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { linesOf, noteOf, sectionOf } from "./sectionPart.ts";
import {
  deadlineOf,
  hrefOf,
  longText,
  momentOf,
  moneyOf,
  namesOf,
  organizationLink,
  type TenderScreen,
  TITLE_LENGTH_MAX,
  textsOf,
} from "./tenderScreen.ts";

/** The first section: what is bought, by whom, for how much, how and until when. */
export function renderSummaryPart(screen: TenderScreen): Markup {
  const rows = [...mainRows(screen), ...termRows(screen), ...textRows(screen)];
  return sectionOf(screen, "summary", summaryList(rows));
}

const row = (term: string, details: Markup | undefined): readonly SummaryRow[] => (details ? [{ term, details }] : []);

function mainRows(screen: TenderScreen): readonly SummaryRow[] {
  const { tender, procedure, language } = screen;
  const { summary } = textsOf(screen);
  const names = namesOf(screen);
  return [
    ...row(summary.number, html`<span class="whole">${tender.tenderID}</span>`),
    ...row(summary.status, statusTag(tender.status, language)),
    ...deadlineRow(screen),
    ...row(summary.value, tender.value && html`<strong class="value">${moneyOf(screen, tender.value)}</strong>`),
    ...row(summary.buyer, buyerDetails(screen)),
    ...textRow(screen, summary.description, textIn(screen.language, tender, "description")),
    ...row(summary.procedure, html`${names.procedures[procedure]}`),
    ...row(summary.cause, causeDetails(screen)),
    ...row(summary.lots, tender.lots.length === 0 ? undefined : html`${summary.lotCount(tender.lots.length)}`),
    ...row(summary.classification, mainClassification(screen)),
    ...row(summary.region, regionDetails(screen)),
    ...row(
      summary.bids,
      tender.numberOfBids === undefined ? undefined : html`${formatNumber(tender.numberOfBids, language)}`,
    ),
  ];
}

/** Until when bids are or were accepted. Bidders must know in advance whether everybody will see their bids. */
function deadlineRow(screen: TenderScreen): readonly SummaryRow[] {
  const { summary } = textsOf(screen);
  const deadline = bidDeadlineOf(screen.tender);
  if (deadline === undefined) return [];
  const note = screen.hasOpenBidding ? noteOf(textsOf(screen).bids.open) : undefined;
  return isBiddingAhead(screen.tender)
    ? row(summary.deadline, linesOf(deadlineOf(screen, deadline), note))
    : row(summary.deadlineWas, momentOf(screen, deadline));
}

function buyerDetails(screen: TenderScreen): Markup | undefined {
  const { procuringEntity: buyer } = screen.tender;
  if (!buyer) return undefined;
  const { scheme, id } = buyer.identifier ?? {};
  const code = [scheme, id].filter((part) => part !== undefined).join(" ");
  return linesOf(
    organizationLink(screen, buyer, "buyers", textsOf(screen).value.unknown),
    code === "" ? undefined : noteOf(userText(shortText(code, TITLE_LENGTH_MAX))),
    buyer.kind && noteOf(namesOf(screen).buyerKinds[buyer.kind]),
    buyer.address && noteOf(userText(addressText(screen, buyer.address))),
    contactDetails(screen, buyer.contactPoint),
  );
}

/** An address in one line. */
export function addressText(screen: TenderScreen, address: Address): string {
  const { streetAddress, locality, region, postalCode } = address;
  const parts = [streetAddress, locality, region, postalCode, textIn(screen.language, address, "countryName")];
  return shortText(parts.filter((part) => part?.trim()).join(", "), TITLE_LENGTH_MAX);
}

const EMAIL = /^[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+$/;
const TELEPHONE = /^\+?[\d ()-]{5,30}$/;

function contactDetails(screen: TenderScreen, contact: ContactPoint | undefined): Markup | undefined {
  if (!contact) return undefined;
  const { email, telephone } = contact;
  const name = textIn(screen.language, contact, "name");
  const parts = [
    ...(name ? [userText(shortText(name, TITLE_LENGTH_MAX))] : []),
    ...(email ? [linked(EMAIL.test(email) ? `mailto:${email}` : undefined, email)] : []),
    ...(telephone
      ? [linked(TELEPHONE.test(telephone) ? `tel:${telephone.replaceAll(/[^+\d]/g, "")}` : undefined, telephone)]
      : []),
  ];
  if (parts.length === 0) return undefined;
  const list = parts.map((part, i) => (i === 0 ? part : html`, ${part}`));
  return noteOf(html`${textsOf(screen).summary.contact}: ${list}`);
}

const linked = (href: string | undefined, text: string): Markup => {
  const shown = userText(shortText(text, TITLE_LENGTH_MAX));
  return href === undefined ? shown : html`<a href="${href}">${shown}</a>`;
};

function causeDetails(screen: TenderScreen): Markup | undefined {
  const { tender } = screen;
  const description = textIn(screen.language, tender, "causeDescription");
  if (tender.cause === undefined && description === undefined) return undefined;
  return linesOf(
    tender.cause === undefined ? undefined : html`${nameOf(namesOf(screen).causes, tender.cause)}`,
    description === undefined ? undefined : longText(screen, description),
  );
}

/** The classification of the first item, with a link to other tenders of the same kind. */
function mainClassification(screen: TenderScreen): Markup | undefined {
  const { classification } = screen.tender.items?.[0] ?? {};
  if (classification?.id === undefined) return undefined;
  const { id } = classification;
  const category = cpvCategory(id);
  const code = codeText(shortText(id, TITLE_LENGTH_MAX));
  const link =
    category === undefined
      ? code
      : html`<a href="${hrefOf(screen, "/tenders")}?cpv=${encodeURIComponent(category)}">${code}</a>`;
  return html`${link} ${classificationName(screen, classification)}`;
}

/** What a classification is called: as the buyer says or, in a language into which the buyer did not translate it, as the CPV does. */
export function classificationName(
  screen: TenderScreen,
  classification: NonNullable<NonNullable<TenderScreen["tender"]["items"]>[number]["classification"]>,
): Markup {
  const { language } = screen;
  const lacksTranslation =
    LANGUAGE_ROWS[language].translation && !translationOf(language, classification, "description")?.trim();
  const official = lacksTranslation && classification.id ? cpvName(classification.id, language) : undefined;
  if (official?.language === language) return html`${official.text}`;
  const description = textIn(screen.language, classification, "description");
  return description === undefined ? EMPTY_MARKUP : userText(shortText(description, TITLE_LENGTH_MAX));
}

/** The region, as the search calls it, with a link to other tenders there. Other places are named as the buyer does. */
function regionDetails(screen: TenderScreen): Markup | undefined {
  const { tender, language } = screen;
  const key = regionOf(tender);
  if (key !== undefined && key !== "other")
    return html`<a href="${hrefOf(screen, "/tenders")}?region=${key}">${messagesIn(language).regions[key]}</a>`;
  const region =
    tender.items?.[0]?.deliveryAddress?.region?.trim() || tender.procuringEntity?.address?.region?.trim() || undefined;
  return region === undefined ? undefined : userText(shortText(region, TITLE_LENGTH_MAX));
}

function termRows(screen: TenderScreen): readonly SummaryRow[] {
  const { tender } = screen;
  const { summary } = textsOf(screen);
  const names = namesOf(screen);
  const { guarantee, minimalStep, submissionMethod, awardCriteria, features = [] } = tender;
  const criteriaNames = features.length > 0 ? names.weightedAwardCriteria : names.awardCriteria;
  return [
    ...row(summary.guarantee, guarantee?.amount && html`${moneyOf(screen, guarantee)}`),
    ...row(summary.minimalStep, minimalStep?.amount && html`${moneyOf(screen, minimalStep)}`),
    ...row(summary.submission, submissionMethod && html`${names.submissionMethods[submissionMethod]}`),
    ...row(summary.awardCriteria, awardCriteria && html`${criteriaNames[awardCriteria]}`),
  ];
}

const textRow = (screen: TenderScreen, term: string, text: string | undefined): readonly SummaryRow[] =>
  row(term, text === undefined ? undefined : longText(screen, text));

function textRows(screen: TenderScreen): readonly SummaryRow[] {
  const { tender } = screen;
  const { summary } = textsOf(screen);
  return [
    ...textRow(screen, summary.rationale, textIn(screen.language, tender, "procurementMethodRationale")),
    ...textRow(screen, summary.eligibility, textIn(screen.language, tender, "eligibilityCriteria")),
  ];
}
