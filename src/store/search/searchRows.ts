import type { Tender } from "../../domain/model/tender.ts";
import type { Instant } from "../../domain/values/time.ts";
import { haveSameDocument, searchDocumentOf } from "../../indexing/searchDocument.ts";
import { type Facets, facetsOf } from "../facets.ts";
import { type Listing, listingOf } from "../store.ts";

/** The row of the search index of a tender. `Text` is the type of texts that may be long: a string, or its bytes. */
export type SearchRow<Text = string> = {
  readonly listing: Listing;
  readonly status: string;
  readonly procedure: string;
  readonly categories: string;
  readonly region: string | null;
  readonly buyer: string | null;
  readonly suppliers: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly deadline: Instant | null;
  readonly enquiryDeadline: Instant | null;
  readonly opening: Instant | null;
  readonly auctionStarts: readonly Instant[];
  readonly tokens: Text;
};

/** The row of a tender that is not a draft. If its bids are indexed, it must have all of them. */
export function searchRowOf(tender: Tender, facets: Facets = facetsOf(tender)): SearchRow {
  const { amount, currency } = facets;
  return { listing: listingOf(tender), amount, currency, ...searchDocumentOf(tender) };
}

/** What a change does to the search index. */
export type SearchChange = "none" | "publication" | "update" | "removal";

/** A tender that becomes a draft again is removed. */
export function searchChangeOf(before: Tender | undefined, after: Tender): SearchChange {
  const wasPublic = before !== undefined && before.status !== "draft";
  if (after.status === "draft") return wasPublic ? "removal" : "none";
  if (!wasPublic) return "publication";
  return haveSameDocument(before, after) ? "none" : "update";
}

/** What a commit does to the row of a tender: writes it or, without a row, removes it. */
export type SearchWrite<Text = string> = {
  readonly id: string;
  /** The number of the row: the sequence number of the change that published the tender, if the commit did. */
  readonly publicRow: number | undefined;
  readonly row: SearchRow<Text> | undefined;
  /** Whether the tender was created as a public one by the commit, so that nothing of it is in the index. */
  readonly isNew: boolean;
};
