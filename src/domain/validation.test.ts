import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { linesOf } from "../../test/support/decisions.ts";
import { LOT_A, money, NOBODY, twoLots } from "../../test/support/domainCommands.ts";
import { cook } from "../../test/support/organizations.ts";
import { published } from "../../test/support/scenes.ts";
import { type Path, PROBLEMS_MAX, type Problem } from "./model/refusals.ts";
import type { Organization, Value } from "./model/tender.ts";
import {
  checkEach,
  checkIfPresent,
  checkNotEmpty,
  checkOrganization,
  checkPeriod,
  checkRequired,
  checkSingleOrganization,
  checkSubject,
  checkUrl,
  checkValue,
  childPath,
  findProblems,
  firstProblem,
  hasDuplicates,
  idFormatMessage,
  joinProblems,
  missing,
  tooFew,
} from "./validation.ts";

const REQUIRED = "This field is required.";
const wrong = (path: Path): Problem => missing(path);

describe("checks put together", () => {
  it("name a field by the steps to it", () => {
    assert.deepEqual(childPath(["items"], 0), ["items", 0]);
    assert.deepEqual(childPath([], "title"), ["title"]);
  });

  it("find the path only where something is wrong, and look once where nothing is", () => {
    let calls = 0;
    const check = (isWrong: boolean) => (path: Path) => {
      calls++;
      return isWrong ? [wrong(childPath(childPath(path, "items"), 1))] : [];
    };
    assert.deepEqual(findProblems(check(false)), []);
    assert.equal(calls, 1);
    assert.deepEqual(linesOf(findProblems(check(true))), [`items.1: ${REQUIRED}`]);
    assert.equal(calls, 3);
  });

  it("report everything that any of them finds", () => {
    assert.deepEqual(joinProblems([], []), []);
    assert.deepEqual(linesOf(joinProblems([wrong(["a"])], [wrong(["b"])])), [`a: ${REQUIRED}`, `b: ${REQUIRED}`]);
    assert.deepEqual(linesOf(joinProblems([], [wrong(["a"])], [], [wrong(["b"]), wrong(["c"])])), [
      `a: ${REQUIRED}`,
      `b: ${REQUIRED}`,
      `c: ${REQUIRED}`,
    ]);
  });

  it("report the first of several if only one may be reported", () => {
    assert.deepEqual(linesOf(firstProblem(false, undefined, wrong(["a"]), wrong(["b"]))), [`a: ${REQUIRED}`]);
    assert.deepEqual(firstProblem(false, undefined), []);
    assert.deepEqual(firstProblem(), []);
  });

  it("check only objects that exist", () => {
    assert.deepEqual(
      checkIfPresent(undefined, ["a"], () => assert.fail("there is nothing")),
      [],
    );
    assert.deepEqual(linesOf(checkIfPresent({}, ["a"], (_thing, path) => [wrong(path)])), [`a: ${REQUIRED}`]);
  });

  it("look at each element of a list, and stop at as many problems as anybody could read", () => {
    const list = Array.from({ length: PROBLEMS_MAX + 500 }, (_, i) => i);
    assert.deepEqual(
      checkEach(undefined, ["a"], () => [wrong([])]),
      [],
    );
    assert.deepEqual(
      checkEach([], ["a"], () => [wrong([])]),
      [],
    );
    assert.equal(checkEach(list, ["a"], () => []).length, 0);
    assert.equal(checkEach(list, ["a"], (_element, path) => [wrong(path)]).length, PROBLEMS_MAX);
    const second = checkEach([5, 6], ["a"], (element, path) => (element === 6 ? [wrong(path)] : []));
    assert.deepEqual(linesOf(second), [`a.1: ${REQUIRED}`]);
  });
});

describe("a field that is required", () => {
  it("is missing if it is undefined or null, and not if it is empty, zero or false", () => {
    const record = { a: undefined, b: null, c: "", d: 0, e: false };
    assert.deepEqual(linesOf(checkRequired(record, ["x"], "a", "b", "c", "d", "e")), [
      `x.a: ${REQUIRED}`,
      `x.b: ${REQUIRED}`,
    ]);
  });

  it("of a list is missing, or has too few elements", () => {
    assert.deepEqual(checkNotEmpty(undefined, ["items"]), [missing(["items"])]);
    assert.deepEqual(checkNotEmpty([], ["items"]), [tooFew(["items"])]);
    assert.deepEqual(checkNotEmpty([1], ["items"]), []);
  });
});

describe("texts repeat", () => {
  const letters = [..."abcdefghij"];

  it("if any of them is there twice, be they few or many", () => {
    assert.equal(hasDuplicates(["a", "a"]), true);
    assert.equal(hasDuplicates(["a", "b", "a"]), true);
    assert.equal(hasDuplicates([...letters, "j"]), true);
    assert.equal(hasDuplicates(["a", ...letters]), true);
  });

  it("but not if all are different, or there is one or none", () => {
    for (const texts of [[], ["a"], ["a", "b"], letters]) assert.equal(hasDuplicates(texts), false);
  });

  it("but not if what repeats is absent", () => {
    assert.equal(hasDuplicates([undefined, undefined]), false);
    assert.equal(hasDuplicates([...letters, undefined, undefined]), false);
    assert.equal(hasDuplicates([undefined, "a", undefined, "a"]), true);
  });
});

describe("a value", () => {
  const SHORT = "String value is too short.";
  const LONG = "String value is too long.";
  for (const [sentence, value, ...lines] of [
    ["has an amount", { currency: "UAH" }, `v.amount: ${REQUIRED}`],
    ["may be nothing", money("0")],
    ["is not below nothing", money("-0.01"), "v.amount: Float value should be greater than 0."],
    ["may leave out its currency", money("1")],
    ["has a currency of three characters", money("1", { currency: "UAH" })],
    ["has a currency of no fewer", money("1", { currency: "UA" }), `v.currency: ${SHORT}`],
    ["has a currency of no more", money("1", { currency: "UAHH" }), `v.currency: ${LONG}`],
    ["counts characters, not the units they are stored in", money("1", { currency: "💶💶💶" })],
    ["counts them also to say what is wrong", money("1", { currency: "💶a" }), `v.currency: ${SHORT}`],
    [
      "reports everything that is wrong",
      { amount: money("-1").amount, currency: "" },
      "v.amount: Float value should be greater than 0.",
      `v.currency: ${SHORT}`,
    ],
  ] as readonly (readonly [string, Value, ...string[]])[])
    it(sentence, () => {
      assert.deepEqual(linesOf(checkValue(value, ["v"])), lines);
    });
});

describe("a period", () => {
  it("does not end before it begins, and may end when it begins", () => {
    const problems = (startDate?: number, endDate?: number) => linesOf(checkPeriod({ startDate, endDate }, ["p"]));
    assert.deepEqual(problems(6, 5), ["p.startDate: period should begin before its end"]);
    for (const period of [[5, 5], [5, 6], [undefined, 5], [5, undefined], []])
      assert.deepEqual(problems(...period), []);
    assert.deepEqual(problems(0, -1), ["p.startDate: period should begin before its end"]);
  });
});

describe("an organisation", () => {
  const problems = (organization: Organization) => linesOf(checkOrganization(organization, ["o"]));
  const URL = "Not a well formed URL.";
  const EMAIL = "Not a well formed email address.";

  it("has a name, an identifier, an address and a contact point", () => {
    assert.deepEqual(problems(cook), []);
    assert.deepEqual(
      problems({}),
      ["name", "identifier", "address", "contactPoint"].map((name) => `o.${name}: ${REQUIRED}`),
    );
  });

  for (const [sentence, more, ...lines] of [
    [
      "has an identifier with a scheme and an id",
      { identifier: {} },
      `identifier.scheme: ${REQUIRED}`,
      `identifier.id: ${REQUIRED}`,
    ],
    [
      "has a scheme that is not empty",
      { identifier: { scheme: "", id: "1" } },
      "identifier.scheme: String value is too short.",
    ],
    [
      "has an identifier at an address of the web",
      { identifier: { scheme: "x", id: "1", uri: "x" } },
      `identifier.uri: ${URL}`,
    ],
    [
      "has further identifiers checked alike",
      { additionalIdentifiers: [{ scheme: "x" }] },
      `additionalIdentifiers.0.id: ${REQUIRED}`,
    ],
    ["is in a country", { address: {} }, `address.countryName: ${REQUIRED}`],
    ["need not say how it is reached", { contactPoint: {} }],
    ["has a web address that is one", { contactPoint: { url: "nowhere" } }, `contactPoint.url: ${URL}`],
    ["has an email address that is one", { contactPoint: { email: "nobody" } }, `contactPoint.email: ${EMAIL}`],
  ] as readonly (readonly [string, Partial<Organization>, ...string[]])[])
    it(sentence, () => {
      assert.deepEqual(
        problems({ ...cook, ...more }),
        lines.map((line) => `o.${line}`),
      );
    });

  it("may be the only element of a list", () => {
    const many = (...list: Organization[]) => linesOf(checkSingleOrganization(list, ["o"]));
    assert.deepEqual(many(), ["o: Please provide at least 1 item."]);
    assert.deepEqual(many(cook), []);
    assert.deepEqual(many(cook, cook), ["o: Please provide no more than 1 item."]);
    assert.deepEqual(many({ ...cook, name: undefined }), [`o.0.name: ${REQUIRED}`]);
  });
});

describe("an address of the web", () => {
  const isFine = (url: string | undefined) => checkUrl(url, []).length === 0;

  it("begins with http:// or https:// and a host", () => {
    for (const url of [undefined, "http://a", "https://a.example/b?c#d", "HTTP://A", "http://a:80/"])
      assert.ok(isFine(url), String(url));
    for (const url of ["", "a", "ftp://a", "http://", "http:///a", "http:// a", "http://?a", "xhttp://a", "http://a:x"])
      assert.ok(!isFine(url), url);
  });
});

describe("an email address", () => {
  const isFine = (email: string) => checkOrganization({ ...cook, contactPoint: { email } }, []).length === 0;

  it("has a name, an @ and a domain with a dot", () => {
    for (const email of ["a@b.c", "a.b+c@d.e.f"]) assert.ok(isFine(email), email);
    for (const email of ["", "a", "a@b", "@b.c", "a@b.", "a b@c.d", "a@b@c.d", "a@b.c "])
      assert.ok(!isFine(email), email);
  });
});

describe("an id", () => {
  it("that is wrong has the wrong length, or is not hexadecimal", () => {
    assert.equal(idFormatMessage("z".repeat(32)), "Hash value is not hexadecimal.");
    for (const length of [0, 31, 33]) assert.equal(idFormatMessage("a".repeat(length)), "Hash value is wrong length.");
  });
});

describe("an object that concerns an item or a lot", () => {
  const { tender } = published(twoLots);
  const itemId = tender.items![0]!.id;
  const problems = (...[subject, related]: [Parameters<typeof checkSubject>[0], string?]) =>
    linesOf(checkSubject(subject, related, ["r"], tender));

  it("names one that is there", () => {
    assert.deepEqual([problems("item", itemId), problems("lot", LOT_A)], [[], []]);
    assert.deepEqual(problems("item", LOT_A), ["r: relatedItem should be one of items"]);
    assert.deepEqual(problems("lot", itemId), ["r: relatedItem should be one of lots"]);
    assert.deepEqual(problems("lot", NOBODY), ["r: relatedItem should be one of lots"]);
  });

  it("names one at all", () => {
    assert.deepEqual([problems("item"), problems("lot")], [[`r: ${REQUIRED}`], [`r: ${REQUIRED}`]]);
  });

  it("names none if it concerns the tender or the tenderer, or does not say", () => {
    for (const subject of ["tender", "tenderer", undefined] as const) assert.deepEqual(problems(subject, NOBODY), []);
  });

  it("names no item of a tender without items", () => {
    const bare = { ...tender, items: undefined };
    assert.equal(checkSubject("item", itemId, ["r"], bare).length, 1);
  });
});
