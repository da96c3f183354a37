import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OWNER, type Scene, zone } from "../../test/support/decisions.ts";
import { cancelTender, DEADLINE } from "../../test/support/domainCommands.ts";
import { tendering } from "../../test/support/scenes.ts";
import { decide } from "../domain/decide.ts";
import { notFound } from "../domain/model/refusals.ts";
import type { Decision, Store, StoredTender } from "../store/store.ts";
import { openTenderWrites, type WriteOptions, type WriteResult } from "./tenderWrites.ts";

const limits = { bidsPerAccountMax: 10, bidBytesPerAccountMax: 1e6, tenderBytesMax: 1e6, storedBytesMax: 1e6 };

/** Cancels the tender of the scene, none of whose bids are in memory, and returns the result and the bids that were read. */
async function cancel({ stored, now }: Scene, options: WriteOptions, at = now) {
  const read: unknown[] = [];
  const write = async (_id: string | undefined, decision: Decision<WriteResult>): Promise<WriteResult> => {
    let current: StoredTender = { tender: { ...stored, bids: [] }, revision: 1, bids: "none" };
    for (;;) {
      const decided = decision(current, { at, nextDailyNumber: () => 1, entries: { find: () => undefined } });
      if (!decided.needs) return decided.result;
      read.push(decided.needs);
      current = { tender: stored, revision: 1, bids: "all" };
    }
  };
  // The writes of a tender use nothing else of the store.
  const store = { write } as unknown as Store;
  const writes = openTenderWrites({ store, zone, sandbox: false, limits }, () => {});
  const request = { actor: OWNER, act: () => ({ kind: "add cancellation" }) as const, options };
  const result = await writes.write(stored.id, { ...request, bidsNeeded: () => "none" }, (tender, context) =>
    tender ? decide(tender, cancelTender, context) : notFound("tender"),
  );
  assert.ok(typeof result === "object" && "ok" in result && result.ok);
  return { tender: result.value.tender, read };
}

describe("the cancellation of a tender with sealed bids", () => {
  const scene = tendering(["400", "300"]);

  it("removes all bids", async () => {
    const { tender, read } = await cancel(scene, {});
    assert.deepEqual([tender.status, tender.bids, read], ["cancelled", [], ["all"]]);
  });

  it("reads no bids in a dry run, whose response time would reveal how many there are", async () => {
    const { tender, read } = await cancel(scene, { isDryRun: true });
    assert.deepEqual([tender.status, tender.bids, read], ["cancelled", [], []]);
  });

  it("reads them in a dry run after the deadline", async () => {
    assert.deepEqual((await cancel(scene, { isDryRun: true }, DEADLINE + 1)).read, ["all"]);
  });
});
