import { FINAL_STATUSES } from "../../domain/procedures/procedure.ts";
import { bidDeadlineOf } from "../../domain/schedule.ts";
import { machineTime } from "../layout/formats.ts";
import { shortLine } from "../layout/shortText.ts";
import { textIn } from "../layout/textIn.ts";
import { organizationName, type TenderScreen, textsOf } from "./tenderScreen.ts";

/**
 * The tender in the vocabulary of schema.org: an organisation seeks something (`Demand`), for a price, until a time. The layout puts
 * it into the page.
 */
export function structuredDataOf(screen: TenderScreen): { readonly [name: string]: unknown } {
  const { tender } = screen;
  const { enquiryPeriod, tenderPeriod, value, procuringEntity: buyer } = tender;
  const startDate = enquiryPeriod?.startDate ?? tenderPeriod?.startDate;
  // A tender that ended before its deadline has sought nothing since its end.
  const endDate = bidDeadlineOf(tender) ?? (FINAL_STATUSES.includes(tender.status) ? tender.date : undefined);
  const name = organizationName(screen, buyer);
  const demand = {
    "@type": "Demand",
    name: shortLine(textIn(screen.language, tender, "title") ?? textsOf(screen).untitled, TEXT_LENGTH_MAX),
    sku: tender.tenderID,
    ...(startDate !== undefined && { availabilityStarts: machineTime(startDate) }),
    ...(endDate !== undefined && { availabilityEnds: machineTime(endDate) }),
    ...(value?.amount !== undefined && {
      priceSpecification: {
        "@type": "PriceSpecification",
        maxPrice: value.amount,
        priceCurrency: shortLine(value.currency ?? "", CURRENCY_LENGTH_MAX),
        ...(value.valueAddedTaxIncluded !== undefined && { valueAddedTaxIncluded: value.valueAddedTaxIncluded }),
      },
    }),
  };
  const seeker =
    name === undefined
      ? demand
      : {
          "@type": "Organization",
          name: shortLine(name, TEXT_LENGTH_MAX),
          ...(buyer?.identifier?.id !== undefined && { identifier: shortLine(buyer.identifier.id, TEXT_LENGTH_MAX) }),
          seeks: demand,
        };
  return { dateModified: machineTime(tender.dateModified), about: seeker };
}

const TEXT_LENGTH_MAX = 200;
const CURRENCY_LENGTH_MAX = 10;
