import type { Dialect } from "../dialects/dialects.ts";
import { COMPETITION_TEXTS } from "./texts/competition.ts";
import { DOCUMENT_TEXTS } from "./texts/documents.ts";
import { LIVE_AUCTION_TEXTS } from "./texts/liveAuctions.ts";
import { OUTCOME_TEXTS } from "./texts/outcome.ts";
import { SITE_TEXTS } from "./texts/site.ts";
import { TENDER_TEXTS } from "./texts/tenders.ts";
import type { OperationTexts } from "./texts/text.ts";

const TEXTS: OperationTexts = {
  ...TENDER_TEXTS,
  ...DOCUMENT_TEXTS,
  ...COMPETITION_TEXTS,
  ...LIVE_AUCTION_TEXTS,
  ...OUTCOME_TEXTS,
  ...SITE_TEXTS,
};

/** What an operation does, in the words of a version where there is one. `path` is that of the table of routes. */
export function describeOperation(method: string, path: string, dialect?: Dialect): string {
  const text = TEXTS[`${method} ${path}`];
  if (text === undefined) throw new Error(`${method} ${path} is not described`);
  if (!dialect) return String(text);
  const described = typeof text === "string" ? text : text(dialect.behaviour);
  return described.replaceAll(/(?<=`)active\.\w+(?=`)/g, dialect.statusName);
}

/** The summaries that depend on the version, and those that say more than the table of routes, where collections are all alike. */
const SUMMARIES: OperationTexts = {
  "POST /tenders/{tender_id}/questions": "Ask a question",
  "PATCH /tenders/{tender_id}/questions/{question_id}": "Answer a question",
  "PATCH /tenders/{tender_id}/contracts/{contract_id}": "Change a contract, or sign it",
  "POST /tenders/{tender_id}/complaints": "File a complaint",
  "PATCH /tenders/{tender_id}/complaints/{complaint_id}": "Submit, answer, settle or withdraw a complaint",
  "POST /tenders/{tender_id}/awards/{award_id}/complaints": "File a complaint about an award",
  "PATCH /tenders/{tender_id}/awards/{award_id}/complaints/{complaint_id}":
    "Submit, answer, settle or withdraw a complaint about an award",
  "POST /tenders/{tender_id}/cancellations": "Announce a cancellation",
  "PATCH /tenders/{tender_id}/cancellations/{cancellation_id}": "Put a cancellation into effect",
  "PATCH /tenders/{tender_id}/auction": ({ auction }) =>
    auction === "addresses" ? "Set where the auction is held" : "Report the prices of the auction",
};

/** In a few words; `summary` is what the table of routes says for all versions. */
export function summarizeOperation(method: string, path: string, summary: string, { behaviour }: Dialect): string {
  const text = SUMMARIES[`${method} ${path}`] ?? summary;
  return typeof text === "string" ? text : text(behaviour);
}
