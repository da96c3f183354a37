import { randomBytes } from "node:crypto";
import { nextDeadline } from "../src/domain/deadlines.ts";
import type { Tender } from "../src/domain/model/tender.ts";
import { DAY, dayOf, type Instant, type Zone } from "../src/domain/values/time.ts";
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

/** Tenders that are like real ones: copies of a few that have lived, each at its own time and under its own name. */

const YEARS = 3 * 365 * DAY;
/** Those under way were changed within these days, and their next deadline is further away than that. */
const UNDER_WAY = 5 * DAY;
const SHARE_UNDER_WAY = 0.2;

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

async function reachSigned(world: World, sent: readonly object[]): Promise<TenderStory> {
  const story = await reachAwarded(world, sent);
  await passStandStill(story);
  await signContract(story);
  return story;
}

async function reachCancelled(world: World): Promise<TenderStory> {
  const story = await reachEnquiries(world);
  await story.asOwner("POST", "/cancellations", { reason: "не треба", status: "active" });
  return story;
}

/** The seed of each place in the order of the ledger; what is over comes first. */
export async function openSeeds(zone: Zone, now: Instant) {
  const [completedTemplates, activeTemplates] = await Promise.all([
    templatesOf(COMPLETED_SCENARIOS),
    templatesOf(ACTIVE_SCENARIOS),
  ]);
  const numbers = new Map<string, number>();
  return (index: number, total: number): PastChange => {
    const isOver = index < total * (1 - SHARE_UNDER_WAY);
    const at = timeOf(index, total, now);
    const template = (isOver ? completedTemplates : activeTemplates)[
      index % (isOver ? completedTemplates : activeTemplates).length
    ]!;
    const day = dayOf(at, zone);
    const number = (numbers.get(day) ?? 0) + 1;
    numbers.set(day, number);
    const tender = copyOf(template, at, `UA-${day}-${String(number).padStart(6, "0")}`);
    return changeOf(tender, index + 1, at, { day, number });
  };
}

function timeOf(index: number, total: number, now: Instant): Instant {
  const firstActive = total * (1 - SHARE_UNDER_WAY);
  const [from, until, part] =
    index < firstActive
      ? [now - YEARS, now - UNDER_WAY, index / firstActive]
      : [now - UNDER_WAY, now, (index - firstActive) / (total - firstActive)];
  // One microsecond for each place keeps them apart, however many there are.
  return Math.floor(from + (until - from) * part * 0.999) + index;
}

async function templatesOf(scenarios: readonly SeedScenario[]): Promise<readonly Tender[]> {
  const world = await openWorld();
  const templates: Tender[] = [];
  for (const { weight, play } of scenarios) {
    world.clock.now = Math.max(world.clock.now, START);
    const { path } = await play(world);
    const [row] = await world.database.query("select document from tenders where id = $1", path.split("/").at(-1)!);
    for (let i = 0; i < weight; i++) templates.push(JSON.parse(row!.document as string));
  }
  await world.stop();
  return templates;
}

/** Texts and amounts stay; every time moves by as much as the last change does. */
function copyOf(template: Tender, at: Instant, tenderID: string): Tender {
  const shift = at - template.dateModified;
  const shiftTimes = (value: unknown): unknown => {
    if (typeof value === "number") return value > 1e15 ? value + shift : value;
    if (Array.isArray(value)) return value.map(shiftTimes);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shiftTimes(field)]));
  };
  return { ...(shiftTimes(template) as Tender), id: randomBytes(16).toString("hex"), tenderID };
}

function changeOf(tender: Tender, sequence: number, at: Instant, taken: PastChange["assigned"]): PastChange {
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
  return { sequence, at, before: undefined, change, assigned: taken };
}
