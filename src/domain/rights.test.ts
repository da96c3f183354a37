import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  ADMIN,
  ADMINISTRATOR,
  AUCTION,
  BOT,
  broker,
  CHRONOGRAPH,
  member,
  OWNER,
  REVIEWER,
  type Scene,
  STRANGER,
} from "../../test/support/decisions.ts";
import {
  addCancellation,
  addContract,
  addDocument,
  addLot,
  answerQuestion,
  askQuestion,
  changeAward,
  changeBid,
  editCancellation,
  editComplaint,
  editContract,
  editLot,
  editTender,
  fileClaim,
  finishAuction,
  LOT_A,
  lotOf,
  placeBid,
  recordAward,
  removeLot,
  reportAuction,
  setAuctionUrls,
  withdrawBid,
} from "../../test/support/domainCommands.ts";
import { cook } from "../../test/support/organizations.ts";
import { awarded, closed, lastAward, published, qualifying, tendering } from "../../test/support/scenes.ts";
import type { Actor } from "./model/actors.ts";
import type { TenderCommand } from "./model/commands.ts";

/** What each group may do without an owner's token, and nothing else. */

const GROUPS = {
  admins: ADMIN,
  Administrator: ADMINISTRATOR,
  auction: AUCTION,
  chronograph: CHRONOGRAPH,
  reviewers: REVIEWER,
  bots: BOT,
  brokers: broker("other", "1"),
  contracting: member("contracting"),
  metrics: member("metrics"),
} as const satisfies { readonly [group: string]: Actor };
type GroupName = keyof typeof GROUPS;

/** Whoever is not named is forbidden it. */
type Operation = readonly [Scene, TenderCommand, { readonly [group in GroupName]?: string }];

const questioned = published({ lots: [lotOf(LOT_A)] }).send(STRANGER, askQuestion());
const claimed = questioned.send(STRANGER, fileClaim());
const enquiries = claimed.send(OWNER, addCancellation());
const bidding = tendering(["400"]);
const auction = closed(["400", "500"]);
const qualification = qualifying(["400"]);
const contracted = awarded(["400"]);

const bid = bidding.stored.bids[0]!.id;
const award = lastAward(qualification).id;
const contract = contracted.tender.contracts[0]!.id;
const noLevel = (action: string) => ({ brokers: `not accredited: ${action} by accreditation` });
const late = (doing: string, status: string, subject = "tender") =>
  `Can't ${doing} in current (${status}) ${subject} status`;
const noDocument = (status: string) => late("add document", status);

const OPERATIONS: { readonly [name: string]: Operation } = {
  "edit the tender": [
    enquiries,
    editTender({ description: "-" }),
    { admins: "ok", Administrator: "ok", chronograph: "ok" },
  ],
  "renew its token": [enquiries, { kind: "renew token" }, {}],
  "add a document in enquiries": [
    enquiries,
    addDocument(),
    { admins: "ok", bots: "ok", auction: noDocument("active.enquiries") },
  ],
  "add a document in the auction": [
    auction,
    addDocument(),
    { auction: "ok", admins: noDocument("active.auction"), bots: noDocument("active.auction") },
  ],
  "add a document in qualification": [
    qualification,
    addDocument(),
    { auction: "ok", admins: noDocument("active.qualification"), bots: noDocument("active.qualification") },
  ],
  "ask a question": [enquiries, askQuestion(), { admins: "ok", ...noLevel("question") }],
  "answer a question": [enquiries, answerQuestion(questioned.id, "-"), { admins: "ok", Administrator: "wrong role" }],
  "add a lot": [enquiries, addLot(lotOf("c".repeat(32))), { admins: "ok" }],
  "edit a lot": [enquiries, editLot(LOT_A, { title: "-" }), { admins: "ok", Administrator: "ok" }],
  "remove a lot": [enquiries, removeLot(LOT_A), { admins: "ok" }],
  "add a cancellation": [enquiries, addCancellation(), { admins: "ok" }],
  "edit a cancellation": [
    enquiries,
    editCancellation(enquiries.id, { status: "active" }),
    { admins: "ok", Administrator: "wrong role" },
  ],
  "add a document to a cancellation": [enquiries, addDocument({ cancellation: enquiries.id }), { admins: "ok" }],
  "file a complaint": [enquiries, fileClaim(), { admins: "ok", ...noLevel("complaint") }],
  "edit a complaint": [
    enquiries,
    editComplaint(claimed.id, { title: "-" }),
    { admins: "wrong role", reviewers: "wrong role" },
  ],
  "add a document to a complaint": [
    enquiries,
    addDocument({ complaint: claimed.id }),
    { admins: late("add document", "claim", "complaint"), reviewers: late("add document", "claim", "complaint") },
  ],
  "place a bid": [bidding, placeBid("1"), { admins: "ok", ...noLevel("bid") }],
  "add the auction's addresses": [auction, setAuctionUrls({}), { admins: "ok", auction: "ok" }],
  "report the auction's prices": [auction, reportAuction({}), { auction: "ok" }],
  "finish the auction": [auction, finishAuction(), { admins: "ok", auction: "ok" }],
  "make an award": [qualification, recordAward({ suppliers: [cook], bid_id: bid }), { admins: "ok" }],
  "decide an award": [qualification, changeAward(award, { status: "active" }), { admins: "ok", Administrator: "ok" }],
  "add a document to an award": [qualification, addDocument({ award }), { admins: "ok", auction: "ok", bots: "ok" }],
  "file a complaint about an award": [qualification, fileClaim({}, award), { admins: "ok" }],
  "make a contract": [contracted, addContract({ awardID: lastAward(contracted).id }), { admins: "ok" }],
  "edit a contract": [
    contracted,
    editContract(contract, { title: "-" }),
    { admins: "ok", Administrator: "wrong role" },
  ],
  "add a document to a contract": [contracted, addDocument({ contract }), { admins: "ok" }],
};

for (const [name, [scene, command, outcomes]] of Object.entries(OPERATIONS))
  describe(`to ${name}`, () => {
    for (const [group, actor] of Object.entries(GROUPS) as [GroupName, Actor][]) {
      const expected = outcomes[group] ?? "forbidden";
      it(`${group}: ${expected}`, () => {
        assert.equal(scene.outcome(actor, command), expected);
      });
    }

    it("without a key: forbidden", () => {
      assert.equal(scene.outcome({}, command), "forbidden");
    });
  });

describe("a sealed bid", () => {
  for (const [group, actor] of Object.entries(GROUPS))
    it(`does not exist for ${group}`, () => {
      for (const command of [changeBid(bid, {}), withdrawBid(bid), addDocument({ bid })])
        assert.equal(bidding.outcome(actor, command), "hidden: bid");
    });
});
