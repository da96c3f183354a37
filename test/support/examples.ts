import type { Instant } from "../../src/domain/values/time.ts";
import { formatInstant, openZone } from "../../src/domain/values/time.ts";
import { cook, school } from "./organizations.ts";
import { type Api, expectStatus, START, type TestResponse, type World } from "./world.ts";

export { cook, school } from "./organizations.ts";

// The example data of the scenarios: a school that buys meals, and a supplier.

const kyiv = openZone("Europe/Kyiv");
export const formatTime = (at: Instant): string => formatInstant(at, kyiv);

/** In microseconds. */
export const DAY = 24 * 60 * 60 * 1_000_000;
/** In microseconds. */
export const MINUTE = 60 * 1_000_000;

/** A complete `belowThreshold` tender for API 2.3: enquiries end a week after `now`, bidding a week later. */
export const fullTender = (now: Instant = START) => ({
  procurementMethodType: "belowThreshold" as const,
  title: "Послуги шкільних їдалень",
  value: { amount: 500000, currency: "UAH", valueAddedTaxIncluded: true },
  minimalStep: { amount: 5000, currency: "UAH", valueAddedTaxIncluded: true },
  enquiryPeriod: { endDate: formatTime(now + 7 * DAY) },
  tenderPeriod: { endDate: formatTime(now + 14 * DAY) },
  procuringEntity: school,
  items: [
    {
      description: "Послуги шкільних їдалень",
      quantity: 5,
      unit: { name: "item", code: "44617100-9" },
      classification: { scheme: "ДК021", id: "55523100-3", description: "Послуги з харчування у школах" },
      additionalClassifications: [{ scheme: "ДКПП", id: "55.51.10.300", description: "Послуги шкільних їдалень" }],
    },
  ],
});

/** A tender of the basic procedure with both periods. */
export const plainTender = (now: Instant = START) => ({
  value: { amount: 500 },
  enquiryPeriod: { endDate: formatTime(now + DAY) },
  tenderPeriod: { startDate: formatTime(now + DAY), endDate: formatTime(now + 2 * DAY) },
});

/** A created tender: its id, owner token and path, and the response. */
export type PublishedTender = {
  readonly id: string;
  readonly token: string;
  readonly path: string;
  readonly response: TestResponse;
};

/** Creates a tender. */
export async function publish(api: Api, data: unknown): Promise<PublishedTender> {
  const response = expectStatus(201, await api.post("/tenders", data));
  const { id } = response.body.data;
  return { id, token: response.body.access.token, path: `/tenders/${id}`, response };
}

/** Creates a `belowThreshold` tender and moves the clock to its tender period. */
export async function publishForBids(world: World, overrides: object = {}): Promise<PublishedTender> {
  const tender = await publish(world.api("2.3"), { ...fullTender(world.clock.now), ...overrides });
  world.clock.forward(7 * DAY);
  return tender;
}

/** The body of a bid. */
export const bidOf = (amount: number, overrides: object = {}) => ({
  tenderers: [cook],
  value: { amount },
  ...overrides,
});

/** A complete tender of a procedure without competition, for API 2.3 and 2.5. */
export const directTender = (procurementMethodType: string, now: Instant = START) => ({
  procurementMethodType,
  title: "Послуги шкільних їдалень",
  value: { amount: 500000, currency: "UAH", valueAddedTaxIncluded: true },
  procuringEntity: school,
  items: [
    {
      ...fullTender(now).items[0],
      deliveryDate: { endDate: formatTime(now + 30 * DAY) },
      deliveryAddress: { countryName: "Україна" },
    },
  ],
  ...(procurementMethodType !== "reporting" && {
    cause: "noCompetition",
    causeDescription: "Єдиний постачальник у місті",
  }),
});
