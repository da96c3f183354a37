import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Dialect, openDialects } from "../../src/dialects/dialects.ts";
import type { Field, Shapes } from "../../src/dialects/fields.ts";
import { IGNORED_WHEN_CHANGED, IGNORED_WHEN_NEW, OWNED_BY_SERVICE } from "../../src/dialects/ignoredFields.ts";
import { NEWEST, type ShapeName } from "../../src/dialects/newestShapes.ts";
import { PROCEDURE_NAMES } from "../../src/domain/procedures/names.ts";
import { openZone } from "../../src/domain/values/time.ts";
import { TENDER_DOCUMENT } from "../../src/store/rowMapping.ts";
import { openDirectRequests } from "../support/directRequests.ts";
import { sharedWorld, type TestResponse } from "../support/world.ts";
import { openWriteRequests, type WriteRequest } from "../support/writeRequests.ts";

/** No field is dropped silently: every field of every writable shape is stored, refused, or listed as ignored. */

const dialects = openDialects({ zone: openZone("Europe/Kyiv"), sandbox: true, textBytesMax: 65536, listMax: 1000 });

type Path = readonly (string | number)[];
type Leaf = { readonly path: Path; readonly field: Field };

/** Every scalar field of a shape, and each read-only field as a whole. */
function leavesOf(shapes: Shapes, shape: string, isNew: boolean, above: Path = []): readonly Leaf[] {
  return Object.entries(shapes[shape]!).flatMap(([name, field]): readonly Leaf[] => {
    const path = [...above, name];
    const reference = field.readOnly ? (isNew ? field.newAs : undefined) : field.of;
    if (field.kind !== "shape" || !reference) return [{ path, field }];
    return leavesOf(shapes, reference, isNew, field.many ? [...path, 0] : path);
  });
}

let number = 0;
/** A value with a unique mark by which it can be found. */
function sampleOf({ kind, choices, many }: Field, at: unknown): { readonly value: unknown; readonly trace?: string } {
  number += 1;
  const digits = String(100_000 + number);
  if (choices) return { value: choices.find((choice) => choice !== at) ?? choices[0] };
  switch (kind) {
    case "flag":
      return { value: at === undefined ? false : !at };
    case "amount":
    case "number":
      return { value: Number(`0.${digits}1`), trace: `${digits}1` };
    case "integer":
      return { value: Number(`7${digits}`), trace: `7${digits}` };
    case "instant":
      return { value: `2026-12-24T12:00:00.${digits}+02:00`, trace: `.${digits}` };
    case "id":
      return { value: digits.padStart(32, "0"), trace: digits.padStart(32, "0") };
    case "shape":
      return { value: many ? [{}] : {}, trace: "nothing is ever made of this" };
    default:
      return { value: `trace-${digits}`, trace: `trace-${digits}` };
  }
}

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, step) => (inner as { [step: string]: unknown } | undefined)?.[step], value);

/** The body with one more value. */
function withValue(body: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  const inner = withValue((body as { [step: string]: unknown } | undefined)?.[step], rest, value);
  if (typeof step === "number") return Object.assign([...((body as unknown[] | undefined) ?? [])], { [step]: inner });
  return { ...(body as object | undefined), [step]: inner };
}

/** Translates canonical paths, as they are listed, to the names of a version. */
function namesIn(dialect: Dialect, shape: ShapeName, listed: { readonly [path: string]: string }): ReadonlySet<string> {
  const problems = Object.keys(listed).map((path) => {
    const steps = path.split(".").map((step) => (step === "0" ? 0 : step));
    return { path: steps, message: path, rule: "unknown-field", phase: "shape" } as const;
  });
  return new Set(
    problems.flatMap((problem) => dialect.renameProblems(shape, [problem]).map(({ path }) => path.join("."))),
  );
}

function ownedIn(dialect: Dialect, path: Path, shape: string): boolean {
  const names = path.filter((step) => typeof step === "string");
  const last = names.pop()!;
  const holder = names.reduce((name, field) => {
    const { of: reference, newAs } = dialect.inputShapes[name]![field]!;
    return newAs ?? reference!;
  }, shape);
  return dialect.inputShapes[holder]![last]!.readOnly === true;
}

describe("the ignored fields", () => {
  it("that belong to the service are listed with their reasons, and no others", () => {
    const owned = Object.entries(NEWEST).map(
      ([shape, fields]) => [shape, Object.keys(fields).filter((name) => fields[name]!.readOnly)] as const,
    );
    const listed = Object.entries(OWNED_BY_SERVICE).map(([shape, fields]) => [shape, Object.keys(fields)] as const);
    const sorted = (all: readonly (readonly [string, readonly string[]])[]) =>
      Object.fromEntries(
        all.filter(([, names]) => names.length > 0).map(([shape, names]) => [shape, names.toSorted()]),
      );
    assert.deepEqual(sorted(owned), sorted(listed));
  });
});

describe("a field that is sent", async () => {
  const world = await sharedWorld();
  const requests = [...(await openWriteRequests(world)), ...(await openDirectRequests(world))];

  const send = (
    { version, method, at: path, token, key }: WriteRequest,
    data: unknown,
    query = "?dry_run=1",
  ): Promise<TestResponse> =>
    world.api(version).request(method, `${path}${query}`, {
      ...(token !== undefined && { token }),
      ...(key !== undefined && { key }),
      body: { data },
    });

  /** The stored tender with its bids, including hidden fields. */
  async function storedAt(path: string): Promise<string> {
    const [, id] = /^\/tenders\/(\w+)/.exec(path)!;
    const { query } = world.database;
    const tenders = await query(`select ${TENDER_DOCUMENT} as document from tenders where id = $1`, id!);
    const bids = await query("select document from bids where tender_id = $1 order by id", id!);
    return JSON.stringify([...tenders, ...bids].map(({ document }) => document));
  }

  /** An old version may store a field that it does not show, so this sends the request and looks into the store. */
  async function isStored(
    written: WriteRequest,
    path: Path,
    value: unknown,
    trace: string | undefined,
  ): Promise<boolean> {
    if (!written.version.startsWith("0")) return false;
    const storedWith = async (value: unknown): Promise<string> => {
      const { body } = await send(written, withValue(written.data, path, value), "");
      return storedAt(written.at === "/tenders" ? `/tenders/${body.data.id}` : written.at);
    };
    const stored = await storedWith(value);
    // An instant is stored in microseconds, whose last six digits are the fraction of its second.
    if (trace) return stored.includes(trace.replace(".", ""));
    const falses = (text: string) => text.split(":false").length;
    return falses(stored) !== falses(await storedWith(!value));
  }

  it("is tried in every procedure", () => {
    assert.deepEqual([...new Set(requests.map(({ procedure }) => procedure))].toSorted(), PROCEDURE_NAMES.toSorted());
  });

  for (const written of requests)
    it(`with ${written.method} ${written.shape} (${kindOf(written)}) under ${written.version} is stored, refused or listed`, async () => {
      const dialect = dialects.get(written.version)!;
      const { shape, method, data, why } = written;
      const isNew = method === "POST" && shape !== "Auction";
      const base = await send(written, data);
      assert.ok(base.status < 300, `the example itself is refused: ${base.text}`);
      const tables = isNew ? IGNORED_WHEN_NEW : IGNORED_WHEN_CHANGED;
      const table = { ...tables[shape], ...tables[`${shape}, ${why}`] };
      const listed = namesIn(dialect, shape, table);
      const isListed = (path: Path) =>
        "*" in table ||
        ownedIn(dialect, path, shape) ||
        path.some((_, i) => listed.has(path.slice(0, i + 1).join(".")));
      const dropped: string[] = [];
      for (const { path, field } of leavesOf(dialect.inputShapes, shape, isNew)) {
        const { value, trace } = sampleOf(field, at(base.body.data, path));
        const response = await send(written, withValue(data, path, value));
        if (response.status >= 400) {
          assert.ok(response.status < 500 && response.body.errors.length > 0, response.text);
          continue;
        }
        const before = at(base.body.data, path);
        const isShown = trace
          ? response.text.includes(trace)
          : at(response.body.data, path) === value && before !== value;
        if (isShown) assert.ok(!listed.has(path.join(".")), `${path.join(".")} is listed as ignored, and is kept`);
        if (isShown || isListed(path) || isHidden(written, path)) continue;
        if (!(await isStored(written, path, value, trace))) dropped.push(path.join("."));
      }
      assert.deepEqual(dropped, [], "dropped in silence");
    });
});

const kindOf = ({ procedure, why }: WriteRequest): string => (procedure === why ? why : `${procedure}: ${why}`);

/** The authors of complaints about a tender are still hidden; the same complaint about an award shows that they are stored. */
const isHidden = ({ shape, why }: WriteRequest, [name]: Path): boolean =>
  shape === "Complaint" && why === "a draft, by its author" && name === "author";
