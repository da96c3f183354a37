import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { bidOf, cook, DAY, fullTender, publish } from "../support/examples.ts";
import { expectStatus, sharedWorld, type TestResponse, type World } from "../support/world.ts";

/** Any JSON in any field gets a documented response, and a refusal changes nothing. */

const VERSIONS = ["0", "0.1", "0.2", "2.3"] as const;
const RUNS = Number(process.env.HOSTILE_RUNS ?? 100);

type Target = {
  readonly method: "POST" | "PATCH";
  readonly path: string;
  readonly like: string;
  readonly token: string;
};
type Scene = { readonly tenders: readonly string[]; readonly targets: readonly Target[] };

const item = {
  id: "1".repeat(32),
  description: "Обіди",
  quantity: 5,
  unit: { name: "item", code: "MON", value: { amount: 3 } },
  classification: { scheme: "ДК021", id: "55523100-3", description: "Харчування" },
  additionalClassifications: [{ scheme: "ДКПП", id: "55.51", description: "Їдальні" }],
  deliveryDate: { startDate: "2027-01-01", endDate: "2027-02-01" },
  deliveryAddress: { countryName: "Україна" },
  deliveryLocation: { latitude: "49", longitude: "28" },
};
const rich = {
  title_en: "Meals",
  items: [item, { ...item, id: "2".repeat(32) }],
  guarantee: { amount: 1, currency: "UAH" },
  features: [
    {
      code: "a",
      featureOf: "tenderer",
      title: "A",
      enum: [
        { value: 0.1, title: "x" },
        { value: 0, title: "y" },
      ],
    },
    { code: "b", featureOf: "item", relatedItem: item.id, title: "B", enum: [{ value: 0.05, title: "z" }] },
  ],
};
const bid = {
  ...bidOf(400),
  parameters: [
    { code: "a", value: 0.1 },
    { code: "b", value: 0.05 },
  ],
};

/** A tender of each procedure in its tender period with all resources, and one in enquiries. */
async function openScene(world: World): Promise<Scene> {
  const api = world.api("2.3");
  const { procurementMethodType: _basic, ...plain } = { ...fullTender(world.clock.now), ...rich };
  const open = await publish(api, plain);
  const sealed = await publish(api, { ...fullTender(world.clock.now), ...rich });
  const question = expectStatus(201, await api.post(`${open.path}/questions`, { title: "?", author: cook }));
  const file = { name: "a.txt", content: "a" };
  const document = expectStatus(201, await api.upload(`${open.path}/documents`, file, { token: open.token }));
  world.clock.forward(7 * DAY);
  const first = expectStatus(201, await api.post(`${open.path}/bids`, bid));
  const secret = expectStatus(201, await api.post(`${sealed.path}/bids`, bid));
  const given = { awardStatus: "pending", suppliers: [cook], awardValue: { amount: 400 } };
  const award = expectStatus(201, await api.post(`${open.path}/awards`, given, { token: open.token }));
  const asking = await publish(api, { ...fullTender(world.clock.now), ...rich });
  const targetsOf = (path: string, children: string, response: TestResponse, token: string): Target[] => {
    const like = `${path}/${children}/${response.body.data.id ?? response.body.data.awardID}`;
    return [
      { method: "POST", path: `${path}/${children}`, like, token },
      { method: "PATCH", path: like, like, token },
    ];
  };
  return {
    tenders: [open.path, sealed.path, asking.path],
    targets: [
      ...["/tenders", open.path].map((path) => tenderAt(path, open.path, open.token)),
      ...["/tenders", asking.path].map((path) => tenderAt(path, asking.path, asking.token)),
      ...targetsOf(open.path, "questions", question, open.token),
      {
        method: "POST",
        path: `${asking.path}/questions`,
        like: `${open.path}/questions/${question.body.data.id}`,
        token: "",
      },
      ...targetsOf(open.path, "bids", first, first.body.access.token),
      ...targetsOf(sealed.path, "bids", secret, secret.body.access.token),
      ...targetsOf(open.path, "awards", award, open.token),
      ...targetsOf(open.path, "documents", document, open.token).slice(1),
      { method: "PATCH", path: `${open.path}/auction`, like: `${open.path}/auction`, token: open.token },
    ],
  };
}

const tenderAt = (path: string, like: string, token: string): Target => ({
  method: path === like ? "PATCH" : "POST",
  path,
  like,
  token,
});

type RawJson = { rawJSON: (text: string) => unknown; isRawJSON: (value: unknown) => boolean };
const { rawJSON: raw, isRawJSON: isRaw } = JSON as unknown as RawJson;
const own = (name: string, value: unknown) => Object.fromEntries([[name, value]]);

const odd: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    1,
    -1,
    "",
    " ",
    "\0",
    "\ud800",
    "x",
    [],
    {},
    [null],
    [[]],
    [{}],
    [{}, {}],
    ["x"],
    [0],
    [{}, {}, {}],
  ],
  ...["1e999", "-1e999", "-0", "1e-400", "9007199254740993", "0.1234567890123456789", "1e33", "1e21"].map(raw),
  ...[
    "2026-02-31T00:00:00",
    "9999-12-31T23:59:59",
    "0001-01-01",
    "2026-11-16T25:00",
    "2026-03-29T03:30:00",
    "2255-01-01",
  ],
  ...[
    "cancelled",
    "draft",
    "complete",
    "active",
    "active.enquiries",
    "pending",
    "unsuccessful",
    "belowThreshold",
    "test",
  ],
  ...[
    "item",
    "lot",
    "tenderer",
    "1".repeat(32),
    "55523100-3",
    "336",
    "UAH",
    "1e5",
    "NaN",
    "Infinity",
    "+5",
    ".5",
    "0x10",
  ],
  ...["__proto__", "constructor", "toString"].flatMap((name) => [own(name, {}), own(name, { amount: 1 }), name]),
  ...[{ amount: 1 }, { amount: null }, { id: null }, { endDate: "2026-01-01" }, { startDate: null, endDate: null }],
];
const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...odd) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
const edit = fc.record({
  at: fc.nat(),
  value,
  how: fc.constantFrom("replace", "replace", "replace", "add", "remove", "repeat"),
  name: fc.oneof(
    fc.constantFrom("status", "id", "value", "lots", "lotValues", "relatedLot", "mode", "__proto__"),
    fc.string(),
  ),
});
const attack = fc.record({
  version: fc.constantFrom(...VERSIONS),
  target: fc.nat(),
  edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
});
type Edit = typeof edit extends fc.Arbitrary<infer One> ? One : never;

type FieldPosition = { readonly holder: { [name: string]: unknown } | unknown[]; readonly name: string };

function placesIn(holder: unknown): FieldPosition[] {
  if (typeof holder !== "object" || holder === null || isRaw(holder)) return [];
  return Object.keys(holder).flatMap((name) => {
    const place = { holder: holder as { [name: string]: unknown }, name };
    return [place, ...placesIn((holder as { [name: string]: unknown })[name])];
  });
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isRaw(value);

const set = (target: object, key: string, value: unknown) =>
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });

const copied = (value: unknown): unknown => (isRaw(value) ? value : structuredClone(value));

function damaged(like: unknown, edits: readonly Edit[]): unknown {
  const body = { data: structuredClone(like) };
  for (const { at, value: given, how, name } of edits) {
    const value = copied(given);
    const places = placesIn(body.data);
    const place = places[at % Math.max(1, places.length)];
    if (!place) return { data: value };
    const inside = (place.holder as { [name: string]: unknown })[place.name];
    if (how === "remove" && !Array.isArray(place.holder)) delete place.holder[place.name];
    else if (how === "add") set(isObject(inside) ? inside : (body.data as object), name, value);
    else if (how === "repeat" && Array.isArray(inside)) inside.push(...inside);
    else set(place.holder, place.name, value);
  }
  return body;
}

describe("a body with arbitrary values in arbitrary fields", async () => {
  const world = await sharedWorld();
  let scene = await openScene(world);

  async function readAll(): Promise<string[]> {
    const read = VERSIONS.flatMap((version) => scene.tenders.map((path) => world.api(version).get(path)));
    return (await Promise.all(read)).map((responses) => expectStatus(200, responses).text);
  }

  it("is accepted or refused as documented in every version, and a refusal changes nothing", async () => {
    let before = await readAll();
    const property = fc.asyncProperty(attack, async ({ version, target: chosen, edits }) => {
      const api = world.api(version);
      const target = scene.targets[chosen % scene.targets.length]!;
      const { token } = target;
      const like = expectStatus(200, await api.get(target.like, { token })).body.data;
      const response = await api.request(target.method, target.path, { token, body: damaged(like, edits) });
      assert.ok([200, 201, 403, 415, 422].includes(response.status), `${response.status} ${response.text}`);
      const after = await readAll();
      if (response.status >= 400) assert.deepEqual(after, before, "a refused request changed something");
      else scene = await openScene(world);
      before = response.status >= 400 ? after : await readAll();
    });
    await fc.assert(property, { numRuns: RUNS });
    assert.doesNotMatch(world.logText(), /"level":"error"/);
  });
});
