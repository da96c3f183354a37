import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cook, DAY } from "../../../test/support/examples.ts";
import { walk, zone } from "../../../test/support/randomWalks.ts";
import { tenderView } from "../../views/visibility.ts";
import { nextDeadline } from "../deadlines.ts";
import { decideByTime } from "../decide.ts";
import type { CommandContext } from "../model/commands.ts";
import type { Award, Complaint, Tender } from "../model/tender.ts";
import { replaceTender } from "../tender/replacement.ts";

/** Complaints for a review body, which only older data has. */

const ESCALATED = { status: "pending", type: "complaint", dateEscalated: 1 } as const;

const complaintOf = (more: Partial<Complaint>): Complaint => ({
  ...{
    id: "complaint",
    complaintID: "UA-1.1",
    date: 1,
    status: "pending",
    type: "complaint",
    title: "?",
    author: cook,
  },
  ...{ owner: "broker", tokenHash: "hash", documents: [] },
  ...more,
});

/** A tender in its enquiries, and the moment. */
function published(): { readonly tender: Tender; readonly at: number } {
  let found: { tender: Tender; at: number } | undefined;
  walk({ procedure: "belowThreshold", lots: 0, steps: [{ forward: 0 }] }, (_before, tender, at) => {
    found = { tender, at };
  });
  return found!;
}

const contextAt = (at: number): CommandContext => ({
  ...{ actor: {}, at, zone, sandbox: false, newId: () => "new", newTokenHash: "new" },
});

const FATES: readonly (readonly [sentence: string, more: Partial<Complaint>, becomes: Complaint["status"]])[] = [
  [
    "was escalated after an answer becomes what the answer said",
    { ...ESCALATED, resolutionType: "declined" },
    "declined",
  ],
  ["was escalated without an answer is ignored", ESCALATED, "ignored"],
  ["was answered and not escalated is ignored", { resolutionType: "resolved" }, "ignored"],
  ["was neither answered nor escalated is ignored", {}, "ignored"],
];

describe("a pending complaint that", () => {
  for (const [sentence, more, becomes] of FATES)
    it(sentence, () => {
      const { tender, at } = published();
      const award: Award = {
        ...{ id: "award", date: 1, status: "cancelled", documents: [] },
        complaints: [complaintOf({ ...more, id: "about an award" })],
      };
      const changed = { ...tender, complaints: [complaintOf(more)], awards: [award] };
      const replaced = replaceTender(tender, { tender: changed, force: true, hasFile: () => true }, contextAt(at));
      assert.ok(replaced.ok, JSON.stringify(replaced));
      const { complaints, awards } = replaced.value.tender;
      for (const complaint of [complaints[0]!, awards[0]!.complaints[0]!])
        assert.deepEqual([complaint.status, complaint.date], [becomes, at]);
    });

  it("comes with an imported tender is settled at once", () => {
    const { tender, at } = published();
    const imported = { ...tender, complaints: [complaintOf(ESCALATED)] };
    assert.equal(nextDeadline(imported), imported.dateModified);
    assert.equal(tenderView(imported, { now: at, zone, sandbox: false }).next_check, imported.dateModified);
    const settled = decideByTime(imported, contextAt(at));
    assert.equal(settled.complaints[0]!.status, "ignored");
    assert.equal(settled.dateModified, at);
    assert.equal(nextDeadline(settled), nextDeadline(tender));
  });

  it("is of a tender on a test clock does not wait for that to reach the real time", () => {
    const { tender, at } = published();
    const onClock = { ...tender, testClock: "clock", dateModified: at + 1000 * DAY, complaints: [complaintOf({})] };
    assert.equal(decideByTime(onClock, contextAt(at)).complaints[0]!.status, "ignored");
  });

  it("held up the end of a tender no longer does", () => {
    const { tender, at } = published();
    const award: Award = {
      ...{ id: "award", date: 1, status: "unsuccessful", documents: [], complaints: [] },
      complaintPeriod: { startDate: 1, endDate: at - 1 },
    };
    const decided: Tender = { ...tender, status: "active.awarded", awards: [award], complaints: [complaintOf({})] };
    assert.equal(decideByTime(decided, contextAt(at)).status, "unsuccessful");
  });
});
