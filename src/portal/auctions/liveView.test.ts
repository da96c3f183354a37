import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { AUCTION_START, driveAuction, initialBid, TWO_BIDS } from "../../../test/support/auctions.ts";
import { runs } from "../../../test/support/tier.ts";
import { advanceAuction } from "../../domain/auctions/advance.ts";
import { decideAuction } from "../../domain/auctions/decideAuction.ts";
import { type AuctionAudience, eventsAfter, eventsBetween, lastPosition } from "../../domain/auctions/events.ts";
import type { AuctionCommand, AuctionState } from "../../domain/auctions/model.ts";
import { type LiveAuctionView, viewAuction } from "../../domain/auctions/view.ts";
import { decimal } from "../../domain/values/decimal.ts";
import { MINUTE, SECOND } from "../../domain/values/time.ts";
import { applyAuctionEvent } from "./liveView.ts";

/** The view that a browser has after the events between two states; a snapshot replaces what an event cannot tell. */
function follow(
  view: LiveAuctionView,
  before: AuctionState,
  after: AuctionState,
  audience: AuctionAudience,
): { readonly view: LiveAuctionView; readonly snapshots: number } {
  // A bidder's own events of a broken attempt are not numbered any more: the stream then sends a snapshot.
  const events = eventsAfter(after, lastPosition(before, audience), audience);
  let current: LiveAuctionView | undefined = events && view;
  for (const { id, event } of events ?? []) current = current && applyAuctionEvent(current, id, event);
  return current ? { view: current, snapshots: 0 } : { view: viewAuction(after, audience), snapshots: 1 };
}

/** Three bids, two of them equal, so that dates decide. */
const BIDS = [initialBid("a", "500", 3), initialBid("b", "500", 3), initialBid("c", "620.5", 1, "20/17")];
const AUDIENCES: readonly AuctionAudience[] = ["everyone", { bid: "a" }, { bid: "c" }];

type Action = { readonly after: number; readonly command?: AuctionCommand };

const bidIds = fc.constantFrom("a", "b", "c");
const actions: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.nat(150).map((seconds) => ({ after: seconds * SECOND })) },
  {
    weight: 6,
    arbitrary: fc
      .record({ after: fc.nat(60), bid: bidIds, amount: fc.integer({ min: 1, max: 500 }) })
      .map(({ after, bid, amount }) => ({
        after: after * SECOND,
        command: { kind: "place price" as const, bid, amount: decimal(String(amount)), confirmed: true as const },
      })),
  },
  {
    weight: 2,
    arbitrary: bidIds.map((bid) => ({ after: SECOND, command: { kind: "take back price" as const, bid } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<AuctionCommand>({ kind: "cancel" }, { kind: "plan", start: AUCTION_START + 90 * MINUTE })
      .map((command) => ({ after: SECOND, command })),
  },
);
const interruptions = fc.record({ isInterruption: fc.constant(true), seconds: fc.integer({ min: 1, max: 900 }) });

describe("the view that a browser keeps from events", () => {
  it("is the view of the engine after every step of any auction, for watchers and bidders", () => {
    let withoutSnapshot = 0;
    const step = fc.oneof({ weight: 12, arbitrary: actions }, { weight: 1, arbitrary: interruptions });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let state = driveAuction(BIDS, { hasFeatures: true }).state();
        let at = AUCTION_START - SECOND;
        const views = AUDIENCES.map((audience) => viewAuction(state, audience));
        for (const action of steps) {
          const before = state;
          if ("isInterruption" in action) {
            const until = at + action.seconds * SECOND;
            state = decideAuction(state, { kind: "report interruption", from: at, until }, until).state;
            at = until;
          } else {
            at += action.after;
            state = action.command ? decideAuction(state, action.command, at).state : advanceAuction(state, at);
          }
          for (const [i, audience] of AUDIENCES.entries()) {
            const view = views[i];
            assert.ok(view);
            const followed = follow(view, before, state, audience);
            if (followed.snapshots === 0) withoutSnapshot++;
            views[i] = followed.view;
            assert.deepEqual(followed.view, viewAuction(state, audience));
          }
        }
      }),
      { numRuns: runs(500) },
    );
    assert.ok(withoutSnapshot > 100, "nearly all steps are followed by events alone");
  });

  it("needs a snapshot only when a bidder's auction begins and when names become public", () => {
    for (const audience of ["everyone", { bid: "dear" }] as const) {
      const auction = driveAuction(TWO_BIDS);
      let before = auction.state();
      let view = viewAuction(before, audience);
      const needed: string[] = [];
      const go = (after: AuctionState) => {
        for (const { id, event } of eventsBetween(before, after, audience)) {
          const next = applyAuctionEvent(view, id, event);
          if (!next) needed.push(event.kind);
          view = next ?? viewAuction(after, audience);
        }
        before = after;
      };
      for (let minute = 0; minute <= 25; minute++) {
        go(auction.goTo(minute * MINUTE));
        if (minute === 5) go(auction.place(5 * MINUTE, "dear", "450"));
      }
      const names = [
        { bid: "cheap", name: "Cheap Ltd" },
        { bid: "dear", name: "Dear Ltd" },
      ];
      go(auction.send(26 * MINUTE, { kind: "disclose names", names }));
      assert.deepEqual(needed, audience === "everyone" ? ["names"] : ["begun", "names"]);
    }
  });

  it("notices a missed event, and ignores one that it has seen", () => {
    const auction = driveAuction(TWO_BIDS);
    const before = auction.goTo(0);
    const view = viewAuction(before, "everyone");
    const events = eventsBetween(before, auction.goTo(8 * MINUTE), "everyone");
    const [first, second] = events;
    assert.ok(first && second);
    assert.equal(applyAuctionEvent(view, second.id, second.event), undefined);
    const next = applyAuctionEvent(view, first.id, first.event);
    assert.ok(next);
    assert.equal(applyAuctionEvent(next, first.id, first.event), next);
  });
});
