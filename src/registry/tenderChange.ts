import { nextDeadline } from "../domain/deadlines.ts";
import type { Actor } from "../domain/model/actors.ts";
import type { Tender } from "../domain/model/tender.ts";
import { jsonText } from "../domain/values/jsonText.ts";
import { openListTexts } from "../domain/values/listTexts.ts";
import type { Instant } from "../domain/values/time.ts";
import { type Act, formatAct } from "../ledger/acts.ts";
import { tenderPatch } from "../ledger/tenderPatch.ts";
import { firstPatch, type TenderChange } from "../store/store.ts";

/** Tenders on a test clock still get real time as `dateModified`, so that the feed keeps one global order. */
export const withRealModificationTime = (before: Tender | undefined, after: Tender, at: Instant): Tender =>
  after.testClock && after.dateModified !== before?.dateModified ? { ...after, dateModified: at } : after;

/** The change as the store writes it: the new state, its row of the ledger and the next deadline. */
export function changeOf(
  before: Tender | undefined,
  tender: Tender,
  actor: Actor,
  act: Act,
  files: readonly string[],
): TenderChange {
  let text: string | undefined;
  const documentText = () => {
    // A new tender has no bids yet, and its size was measured by the same text.
    text ??= before ? textWithoutBids(tender) : jsonText(tender);
    return text;
  };
  const { kind, patch } = before
    ? tenderPatch(before, tender)
    : ({ kind: "tender", patch: firstPatch(documentText()) } as const);
  return {
    tender,
    kind,
    // Lazy: of several changes of a tender in one commit, only the last state is written and needs its JSON.
    get document() {
      return documentText();
    },
    wakeAt: nextDeadline(tender),
    actor: actor.account?.name,
    act: formatAct(act),
    patch,
    files,
  };
}

const listTexts = openListTexts();

/** The JSON of the tender without its bids. */
function textWithoutBids(tender: Tender): string {
  const fields = Object.entries({ ...tender, bids: undefined }).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? listTexts(value, JSON.stringify) : JSON.stringify(value);
    return text === undefined ? [] : `${JSON.stringify(name)}:${text}`;
  });
  return `{${fields.join(",")}}`;
}
