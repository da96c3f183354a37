import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, DAY, formatTime, fullTender, publish } from "../support/examples.ts";
import { loadPage, mainText } from "../support/portalPages.ts";
import { endTendering, reachEnquiries, reachTendering } from "../support/procedure.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

// The calendar of deadlines and auctions.

const world = await sharedWorld();
const load = (path: string) => loadPage(world, path);
const eventsOn = async (day: string, more = "") => {
  const { status, text } = await load(`/en/calendar?day=${day}${more}`);
  assert.equal(status, 200);
  return [...text.matchAll(/<li class="event[^>]*>(.*?)<\/li>/gs)].map(([, event = ""]) =>
    mainText(`<main>${event}</main>`).trim(),
  );
};

/** The page of the tender of a story. */
const ofPage = ({ path }: { readonly path: string }) => `/tenders/${path.split("/").at(-1)}`;

describe("the calendar", () => {
  it("has the end of enquiries and the deadline of a tender on their days", async () => {
    await reachEnquiries(world);
    assert.deepEqual(await eventsOn("2026-11-23"), ["Enquiries until 10:00 Послуги шкільних їдалень Школа №10"]);
    assert.deepEqual(await eventsOn("2026-11-30"), ["Bids until 10:00 Послуги шкільних їдалень Школа №10"]);
    assert.deepEqual(await eventsOn("2026-11-24"), []);
  });

  it("shows the present month, and any month, week or day", async () => {
    const { text } = await load("/calendar");
    assert.match(mainText(text), /Календар закупівель: листопад 2026 р\./);
    assert.match(text, /<li class="empty today" aria-current="date">\s*<h2><time datetime="2026-11-16">/);
    const week = await load("/en/calendar?week=2026-W49");
    assert.match(mainText(week.text), /week 49, 30 November – 6 December 2026/);
    assert.equal(week.text.match(/<li class="event/g)?.length, 1);
    assert.match(mainText((await load("/en/calendar?month=2027-02")).text), /There are no events/);
  });

  it("follows a change of the deadline, and forgets a cancelled tender", async () => {
    const story = await reachEnquiries(world, { title: "Крейда" });
    const at = formatTime(world.clock.now + 20 * DAY);
    expectStatus(200, await story.asOwner("PATCH", "", { tenderPeriod: { endDate: at } }));
    assert.deepEqual(await eventsOn("2026-12-06"), ["Bids until 10:00 Крейда Школа №10"]);
    expectStatus(201, await story.asOwner("POST", "/cancellations", { reason: "-", status: "active" }));
    assert.deepEqual(await eventsOn("2026-12-06"), []);
    const files = [
      "/en/tenders.ics?q=крейда",
      "/en/tenders.atom?q=крейда",
      "/en/calendar.ics",
      `/en${ofPage(story)}.ics`,
    ];
    for (const { status, text } of await Promise.all(files.map(load))) {
      assert.equal(status, 200);
      assert.doesNotMatch(text, /20261206|6 December/);
    }
  });

  it("has the opening of bids once it has happened", async () => {
    const story = await reachTendering(world, [bidOf(400000)], { title: "Глобуси" });
    const day = formatTime(world.clock.now + 7 * DAY).slice(0, 10);
    const events = async () => (await eventsOn(day)).filter((event) => event.includes("Глобуси"));
    assert.deepEqual(await events(), ["Bids until 10:00 Глобуси Школа №10"]);
    await endTendering(story);
    assert.deepEqual(await events(), ["Bids until 10:00 Глобуси Школа №10", "Bids opened 10:00 Глобуси Школа №10"]);
    const { text } = await load(`/en/calendar.ics?day=${day}`);
    assert.ok(text.replaceAll("\r\n ", "").includes("SUMMARY:Opening of bids: Глобуси\r\n"));
  });

  it("is the same whether bids were placed or not, until they are opened", async () => {
    const story = await reachTendering(world, [], { title: "Парти" });
    const month = formatTime(world.clock.now + 7 * DAY).slice(0, 7);
    const look = async () =>
      (await Promise.all([`/calendar?month=${month}`, "/calendar.ics"].map(load))).map(({ text }) => text);
    const before = await look();
    await story.placeBid(bidOf(400000));
    assert.deepEqual(await look(), before);
  });

  it("has tests only for those who ask for them, and drafts never", async () => {
    const tender = fullTender(world.clock.now);
    await publish(world.api("2.5"), { ...tender, title: "Чернетка", status: "draft" });
    await publish(world.api("2.5"), { ...tender, title: "Тест", mode: "test" });
    const day = formatTime(world.clock.now + 14 * DAY).slice(0, 10);
    const titles = async (more = "") => (await eventsOn(day, more)).join();
    assert.doesNotMatch(await titles(), /\[(TESTING|ТЕСТУВАННЯ)\]|Чернетка/);
    assert.match(await titles("&mode=test"), /\[ТЕСТУВАННЯ\]/);
    assert.doesNotMatch(await titles("&mode=test"), /Чернетка|Парти/);
  });

  it("can be subscribed to", async () => {
    const { status, type, text } = await load("/en/calendar.ics");
    assert.deepEqual([status, type], [200, "text/calendar; charset=UTF-8"]);
    assert.match(text, /^BEGIN:VCALENDAR\r\n/);
    assert.ok(text.replaceAll("\r\n ", "").includes("SUMMARY:Deadline for bids: Парти\r\n"));
    const uids = [...text.replaceAll("\r\n ", "").matchAll(/^UID:(.+)\r$/gm)].map(([, uid]) => uid);
    assert.ok(uids.length > 0 && new Set(uids).size === uids.length);
    assert.equal((await load("/calendar.ics?day=2027-02-01")).text.includes("BEGIN:VEVENT"), false);
  });

  it("has the same events as the calendars of a search and of a tender, so that subscribers get each once", async () => {
    const story = await reachEnquiries(world, { title: "Дошки" });
    const id = story.path.split("/").at(-1) ?? "";
    const eventsIn = async (path: string) => {
      const { text } = await load(path);
      const events = text.replaceAll("\r\n ", "").split("BEGIN:VEVENT").slice(1);
      return new Map(events.map((event) => [/UID:(.+)\r/.exec(event)?.[1] ?? "", event.split("END:VEVENT")[0]]));
    };
    const own = await eventsIn(`/en/tenders/${id}.ics`);
    const host = new URL(world.url).hostname;
    assert.deepEqual([...own.keys()], [`${id}-enquiries@${host}`, `${id}-deadline@${host}`]);
    const [calendar, search] = [await eventsIn("/en/calendar.ics"), await eventsIn("/en/tenders.ics?q=дошки")];
    for (const [uid, event] of own) assert.equal(calendar.get(uid), event, uid);
    assert.deepEqual(search, new Map([...own].filter(([uid]) => uid.includes("-deadline@"))));
  });

  it("names every parameter that is wrong", async () => {
    for (const [query, message] of [
      ["month=2026-13", "month: “2026-13” is not a month"],
      ["week=2025-W53", "week: “2025-W53” is not a week"],
      ["day=2026-02-30", "day: “2026-02-30” is not a day"],
      ["mode=all", "mode: “all” is not possible"],
      ["month=2026-11&day=2026-11-17", "month, day: give only one"],
      ["kind=auction", "kind: there is no such parameter"],
      [`day=${"%F0%9F%92%A9".repeat(500)}`, "day: “💩"],
    ] as const) {
      const { status, text } = await load(`/en/calendar?${query}`);
      assert.equal(status, 400, query);
      assert.ok(text.includes(message), query);
      const file = await load(`/en/calendar.ics?${query}`);
      assert.deepEqual([file.status, file.text.startsWith(message)], [400, true], query);
    }
  });
});
