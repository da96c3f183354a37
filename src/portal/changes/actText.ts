import type { TenderStatus } from "../../domain/model/tender.ts";
import type { PublicVersion } from "../../history/publicVersions.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import type { MomentKind } from "../tender/tenderTimeline.ts";

/** What happened in a version. A deadline that has passed is named as in the timeline, if the change of the status tells which. */
export function actText({ act, before, tender }: PublicVersion, language: Language): string {
  const { changes, tender: texts } = messagesIn(language);
  const moment = act === "advance" && before ? passedMoment(before.tender.status, tender.status) : undefined;
  return moment === undefined ? changes.acts[act] : texts.timeline[moment];
}

const AFTER_BIDDING: readonly TenderStatus[] = ["active.auction", "active.qualification", "unsuccessful"];

/** The moment that time has reached, from the status before and after. One version may be the result of several deadlines. */
function passedMoment(before: TenderStatus, after: TenderStatus): MomentKind | undefined {
  if (before === "active.enquiries" && after === "active.tendering") return "biddingBegins";
  if (before === "active.tendering" && AFTER_BIDDING.includes(after)) return "biddingEnds";
  return before === "active.auction" && after === "active.qualification" ? "auctionEnds" : undefined;
}
