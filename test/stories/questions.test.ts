import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cook, DAY, fullTender, publish } from "../support/examples.ts";
import { microsecondsOf } from "../support/procedure.ts";
import {
  ACTIVE,
  expectCreated,
  FORBIDDEN,
  LOT_A,
  outcomeOf,
  reachStage,
  twoLots,
  WRONG_ROLE,
} from "../support/stages.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

const QUESTION = { title: "Калорійність", description: "Яка калорійність порції?", author: cook };
const TOO_LATE = "403 body/data: Can add question only in enquiryPeriod";

describe("a question", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const ask = (path: string, more: object = {}) => api.post(`${path}/questions`, { ...QUESTION, ...more });
  const readAt = async (path: string) => expectStatus(200, await api.get(path, { key: null })).body.data;

  it("is asked by a broker, found at its Location, answered by the owner and read by anyone", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const created = expectStatus(201, await ask(path));
    const { id } = created.body.data;
    const place = `${path}/questions/${id}`;
    assert.equal(created.headers.get("location"), `${api.root}${place}`);
    const { answer, ...before } = await readAt(place);
    assert.equal(answer, undefined);
    world.clock.forward(DAY);
    const text = "700 ккал";
    const response = expectStatus(200, await api.patch(place, { answer: text }, { token })).body.data;
    const { dateAnswered, ...after } = await readAt(place);
    assert.deepEqual(after, { ...before, answer: text });
    assert.equal(dateAnswered, response.dateAnswered);
    assert.notEqual(dateAnswered, before.date);
    assert.deepEqual(await readAt(`${path}/questions`), [{ ...after, dateAnswered }]);
    assert.deepEqual((await readAt(path)).questions, [{ ...after, dateAnswered }]);
  });

  it("is answered by the owner only", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const place = `${path}/questions/${(await expectCreated(ask(path))).id}`;
    assert.equal(outcomeOf(await api.patch(place, { answer: "!" })), FORBIDDEN);
    assert.equal(outcomeOf(await api.patch(place, { answer: "!" }, { key: "administrator" })), WRONG_ROLE);
    assert.equal(
      outcomeOf(await api.patch(`${path}/questions/${"0".repeat(32)}`, { answer: "!" }, { token })),
      "404 url/question_id: Not Found",
    );
    assert.equal((await readAt(place)).answer, undefined);
  });

  it("needs a title and an author, and an existing subject", async () => {
    const { path } = await publish(api, fullTender(world.clock.now));
    for (const field of ["title", "author"])
      assert.equal(
        outcomeOf(await ask(path, { [field]: undefined })),
        `422 body/${field}: ["This field is required."]`,
      );
    assert.match(outcomeOf(await ask(path, { questionOf: "lot" })), /^422 body\/relatedItem: /);
    assert.match(
      outcomeOf(await ask(path, { questionOf: "item", relatedItem: "nothing" })),
      /^422 body\/relatedItem: /,
    );
  });

  it("is asked and answered until the very end of enquiries", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const { id } = await expectCreated(ask(path));
    const answer = (text: string) => api.patch(`${path}/questions/${id}`, { answer: text }, { token });
    // Every change takes a microsecond, because no two have the same instant.
    world.clock.now = microsecondsOf((await readAt(path)).enquiryPeriod.endDate) - 2;
    await expectCreated(ask(path));
    expectStatus(200, await answer("in time"));
    world.clock.forward(2);
    assert.equal(outcomeOf(await ask(path)), TOO_LATE);
    assert.equal(
      outcomeOf(await answer("late")),
      "403 body/data: Can't update question in current (active.tendering) tender status",
    );
    assert.equal((await readAt(`${path}/questions/${id}`)).answer, "in time");
  });

  for (const status of ACTIVE.slice(1))
    it(`cannot be asked in ${status}`, async () => {
      assert.equal(outcomeOf(await ask((await reachStage(world, status)).path)), TOO_LATE);
    });

  it("about a lot can be neither asked nor answered once the lot is cancelled", async () => {
    const { path, token } = await publish(api, { ...fullTender(world.clock.now), ...twoLots() });
    const about = { questionOf: "lot", relatedItem: LOT_A };
    const { id } = await expectCreated(ask(path, about));
    const cancellation = { reason: "-", status: "active", cancellationOf: "lot", relatedLot: LOT_A };
    await expectCreated(api.post(`${path}/cancellations`, cancellation, { token }));
    assert.equal(outcomeOf(await ask(path, about)), "403 body/data: Can add question only in active lot status");
    const response = await api.patch(`${path}/questions/${id}`, { answer: "!" }, { token });
    assert.equal(outcomeOf(response), "403 body/data: Can update question only in active lot status");
  });
});
