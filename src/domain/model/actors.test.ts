import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { broker, member, OWNER } from "../../../test/support/decisions.ts";
import { ACCOUNT_GROUPS, type Actor, hasLevel, isInGroup, isTestOnly, mayAct, mayCreate, owns } from "./actors.ts";

const object = { owner: "owner", tokenHash: "token of owner" };

describe("an actor owns an object", () => {
  it("with the key of the broker that made it and the token of the object", () => {
    assert.equal(owns(OWNER, object), true);
  });

  const NOT: readonly (readonly [sentence: string, actor: Actor])[] = [
    ["without anything", {}],
    ["with the key alone", { account: OWNER.account }],
    ["with the token alone", { tokenHash: OWNER.tokenHash }],
    ["with the key of another broker", { ...broker("other"), tokenHash: object.tokenHash }],
    ["with another token", { ...OWNER, tokenHash: "token of other" }],
    ["with a token that differs in its first character", { ...OWNER, tokenHash: "Token of owner" }],
    ["with a token that differs in its last character", { ...OWNER, tokenHash: "token of owneR" }],
    ["with a token that is shorter", { ...OWNER, tokenHash: "token of owne" }],
    ["with a token that is longer", { ...OWNER, tokenHash: "token of owner " }],
    ["with a token that is the right one twice", { ...OWNER, tokenHash: object.tokenHash.repeat(2) }],
    ["with an empty token", { ...OWNER, tokenHash: "" }],
  ];
  for (const [sentence, actor] of NOT)
    it(`but not ${sentence}`, () => {
      assert.equal(owns(actor, object), false);
    });

  it("only if two tokens whose differences cancel each other out are still different", () => {
    // Compared bit by bit, "ab" and "ba" differ by the same bits in both places.
    assert.equal(owns({ ...OWNER, tokenHash: "ba" }, { owner: "owner", tokenHash: "ab" }), false);
  });
});

describe("an actor is in a group", () => {
  it("only if its key is in one of those named", () => {
    assert.equal(isInGroup(member("bots"), "bots"), true);
    assert.equal(isInGroup(member("bots"), "auction", "bots"), true);
    assert.equal(isInGroup(member("bots"), "auction"), false);
    assert.equal(isInGroup({}, "bots"), false);
  });

  it("and brokers and admins alone create things, unless their account is denied it", () => {
    const creating = ACCOUNT_GROUPS.filter((group) => mayCreate(member(group)));
    assert.deepEqual(creating, ["brokers", "admins"]);
    assert.equal(mayCreate(broker("broker05", "1234", { createsNothing: true })), false);
    assert.equal(mayCreate({}), false);
  });

  it("and may act in every group but metrics, with a key", () => {
    assert.deepEqual(
      ACCOUNT_GROUPS.filter((group) => !mayAct(member(group))),
      ["metrics"],
    );
    assert.equal(mayAct({}), false);
  });
});

describe("accreditation levels", () => {
  it("are names, not an order: a broker has those that its account lists", () => {
    assert.equal(hasLevel(broker("b", "3"), "3"), true);
    assert.equal(hasLevel(broker("b", "3"), "1"), false);
    assert.equal(hasLevel(broker("b", "34"), "4"), true);
    assert.equal(hasLevel({ account: { name: "b", group: "brokers" } }, "1"), false);
  });

  it("bind brokers alone: the other groups need none, but a key", () => {
    for (const group of ACCOUNT_GROUPS) assert.equal(hasLevel(member(group), "1"), group !== "brokers", group);
    assert.equal(hasLevel({}, "1"), false);
  });

  it("with t are for tests only, for brokers", () => {
    assert.equal(isTestOnly(broker("b", "1t")), true);
    assert.equal(isTestOnly(broker("b", "1")), false);
    assert.equal(isTestOnly({ account: { name: "b", group: "brokers" } }), false);
    assert.equal(isTestOnly({ account: { name: "a", group: "admins", levels: "1t" } }), false);
    assert.equal(isTestOnly({}), false);
  });
});
