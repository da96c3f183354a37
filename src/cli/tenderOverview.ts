import type { Organization, Period, Tender, Value } from "../client/index.ts";
import { paintedStatus, type Style } from "./colours.ts";
import { moneyOf } from "./money.ts";
import { plain, lineOf as rowOf, widthsOf } from "./tables.ts";

/** A tender for people: what it is, where it stands, and what comes next. */
export function overviewOf(tender: Tender, style: Style): string {
  const { strong, faint } = style;
  const head = [
    strong(plain(tender.title ?? tender.tenderID).trim()),
    `${tender.tenderID}  ${paintedStatus(style, tender.status)}  ${faint(tender.id)}`,
  ];
  const facts = factsOf(tender).filter(([, text]) => text !== "");
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(([name, text]) => `${faint(name.padEnd(width))}  ${text}`);
  const sections = sectionsOf(tender, style).flatMap(([name, rows]) =>
    rows.length > 0 ? ["", ...section(name, rows, style)] : [],
  );
  return `${[...head, "", ...lines, ...sections].join("\n")}\n`;
}

type Rows = readonly (readonly string[])[];

function section(name: string, rows: Rows, { strong }: Style): readonly string[] {
  const widths = widthsOf(rows);
  return [strong(`${name} (${rows.length})`), ...rows.map((row) => `  ${rowOf(row, widths)}`)];
}

/** The end of each status, and when it comes where time decides. */
const NEXT: { readonly [status: string]: (tender: Tender) => string } = {
  draft: () => "the owner publishes it",
  "active.enquiries": (tender) => `${when(tender.tenderPeriod?.startDate ?? tender.next_check)} tendering begins`,
  "active.tendering": ({ tenderPeriod }) => `${when(tenderPeriod?.endDate)} tendering ends`,
  "active.auction": ({ auctionPeriod, lots = [] }) => {
    const start =
      auctionPeriod?.startDate ??
      lots
        .map((lot) => lot.auctionPeriod?.startDate ?? "")
        .toSorted()
        .find(Boolean);
    return start ? `${when(start)} the auction begins` : "the auction is planned";
  },
  "active.qualification": () => "the buyer decides on the bids",
  "active.awarded": ({ next_check }) =>
    next_check ? `${when(next_check)} objections end` : "the buyer signs the contract",
};

const factsOf = (tender: Tender): readonly (readonly [string, string])[] => [
  ["Next", NEXT[tender.status]?.(tender).trim() ?? "nothing, it has ended"],
  ["Buyer", organization(tender.procuringEntity)],
  ["Contact", contact(tender.procuringEntity)],
  ["Value", [moneyOf(tender.value), vat(tender.value)].filter(Boolean).join(", ")],
  ["Minimal step", moneyOf(tender.minimalStep)],
  ["Procedure", tender.procurementMethodType ?? "basic"],
  ["Enquiries", period(tender.enquiryPeriod)],
  ["Tendering", period(tender.tenderPeriod)],
  ["Auction", [period(tender.auctionPeriod), plain(tender.auctionUrl ?? "")].filter(Boolean).join("  ")],
  ["Awarding", period(tender.awardPeriod)],
  ["Changed", when(tender.dateModified)],
];

/** Bids are in it only once everybody may see them. */
function sectionsOf(tender: Tender, style: Style): readonly (readonly [string, Rows])[] {
  const status = (text = "") => paintedStatus(style, text);
  const { items = [], lots = [], questions = [], bids = [], awards = [], contracts = [] } = tender;
  const { complaints = [], cancellations = [], documents = [] } = tender;
  return [
    [
      "Items",
      items.map(({ quantity, unit, classification, description }) =>
        [
          [quantity, unit?.name].filter((one) => one !== undefined).join(" "),
          classification?.id ?? "",
          description ?? "",
        ].map(plain),
      ),
    ],
    ["Lots", lots.map((lot) => [status(lot.status), moneyOf(lot.value), plain(lot.title ?? "")])],
    [
      "Questions",
      questions.map(({ date, answer, title }) => [
        when(date),
        answer ? "answered" : "not answered",
        plain(title ?? ""),
      ]),
    ],
    ["Bids", bids.map((bid) => [status(bid.status), bidMoney(bid), names(bid.tenderers)])],
    ["Awards", awards.map((award) => [status(award.status), moneyOf(award.value), names(award.suppliers)])],
    [
      "Contracts",
      contracts.map((contract) => [
        status(contract.status),
        moneyOf(contract.value),
        plain(contract.contractNumber ?? contract.contractID ?? ""),
        names(contract.suppliers),
      ]),
    ],
    [
      "Complaints",
      complaints.map((complaint) => [status(complaint.status), when(complaint.date), plain(complaint.title ?? "")]),
    ],
    ["Cancellations", cancellations.map((one) => [status(one.status), when(one.date), plain(one.reason ?? "")])],
    [
      "Documents",
      documents.map(({ datePublished, format, title }) => [
        when(datePublished),
        plain(format ?? ""),
        plain(title ?? ""),
      ]),
    ],
  ];
}

const bidMoney = ({ value, lotValues = [] }: NonNullable<Tender["bids"]>[number]): string =>
  value ? moneyOf(value) : lotValues.map((one) => moneyOf(one.value)).join(" + ");

const names = (all: readonly Organization[] = []): string => all.map(({ name }) => plain(name ?? "")).join(", ");

const organization = (one: Organization | undefined): string =>
  [one?.name, [one?.identifier?.scheme, one?.identifier?.id].filter(Boolean).join(" "), one?.address?.locality]
    .filter(Boolean)
    .map((text) => plain(text!))
    .join(", ");

const contact = (one: Organization | undefined): string =>
  [one?.contactPoint?.name, one?.contactPoint?.telephone, one?.contactPoint?.email]
    .filter(Boolean)
    .map((text) => plain(text!))
    .join(", ");

const vat = (value: Value | undefined): string =>
  value?.valueAddedTaxIncluded === undefined ? "" : `VAT ${value.valueAddedTaxIncluded ? "" : "not "}included`;

/** As `2026-11-23 10:00 +02:00`: to the minute, in the zone of the registry. */
const when = (time: string | undefined): string =>
  time === undefined ? "" : plain(time).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*/, "$1 $2 ");

const period = (one: Period | undefined): string => {
  const [from, until] = [when(one?.startDate), when(one?.endDate)];
  if (from && until) return `${from} to ${until}`;
  return from ? `from ${from}` : until && `until ${until}`;
};
