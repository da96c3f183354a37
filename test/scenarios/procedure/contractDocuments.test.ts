import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cook, DAY } from "../../support/examples.ts";
import {
  assertForbidden,
  assertRefusedByRule,
  bidsOf,
  decideLast,
  errorsWithStatus,
  passStandStill,
  REQUIRED,
  reachAwarded,
  reachQualification,
  signContract,
  UNKNOWN_ID,
} from "../../support/procedure.ts";
import { expectStatus, sharedWorld } from "../../support/world.ts";

const file = { name: "договір.txt", content: "договір" };

describe("the documents of a contract", async () => {
  const world = await sharedWorld();

  it("belong to the owner and the admins, have no author, and are closed with the contract", async () => {
    const story = await reachAwarded(world, bidsOf(1, 2));
    const [{ id }] = (await story.fetchTender()).contracts;
    const path = `${story.path}/contracts/${id}/documents`;
    const { token } = story;
    const { data } = expectStatus(201, await story.api.upload(path, file, { token })).body;
    assert.equal(data.author, undefined);
    for (const key of ["broker", "auction", "bot"]) assertForbidden(await story.api.upload(path, file, { key }));
    const put = (sent: object) => story.api.upload(`${path}/${data.id}`, file, { ...sent, method: "PUT" });
    expectStatus(200, await put({ token }));
    expectStatus(200, await put({ key: "token" }));
    expectStatus(200, await story.api.patch(`${path}/${data.id}`, { description: "Опис" }, { token }));
    await decideLast(story, "cancelled");
    assertRefusedByRule(await story.api.upload(path, file, { token }), "Can't add document in current contract status");
    assertRefusedByRule(await put({ token }), "Can't update document in current contract status");
    assert.equal(expectStatus(200, await story.api.get(path, { key: null })).body.data.length, 1);
  });

  it("are closed once the tender is complete", async () => {
    const story = await reachAwarded(world, bidsOf(1));
    await passStandStill(story);
    const [{ id }] = (await story.fetchTender()).contracts;
    const path = `${story.path}/contracts/${id}/documents`;
    const { token } = story;
    const document = expectStatus(201, await story.api.upload(path, file, { token })).body.data;
    expectStatus(200, await signContract(story));
    const cannot = (doing: string) => `Can't ${doing} document in current (complete) tender status`;
    assertRefusedByRule(await story.api.upload(path, file, { token }), cannot("add"));
    assertRefusedByRule(
      await story.api.patch(`${path}/${document.id}`, { description: "!" }, { token }),
      cannot("update"),
    );
  });
});

describe("a manually created contract", async () => {
  const world = await sharedWorld();

  it("is created by admins only, for an existing award, during qualification and awarding", async () => {
    const story = await reachAwarded(world, bidsOf(1));
    const awardID = (await story.fetchTender()).awards[0].id;
    const post = (data: object) => story.as("token", "POST", "/contracts", data);
    assertForbidden(await story.asOwner("POST", "/contracts", { awardID }));
    for (const key of ["broker", "administrator", "chronograph"])
      assertForbidden(await story.as(key, "POST", "/contracts", { awardID }));
    assert.deepEqual(errorsWithStatus(422, await post({})), [["body/awardID", [REQUIRED]]]);
    const unknown = ["body/awardID", ["awardID should be one of awards"]];
    assert.deepEqual(errorsWithStatus(422, await post({ awardID: UNKNOWN_ID })), [unknown]);
    const made = expectStatus(201, await post({ awardID, status: "active", title: "Ще один" })).body.data;
    assert.deepEqual([made.status, made.title, made.dateSigned], ["pending", "Ще один", undefined]);
    await passStandStill(story);
    expectStatus(200, await signContract(story, -1));
    assertRefusedByRule(await post({ awardID }), "Can't add contract in current (complete) tender status");
  });

  it("has exactly one supplier", async () => {
    const story = await reachAwarded(world, bidsOf(1));
    const awardID = (await story.fetchTender()).awards[0].id;
    const refused = await story.as("token", "POST", "/contracts", { awardID, suppliers: [cook, cook] });
    assert.deepEqual(errorsWithStatus(422, refused), [["body/suppliers", ["Please provide no more than 1 item."]]]);
  });

  it("for a pending award cannot be signed", async () => {
    const story = await reachQualification(world, bidsOf(1));
    const awardID = (await story.fetchTender()).awards[0].id;
    expectStatus(201, await story.as("token", "POST", "/contracts", { awardID }));
    world.clock.forward(30 * DAY);
    assertRefusedByRule(await signContract(story), "Can't update contract status");
  });

  it("for an award without a value accepts no value", async () => {
    const story = await reachQualification(world, bidsOf(1));
    await decideLast(story, "unsuccessful");
    expectStatus(200, await story.as("administrator", "PATCH", "", { status: "active.qualification" }));
    const award = { suppliers: [cook], bid_id: story.bidders[0]!.id };
    expectStatus(201, await story.as("token", "POST", "/awards", award));
    await decideLast(story, "active");
    const [{ id }] = (await story.fetchTender()).contracts;
    const response = await story.asOwner("PATCH", `/contracts/${id}`, { value: { amount: 1_000_000 } });
    assert.ok(response.status >= 400 && response.status < 500, response.text);
  });
});
