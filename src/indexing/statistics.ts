import { areBidsPublic } from "../domain/bids/sealing.ts";
import type { Bid, Complaint, Contract, Tender, Value } from "../domain/model/tender.ts";
import { addDecimals, type Decimal } from "../domain/values/decimal.ts";
import { DAY } from "../domain/values/time.ts";
import { openDecisionCheck } from "./decidedBids.ts";
import { divisionOf } from "./divisions.ts";
import { indexKey, organizationKey, organizationKeys } from "./organizationKeys.ts";
import { regionOf } from "./regions.ts";
import { suppliersOf } from "./searchDocument.ts";

/**
 * What a tender contributes to the statistics. The counters of the store are the sums of the contributions of all tenders: each commit
 * adds the difference between those after and before it.
 */

/**
 * What is counted.
 * - `tenders`: published tenders, whatever became of them; for a supplier, those that name it in public.
 * - `openedTenders`: tenders with at least one opened bid; `singleBidTenders`: those with exactly one.
 * - `bids`: opened bids; for suppliers also `decidedBids`: those that are decided, see `openDecisionCheck`, and `wonBids`: those that have
 *   an active award.
 * - `awards`: active awards, with or without a bid.
 * - `contracts`: signed contracts; `timedContracts`: those signed after the publication, `daysToContract` the sum of their days.
 * - `complaints`: claims and complaints that were submitted, about the tender or an award.
 */
export const COUNT_MEASURES = [
  "tenders",
  "openedTenders",
  "singleBidTenders",
  "bids",
  "decidedBids",
  "wonBids",
  "awards",
  "contracts",
  "timedContracts",
  "daysToContract",
  "complaints",
] as const;
export type CountMeasure = (typeof COUNT_MEASURES)[number];

/**
 * What is summed up.
 * - `value`: the expected value of tenders.
 * - `contractedValue`: the value of signed contracts.
 * - `expectedValue` and `comparedValue`: the expected value of the tenders or lots all of whose contracts are signed, and the value of
 *   these contracts. The savings are the difference. Values in another currency, or with VAT against without, are not compared.
 */
export const AMOUNT_MEASURES = ["value", "contractedValue", "expectedValue", "comparedValue"] as const;
export type AmountMeasure = (typeof AMOUNT_MEASURES)[number];

/**
 * What sums are made by.
 * - "all" has the key "". "procedure" has the name of the procedure, "division" the CPV division and "region" the region as key, or ""
 *   if the tender has none. All these are by month.
 * - "buyer" and "supplier" have the key of the organisation, "pair" that of the buyer and the supplier, "pair of supplier" that of the
 *   supplier and the buyer: see `pairKey`. Their month is "".
 */
export const DIMENSIONS = [
  "all",
  "procedure",
  "division",
  "region",
  "buyer",
  "supplier",
  "pair",
  "pair of supplier",
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/**
 * An addition to the sums of a dimension. Counts are in contributions with the currency "", and amounts in those with their own
 * currency, so that no sum mixes currencies and nothing is counted once for each currency.
 */
export type Contribution = {
  readonly dimension: Dimension;
  readonly key: string;
  /** YYYY-MM, from the number of the tender; "" for organisations, and for a number without a date. */
  readonly month: string;
  readonly currency: string;
  readonly counts: { readonly [measure in CountMeasure]?: number };
  readonly amounts: { readonly [measure in AmountMeasure]?: Decimal };
};

/** Joins two organisation keys, which contain no bar. The first is the one whose partners are listed. */
export const pairKey = (first: string, second: string): string => `${first}|${second}`;

/** What identifies the sums that a contribution is added to. */
type SumKey = Pick<Contribution, "dimension" | "key" | "month">;
type Counts = Contribution["counts"];
/** Amounts by their currency. */
type Amounts = ReadonlyMap<string, Contribution["amounts"]>;
const NO_AMOUNTS: Amounts = new Map();

/** The fields of a tender that its contributions depend on, besides bids. */
const CONTRIBUTING_FIELDS = [
  "status",
  "mode",
  "tenderID",
  "procedure",
  "procuringEntity",
  "value",
  "items",
  "lots",
  "awards",
  "contracts",
  "complaints",
] as const satisfies readonly (keyof Tender)[];

/**
 * Whether two states of a tender certainly have the same `tenderContributions`, and the same `bidContributions` if their bids are the
 * same. It compares references, because values are never changed in place, so it costs nothing for most changes.
 */
export const haveSameContributions = (before: Tender, after: Tender): boolean =>
  CONTRIBUTING_FIELDS.every((field) => before[field] === after[field]);

/** Everything that a tender contributes. If its bids are counted, it must have all of them. */
export const contributionsOf = (tender: Tender): readonly Contribution[] => [
  ...tenderContributions(tender),
  ...bidContributions(tender, tender.bids),
  ...namedSupplierContributions(tender),
];

const isCounted = ({ status, mode }: Tender): boolean => status !== "draft" && mode !== "test";

/** What a tender contributes without its bids; nothing if it is a draft or a test. */
export function tenderContributions(tender: Tender): readonly Contribution[] {
  if (!isCounted(tender)) return [];
  const signed = tender.contracts.filter(isSigned);
  const awards = tender.awards.filter(({ status }) => status === "active");
  const counts: Counts = {
    tenders: 1,
    awards: awards.length,
    contracts: signed.length,
    ...daysToContracts(tender, signed),
    complaints: countComplaints(tender),
  };
  const amounts: Amounts = mergeAmounts([
    amountOf("value", tender.value),
    ...signed.map(({ value }) => amountOf("contractedValue", value)),
    ...comparedAmounts(tender),
  ]);
  return [...contributionsTo(sumKeysOf(tender), counts, amounts), ...supplierContributions(tender, signed)];
}

/**
 * What the opened bids of a tender contribute. `bids` are all its bids. Nothing while bids are sealed, and nothing while they can
 * still be placed, even if the procedure has open bids: so the number of bids of a tender changes only together with its status.
 * Therefore a change of one bid in the same status may be compared with that bid alone, before and after.
 */
export function bidContributions(tender: Tender, bids: readonly Bid[]): readonly Contribution[] {
  if (!areBidsCounted(tender)) return [];
  const active = bids.filter(({ status }) => status === "active");
  if (active.length === 0) return [];
  const counts: Counts = { openedTenders: 1, singleBidTenders: active.length === 1 ? 1 : 0, bids: active.length };
  const bySupplier = countBySupplier(active);
  const decidedBySupplier = countBySupplier(active.filter(openDecisionCheck(tender)));
  return [
    ...contributionsTo(sumKeysOf(tender), counts, NO_AMOUNTS),
    ...[...bySupplier].flatMap(([key, bidCount]) => {
      const ofSupplier: Counts = { bids: bidCount, decidedBids: decidedBySupplier.get(key) ?? 0 };
      return contributionsTo([{ dimension: "supplier", key, month: "" }], ofSupplier, NO_AMOUNTS);
    }),
  ];
}

const countBySupplier = (bids: readonly Bid[]): ReadonlyMap<string, number> =>
  countBy(bids.flatMap(({ tenderers }) => organizationKeys(tenderers)));

/** Counts the tender once for each supplier that everybody may see in it, whether of an opened bid, an award or a contract. */
const namedSupplierContributions = (tender: Tender): readonly Contribution[] =>
  isCounted(tender)
    ? organizationKeys(suppliersOf(tender)).flatMap((key) =>
        contributionsTo([{ dimension: "supplier", key, month: "" }], { tenders: 1 }, NO_AMOUNTS),
      )
    : [];

/** Whether the bids of the tender are counted: tendering is over, and everybody may see them. */
export const areBidsCounted = (tender: Tender): boolean => isCounted(tender) && areBidsPublic(tender);

/** The sums that everything of a tender is added to. */
function sumKeysOf(tender: Tender): readonly SumKey[] {
  const month = publicationMonth(tender);
  const buyer = organizationKey(tender.procuringEntity);
  return [
    { dimension: "all", key: "", month },
    { dimension: "procedure", key: tender.procedure, month },
    { dimension: "division", key: divisionOf(tender) ?? "", month },
    { dimension: "region", key: regionOf(tender) ?? "", month },
    ...(buyer === undefined ? [] : [{ dimension: "buyer", key: buyer, month: "" } as const]),
  ];
}

/** The contributions to each of these sums: one with the counts, and one for each currency. Zeros are left out. */
function contributionsTo(keys: readonly SumKey[], counts: Counts, amounts: Amounts): readonly Contribution[] {
  const contributions: Contribution[] = [];
  const hasCounts = COUNT_MEASURES.some((measure) => (counts[measure] ?? 0) !== 0);
  for (const { dimension, key, month } of keys) {
    if (hasCounts) contributions.push({ dimension, key, month, currency: "", counts, amounts: {} });
    for (const [currency, ofCurrency] of amounts)
      contributions.push({ dimension, key, month, currency, counts: {}, amounts: ofCurrency });
  }
  return contributions;
}

/** What suppliers have won, also by buyer. A supplier that is named twice in an award or a contract counts once. */
function supplierContributions(tender: Tender, signed: readonly Contract[]): readonly Contribution[] {
  const awards = tender.awards.filter(({ status }) => status === "active");
  const buyer = organizationKey(tender.procuringEntity);
  const suppliersOfWonBids = new Map(
    areBidsCounted(tender) ? awards.map(({ bid_id, suppliers }) => [bid_id, organizationKeys(suppliers)]) : [],
  );
  suppliersOfWonBids.delete(undefined);
  const awardCounts = countBy(awards.flatMap(({ suppliers }) => organizationKeys(suppliers)));
  const wonBidCounts = countBy([...suppliersOfWonBids.values()].flat());
  const contracts = contractsBySupplier(signed);
  return [...new Set([...awardCounts.keys(), ...contracts.keys()])].flatMap((supplier) => {
    const ownContracts = contracts.get(supplier) ?? [];
    const amounts = mergeAmounts(ownContracts.map(({ value }) => amountOf("contractedValue", value)));
    const counts: Counts = { awards: awardCounts.get(supplier) ?? 0, contracts: ownContracts.length };
    const withWonBids = { ...counts, wonBids: wonBidCounts.get(supplier) ?? 0 };
    return [
      ...contributionsTo([{ dimension: "supplier", key: supplier, month: "" }], withWonBids, amounts),
      ...(buyer === undefined ? [] : pairContributions(buyer, supplier, counts, amounts)),
    ];
  });
}

/** What a buyer and a supplier have in common, so that the partners of either can be listed. */
const pairContributions = (
  buyer: string,
  supplier: string,
  counts: Counts,
  amounts: Amounts,
): readonly Contribution[] =>
  contributionsTo(
    [
      { dimension: "pair", key: pairKey(buyer, supplier), month: "" },
      { dimension: "pair of supplier", key: pairKey(supplier, buyer), month: "" },
    ],
    counts,
    amounts,
  );

function contractsBySupplier(contracts: readonly Contract[]): ReadonlyMap<string, readonly Contract[]> {
  const bySupplier = new Map<string, Contract[]>();
  for (const contract of contracts)
    for (const key of organizationKeys(contract.suppliers)) {
      const own = bySupplier.get(key);
      if (own) own.push(contract);
      else bySupplier.set(key, [contract]);
    }
  return bySupplier;
}

const isSigned = ({ status }: Contract): boolean => status === "active" || status === "terminated";

const isSubmitted = ({ status, dateSubmitted }: Complaint): boolean =>
  status !== "draft" && (status !== "cancelled" || dateSubmitted !== undefined);

const countComplaints = ({ complaints, awards }: Tender): number =>
  awards.reduce(
    (sum, award) => sum + award.complaints.filter(isSubmitted).length,
    complaints.filter(isSubmitted).length,
  );

const NUMBER_WITH_DATE = /^UA-((\d{4}-(?:0[1-9]|1[0-2]))-(?:0[1-9]|[12]\d|3[01]))-/;

/** The month in which the tender got its number. */
const publicationMonth = ({ tenderID }: Tender): string => NUMBER_WITH_DATE.exec(tenderID)?.[2] ?? "";

/** Days from the date of the tender's number to each signature. A report of an older contract has none. Days are those of UTC. */
function daysToContracts({ tenderID }: Tender, signed: readonly Contract[]): Counts {
  const date = NUMBER_WITH_DATE.exec(tenderID)?.[1];
  if (date === undefined || signed.length === 0) return {};
  const publishedAt = Date.parse(date) * 1000;
  const days = signed
    .map(({ dateSigned = Number.NaN }) => Math.floor((dateSigned - publishedAt) / DAY))
    .filter((count) => count >= 0);
  return { timedContracts: days.length, daysToContract: days.reduce((sum, count) => sum + count, 0) };
}

const DEFAULT_CURRENCY = "UAH";
/** What ISO 4217 writes for no currency. */
const NO_CURRENCY = "XXX";
/** Never empty, because contributions with counts have an empty currency. */
const currencyOf = ({ currency = DEFAULT_CURRENCY }: Value): string => indexKey(currency) || NO_CURRENCY;
const isWithVat = ({ valueAddedTaxIncluded = true }: Value): boolean => valueAddedTaxIncluded;

type AmountOfMeasure = { readonly measure: AmountMeasure; readonly currency: string; readonly amount: Decimal };

const amountOf = (measure: AmountMeasure, value: Value | undefined): AmountOfMeasure | undefined =>
  value?.amount === undefined || value.amount === "0"
    ? undefined
    : { measure, currency: currencyOf(value), amount: value.amount };

/** The expected and the contracted value of the tender or of each lot, where all contracts are signed and can be compared. */
function comparedAmounts({ value, lots, awards, contracts }: Tender): readonly (AmountOfMeasure | undefined)[] {
  if (contracts.length === 0) return [];
  const lotOfAward = new Map(awards.map(({ id, lotID }) => [id, lotID]));
  const valueOfLot = new Map(lots.map((lot) => [lot.id, lot.value]));
  const bySubject = Map.groupBy(
    contracts.filter(({ status }) => status !== "cancelled"),
    ({ awardID }) => lotOfAward.get(awardID),
  );
  return [...bySubject].flatMap(([lotID, ofSubject]) => {
    const expected = lotID === undefined ? value : valueOfLot.get(lotID);
    if (expected?.amount === undefined || !ofSubject.every((contract) => isComparable(contract, expected))) return [];
    return [
      amountOf("expectedValue", expected),
      ...ofSubject.map((contract) => amountOf("comparedValue", contract.value)),
    ];
  });
}

const isComparable = (contract: Contract, expected: Value): boolean =>
  isSigned(contract) &&
  contract.value?.amount !== undefined &&
  currencyOf(contract.value) === currencyOf(expected) &&
  isWithVat(contract.value) === isWithVat(expected);

function mergeAmounts(parts: readonly (AmountOfMeasure | undefined)[]): Amounts {
  const sums = new Map<string, { [measure in AmountMeasure]?: Decimal }>();
  for (const part of parts) {
    if (part === undefined) continue;
    const { measure, currency, amount } = part;
    const ofCurrency = sums.get(currency) ?? {};
    const sum = ofCurrency[measure];
    ofCurrency[measure] = sum === undefined ? amount : addDecimals(sum, amount);
    sums.set(currency, ofCurrency);
  }
  return sums;
}

function countBy(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
