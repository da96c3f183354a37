import type { Organization, Period, Tender, Value } from "../../client/index.ts";
import { UNTYPED_PROCEDURE } from "../../domain/procedures/names.ts";
import { paintStatus, type TerminalStyle } from "./colours.ts";
import { moneyOf } from "./money.ts";
import { columnWidths, formatRow, stripControls } from "./tables.ts";

/** A tender for people: its main fields, the next step, and a section for each of its collections. */
export function formatOverview(tender: Tender, style: TerminalStyle): string {
  const { strong, faint } = style;
  const head = [
    strong(stripControls(tender.title ?? tender.tenderID).trim()),
    `${tender.tenderID}  ${paintStatus(style, tender.status)}  ${faint(tender.id)}`,
  ];
  const facts = factsOf(tender).filter(([, text]) => text !== "");
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(([name, text]) => `${faint(name.padEnd(width))}  ${text}`);
  const sections = sectionsOf(tender, style).flatMap(([name, rows]) =>
    rows.length > 0 ? ["", ...formatSection(name, rows, style)] : [],
  );
  return `${[...head, "", ...lines, ...sections].join("\n")}\n`;
}

type Rows = readonly (readonly string[])[];

function formatSection(name: string, rows: Rows, { strong }: TerminalStyle): readonly string[] {
  const widths = columnWidths(rows);
  return [strong(`${name} (${rows.length})`), ...rows.map((row) => `  ${formatRow(row, widths)}`)];
}

/** What happens next in each status, with the time if there is a deadline. */
const NEXT_STEP: { readonly [status: string]: (tender: Tender) => string } = {
  draft: () => "the owner publishes it",
  active: () => "the owner records the supplier and signs the contract",
  "active.enquiries": (tender) => `${formatTime(tender.tenderPeriod?.startDate ?? tender.next_check)} tendering starts`,
  "active.tendering": ({ tenderPeriod }) => `${formatTime(tenderPeriod?.endDate)} tendering ends`,
  "active.auction": ({ auctionPeriod, lots = [] }) => {
    const start =
      auctionPeriod?.startDate ??
      lots
        .map((lot) => lot.auctionPeriod?.startDate ?? "")
        .toSorted()
        .find(Boolean);
    return start ? `${formatTime(start)} the auction starts` : "the auction is scheduled";
  },
  "active.qualification": () => "the buyer decides on the bids",
  "active.awarded": ({ next_check }) =>
    next_check ? `${formatTime(next_check)} the complaint period ends` : "the buyer signs the contract",
};

const factsOf = (tender: Tender): readonly (readonly [string, string])[] => [
  ["Next", NEXT_STEP[tender.status]?.(tender).trim() ?? "none, the tender has ended"],
  ["Buyer", formatOrganization(tender.procuringEntity)],
  ["Contact", formatContact(tender.procuringEntity)],
  ["Value", [moneyOf(tender.value), formatVat(tender.value)].filter(Boolean).join(", ")],
  ["Minimal step", moneyOf(tender.minimalStep)],
  ["Procedure", tender.procurementMethodType ?? UNTYPED_PROCEDURE],
  ["Enquiries", formatPeriod(tender.enquiryPeriod)],
  ["Tendering", formatPeriod(tender.tenderPeriod)],
  ["Auction", [formatPeriod(tender.auctionPeriod), stripControls(tender.auctionUrl ?? "")].filter(Boolean).join("  ")],
  ["Awarding", formatPeriod(tender.awardPeriod)],
  ["Changed", formatTime(tender.dateModified)],
];

/** The collections. Bids are part of a public tender only after they are opened. */
function sectionsOf(tender: Tender, style: TerminalStyle): readonly (readonly [string, Rows])[] {
  const status = (text = "") => paintStatus(style, text);
  const { items = [], lots = [], questions = [], bids = [], awards = [], contracts = [] } = tender;
  const { complaints = [], cancellations = [], documents = [] } = tender;
  return [
    [
      "Items",
      items.map(({ quantity, unit, classification, description }) =>
        [
          [quantity, unit?.name].filter((part) => part !== undefined).join(" "),
          classification?.id ?? "",
          description ?? "",
        ].map(stripControls),
      ),
    ],
    ["Lots", lots.map((lot) => [status(lot.status), moneyOf(lot.value), stripControls(lot.title ?? "")])],
    [
      "Questions",
      questions.map(({ date, answer, title }) => [
        formatTime(date),
        answer ? "answered" : "not answered",
        stripControls(title ?? ""),
      ]),
    ],
    ["Bids", bids.map((bid) => [status(bid.status), bidMoney(bid), joinNames(bid.tenderers)])],
    ["Awards", awards.map((award) => [status(award.status), moneyOf(award.value), joinNames(award.suppliers)])],
    [
      "Contracts",
      contracts.map((contract) => [
        status(contract.status),
        moneyOf(contract.value),
        stripControls(contract.contractNumber ?? contract.contractID ?? ""),
        joinNames(contract.suppliers),
      ]),
    ],
    [
      "Complaints",
      complaints.map((complaint) => [
        status(complaint.status),
        formatTime(complaint.date),
        stripControls(complaint.title ?? ""),
      ]),
    ],
    [
      "Cancellations",
      cancellations.map((part) => [status(part.status), formatTime(part.date), stripControls(part.reason ?? "")]),
    ],
    [
      "Documents",
      documents.map(({ datePublished, format, title }) => [
        formatTime(datePublished),
        stripControls(format ?? ""),
        stripControls(title ?? ""),
      ]),
    ],
  ];
}

const bidMoney = ({ value, lotValues = [] }: NonNullable<Tender["bids"]>[number]): string =>
  value ? moneyOf(value) : lotValues.map((lotValue) => moneyOf(lotValue.value)).join(" + ");

const joinNames = (organizations: readonly Organization[] = []): string =>
  organizations.map(({ name }) => stripControls(name ?? "")).join(", ");

const formatOrganization = (organization: Organization | undefined): string => {
  const { name, identifier, address } = organization ?? {};
  return joinTexts([name, [identifier?.scheme, identifier?.id].filter(Boolean).join(" "), address?.locality]);
};

const formatContact = (organization: Organization | undefined): string => {
  const { name, telephone, email } = organization?.contactPoint ?? {};
  return joinTexts([name, telephone, email]);
};

const joinTexts = (texts: readonly (string | undefined)[]): string =>
  texts.flatMap((text) => (text ? [stripControls(text)] : [])).join(", ");

const formatVat = (value: Value | undefined): string =>
  value?.valueAddedTaxIncluded === undefined ? "" : `VAT ${value.valueAddedTaxIncluded ? "" : "not "}included`;

/** For example `2026-11-23 10:00 +02:00`: to the minute, in the time zone of the registry. */
const formatTime = (time: string | undefined): string =>
  time === undefined ? "" : stripControls(time).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*/, "$1 $2 ");

const formatPeriod = (period: Period | undefined): string => {
  const [from, until] = [formatTime(period?.startDate), formatTime(period?.endDate)];
  if (from && until) return `${from} to ${until}`;
  return from ? `from ${from}` : until && `until ${until}`;
};
