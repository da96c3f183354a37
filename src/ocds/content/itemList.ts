import type { Classification, Item, Unit } from "../../domain/model/tender.ts";
import type { OcdsObject } from "../ocdsValues.ts";
import {
  compact,
  decimalOf,
  distinctBy,
  moneyOf,
  periodOf,
  textsOf,
  webAddressOf,
  withUniqueIds,
} from "./fieldValues.ts";
import { postalAddressOf } from "./partyList.ts";

/** The items of a tender, an award or a contract. */
export const itemList = (items: readonly Item[] | undefined): readonly OcdsObject[] =>
  withUniqueIds(items ?? []).map((item) =>
    compact({
      id: item.id,
      ...textsOf(item, "description"),
      classification: classificationOf(item.classification),
      additionalClassifications: distinctBy(
        (item.additionalClassifications ?? []).map(classificationOf).filter((code) => Object.keys(code).length > 0),
        (code) => JSON.stringify(code),
      ),
      quantity: decimalOf(item.quantity),
      unit: unitOf(item.unit),
      relatedLot: item.relatedLot,
      deliveryPeriod: periodOf(item.deliveryDate),
      deliveryAddress: postalAddressOf(item.deliveryAddress),
      deliveryLocation: compact({ ...item.deliveryLocation }),
    }),
  );

const classificationOf = (classification: Classification | undefined): OcdsObject =>
  classification === undefined
    ? {}
    : compact({
        scheme: classification.scheme,
        id: classification.id,
        ...textsOf(classification, "description"),
        uri: webAddressOf(classification.uri),
      });

/** Codes of Recommendation 20 of UN/CEFACT have this form. Buyers also write other codes, whose scheme is not known. */
const UNCEFACT_CODE = /^[A-Z0-9]{2,3}$/;

const unitOf = (unit: Unit | undefined): OcdsObject =>
  unit === undefined
    ? {}
    : compact({
        scheme: UNCEFACT_CODE.test(unit.code ?? "") ? "UNCEFACT" : undefined,
        id: unit.code,
        ...textsOf(unit, "name"),
        value: moneyOf(unit.value),
      });

/** What the first item says that is bought, by its division of CPV: 45 is works, higher ones are services, lower ones goods. */
export function procurementCategoryOf(items: readonly Item[] | undefined): "goods" | "services" | "works" | undefined {
  const code = items?.map(({ classification }) => classification?.id ?? "").find((id) => CPV_CODE.test(id));
  if (code === undefined || code.startsWith("99")) return undefined;
  const division = Number(code.slice(0, 2));
  if (division === WORKS) return "works";
  // Software packages (48) are goods between divisions of works and services.
  return division > WORKS && division !== SOFTWARE ? "services" : "goods";
}

const CPV_CODE = /^\d{8}(?:-\d)?$/;
const [WORKS, SOFTWARE] = [45, 48];
