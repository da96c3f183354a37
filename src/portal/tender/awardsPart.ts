import type { Decimal } from "../../domain/values/decimal.ts";
import { compareDecimals, subtractDecimals } from "../../domain/values/decimal.ts";
import type { LinkedAward, LinkedCancellation, LinkedContract } from "../../views/publicTender.ts";
import { type SummaryRow, summaryList, tag, userText } from "../layout/components.ts";
import { formatPercent } from "../layout/formats.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { renderAttachedDocuments } from "./documentsPart.ts";
import { periodOf } from "./itemsPart.ts";
import { cutList, linesOf, noteOf, sectionOf } from "./sectionPart.ts";
import {
  deadlineOf,
  longText,
  lotTitle,
  momentOf,
  moneyOf,
  namesOf,
  organizationLink,
  type TenderScreen,
  TITLE_LENGTH_MAX,
  textsOf,
} from "./tenderScreen.ts";

/** Decisions, contracts and cancellations. */

const row = (term: string, details: Markup | undefined): readonly SummaryRow[] => (details ? [{ term, details }] : []);

const documentsOf = (
  screen: TenderScreen,
  holder: { readonly documents: LinkedAward["documents"] },
): Markup | undefined =>
  holder.documents.length === 0 ? undefined : renderAttachedDocuments(screen, holder.documents);

const entryList = (items: readonly Markup[], after: Markup): Markup =>
  html`<ol class="entries" role="list">
${items}</ol>
${after}`;

/** The decisions on bids and suppliers, latest first. */
export function renderAwardsPart(screen: TenderScreen): Markup {
  const { awards } = screen.tender;
  if (awards.length === 0) return EMPTY_MARKUP;
  const { shown, after } = cutList(screen, "awards", awards.toReversed());
  return sectionOf(
    screen,
    "awards",
    entryList(
      shown.map((award) => awardItem(screen, award)),
      after,
    ),
  );
}

function awardItem(screen: TenderScreen, award: LinkedAward): Markup {
  const texts = textsOf(screen);
  const { status, suppliers, value, date, complaintPeriod, lotID, qualified, subcontractingDetails } = award;
  const names = namesOf(screen);
  const lot = lotTitle(screen, lotID);
  const description = textIn(screen.language, award, "description");
  const title = textIn(screen.language, award, "title");
  const contestedUntil = status === "pending" ? undefined : complaintPeriod?.endDate;
  const rows = [
    ...row(texts.awards.decision, tag(names.awardStatuses[status], status === "active" ? "decided" : "neutral")),
    ...row(texts.awards.value, value?.amount === undefined ? undefined : html`${moneyOf(screen, value)}`),
    ...row(texts.awards.lot, lot === undefined ? undefined : userText(lot)),
    ...row(texts.awards.date, status === "pending" ? undefined : momentOf(screen, date)),
    ...row(texts.awards.complaintsUntil, contestedUntil === undefined ? undefined : deadlineOf(screen, contestedUntil)),
    ...row(texts.awards.qualified, qualified ? html`✓` : undefined),
    ...row(
      texts.awards.subcontracting,
      subcontractingDetails?.trim() ? longText(screen, subcontractingDetails) : undefined,
    ),
    ...row(texts.summary.description, textLines(screen, title, description)),
    ...row(texts.sections.documents, documentsOf(screen, award)),
  ];
  return html`<li>
<h3>${supplierLinks(screen, suppliers)}</h3>
${summaryList(rows)}
</li>
`;
}

function textLines(
  screen: TenderScreen,
  title: string | undefined,
  description: string | undefined,
): Markup | undefined {
  if (title === undefined && description === undefined) return undefined;
  return linesOf(
    title === undefined ? undefined : userText(shortText(title, TITLE_LENGTH_MAX)),
    description === undefined ? undefined : longText(screen, description),
  );
}

const SUPPLIERS_MAX = 10;

function supplierLinks(screen: TenderScreen, suppliers: LinkedAward["suppliers"]): Markup {
  const { unnamed } = textsOf(screen).bids;
  if (!suppliers?.length) return html`${unnamed}`;
  const links = suppliers
    .slice(0, SUPPLIERS_MAX)
    .map((supplier) => organizationLink(screen, supplier, "suppliers", unnamed));
  return html`${links.map((link, i) => (i === 0 ? link : html`, ${link}`))}`;
}

/** The contracts, latest first. */
export function renderContractsPart(screen: TenderScreen): Markup {
  const { contracts } = screen.tender;
  if (contracts.length === 0) return EMPTY_MARKUP;
  const { shown, after } = cutList(screen, "contracts", contracts.toReversed());
  return sectionOf(
    screen,
    "contracts",
    entryList(
      shown.map((contract) => contractItem(screen, contract)),
      after,
    ),
  );
}

function contractItem(screen: TenderScreen, contract: LinkedContract): Markup {
  const texts = textsOf(screen);
  const { status, contractNumber, contractID, value, dateSigned, period, awardID } = contract;
  const award = screen.tender.awards.find(({ id }) => id === awardID);
  const number = contractNumber?.trim() || contractID;
  const title = textIn(screen.language, contract, "title");
  const description = textIn(screen.language, contract, "description");
  const saving = savingOf(screen, contract, award?.lotID);
  const amount =
    value?.amount === undefined
      ? undefined
      : linesOf(html`${moneyOf(screen, value)}`, saving === undefined ? undefined : noteOf(saving));
  const colour = status === "active" ? "decided" : status === "cancelled" ? "ended" : "neutral";
  const rows = [
    ...row(texts.contracts.status, tag(namesOf(screen).contractStatuses[status], colour)),
    ...row(texts.contracts.supplier, supplierLinks(screen, contract.suppliers ?? award?.suppliers)),
    ...row(texts.contracts.value, amount),
    ...row(texts.contracts.signed, dateSigned === undefined ? undefined : momentOf(screen, dateSigned)),
    ...row(texts.contracts.period, period && periodOf(screen, period)),
    ...row(texts.summary.description, textLines(screen, title, description)),
    ...row(texts.sections.documents, documentsOf(screen, contract)),
  ];
  return html`<li>
<h3>${texts.contracts.contract} ${userText(shortText(number, TITLE_LENGTH_MAX))}</h3>
${summaryList(rows)}
</li>
`;
}

/** How much less than expected a signed contract costs, if both amounts can be compared. */
function savingOf(
  screen: TenderScreen,
  { status, value }: LinkedContract,
  lotID: string | undefined,
): string | undefined {
  const { tender } = screen;
  const expected = lotID === undefined ? tender.value : tender.lots.find(({ id }) => id === lotID)?.value;
  const isComparable =
    (status === "active" || status === "terminated") &&
    expected?.currency === value?.currency &&
    expected?.valueAddedTaxIncluded === value?.valueAddedTaxIncluded;
  if (!isComparable || expected?.amount === undefined || value?.amount === undefined) return undefined;
  const share = shareBelow(value.amount, expected.amount);
  return share === undefined ? undefined : textsOf(screen).contracts.saving(formatPercent(share, screen.language));
}

const shareBelow = (amount: Decimal, expected: Decimal): number | undefined =>
  compareDecimals(amount, expected) < 0 ? Number(subtractDecimals(expected, amount)) / Number(expected) : undefined;

/** Cancellations of the tender and of lots. */
export function renderCancellationsPart(screen: TenderScreen): Markup {
  const { cancellations } = screen.tender;
  if (cancellations.length === 0) return EMPTY_MARKUP;
  const { shown, after } = cutList(screen, "cancellations", cancellations.toReversed());
  return sectionOf(
    screen,
    "cancellations",
    entryList(
      shown.map((cancellation) => cancellationItem(screen, cancellation)),
      after,
    ),
  );
}

function cancellationItem(screen: TenderScreen, cancellation: LinkedCancellation): Markup {
  const texts = textsOf(screen);
  const names = namesOf(screen);
  const { status, date, relatedLot, reasonType } = cancellation;
  const reason = textIn(screen.language, cancellation, "reason");
  const lot = lotTitle(screen, relatedLot);
  const rows = [
    ...row(
      texts.cancellations.status,
      tag(names.cancellationStatuses[status], status === "active" ? "ended" : "neutral"),
    ),
    ...row(
      texts.cancellations.reason,
      reasonDetails(screen, reasonType && names.cancellationReasonTypes[reasonType], reason),
    ),
    ...row(texts.cancellations.date, momentOf(screen, date)),
    ...row(texts.sections.documents, documentsOf(screen, cancellation)),
  ];
  return html`<li>
<h3>${lot === undefined ? texts.cancellations.wholeTender : html`${texts.lots.lot}: ${userText(lot)}`}</h3>
${summaryList(rows)}
</li>
`;
}

function reasonDetails(screen: TenderScreen, kind: string | undefined, reason: string | undefined): Markup | undefined {
  if (kind === undefined && reason === undefined) return undefined;
  return linesOf(
    kind === undefined ? undefined : html`${kind}`,
    reason === undefined ? undefined : longText(screen, reason),
  );
}
