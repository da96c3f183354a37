import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TENDERING } from "../../test/support/domainCommands.ts";
import { placed, plain, published, qualifying, tendering } from "../../test/support/scenes.ts";
import type { Document, Tender } from "../domain/model/tender.ts";
import { parseAct } from "../ledger/acts.ts";
import { publicActOf } from "./publicActs.ts";

const document: Document = {
  ...{ id: "d", format: "text/plain", key: "k", hash: "md5:0", sha256: "0", size: 1 },
  ...{ datePublished: 1, dateModified: 1 },
};
const enquiries = published().tender;
const bidding = tendering(["400"]).tender;
const withDocument = (tender: Tender): Tender => ({ ...tender, documents: [...tender.documents, document] });
const withBidDocument = (tender: Tender): Tender => ({
  ...tender,
  bids: tender.bids.map((bid) => ({ ...bid, documents: [document] })),
});
const nameOf = (act: string, before: Tender | undefined, after: Tender) => publicActOf(parseAct(act), before, after);

describe("the public name of an act", () => {
  test("is the publication for the first version, however it came about", () => {
    for (const act of ["publish tender", "edit tender", "place bid"])
      assert.equal(nameOf(act, undefined, enquiries), "publish tender");
  });

  test("is its own name if everybody may know of it", () => {
    for (const act of ["edit tender", "ask question", "finish auction", "advance"] as const)
      assert.equal(nameOf(act, enquiries, bidding), act);
  });

  test("is that of a deadline if a sealed bid was decided in the same commit", () => {
    for (const act of ["place bid", "change bid", "withdraw bid", "add document", "replace document", "report auction"])
      assert.equal(nameOf(act, enquiries, withBidDocument(bidding)), "advance", act);
  });

  test("names open bids and public documents", () => {
    const open = placed(plain().at(TENDERING), ["1"]).tender;
    assert.equal(nameOf("place bid", plain().at(TENDERING).tender, open), "place bid");
    assert.equal(nameOf("add document", open, withBidDocument(open)), "add document");
    assert.equal(nameOf("add document", bidding, withDocument(bidding)), "add document");
    const opened = qualifying(["1"]).tender;
    assert.equal(nameOf("edit document", opened, withBidDocument(opened)), "edit document");
  });

  test("says nothing about tokens, links, prices, and acts that are not known", () => {
    for (const act of ["renew token", "replace link", "place price", "take back price", "of a later version"])
      assert.equal(nameOf(act, enquiries, bidding), "advance", act);
  });

  test("of a repair has no reason in it, in ledgers of any age", () => {
    for (const act of ["replace: ticket 17 (forced)", '{"kind":"replace tender","reason":"ticket 17","forced":false}'])
      assert.equal(nameOf(act, enquiries, bidding), "replace tender");
  });
});
