import type { TranslatedText, Value } from "../../domain/model/tender.ts";
import type { OrganizationRole } from "../../indexing/organizationQuery.ts";
import {
  dataTable,
  notice,
  type PageProblem,
  pagination,
  problemSummary,
  statusTag,
  summaryList,
  userText,
} from "../layout/components.ts";
import { formatMoment, formatMoney, formatNumber } from "../layout/formats.ts";
import { type Language, localizedPath } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { nameOf } from "../layout/nameOf.ts";
import { type PortalPage, type PortalSite, pagePathOf } from "../layout/portalPage.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { EMPTY_MARKUP, html, insertMarkup, type Markup } from "../markup.ts";
import { amountsIn, currenciesOf, type Figures } from "../statistics/figures.ts";
import { tenderPath } from "../tender/tenderScreen.ts";
import {
  type LinkedOrganization,
  type OrganizationProfile,
  PROFILE_TENDERS,
  type ProfileTender,
  type ProfileTenders,
} from "./profile.ts";
import { totalsPart } from "./profileTotals.ts";

/** The pages `/buyers/<key>` and `/suppliers/<key>`. */

/** What a profile page shows. */
export type ProfileView = {
  readonly profile: OrganizationProfile;
  readonly listed: ProfileTenders;
  /** The page of the list, from 1. */
  readonly page: number;
  readonly problems: readonly PageProblem[];
  /** Whether older tenders are still being added to the sums and to the search. */
  readonly isIncomplete: boolean;
  readonly zoneName: string;
};

type PageContext = { readonly view: ProfileView; readonly site: PortalSite; readonly language: Language };

/** The paths of the lists of organisations, below which the profiles are. */
export const ORGANIZATION_PATHS: { readonly [role in OrganizationRole]: string } = {
  buyer: "/buyers",
  supplier: "/suppliers",
};

/** The path of a profile, without base path and language. */
export const profilePath = (role: OrganizationRole, key: string): string =>
  `${ORGANIZATION_PATHS[role]}/${encodeURIComponent(key)}`;

const nameIn = (name: TranslatedText<"name">, language: Language): string =>
  shortText(textIn(language, name, "name") ?? "");

/** The page, before it is laid out. */
export function profilePage(view: ProfileView, site: PortalSite, language: Language): PortalPage {
  const { profile, page, listed, problems } = view;
  const { role, key } = profile;
  const texts = messagesIn(language).profiles;
  const context: PageContext = { view, site, language };
  const name = nameIn(profile.name, language) || key;
  const query = new URLSearchParams({ [role]: key }).toString();
  const content = html`<p class="profile-role">${texts.roles[role]}</p>
<h1>${userText(name)}</h1>
${problemSummary(problems, language)}
${view.isIncomplete ? notice("information", html`<p>${messagesIn(language).statistics.incomplete}</p>`) : EMPTY_MARKUP}
${summaryList([
  { term: texts.identifier, details: html`<bdi>${key}</bdi>` },
  ...(profile.hasOtherRole ? [{ term: texts.links, details: otherRoleLink(context) }] : []),
])}
${totalsPart(profile, language)}
${partnersPart(context)}
${tendersPart(context)}
<section class="card" aria-labelledby="more">
<h2 id="more">${texts.links}</h2>
<ul>
<li><a href="${pagePathOf(site, "/tenders", language)}?${query}">${texts.search}</a></li>
<li><a href="${pagePathOf(site, "/tenders.atom", language)}?${query}" type="application/atom+xml">${texts.feed}</a></li>
<li><a href="${pagePathOf(site, `${profilePath(role, key)}.json`, language)}" type="application/json">${texts.json}</a></li>
</ul>
</section>`;
  return {
    path: profilePath(role, key),
    query: page > 1 ? `?page=${page}` : "",
    title: texts.titles[role](name),
    description: texts.descriptions[role](name, key),
    content,
    zoneName: view.zoneName,
    section: "tenders",
    breadcrumbs: [{ title: messagesIn(language).organizations.titles[role], path: ORGANIZATION_PATHS[role] }],
    ...((problems.length > 0 || listed.count === 0) && { isUnlisted: true as const }),
    alternateForms: [
      {
        type: "application/atom+xml",
        title: name,
        path: `${localizedPath("/tenders.atom", language, site.defaultLanguage)}?${query}`,
      },
    ],
    structuredData: { "@type": "ProfilePage", mainEntity: { "@type": "Organization", name, identifier: key } },
  };
}

function otherRoleLink({ view: { profile }, site, language }: PageContext): Markup {
  const other = profile.role === "buyer" ? "supplier" : "buyer";
  const href = pagePathOf(site, profilePath(other, profile.key), language);
  return html`<a href="${href}">${messagesIn(language).profiles.otherRole[profile.role]}</a>`;
}

function partnersPart({ view: { profile }, site, language }: PageContext): Markup {
  const texts = messagesIn(language).profiles;
  const { role, partners, partnerCount } = profile;
  const other = role === "buyer" ? "supplier" : "buyer";
  const rows = partners.map(({ key, name, figures }) => [
    organizationLink({ key, name }, other, site, language),
    html`${formatNumber(figures.counts.awards, language)}`,
    html`${formatNumber(figures.counts.contracts, language)}`,
    html`${contractedTexts(figures, language)}`,
  ]);
  const columns = [
    { title: texts.partnerColumns[role] },
    { title: texts.figures.awards, isNumber: true as const },
    { title: texts.figures.contracts, isNumber: true as const },
    { title: texts.figures.contractedValue, isNumber: true as const },
  ];
  const hidden =
    partnerCount > partners.length
      ? html`<p class="quiet">${texts.morePartners(formatNumber(partners.length, language), formatNumber(partnerCount, language))}</p>`
      : EMPTY_MARKUP;
  return html`<section class="card" aria-labelledby="partners">
<h2 id="partners">${texts.partners[role]}</h2>
${rows.length === 0 ? html`<p class="quiet">${texts.noPartners[role]}</p>` : dataTable(texts.partnersLead[role], columns, rows)}
${hidden}</section>`;
}

/** The value of contracts in each currency; an amount never stands for several. */
const contractedTexts = (figures: Figures, language: Language): string =>
  currenciesOf([figures])
    .map((currency) => formatMoney(amountsIn(figures, currency).contractedValue, currency, language))
    .join(" · ") || "–";

function organizationLink(
  { key, name }: LinkedOrganization,
  role: OrganizationRole,
  site: PortalSite,
  language: Language,
): Markup {
  const text = userText(nameIn(name, language) || (key ?? "–"));
  return key === undefined ? text : html`<a href="${pagePathOf(site, profilePath(role, key), language)}">${text}</a>`;
}

function tendersPart(context: PageContext): Markup {
  const { view, site, language } = context;
  const { profile, listed, page } = view;
  const texts = messagesIn(language).profiles;
  const count = formatNumber(listed.count, language);
  const path = pagePathOf(site, profilePath(profile.role, profile.key), language);
  const hrefOf = (target: number) => (target === 1 ? `${path}#tenders` : `${path}?page=${target}#tenders`);
  const pageCount = Math.ceil(listed.count / PROFILE_TENDERS);
  const content =
    listed.tenders.length === 0
      ? html`<p class="quiet">${texts.noTenders}</p>`
      : html`<p>${texts.tenderCount(listed.isMore ? texts.moreThan(count) : count)}</p>
<ol class="results" role="list">
${listed.tenders.map((tender) => tenderItem(tender, context))}</ol>
${pagination({ page, pageCount, hrefOf }, language)}`;
  return html`<section class="card" aria-labelledby="tenders">
<h2 id="tenders">${texts.tenders[profile.role]}</h2>
${content}
</section>`;
}

function tenderItem(tender: ProfileTender, context: PageContext): Markup {
  const { site, language } = context;
  const href = pagePathOf(site, tenderPath(tender.id), language);
  const title = shortText(textIn(language, tender.title, "title") ?? "") || tender.tenderID;
  const facts = context.view.profile.role === "buyer" ? buyerFacts(tender, context) : supplierFacts(tender, context);
  const procedure = nameOf(messagesIn(language).names.procedures, tender.procedure);
  return html`<li>
<h3><a href="${href}">${userText(title)}</a></h3>
<p>${statusTag(tender.status, language)} <span class="value">${moneyText(tender.value, language)}</span></p>
${facts.map((fact) => html`<p class="about">${fact}</p>\n`)}<p class="about">${tender.tenderID} · ${procedure}</p>
</li>
`;
}

/** Bids until, the number of opened bids, who won, and the contracts. */
function buyerFacts(tender: ProfileTender, { view, site, language }: PageContext): readonly Markup[] {
  const texts = messagesIn(language).profiles;
  const { deadline, bidCount, winners } = tender;
  const links = winners.map(
    (winner, i) => html`${i > 0 ? ", " : ""}${organizationLink(winner, "supplier", site, language)}`,
  );
  return [
    ...(deadline !== undefined
      ? [html`${texts.deadline(formatMoment(deadline, "date and time", view.zoneName, language))}`]
      : []),
    ...(bidCount === undefined || bidCount === 0 ? [] : [html`${texts.bidCount(bidCount)}`]),
    ...(links.length === 0 ? [] : [insertMarkup(texts.winners, html`${links}`)]),
    ...contractFacts(tender, language),
  ];
}

/** The buyer, and what became of the supplier's own bids. */
function supplierFacts(tender: ProfileTender, { site, language }: PageContext): readonly Markup[] {
  const { profiles, names } = messagesIn(language);
  const bids = tender.ownBids.map(({ values }) =>
    values.length === 0
      ? html`${profiles.ownBidWithoutValue}`
      : html`${profiles.ownBid(values.map((value) => moneyText(value, language)).join(" · "))}`,
  );
  return [
    insertMarkup(profiles.buyerOf, organizationLink(tender.buyer, "buyer", site, language)),
    ...bids,
    ...tender.awards.map(({ status }) => html`${profiles.award(nameOf(names.awardStatuses, status))}`),
    ...contractFacts(tender, language),
  ];
}

const contractFacts = ({ contracts }: ProfileTender, language: Language): readonly Markup[] => {
  const { profiles, names } = messagesIn(language);
  return contracts.map(
    ({ status, value }) =>
      html`${profiles.contract(nameOf(names.contractStatuses, status), moneyText(value, language))}`,
  );
};

const moneyText = (value: Value | undefined, language: Language): string =>
  value?.amount === undefined ? "" : formatMoney(value.amount, value.currency ?? "UAH", language);
