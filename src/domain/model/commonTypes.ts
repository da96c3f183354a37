import type { Decimal } from "../values/decimal.ts";
import type { Instant } from "../values/time.ts";

/** Values that several objects of a tender have. */

/** An amount of money with its currency (ISO 4217) and whether it includes VAT. */
export type Value = {
  readonly amount?: Decimal;
  readonly currency?: string;
  readonly valueAddedTaxIncluded?: boolean;
};
/** A bid guarantee. */
export type Guarantee = { readonly amount?: Decimal; readonly currency?: string };
/** A period of time; either end may be unknown. */
export type Period = { readonly startDate?: Instant; readonly endDate?: Instant };

/** A text field with its English and Russian translations, such as `title`, `title_en` and `title_ru`. */
export type TranslatedText<Name extends string> = { readonly [key in Name | `${Name}_en` | `${Name}_ru`]?: string };

/** A code of a classification scheme, such as CPV or ДК021. */
export type Classification = TranslatedText<"description"> & {
  readonly scheme?: string;
  readonly id?: string;
  readonly uri?: string;
};
/** A unit of measure, with its UN/CEFACT code and the price of one unit. */
export type Unit = TranslatedText<"name"> & { readonly code?: string; readonly value?: Value };
export type Address = TranslatedText<"countryName"> & {
  readonly locality?: string;
  readonly postalCode?: string;
  readonly region?: string;
  readonly streetAddress?: string;
};
export type DeliveryLocation = { readonly latitude?: string; readonly longitude?: string; readonly elevation?: string };

/** Goods, works or services that a tender buys. */
export type Item = TranslatedText<"description"> & {
  readonly id?: string;
  readonly classification?: Classification;
  readonly additionalClassifications?: readonly Classification[];
  readonly quantity?: Decimal;
  readonly unit?: Unit;
  readonly deliveryAddress?: Address;
  readonly deliveryDate?: Period;
  readonly deliveryLocation?: DeliveryLocation;
  readonly relatedLot?: string;
};

/** The registration of an organisation, such as its code in a national register. */
export type Identifier = TranslatedText<"legalName"> & {
  readonly scheme?: string;
  readonly id?: string;
  readonly uri?: string;
};
export type ContactPoint = TranslatedText<"name"> & {
  readonly email?: string;
  readonly telephone?: string;
  readonly faxNumber?: string;
  readonly url?: string;
};
export type Organization = TranslatedText<"name"> & {
  readonly identifier?: Identifier;
  readonly additionalIdentifiers?: readonly Identifier[];
  readonly address?: Address;
  readonly contactPoint?: ContactPoint;
};
