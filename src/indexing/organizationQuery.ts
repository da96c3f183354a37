import type { TranslatedText } from "../domain/model/tender.ts";
import type { SearchTerm } from "./searchQuery.ts";

/** What an organisation does in tenders. One organisation may do both. */
export const ORGANIZATION_ROLES = ["buyer", "supplier"] as const;
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];

/** The name of an organisation, as the last change in public gave it. */
export type OrganizationName = TranslatedText<"name">;

/** A page of the organisations in a role: all of them, or those with these words in their name or key. */
export type OrganizationQuery = {
  readonly role: OrganizationRole;
  /** All must match. */
  readonly terms: readonly SearchTerm[];
  readonly offset: number;
  readonly limit: number;
};

/** An organisation with the number of real tenders that name it in the role. */
export type ListedOrganization = { readonly key: string; readonly name: OrganizationName; readonly tenders: number };

/** A page of organisations: those with the most tenders first. */
export type OrganizationList = {
  readonly organizations: readonly ListedOrganization[];
  /** The number of organisations, at most `SEARCH_MATCHES_MAX`. */
  readonly count: number;
  /** Whether there may be more than `count`. */
  readonly isMore: boolean;
};
