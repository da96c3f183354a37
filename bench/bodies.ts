const DAY_MS = 24 * 60 * 60 * 1000;

const address = {
  countryName: "Україна",
  region: "м. Вінниця",
  locality: "м. Вінниця",
  postalCode: "21027",
  streetAddress: "вул. Стахурського, 22",
};

const organization = {
  name: "Школа №10",
  identifier: {
    scheme: "UA-EDR",
    id: "21725150",
    legalName: "Загальноосвітня школа № 10",
    uri: "http://sch10.example/",
  },
  address,
  contactPoint: { name: "Куца Світлана", telephone: "+380 (432) 46-53-02", email: "office@sch10.example" },
};

const item = (description: string, quantity: number) => ({
  description,
  quantity,
  unit: { name: "item", code: "44617100-9" },
  classification: { scheme: "ДК021", id: "55523100-3", description: "Послуги з харчування у школах" },
  additionalClassifications: [{ scheme: "ДКПП", id: "55.51.10.300", description: "Послуги шкільних їдалень" }],
  deliveryDate: { endDate: new Date(Date.now() + 60 * DAY_MS).toISOString() },
  deliveryAddress: address,
});

const ITEMS = [item("Обіди для молодших класів", 5), item("Обіди для старших класів", 3)];

/** A complete tender with so many items without addresses. With 1,000 of them its JSON has about 300 KB. */
export const bodyWithItems = (count: number): string =>
  tenderBody(
    undefined,
    Array.from({ length: count }, (_, i) => {
      const { description, quantity, unit, classification, deliveryDate } = item(`Обіди, ${i + 1}`, 5);
      return { description, quantity, unit, classification, deliveryDate };
    }),
  );

/** A complete tender of about 2 KB as JSON. Bidding is from `enquiriesEnd` to `biddingEnd`, in milliseconds since 1970. */
export const tenderBody = (
  enquiriesEnd = Date.now() + 7 * DAY_MS,
  items: readonly object[] = ITEMS,
  biddingEnd = enquiriesEnd + 7 * DAY_MS,
): string =>
  JSON.stringify({
    data: {
      procurementMethodType: "belowThreshold",
      title: "Послуги шкільних їдалень",
      description: "Харчування учнів у навчальному році",
      procuringEntity: organization,
      value: { amount: 500000, currency: "UAH", valueAddedTaxIncluded: true },
      minimalStep: { amount: 5000, currency: "UAH", valueAddedTaxIncluded: true },
      items,
      enquiryPeriod: { endDate: new Date(enquiriesEnd).toISOString() },
      tenderPeriod: { endDate: new Date(biddingEnd).toISOString() },
    },
  });

/** A change of a tender. Alternating between the two wordings makes every repetition a real change. */
export const changeBody = (wording: 0 | 1): string =>
  JSON.stringify({ data: { description: ["Харчування учнів, уточнено", "Харчування учнів, доповнено"][wording] } });

/** A bid as JSON. */
export const bidBody = (amount = 489000.5): string =>
  JSON.stringify({ data: { tenderers: [organization], value: { amount } } });
