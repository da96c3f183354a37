import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { before, describe, it } from "node:test";
import { brotliCompressSync } from "node:zlib";
import fc from "fast-check";
import { cook, fullTender, publish } from "../support/examples.ts";
import { htmlProblems } from "../support/htmlValidation.ts";
import { endTendering, LOT_A, lotOf, reachEnquiries, reachTendering, type TenderStory } from "../support/procedure.ts";
import { runs } from "../support/tier.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

// Whatever users write and whatever a visitor types into the address: every page renders, and everything is shown as text.

const world = await sharedWorld();

/** Would run, break out of an attribute, an element, a comment or a text direction, or stop a parser. */
const HOSTILE =
  "\"'><script>alert(1)</script><img src=x onerror=alert(2)>&lt;b&gt;<!-- ]]> --> \u202eabc\u2066 {{7*7}} $\u007b1} \\ =1+1 ЇЄҐ\ud83d\ude00";
/** What no page may contain outside of an escaped text. */
const RUNNABLE = /<script>alert|<img src=x/;

const hostileOrganization = {
  ...cook,
  name: HOSTILE,
  name_en: HOSTILE,
  identifier: { ...cook.identifier, scheme: "UA-EDR", id: `1"><script>alert(1)</script>`, legalName: HOSTILE },
  address: { ...cook.address, region: HOSTILE, locality: HOSTILE, streetAddress: HOSTILE },
  contactPoint: { ...cook.contactPoint, name: HOSTILE },
};

const itemOf = (i: number) => ({
  id: i.toString(16).padStart(32, "0"),
  description: `${HOSTILE} ${i}`,
  quantity: i,
  unit: { name: HOSTILE, code: "MON" },
  classification: { scheme: "ДК021", id: "55523100-3", description: HOSTILE },
  deliveryAddress: { countryName: HOSTILE, region: HOSTILE },
});

const load = async (path: string) => {
  const response = await fetch(world.url + path, { redirect: "manual" });
  return { status: response.status, type: response.headers.get("content-type") ?? "", text: await response.text() };
};

async function assertHarmless(path: string): Promise<void> {
  const { status, type, text } = await load(path);
  assert.equal(status, 200, `${path}: ${text.slice(0, 300)}`);
  if (!type.startsWith("text/html")) return;
  assert.doesNotMatch(text, RUNNABLE, path);
  assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069]/, `${path} changes the direction of text`);
  assert.deepEqual((await htmlProblems(text)).slice(0, 5), [], path);
}

/** The most that a page may weigh with its styles, compressed. */
const PAGE_BYTES_MAX = 60_000;

/** A text of 64 KB that cannot be compressed well. */
const longText = (seed: number): string =>
  Array.from({ length: 800 }, (_, i) => hash("sha512", `${seed} ${i}`, "base64url"))
    .join("")
    .slice(0, 65_536);

const idOf = ({ path }: Pick<TenderStory, "path">): string => path.split("/").at(-1) ?? "";

/** All addresses that show something of a tender. */
const addressesOf = (id: string): readonly string[] => [
  `/tenders/${id}`,
  `/en/tenders/${id}`,
  `/tenders/${id}/changes`,
  `/tenders/${id}.ics`,
  "/",
  "/tenders",
  "/tenders.csv",
  "/tenders.json",
  "/tenders.atom",
  "/tenders.ics",
  "/calendar",
  "/calendar.ics",
  "/statistics",
];

describe("pages with hostile texts of users", () => {
  it("show them as text, in every field, also of bids, awards and documents", async () => {
    const overrides = {
      title: HOSTILE,
      title_en: HOSTILE,
      description: HOSTILE,
      procuringEntity: { ...hostileOrganization, kind: "general" },
      items: [itemOf(1), itemOf(2)],
    };
    const story = await reachEnquiries(world, overrides);
    const question = { title: HOSTILE, description: HOSTILE, author: hostileOrganization };
    const asked = expectStatus(201, await story.as("broker2", "POST", "/questions", question));
    await story.asOwner("PATCH", `/questions/${asked.body.data.id}`, { answer: HOSTILE });
    const file = { name: `${HOSTILE.replaceAll(/["\\]/g, "")}.txt`, content: "x" };
    expectStatus(201, await story.api.upload(`${story.path}/documents`, file, story));
    for (const path of addressesOf(idOf(story))) await assertHarmless(path);
    const opened = await reachTendering(
      world,
      [450_000, 460_000].map((amount) => ({ tenderers: [hostileOrganization], value: { amount } })),
      overrides,
    );
    await endTendering(opened);
    await assertHarmless(`/tenders/${idOf(opened)}`);
    const key = encodeURIComponent(`UA-EDR-${hostileOrganization.identifier.id}`);
    await assertHarmless(`/buyers/${key}`);
    await assertHarmless(`/tenders?buyer=${key}`);
  });

  it("stay quick and small with a title of 64 KB, 1,000 items and 100 lots", async () => {
    const lots = Array.from({ length: 100 }, (_, i) => ({
      ...lotOf((i + 1).toString(16).padStart(32, "a")),
      title: `${HOSTILE} ${i}`,
    }));
    const items = Array.from({ length: 1000 }, (_, i) => ({
      ...itemOf(i + 1),
      relatedLot: lots[i % 100]?.id ?? LOT_A,
    }));
    const data = { ...fullTender(world.clock.now), title: "Я".repeat(32_768), lots, items };
    const { path } = await publish(world.api("2.5"), data);
    const id = idOf({ path });
    for (const address of addressesOf(id)) await assertHarmless(address);
    const { text } = await load(`/tenders/${id}`);
    assert.ok(text.length < 1_000_000, `the page has ${text.length} characters`);
  });

  it("keep their weight in lists of tenders whose titles and buyers have 64 KB", async () => {
    for (let i = 0; i < 20; i++) {
      const procuringEntity = {
        ...hostileOrganization,
        name: longText(40 + i),
        identifier: { scheme: "UA-EDR", id: `4000${i}` },
      };
      const data = { ...fullTender(world.clock.now), title: longText(i), title_en: longText(20 + i), procuringEntity };
      await publish(world.api("2.5"), data);
    }
    for (const path of ["/tenders", "/en/tenders", "/", "/en", "/tenders.atom", "/tenders.ics", "/calendar.ics"]) {
      const { status, text } = await load(path);
      assert.equal(status, 200, path);
      const [, styles] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
      const styleBytes = styles === undefined ? 0 : brotliCompressSync((await load(styles)).text).length;
      const bytes = brotliCompressSync(text).length + styleBytes;
      assert.ok(bytes <= PAGE_BYTES_MAX, `${path} weighs ${bytes} bytes`);
    }
    assert.ok((await load("/tenders.csv")).text.includes(longText(7)), "the table lacks the whole title");
  });

  it("stay quick with 1,000 questions", async () => {
    const story = await reachEnquiries(world);
    for (let i = 0; i < 1000; i += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, j) =>
          story.as("broker2", "POST", "/questions", { title: `${HOSTILE} ${i + j}`, author: cook }),
        ),
      );
    await assertHarmless(`/tenders/${idOf(story)}`);
    await assertHarmless(`/tenders/${idOf(story)}/changes`);
  });
});

/** Parameters of all pages, right and wrong. */
const NAMES = [
  ...["q", "status", "procedure", "cpv", "buyer", "supplier", "region", "value_min", "value_max", "currency"],
  ...["published_from", "published_to", "deadline_from", "deadline_to", "sort", "page", "mode", "month", "week"],
  ...["from", "to", "offset", "at", "show", "limit", "nonsense", "__proto__", "constructor"],
];
const PAGES = [
  ...["/", "/tenders", "/tenders.csv", "/tenders.json", "/tenders.atom", "/tenders.ics", "/calendar", "/calendar.ics"],
  ...["/statistics", "/auctions", "/about", "/status", "/sitemap.xml", "/api/2.5/search"],
];
const VALUES = [
  ...[
    "",
    "-1",
    "0",
    "1e999",
    "NaN",
    "999999999999999999999",
    "2026-13-45",
    "2026-11",
    "2026-W99",
    "\u0000",
    "%",
    "%zz",
  ],
  ...[
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "\u202e",
    "Ї".repeat(3000),
    "active.tendering,complete",
    "newest",
  ],
  ...[
    "1000000",
    "55",
    "UA-EDR-00037256",
    "10 000,50",
    "'; drop table search; --",
    '"a" OR b*',
    "NEAR(a b)",
    "a:b",
    "=а",
  ],
];

describe("any query string", () => {
  let paths: readonly string[] = [];
  before(async () => {
    const story = await reachEnquiries(world);
    paths = [
      ...PAGES,
      `/tenders/${idOf(story)}`,
      `/tenders/${idOf(story)}/changes`,
      `/api/2.5/tenders/${idOf(story)}/history`,
    ];
  });

  it("gets a page or a refusal that names the parameter, never an error of the service", async () => {
    const parameter = fc.tuple(
      fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 8 })),
      fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: "grapheme" })),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.array(parameter, { maxLength: 4 }), async (index, parameters) => {
        const path = paths[index % paths.length];
        const query = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
        const { status, type, text } = await load(`${path}?${query.join("&")}`);
        assert.ok(
          [200, 301, 302, 308, 400, 404, 422, 431].includes(status),
          `${status}: ${path}?${query.join("&")} ${text.slice(0, 200)}`,
        );
        if (type.startsWith("text/html")) assert.doesNotMatch(text, RUNNABLE);
      }),
      { numRuns: runs(400) },
    );
  });

  it("with a wrong value names the parameter on the page", async () => {
    for (const [path, name] of [
      ["/tenders?status=nonsense", "status"],
      ["/tenders?value_min=much", "value_min"],
      ["/tenders?cpv=abc", "cpv"],
      ["/tenders?published_from=yesterday", "published_from"],
      ["/tenders?sort=best", "sort"],
      ["/tenders?page=0", "page"],
      ["/tenders?nonsense=1", "nonsense"],
      ["/calendar?month=2026-13", "month"],
      ["/statistics?from=soon", "from"],
      ["/auctions?offset=wrong", "offset"],
    ] as const) {
      const { status, text } = await load(path);
      assert.equal(status, 400, path);
      const [, problems = ""] = /<div class="problems" role="alert"[^>]*>(.*?)<\/div>/s.exec(text) ?? [];
      assert.ok(problems.includes(name), `${path} does not name ${name}`);
    }
  });
});
