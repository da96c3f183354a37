import type { Config } from "../../config/config.ts";
import type { Organization, Tender, TranslatedText, Value } from "../../domain/model/tender.ts";
import { bidDeadlineOf, isBiddingAhead } from "../../domain/schedule.ts";
import type { Instant } from "../../domain/values/time.ts";
import { viewContextAt } from "../../http/exchange.ts";
import { organizationKey, organizationKeys } from "../../indexing/organizationKeys.ts";
import type { OrganizationRole } from "../../indexing/organizationQuery.ts";
import type { SearchFilter } from "../../indexing/searchQuery.ts";
import type { Dimension } from "../../indexing/statistics.ts";
import type { Registry } from "../../registry/registry.ts";
import { type TenderView, tenderView } from "../../views/visibility.ts";
import { currenciesOf, type Figures, figuresBy, figuresOf } from "../statistics/figures.ts";

/** What a profile of a buyer or supplier shows. Everything comes from the counters and from public views of tenders. */

/** What profiles need. */
export type ProfilePorts = {
  readonly registry: Pick<
    Registry,
    "tender" | "search" | "statistics" | "organizations" | "organizationName" | "nowFor" | "catchUp" | "isFreshAt"
  >;
  readonly config: Config;
};

/** An organisation with its key, if it has one, so that it can be linked. */
export type LinkedOrganization = { readonly key: string | undefined; readonly name: TranslatedText<"name"> };

/** Somebody that the organisation has dealt with. */
export type ProfilePartner = { readonly key: string; readonly name: TranslatedText<"name">; readonly figures: Figures };

/** A tender of the organisation, with its part in it. */
export type ProfileTender = {
  readonly id: string;
  readonly tenderID: string;
  readonly title: TranslatedText<"title">;
  readonly status: Tender["status"];
  readonly procedure: Tender["procedure"];
  readonly value: Value | undefined;
  /** Until when bids are accepted; undefined once they are not. */
  readonly deadline: Instant | undefined;
  readonly buyer: LinkedOrganization;
  /** Undefined while bids are sealed. */
  readonly bidCount: number | undefined;
  readonly winners: readonly LinkedOrganization[];
  /** The opened bids of the supplier that the profile is about; those of lots have a value each. */
  readonly ownBids: readonly { readonly values: readonly Value[] }[];
  readonly awards: readonly { readonly status: string }[];
  readonly contracts: readonly { readonly status: string; readonly value: Value | undefined }[];
};

export type OrganizationProfile = {
  readonly role: OrganizationRole;
  readonly key: string;
  readonly name: TranslatedText<"name">;
  readonly figures: Figures;
  readonly partners: readonly ProfilePartner[];
  readonly partnerCount: number;
  /** Whether there is a profile of the other role, too. */
  readonly hasOtherRole: boolean;
};

/** A page of the tenders of an organisation. */
export type ProfileTenders = {
  readonly tenders: readonly ProfileTender[];
  readonly count: number;
  readonly isMore: boolean;
};

export const PROFILE_TENDERS = 20;
const PARTNERS_MAX = 20;

const PAIRS: { readonly [role in OrganizationRole]: Dimension } = { buyer: "pair", supplier: "pair of supplier" };
const OTHER_ROLES: { readonly [role in OrganizationRole]: OrganizationRole } = { buyer: "supplier", supplier: "buyer" };

/** The profile of the organisation with this key; undefined if nothing public names it in this role. */
export async function readProfile(
  { registry }: ProfilePorts,
  role: OrganizationRole,
  key: string,
): Promise<OrganizationProfile | undefined> {
  const contributions = await registry.statistics({ dimension: role, key });
  if (contributions.length === 0) return undefined;
  const pairs = await registry.statistics({ dimension: PAIRS[role], keyPrefix: `${key}|` });
  const partners = [...figuresBy(pairs, (pair) => pair.key.slice(key.length + 1))]
    .map(([partner, figures]) => ({ key: partner, figures }))
    .sort(byContractedValue(currenciesOf([figuresOf(pairs)])));
  const shown = partners.slice(0, PARTNERS_MAX);
  const nameOf = async (organization: string) =>
    (await registry.organizationName(organization)) ?? { name: organization };
  return {
    role,
    key,
    name: await nameOf(key),
    figures: figuresOf(contributions),
    partners: await Promise.all(shown.map(async (partner) => ({ ...partner, name: await nameOf(partner.key) }))),
    partnerCount: partners.length,
    hasOtherRole: (await registry.statistics({ dimension: OTHER_ROLES[role], key })).length > 0,
  };
}

/** The tenders of an organisation in a role. */
const filterOf = (role: OrganizationRole, key: string): SearchFilter => ({
  terms: [],
  mode: "real",
  ...(role === "buyer" ? { buyers: [key] } : { suppliers: [key] }),
});

type PartnerFigures = { readonly key: string; readonly figures: Figures };

/** The highest value of contracts first, in the first currency that differs; then the most contracts and awards. */
const byContractedValue =
  (currencies: readonly string[]) =>
  (a: PartnerFigures, b: PartnerFigures): number => {
    const contracted = ({ figures }: PartnerFigures, currency: string) =>
      Number(figures.amounts.get(currency)?.contractedValue ?? 0);
    for (const currency of currencies) {
      const difference = contracted(b, currency) - contracted(a, currency);
      if (difference !== 0) return difference;
    }
    const [countsA, countsB] = [a.figures.counts, b.figures.counts];
    return countsB.contracts - countsA.contracts || countsB.awards - countsA.awards || (a.key < b.key ? -1 : 1);
  };

/** A page of the tenders of an organisation, the newest first. Pages count from 1. */
export async function readProfileTenders(
  ports: ProfilePorts,
  role: OrganizationRole,
  key: string,
  page: number,
): Promise<ProfileTenders> {
  const { registry } = ports;
  const { ids, count, isMore } = await registry.search({
    filter: filterOf(role, key),
    sort: "newest",
    offset: (page - 1) * PROFILE_TENDERS,
    limit: PROFILE_TENDERS,
    facets: [],
  });
  const found = await Promise.all(ids.map((id) => registry.tender(id)));
  const tenders = await Promise.all(found.flatMap((tender) => (tender ? [summaryOf(ports, tender, role, key)] : [])));
  return { tenders, count, isMore };
}

async function summaryOf(
  ports: ProfilePorts,
  tender: Tender,
  role: OrganizationRole,
  key: string,
): Promise<ProfileTender> {
  const view: TenderView = tenderView(tender, viewContextAt(ports, await ports.registry.nowFor(tender)));
  const { id, tenderID, title, title_en, title_ru, status, value, procuringEntity } = view;
  const isOwn = (organizations: readonly Organization[] | undefined) => organizationKeys(organizations).includes(key);
  const active = view.bids?.filter((bid) => bid.status === "active");
  const contracts = view.contracts.filter((contract) => contract.status !== "cancelled");
  return {
    id,
    tenderID,
    title: { title, title_en, title_ru },
    status,
    procedure: tender.procedure,
    value,
    deadline: isBiddingAhead(view) ? bidDeadlineOf(view) : undefined,
    buyer: named(procuringEntity),
    bidCount: active?.length,
    winners: winnersOf(view),
    ownBids: (active ?? [])
      .filter(({ tenderers }) => isOwn(tenderers))
      .map((bid) => ({
        values: [bid.value, ...(bid.lotValues ?? []).map((lot) => lot.value)].filter((v) => v !== undefined),
      })),
    awards: view.awards.filter(({ suppliers }) => isOwn(suppliers)).map((award) => ({ status: award.status })),
    contracts: contracts
      .filter(({ suppliers }) => role === "buyer" || isOwn(suppliers))
      .map((contract) => ({ status: contract.status, value: contract.value })),
  };
}

/** The suppliers of accepted awards, each once. */
export const winnersOf = ({ awards }: Pick<TenderView, "awards">): readonly LinkedOrganization[] =>
  distinct(awards.flatMap((award) => (award.status === "active" ? (award.suppliers ?? []) : [])));

const named = (organization: Organization | undefined): LinkedOrganization => ({
  key: organizationKey(organization),
  name: { name: organization?.name, name_en: organization?.name_en, name_ru: organization?.name_ru },
});

/** Each organisation once: with several lots, one may win several awards. */
const distinct = (organizations: readonly Organization[]): readonly LinkedOrganization[] => [
  ...new Map(organizations.map(named).map((one) => [one.key ?? one.name.name, one])).values(),
];
