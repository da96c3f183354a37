import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  answer,
  type ComplaintRole,
  cancel,
  closedRefusal,
  fileComplaintAs,
  sentBy,
  TEXT,
} from "../../support/claims.ts";
import { formatTime, MINUTE } from "../../support/examples.ts";
import { FORBIDDEN, outcomeOf, reachStage, WRONG_ROLE } from "../../support/stages.ts";
import { expectStatus, sharedWorld } from "../../support/world.ts";

type Move = readonly [sentence: string, from: string, who: ComplaintRole, sent: object, expected: string];

const NO = "403 body/data: Can't update complaint";

const MOVES: readonly Move[] = [
  ["its author edits a draft", "draft", "complainant", { title: "Інше" }, "200 draft"],
  ["its author submits a draft", "draft", "complainant", { status: "claim" }, "200 claim"],
  ["its author cancels a draft", "draft", "complainant", cancel, "200 cancelled"],
  ["its author cancels a claim", "claim", "complainant", cancel, "200 cancelled"],
  ["its author cancels an answered one", "answered", "complainant", cancel, "200 cancelled"],
  ["the buyer says what it does about a claim", "claim", "buyer", { tendererAction: "-" }, "200 claim"],
  ["the buyer answers a claim", "claim", "buyer", answer(), "200 answered"],
  ["its author says whether it is satisfied", "answered", "complainant", { satisfied: true }, "200 answered"],
  [
    "its author resolves it, satisfied",
    "answered",
    "complainant",
    { satisfied: true, status: "resolved" },
    "200 resolved",
  ],
  [
    "its author resolves it, not satisfied",
    "answered",
    "complainant",
    { satisfied: false, status: "resolved" },
    "200 resolved",
  ],
  ["a draft is not answered", "draft", "complainant", answer(), NO],
  ["a draft is not resolved", "draft", "complainant", { status: "resolved" }, NO],
  ["a draft does not become pending", "draft", "complainant", { status: "pending" }, NO],
  [
    "a draft is not cancelled without a reason",
    "draft",
    "complainant",
    { status: "cancelled" },
    '422 body/cancellationReason: ["This field is required."]',
  ],
  ["a claim is not edited by its author", "claim", "complainant", { title: "Інше" }, WRONG_ROLE],
  ["a claim does not become a draft", "claim", "complainant", { status: "draft" }, WRONG_ROLE],
  ["the buyer does not resolve a claim", "claim", "buyer", { status: "resolved" }, NO],
  ["the buyer does not reject a claim", "claim", "buyer", { status: "invalid" }, NO],
  ["the buyer does not cancel a claim", "claim", "buyer", cancel, NO],
  [
    "an answer names its kind",
    "claim",
    "buyer",
    { status: "answered", resolution: TEXT },
    '422 body/resolutionType: ["This field is required."]',
  ],
  [
    "an answer has 20 characters",
    "claim",
    "buyer",
    answer({ resolution: "й".repeat(19) }),
    `${NO}: resolution too short`,
  ],
  ["20 characters are enough", "claim", "buyer", answer({ resolution: "й".repeat(20) }), "200 answered"],
  ["a draft is no business of the buyer", "draft", "buyer", answer(), WRONG_ROLE],
  ["an answered one is not answered again", "answered", "buyer", answer(), WRONG_ROLE],
  ["an answered one is not resolved in silence", "answered", "complainant", { status: "resolved" }, NO],
  ["an answered one does not become a claim again", "answered", "complainant", { status: "claim" }, NO],
  ["an answered one is not escalated", "answered", "complainant", { status: "pending", satisfied: false }, NO],
  ["a resolved one is not edited", "resolved", "complainant", { satisfied: false }, WRONG_ROLE],
  ["a resolved one is not cancelled", "resolved", "complainant", cancel, closedRefusal("resolved")],
  ["a cancelled one is not cancelled again", "cancelled", "complainant", cancel, closedRefusal("cancelled")],
  ["a resolved one is not answered", "resolved", "buyer", answer(), WRONG_ROLE],
  ["a reviewer has nothing to decide on a claim", "claim", "reviewer", { status: "resolved" }, WRONG_ROLE],
  ["an admin without the token decides nothing", "claim", "admin", { status: "claim" }, WRONG_ROLE],
  ["a stranger touches nothing", "claim", "stranger", cancel, FORBIDDEN],
  ["a status nobody knows is refused", "claim", "buyer", { status: "open" }, "422"],
];

describe("in the life of a complaint", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const tender = await reachStage(world, "active.enquiries");
  for (const [sentence, from, who, sent, expected] of MOVES)
    it(sentence, async () => {
      const filed = await fileComplaintAs(api, tender, from);
      const response = await api.patch(filed.at, sent, sentBy(filed, who));
      const actual = response.status === 200 ? `200 ${response.body.data.status}` : outcomeOf(response);
      if (expected === "422") assert.match(actual, /^422 body\/status: /);
      else assert.equal(actual, expected);
    });

  it("fields that the writer may not set are silently ignored", async () => {
    const filed = await fileComplaintAs(api, tender, "claim");
    const sent = answer({ title: "Інше", satisfied: true, description: "!" });
    const { data } = (await api.patch(filed.at, sent, sentBy(filed, "buyer"))).body;
    assert.deepEqual([data.title, data.description, data.satisfied], ["Умови", "-", undefined]);
  });

  it("every step is dated", async () => {
    const filed = await fileComplaintAs(api, tender, "draft");
    const step = async (sent: object, who: ComplaintRole, name: string) => {
      world.clock.forward(MINUTE);
      const { data } = expectStatus(200, await api.patch(filed.at, sent, sentBy(filed, who))).body;
      assert.ok(data[name] >= formatTime(world.clock.now), `${name} ${data[name]}`);
      return data;
    };
    await step({ status: "claim" }, "complainant", "dateSubmitted");
    const acted = await step({ tendererAction: "-" }, "buyer", "tendererActionDate");
    const response = await step(answer({ tendererAction: "+" }), "buyer", "dateAnswered");
    assert.equal(response.tendererActionDate, acted.tendererActionDate, "the first time only");
    await step(cancel, "complainant", "dateCanceled");
  });
});
