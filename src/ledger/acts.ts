import { parseOwnJson } from "../base/ownJson.ts";
import type { TenderCommand } from "../domain/model/commands.ts";

/** Acts that need no more words: the commands of the domain, the publication of a tender, and deadlines. */
type SimpleKind = TenderCommand["kind"] | AuctionAct | "publish tender" | "advance";

/** What happens in the auctions that the service holds. */
type AuctionAct = "plan auction" | "place price" | "take back price" | "report interruption";

/** What a row of the ledger records: what happened, in the words of the domain. */
export type Act =
  | { readonly kind: SimpleKind }
  /** An operator replaced a whole tender. `forced` means that rules of the procedure were overridden. */
  | { readonly kind: "replace tender"; readonly reason: string; readonly forced: boolean }
  /** An act that this version does not know. */
  | { readonly kind: "unknown"; readonly text: string };

/** The act as the ledger stores it: the kind alone, or JSON if there is more to say. */
export function formatAct(act: Act): string {
  if (act.kind === "unknown") return act.text;
  return act.kind === "replace tender" ? JSON.stringify(act) : act.kind;
}

/** A table, so that the compiler checks that no command is missing. */
const SIMPLE_KINDS: { readonly [Kind in SimpleKind]: true } = {
  "publish tender": true,
  advance: true,
  "plan auction": true,
  "place price": true,
  "take back price": true,
  "report interruption": true,
  "edit tender": true,
  "renew token": true,
  "ask question": true,
  "answer question": true,
  "place bid": true,
  "change bid": true,
  "withdraw bid": true,
  "replace link": true,
  "record award": true,
  "change award": true,
  "report auction": true,
  "set auction urls": true,
  "finish auction": true,
  "add lot": true,
  "edit lot": true,
  "remove lot": true,
  "add contract": true,
  "edit contract": true,
  "file complaint": true,
  "edit complaint": true,
  "add cancellation": true,
  "edit cancellation": true,
  "add document": true,
  "replace document": true,
  "edit document": true,
};

const isSimpleKind = (text: string): text is SimpleKind => Object.hasOwn(SIMPLE_KINDS, text);

const OLD_REPLACEMENT = /^replace: (.*?)( \(forced\))?$/s;

/** Parses an act of the ledger. Older ledgers store the replacement of a tender as "replace: reason (forced)". */
export function parseAct(text: string): Act {
  if (isSimpleKind(text)) return { kind: text };
  const [, reason, forced] = OLD_REPLACEMENT.exec(text) ?? [];
  if (reason !== undefined) return { kind: "replace tender", reason, forced: forced !== undefined };
  return text.startsWith("{") ? parseOwnJson<Act>(text) : { kind: "unknown", text };
}
