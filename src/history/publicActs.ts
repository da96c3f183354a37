import { isOneOf } from "../base/typeGuards.ts";
import { areBidsSealed } from "../domain/bids/sealing.ts";
import type { Tender } from "../domain/model/tender.ts";
import { allDocuments } from "../domain/tender/replacement.ts";
import { isSameJson } from "../domain/values/merge.ts";
import type { Act } from "../ledger/acts.ts";
import { PUBLIC_ACTS, type PublicAct } from "../views/publicActs.ts";

/**
 * When the public learns of an act: `always`, or only if what it is about is public. One commit may apply a deadline together with the act
 * of a bidder whose bid is sealed, and then only the deadline is public.
 */
type Disclosure = "always" | "open bids" | "documents";

/** A table of all acts, so that the compiler asks about every new one. */
const DISCLOSURES: { readonly [Kind in Act["kind"]]: Kind extends PublicAct ? Disclosure : "never" } = {
  "publish tender": "always",
  advance: "always",
  "edit tender": "always",
  "ask question": "always",
  "answer question": "always",
  "place bid": "open bids",
  "change bid": "open bids",
  "withdraw bid": "open bids",
  "plan auction": "always",
  "set auction urls": "always",
  "report auction": "open bids",
  "finish auction": "always",
  "record award": "always",
  "change award": "always",
  "add lot": "always",
  "edit lot": "always",
  "remove lot": "always",
  "add contract": "always",
  "edit contract": "always",
  "file complaint": "always",
  "edit complaint": "always",
  "add cancellation": "always",
  "edit cancellation": "always",
  "add document": "documents",
  "replace document": "documents",
  "edit document": "documents",
  "replace tender": "always",
  "renew token": "never",
  "replace link": "never",
  "place price": "never",
  "take back price": "never",
  "report interruption": "never",
  unknown: "never",
};

/**
 * What a public change is called in public. `before` is the last public state; undefined for the publication. An act that is not public
 * becomes "advance", the name of a deadline: what is public of such a change was due by time.
 */
export function publicActOf({ kind }: Act, before: Tender | undefined, after: Tender): PublicAct {
  if (!before) return "publish tender";
  return isOneOf(PUBLIC_ACTS, kind) && isDisclosed(DISCLOSURES[kind], before, after) ? kind : "advance";
}

function isDisclosed(disclosure: Disclosure, before: Tender, after: Tender): boolean {
  if (disclosure === "always") return true;
  if (disclosure === "open bids") return !areBidsSealed(before) && !areBidsSealed(after);
  return !isSameJson(publicDocuments(before), publicDocuments(after));
}

const publicDocuments = (tender: Tender) => allDocuments(areBidsSealed(tender) ? { ...tender, bids: [] } : tender);
