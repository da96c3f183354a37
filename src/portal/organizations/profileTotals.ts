import type { OrganizationRole } from "../../indexing/organizationQuery.ts";
import { formatMoney, formatNumber, formatPercent } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import type { Messages } from "../layout/messages/uk.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import {
  amountsIn,
  averageDays,
  bidsPerTender,
  currenciesOf,
  type Figures,
  savings,
  savingsShare,
  singleBidShare,
  successRate,
  undecidedBids,
} from "../statistics/figures.ts";
import { formatAverage } from "../statistics/statisticsTables.ts";
import type { OrganizationProfile } from "./profile.ts";

/** The totals of a profile. */

type FigureName = keyof Messages["profiles"]["figures"];
type ShownFigure = readonly [name: FigureName, text: string | undefined];

const count =
  (name: "tenders" | "bids" | "decidedBids" | "wonBids" | "awards" | "contracts" | "complaints") =>
  ({ counts }: Figures, language: Language): ShownFigure => [name, formatNumber(counts[name], language)];

const ratio =
  (
    name: "bidsPerTender" | "singleBidShare" | "averageDays" | "successRate",
    ratioOf: (figures: Figures) => number | undefined,
    format: (value: number, language: Language) => string,
  ) =>
  (figures: Figures, language: Language): ShownFigure => {
    const value = ratioOf(figures);
    return [name, value === undefined ? undefined : format(value, language)];
  };

/** The figures of each role that have no currency. */
const COUNTS: {
  readonly [role in OrganizationRole]: readonly ((figures: Figures, language: Language) => ShownFigure)[];
} = {
  buyer: [
    count("tenders"),
    count("contracts"),
    ratio("bidsPerTender", bidsPerTender, formatAverage),
    ratio("singleBidShare", singleBidShare, formatPercent),
    ratio("averageDays", averageDays, formatAverage),
    count("complaints"),
  ],
  supplier: [
    count("bids"),
    count("decidedBids"),
    (figures, language) => [
      "undecidedBids",
      undecidedBids(figures) > 0 ? formatNumber(undecidedBids(figures), language) : undefined,
    ],
    count("wonBids"),
    ratio("successRate", successRate, formatPercent),
    count("awards"),
    count("contracts"),
  ],
};

/** The amounts of each role in a currency. */
function amountFigures(
  role: OrganizationRole,
  figures: Figures,
  currency: string,
  language: Language,
): readonly ShownFigure[] {
  const amounts = amountsIn(figures, currency);
  const money = (amount: typeof amounts.value) => formatMoney(amount, currency, language);
  if (role === "supplier") return [["contractedValue", money(amounts.contractedValue)]];
  const share = savingsShare(amounts);
  const saved = `${money(savings(amounts))}${share === undefined ? "" : ` (${formatPercent(share, language)})`}`;
  return [
    ["value", money(amounts.value)],
    ["contractedValue", money(amounts.contractedValue)],
    ["savings", share === undefined ? undefined : saved],
  ];
}

/** The section with all totals. A figure that cannot be computed yet is left out. */
export function totalsPart({ role, figures }: OrganizationProfile, language: Language): Markup {
  const texts = messagesIn(language).profiles;
  const list = (shown: readonly ShownFigure[], kind = "") => html`<dl class="key-figures${kind}">
${shown.map(([name, text]) => (text === undefined ? EMPTY_MARKUP : html`<div><dt>${texts.figures[name]}</dt><dd>${text}</dd></div>\n`))}</dl>
`;
  const byCurrency = currenciesOf([figures]).map(
    (currency) => html`<h3>${texts.inCurrency(currency)}</h3>
${list(amountFigures(role, figures, currency, language), " amounts")}`,
  );
  return html`<section class="card" aria-labelledby="totals">
<h2 id="totals">${texts.totals}</h2>
${list(COUNTS[role].map((figureOf) => figureOf(figures, language)))}${byCurrency}${role === "supplier" ? html`<p class="quiet">${texts.successHint}</p>\n` : EMPTY_MARKUP}</section>`;
}
