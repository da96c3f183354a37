import type { Item, Period } from "../../domain/model/tender.ts";
import { auctionStartOf } from "../../domain/schedule.ts";
import { codeText, dataTable, userText } from "../layout/components.ts";
import { formatNumber, formatPercent, formatQuantity } from "../layout/formats.ts";
import { nameOf } from "../layout/nameOf.ts";
import { shortText } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { EMPTY_MARKUP, html, insertMarkup, type Markup } from "../markup.ts";
import { cutList, linesOf, noteOf, sectionOf, tableOf } from "./sectionPart.ts";
import { addressText, classificationName } from "./summaryPart.ts";
import {
  aboutSubject,
  amountOf,
  dayOf,
  hrefOf,
  longText,
  lotTitle,
  momentOf,
  namesOf,
  type TenderScreen,
  TITLE_LENGTH_MAX,
  textsOf,
} from "./tenderScreen.ts";

/** What is bought: lots, items and the criteria other than price. */

/** The lots with their values, statuses and auctions. */
export function renderLotsPart(screen: TenderScreen): Markup {
  const { tender, language } = screen;
  const texts = textsOf(screen);
  if (tender.lots.length === 0) return EMPTY_MARKUP;
  const { shown, after } = cutList(screen, "lots", tender.lots);
  const first = screen.query.show === "lots" ? (screen.query.page - 1) * 100 : 0;
  const rows = shown.map((lot, i) => {
    const description = textIn(screen.language, lot, "description");
    const auction = screen.auctionIds.get(lot.id);
    const start = auctionStartOf(tender, lot);
    return [
      linesOf(
        html`${formatNumber(first + i + 1, language)}. ${userText(shortText(textIn(screen.language, lot, "title") ?? lot.id, TITLE_LENGTH_MAX))}`,
        description === undefined ? undefined : longText(screen, description),
      ),
      html`${amountOf(screen, lot.value)}`,
      html`${nameOf(namesOf(screen).lotStatuses, lot.status)}`,
      linesOf(
        start === undefined ? undefined : momentOf(screen, start),
        auction === undefined
          ? undefined
          : html`<a href="${hrefOf(screen, `/auctions/${auction}`)}">${texts.lots.watch}</a>`,
      ),
    ];
  });
  const { lot, value, status, auction } = texts.lots;
  const columns = [{ title: lot }, { title: value, isNumber: true as const }, { title: status }, { title: auction }];
  return sectionOf(screen, "lots", html`${tableOf(dataTable(texts.sections.lots, columns, rows))}${after}`);
}

/** The items with classification, quantity and delivery. */
export function renderItemsPart(screen: TenderScreen): Markup {
  const { items = [] } = screen.tender;
  const texts = textsOf(screen);
  if (items.length === 0) return sectionOf(screen, "items", html`<p class="quiet">${texts.items.noItems}</p>`);
  const { shown, after } = cutList(screen, "items", items);
  const { item, classification, quantity, delivery } = texts.items;
  const columns = [
    { title: item },
    { title: classification },
    { title: quantity, isNumber: true as const },
    { title: delivery },
  ];
  const rows = shown.map((shownItem) => itemRow(screen, shownItem));
  return sectionOf(screen, "items", html`${tableOf(dataTable(texts.sections.items, columns, rows))}${after}`);
}

function itemRow(screen: TenderScreen, item: Item): readonly Markup[] {
  const texts = textsOf(screen).items;
  const description = textIn(screen.language, item, "description");
  const lot = lotTitle(screen, item.relatedLot);
  return [
    linesOf(
      description === undefined ? html`${textsOf(screen).value.unknown}` : longText(screen, description),
      lot === undefined ? undefined : noteOf(html`${texts.lot}: ${userText(lot)}`),
    ),
    classificationCell(screen, item),
    quantityCell(screen, item),
    deliveryCell(screen, item),
  ];
}

function classificationCell(screen: TenderScreen, { classification, additionalClassifications = [] }: Item): Markup {
  const line = (code: NonNullable<Item["classification"]>): Markup =>
    html`${codeText(shortText(code.id ?? "", TITLE_LENGTH_MAX))} ${classificationName(screen, code)}`;
  return linesOf(
    classification && line(classification),
    ...additionalClassifications
      .slice(0, ADDITIONAL_MAX)
      .map((code) => noteOf(html`${shortText(code.scheme ?? "", TITLE_LENGTH_MAX)} ${line(code)}`)),
  );
}

const ADDITIONAL_MAX = 5;

function quantityCell(screen: TenderScreen, { quantity, unit }: Item): Markup {
  if (quantity === undefined) return EMPTY_MARKUP;
  const unitName = textIn(screen.language, unit, "name") ?? unit?.code;
  const price = unit?.value?.amount === undefined ? undefined : amountOf(screen, unit.value);
  return linesOf(
    html`${formatQuantity(quantity, screen.language)}${unitName === undefined ? EMPTY_MARKUP : html` ${codeText(shortText(unitName, TITLE_LENGTH_MAX))}`}`,
    price === undefined ? undefined : noteOf(textsOf(screen).items.unitPrice(price)),
  );
}

function deliveryCell(screen: TenderScreen, { deliveryAddress, deliveryDate }: Item): Markup {
  const address = deliveryAddress && addressText(screen, deliveryAddress);
  return linesOf(address ? userText(address) : undefined, deliveryDate && periodOf(screen, deliveryDate));
}

/** A period of days, as far as it is known. */
export function periodOf(screen: TenderScreen, { startDate, endDate }: Period): Markup {
  const texts = textsOf(screen).items;
  const parts = [
    ...(startDate === undefined ? [] : [insertMarkup(texts.deliveryFrom, dayOf(screen, startDate))]),
    ...(endDate === undefined ? [] : [insertMarkup(texts.deliveryUntil, dayOf(screen, endDate))]),
  ];
  return html`${parts.map((part, i) => (i === 0 ? part : html` ${part}`))}`;
}

/** The criteria other than price, with the options that bidders choose from. */
export function renderFeaturesPart(screen: TenderScreen): Markup {
  const { features = [] } = screen.tender;
  const texts = textsOf(screen);
  if (features.length === 0) return EMPTY_MARKUP;
  const { shown, after } = cutList(screen, "features", features);
  const rows = shown.map((feature) => {
    const description = textIn(screen.language, feature, "description");
    const about =
      feature.featureOf === "tenderer" ? undefined : aboutSubject(screen, feature.featureOf, feature.relatedItem);
    const options = (feature.enum ?? []).map(
      (option) =>
        html`<li>${userText(shortText(textIn(screen.language, option, "title") ?? "", TITLE_LENGTH_MAX))}: ${formatPercent(Number(option.value ?? 0), screen.language)}</li>`,
    );
    return [
      linesOf(
        userText(shortText(textIn(screen.language, feature, "title") ?? feature.code ?? "", TITLE_LENGTH_MAX)),
        description === undefined ? undefined : longText(screen, description),
      ),
      about ?? html`${feature.featureOf ? namesOf(screen).featureSubjects[feature.featureOf] : ""}`,
      options.length === 0 ? EMPTY_MARKUP : html`<ul class="options" role="list">${options}</ul>`,
    ];
  });
  const { criterion, about, options } = texts.features;
  const columns = [{ title: criterion }, { title: about }, { title: options }];
  return sectionOf(screen, "features", html`${tableOf(dataTable(texts.sections.features, columns, rows))}${after}`);
}
