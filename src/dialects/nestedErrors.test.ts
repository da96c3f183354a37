import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type Path, type Problem, problem } from "../domain/model/refusals.ts";
import { PROBLEMS, type ProblemRule } from "../domain/model/rules.ts";
import { nestedErrors as ruledErrors } from "./nestedErrors.ts";

const REQUIRED = "This field is required.";
const MAPPING = (type: string) => `Please use a mapping for this field or ${type} instance instead of unicode.`;

const SOME = "wrong-type";
const RULES = Object.values(PROBLEMS).flatMap((rules) => Object.keys(rules)) as ProblemRule[];

const shape = (path: Path, message: string) => problem(path, message, SOME, "shape");
const cross = (path: Path, message: string) => problem(path, message, SOME, "cross");
const missing = (...path: Path) => problem(path, REQUIRED, "field-required");
/** As clients have always known them, without the rule, which has its own sentences below. */
const nestedErrors = (problems: readonly Problem[]) =>
  ruledErrors(problems).map(({ name, description }) => ({ name, description }));
const only = (name: string, description: unknown) => [{ name, description }];

describe("nested errors", () => {
  it("have the canonical forms of the protocol", () => {
    const VAT = ["guarantee", "valueAddedTaxIncluded"];
    const BAD_DATE = "Could not parse abc. Should be ISO8601.";
    const LOW = "value should be less than value of tender";
    const cases: [number, Problem[], unknown][] = [
      [4, [shape(["foo"], "Rogue field")], only("foo", "Rogue field")],
      [5, [shape(["value"], MAPPING("Value"))], only("value", [MAPPING("Value")])],
      [14, [shape(["enquiryPeriod", "endDate"], BAD_DATE)], only("enquiryPeriod", { endDate: [BAD_DATE] })],
      [15, [shape(VAT, "Rogue field")], only("guarantee", { valueAddedTaxIncluded: "Rogue field" })],
      [16, [cross(["minimalStep"], LOW)], only("minimalStep", [LOW])],
    ];
    for (const [number, problems, expected] of cases) assert.deepEqual(nestedErrors(problems), expected, `#${number}`);
  });

  it("name every required field of an empty tender (#6)", () => {
    const fields = ["title", "items", "value", "minimalStep", "procuringEntity", "enquiryPeriod", "tenderPeriod"];
    assert.deepEqual(
      nestedErrors(fields.map((field) => missing(field))),
      fields.map((name) => ({ name, description: [REQUIRED] })),
    );
  });

  it("nest as deeply as the fields do (#13)", () => {
    const inside = [["name"], ["address"], ["contactPoint"], ["identifier", "scheme"], ["identifier", "id"]];
    assert.deepEqual(
      nestedErrors(inside.map((path) => missing("author", ...path))),
      only("author", {
        name: [REQUIRED],
        address: [REQUIRED],
        contactPoint: [REQUIRED],
        identifier: { scheme: [REQUIRED], id: [REQUIRED] },
      }),
    );
  });

  it("list the failing items alone, in their order, without their numbers", () => {
    const problems = [
      missing("items", 10, "id"),
      missing("items", 2, "description"),
      missing("items", 2, "unit", "code"),
    ];
    const [third, eleventh] = [{ description: [REQUIRED], unit: { code: [REQUIRED] } }, { id: [REQUIRED] }];
    assert.deepEqual(nestedErrors(problems), only("items", [third, eleventh]));
  });

  it("show the first item that could not be read, outside any list", () => {
    const rogue = [shape(["items", 3, "b"], "Rogue field"), shape(["items", 1, "a"], "Rogue field")];
    assert.deepEqual(nestedErrors(rogue), only("items", { a: "Rogue field" }));
    const identifier = [shape(["tenderers", 0, "identifier"], MAPPING("Identifier"))];
    assert.deepEqual(nestedErrors(identifier), only("tenderers", { identifier: [MAPPING("Identifier")] }));
    assert.deepEqual(nestedErrors([shape(["items", 0], MAPPING("Item"))]), only("items", [MAPPING("Item")]));
  });

  it("report a problem of a whole list as a list with one text", () => {
    const repeated = "Item id should be uniq for all items";
    assert.deepEqual(nestedErrors([cross(["items"], repeated)]), only("items", [repeated]));
  });

  it("report all messages of a field in order, each once, in one error per field", () => {
    const problems = [problem(["a"], "2", SOME), missing("b"), problem(["a"], "1", SOME), problem(["a"], "2", SOME)];
    assert.deepEqual(nestedErrors(problems), [...only("a", ["2", "1"]), ...only("b", [REQUIRED])]);
  });

  it("report a problem of the whole object as plain text under the name data", () => {
    assert.deepEqual(nestedErrors([problem([], "Nothing fits", SOME)]), only("data", "Nothing fits"));
    assert.deepEqual(nestedErrors([]), []);
  });

  it("keep a field that is named like a part of the language", () => {
    const [error] = nestedErrors([shape(["value", "__proto__"], "Rogue field")]);
    assert.equal(JSON.stringify(error!.description), '{"__proto__":"Rogue field"}');
  });
});

describe("the rule of a nested error", () => {
  const ruled = (...problems: readonly Problem[]) => ruledErrors(problems).map(({ name, rule }) => `${name} ${rule}`);

  it("is that of the first problem in its description", () => {
    const outer = problem(["items"], "too many", "too-many-items");
    const second = problem(["items", 1, "id"], "taken", "id-repeated");
    const first = problem(["items", 0, "id"], REQUIRED, "field-required");
    assert.deepEqual(ruled(outer, second, first), ["items field-required"]);
    assert.deepEqual(ruled(second, outer), ["items id-repeated"]);
    const unread = problem(["a"], "Rogue field", "unknown-field", "shape");
    assert.deepEqual(ruled(shape(["a"], "wrong"), unread), ["a unknown-field"]);
    assert.deepEqual(ruled(problem([], "1", "bad-date"), problem([], "2", "bad-text")), [
      "data bad-date",
      "data bad-text",
    ]);
  });

  it("brings the time along, where time decides", () => {
    const early = { ...cross(["dateSigned"], "too early"), window: { from: 1 } };
    assert.deepEqual(ruledErrors([early]), [
      { ...only("dateSigned", ["too early"])[0], rule: SOME, window: { from: 1 } },
    ]);
  });
});

describe("the phases of checking", () => {
  it("report only reading problems if there are any", () => {
    const problems = [missing("title"), shape(["foo"], "Rogue field"), cross(["items"], "rule")];
    assert.deepEqual(nestedErrors(problems), only("foo", "Rogue field"));
  });

  it("run the rules of an object only if its own fields are valid", () => {
    const late = cross(["tenderPeriod", "startDate"], "period should begin before its end");
    const own = missing("tenderPeriod", "endDate");
    assert.deepEqual(nestedErrors([late, own]), only("tenderPeriod", { endDate: [REQUIRED] }));
    const beside = [...only("tenderPeriod", { startDate: [late.message] }), ...only("title", [REQUIRED])];
    assert.deepEqual(nestedErrors([late, missing("title"), cross(["items"], "rule")]), beside);
  });

  it("count the rules of inner objects among the fields of the outer one", () => {
    const inner = cross(["lots", 1, "minimalStep"], "value should be less than value of lot");
    const outer = [cross(["lots"], "rule of lots"), cross(["minimalStep"], "rule of tender")];
    assert.deepEqual(nestedErrors([...outer, inner]), only("lots", [{ minimalStep: [inner.message] }]));
  });

  it("report the rules of one object together", () => {
    const both = [cross(["parameters"], REQUIRED), cross(["lotValues"], REQUIRED)];
    assert.deepEqual(nestedErrors(both), [...only("parameters", [REQUIRED]), ...only("lotValues", [REQUIRED])]);
  });

  it("leave the rules of items alone when the list itself is wrong", () => {
    const size = problem(["items"], "Please provide no more than 1 item.", SOME);
    assert.deepEqual(nestedErrors([cross(["items", 0, "relatedLot"], "rule"), size]), only("items", [size.message]));
  });
});

const starts = (path: Path, start: Path) => start.every((step, i) => path[i] === step);
const inside = (path: Path, outer: Path) => path.length > outer.length && starts(path, outer);
const owner = (path: Path) =>
  path.slice(
    0,
    Math.max(
      0,
      path.findLastIndex((step) => typeof step === "string"),
    ),
  );

/** The rules of the phases said once more, pair by pair. */
function survivors(all: readonly Problem[]): readonly Problem[] {
  const shapes = all.filter(({ phase }) => phase === "shape");
  const stops = (current: Problem, candidate: Problem) =>
    candidate.phase === "field"
      ? starts(candidate.path, owner(current.path)) ||
        (candidate.path.length > 0 && starts(current.path, candidate.path))
      : inside(owner(candidate.path), owner(current.path));
  const run = all.filter((current) => current.phase === "field" || !all.some((candidate) => stops(current, candidate)));
  const left = shapes.length > 0 ? shapes : run;
  return left.filter(
    ({ path, phase }) =>
      path.length === 0 ||
      !left.some((candidate) => inside(candidate.path, path) || (phase === "shape" && earlier(candidate.path, path))),
  );
}

/** Whether they part at places of one list, of which the other's comes first. */
function earlier(candidate: Path, path: Path): boolean {
  const at = path.findIndex((step, i) => step !== candidate[i]);
  return typeof path[at] === "number" && typeof candidate[at] === "number" && candidate[at] < path[at];
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe("whatever is wrong", () => {
  const field = fc.constantFrom("a", "b", "__proto__");
  const list = fc.tuple(fc.constantFrom("list", "other"), fc.nat(3)).map((steps) => steps as (string | number)[]);
  const paths = fc
    .tuple(
      fc.array(
        fc.oneof(
          field.map((name) => [name]),
          list,
        ),
        { maxLength: 4 },
      ),
      fc.boolean(),
    )
    .map(([steps, isWhole]): Path => steps.flat().slice(0, isWhole ? -1 : undefined));
  const phases = fc.constantFrom<Problem["phase"][]>(
    ["shape"],
    ["field"],
    ["cross"],
    ["field", "cross"],
    ["shape", "field"],
  );
  const lists = phases.chain((some) =>
    fc
      .array(fc.tuple(paths, fc.constantFrom(...some)), { maxLength: 12 })
      .map((all) => all.map(([path, phase], i) => problem(path, `message ${i}`, RULES[i]!, phase))),
  );

  it("exactly the messages that survive the phases are reported", () => {
    fc.assert(
      fc.property(lists, (problems) => {
        const messages = nestedErrors(problems).flatMap(({ description }) => textsIn(description));
        const expected = survivors(problems).map(({ message }) => message);
        assert.deepEqual(messages.toSorted(), expected.toSorted());
        for (const { description, rule } of ruledErrors(problems)) {
          const texts = textsIn(description);
          assert.ok(problems.some((problem) => problem.rule === rule && texts.includes(problem.message)));
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("an error is reported, as JSON, even for paths that no field could have", () => {
    const odd = fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant("__proto__")), { maxLength: 5 });
    const any = fc.record({
      path: odd,
      message: fc.oneof(fc.string(), fc.constant("Rogue field")),
      rule: fc.constantFrom(...RULES),
      phase: fc.constantFrom<Problem["phase"]>("shape", "field", "cross"),
    });
    fc.assert(
      fc.property(fc.array(any), (problems) => {
        const errors = nestedErrors(problems);
        assert.equal(errors.length === 0, problems.length === 0);
        assert.deepEqual(JSON.parse(JSON.stringify(errors)), errors);
      }),
    );
  });
});
