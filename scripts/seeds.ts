import { randomBytes } from "node:crypto";
import { nextDeadline } from "../src/domain/clock.ts";
import type { Tender } from "../src/domain/tender.ts";
import { DAY, dayOf, type Instant, type Zone } from "../src/domain/time.ts";
import type { PastChange } from "../src/store/store.ts";
import {
  awarded,
  bids,
  closed,
  onA,
  onBoth,
  passStandStill,
  published,
  qualifying,
  type Story,
  sign,
  tendering,
  withLots,
} from "../test/support/procedure.ts";
import { openWorld, START, type World } from "../test/support/world.ts";

/** Tenders that are like real ones: copies of a few that have lived, each at its own time and under its own name. */

const YEARS = 3 * 365 * DAY;
/** Those under way were changed within these days, and their next deadline is further away than that. */
const UNDER_WAY = 5 * DAY;
const SHARE_UNDER_WAY = 0.2;

type Life = { readonly weight: number; readonly live: (world: World) => Promise<Story> };

const over: readonly Life[] = [
  { weight: 5, live: (world) => signed(world, bids(480, 490, 470)) },
  { weight: 3, live: (world) => signed(world, bids(480)) },
  { weight: 2, live: (world) => closed(world, []) },
  { weight: 1, live: cancelled },
];
const underWay: readonly Life[] = [
  { weight: 4, live: (world) => published(world) },
  { weight: 2, live: (world) => published(world, withLots(world.clock.now)) },
  { weight: 4, live: (world) => tendering(world, bids(480, 490, 470, 460)) },
  { weight: 1, live: (world) => tendering(world, [onA(900), onBoth(800, 700)], withLots(world.clock.now)) },
  { weight: 2, live: (world) => qualifying(world, bids(480, 490)) },
  { weight: 1, live: (world) => awarded(world, bids(480, 490)) },
];

async function signed(world: World, sent: readonly object[]): Promise<Story> {
  const story = await awarded(world, sent);
  await passStandStill(story);
  await sign(story);
  return story;
}

async function cancelled(world: World): Promise<Story> {
  const story = await published(world);
  await story.own("POST", "/cancellations", { reason: "не треба", status: "active" });
  return story;
}

/** The seed of each place in the order of the ledger; what is over comes first. */
export async function openSeeds(zone: Zone, now: Instant) {
  const [past, present] = await Promise.all([templatesOf(over), templatesOf(underWay)]);
  const numbers = new Map<string, number>();
  return (place: number, of: number): PastChange => {
    const isOver = place < of * (1 - SHARE_UNDER_WAY);
    const at = momentOf(place, of, now);
    const template = (isOver ? past : present)[place % (isOver ? past : present).length]!;
    const day = dayOf(at, zone);
    const number = (numbers.get(day) ?? 0) + 1;
    numbers.set(day, number);
    const tender = copyOf(template, at, `UA-${day}-${String(number).padStart(6, "0")}`);
    return changeOf(tender, place + 1, at, { day, number });
  };
}

function momentOf(place: number, of: number, now: Instant): Instant {
  const turning = of * (1 - SHARE_UNDER_WAY);
  const [from, until, part] =
    place < turning
      ? [now - YEARS, now - UNDER_WAY, place / turning]
      : [now - UNDER_WAY, now, (place - turning) / (of - turning)];
  // One microsecond for each place keeps them apart, however many there are.
  return Math.floor(from + (until - from) * part * 0.999) + place;
}

async function templatesOf(lives: readonly Life[]): Promise<readonly Tender[]> {
  const world = await openWorld();
  const templates: Tender[] = [];
  for (const { weight, live } of lives) {
    world.clock.now = Math.max(world.clock.now, START);
    const { path } = await live(world);
    const [row] = await world.database.ask("select document from tenders where id = $1", path.split("/").at(-1)!);
    for (let i = 0; i < weight; i++) templates.push(JSON.parse(row!.document as string));
  }
  await world.stop();
  return templates;
}

/** Texts and amounts stay; every time moves by as much as the last change does. */
function copyOf(template: Tender, at: Instant, tenderID: string): Tender {
  const by = at - template.dateModified;
  const moved = (value: unknown): unknown => {
    if (typeof value === "number") return value > 1e15 ? value + by : value;
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, moved(one)]));
  };
  return { ...(moved(template) as Tender), id: randomBytes(16).toString("hex"), tenderID };
}

function changeOf(tender: Tender, sequence: number, at: Instant, taken: PastChange["taken"]): PastChange {
  const document = JSON.stringify(tender);
  const change = {
    tender,
    document,
    wakeAt: nextDeadline(tender),
    actor: tender.owner,
    act: "publish tender",
    patch: `[{"op":"add","path":"","value":${document}}]`,
    files: [],
  };
  return { sequence, at, before: undefined, change, taken };
}
