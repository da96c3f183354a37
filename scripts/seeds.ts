import { randomBytes } from "node:crypto";
import { nextDeadline } from "../src/domain/deadlines.ts";
import type { Tender } from "../src/domain/model/tender.ts";
import { DAY, dayOf, type Instant, type Zone } from "../src/domain/values/time.ts";
import { TENDER_DOCUMENT } from "../src/store/rowMapping.ts";
import type { PastChange } from "../src/store/store.ts";
import {
  bidsOf,
  onA,
  onBoth,
  passStandStill,
  reachAwarded,
  reachEnquiries,
  reachQualification,
  reachTendering,
  reachTenderingEnd,
  signContract,
  type TenderStory,
  withLots,
} from "../test/support/procedure.ts";
import { openWorld, START, type World } from "../test/support/world.ts";

const YEARS = 3 * 365 * DAY;
/** Active tenders changed within this time, and their next deadline is further away than that. */
const ACTIVE_SPAN = 5 * DAY;
const ACTIVE_SHARE = 0.2;

type SeedScenario = { readonly weight: number; readonly play: (world: World) => Promise<TenderStory> };

const COMPLETED_SCENARIOS: readonly SeedScenario[] = [
  { weight: 5, play: (world) => reachSigned(world, bidsOf(480, 490, 470)) },
  { weight: 3, play: (world) => reachSigned(world, bidsOf(480)) },
  { weight: 2, play: (world) => reachTenderingEnd(world, []) },
  { weight: 1, play: reachCancelled },
];
const ACTIVE_SCENARIOS: readonly SeedScenario[] = [
  { weight: 4, play: (world) => reachEnquiries(world) },
  { weight: 2, play: (world) => reachEnquiries(world, withLots(world.clock.now)) },
  { weight: 4, play: (world) => reachTendering(world, bidsOf(480, 490, 470, 460)) },
  { weight: 1, play: (world) => reachTendering(world, [onA(900), onBoth(800, 700)], withLots(world.clock.now)) },
  { weight: 2, play: (world) => reachQualification(world, bidsOf(480, 490)) },
  { weight: 1, play: (world) => reachAwarded(world, bidsOf(480, 490)) },
];

async function reachSigned(world: World, bids: readonly object[]): Promise<TenderStory> {
  const story = await reachAwarded(world, bids);
  await passStandStill(story);
  await signContract(story);
  return story;
}

async function reachCancelled(world: World): Promise<TenderStory> {
  const story = await reachEnquiries(world);
  await story.asOwner("POST", "/cancellations", { reason: "не треба", status: "active" });
  return story;
}

/**
 * Plays a few procedures in a temporary registry and returns a function that copies them: the change at each index of the
 * ledger, with its own time and number. Ended tenders come first.
 */
export async function openSeeds(zone: Zone, now: Instant) {
  const [completedTemplates, activeTemplates] = await Promise.all([
    templatesOf(COMPLETED_SCENARIOS),
    templatesOf(ACTIVE_SCENARIOS),
  ]);
  const numbers = new Map<string, number>();
  return (index: number, total: number): PastChange => {
    const isEnded = index < total * (1 - ACTIVE_SHARE);
    const at = timeOf(index, total, now);
    const templates = isEnded ? completedTemplates : activeTemplates;
    const template = templates[index % templates.length];
    if (!template) throw new Error("there are no tenders to copy");
    const day = dayOf(at, zone);
    const number = (numbers.get(day) ?? 0) + 1;
    numbers.set(day, number);
    const tender = copyOf(template, at, `UA-${day}-${String(number).padStart(6, "0")}`);
    return changeOf(tender, index + 1, at, { day, number });
  };
}

function timeOf(index: number, total: number, now: Instant): Instant {
  const firstActive = total * (1 - ACTIVE_SHARE);
  const [from, until, part] =
    index < firstActive
      ? [now - YEARS, now - ACTIVE_SPAN, index / firstActive]
      : [now - ACTIVE_SPAN, now, (index - firstActive) / (total - firstActive)];
  // One more microsecond for each index makes every time unique.
  return Math.floor(from + (until - from) * part * 0.999) + index;
}

async function templatesOf(scenarios: readonly SeedScenario[]): Promise<readonly Tender[]> {
  const world = await openWorld();
  const templates: Tender[] = [];
  for (const { weight, play } of scenarios) {
    world.clock.now = Math.max(world.clock.now, START);
    const { path } = await play(world);
    const id = path.split("/").at(-1)!;
    const [row] = await world.database.query(`select ${TENDER_DOCUMENT} as document from tenders where id = $1`, id);
    const bids = await world.database.query("select document from bids where tender_id = $1 order by rowid", id);
    const tender: Tender = {
      ...JSON.parse(row!.document as string),
      bids: bids.map((bid) => JSON.parse(bid.document as string)),
    };
    for (let i = 0; i < weight; i++) templates.push(tender);
  }
  await world.stop();
  return templates;
}

/** Copies a tender with a new id and number, and shifts all its times so that its last change is at `at`. */
function copyOf(template: Tender, at: Instant, tenderID: string): Tender {
  const shift = at - template.dateModified;
  const shiftTimes = (value: unknown): unknown => {
    // Only times, in microseconds, are this large.
    if (typeof value === "number") return value > 1e15 ? value + shift : value;
    if (Array.isArray(value)) return value.map(shiftTimes);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shiftTimes(field)]));
  };
  return { ...(shiftTimes(template) as Tender), id: randomBytes(16).toString("hex"), tenderID };
}

function changeOf(tender: Tender, sequence: number, at: Instant, taken: PastChange["assigned"]): PastChange {
  const document = JSON.stringify({ ...tender, bids: undefined });
  const change = {
    tender,
    document,
    wakeAt: nextDeadline(tender),
    actor: tender.owner,
    act: "publish tender",
    patch: `[{"op":"add","path":"","value":${JSON.stringify(tender)}}]`,
    files: [],
  };
  return { sequence, at, before: undefined, change, assigned: taken };
}
