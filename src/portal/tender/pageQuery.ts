import { hasOwnKey } from "../../base/typeGuards.ts";
import { unknownParameters } from "../../indexing/unknownParameters.ts";
import type { PageProblem } from "../layout/components.ts";
import type { Messages } from "../layout/messages/uk.ts";

/** The parameters of the page of a tender: a single section in pages, the version for print, or the tender as it was. */

/** The sections that are cut on the page of the whole tender, and how many entries they have there. */
export const SECTION_LIMITS = {
  timeline: 40,
  lots: 20,
  items: 20,
  features: 10,
  documents: 20,
  questions: 10,
  complaints: 10,
  bids: 20,
  awards: 20,
  contracts: 20,
  cancellations: 10,
} as const;
export type ListSection = keyof typeof SECTION_LIMITS;
const LIST_SECTIONS = Object.keys(SECTION_LIMITS);

/** Entries on a page of a single section. */
export const ENTRIES_PER_PAGE = 100;
/** Entries of each section in the version for print. */
export const PRINTED_MAX = 200;

/** What the page shows. */
export type TenderPageQuery = {
  /** The only section that is shown. */
  readonly show?: ListSection | undefined;
  /** The page of that section, from 1. */
  readonly page: number;
  readonly isPrint: boolean;
};

/** The page as it is without parameters. */
export const WHOLE_PAGE: TenderPageQuery = { page: 1, isPrint: false };

/** `at` is read by the route, because it decides which version is shown. */
const NAMES: readonly string[] = ["show", "page", "view", "at"];

/** A parameter and what is wrong with it. */
type QueryProblems = { readonly query: TenderPageQuery; readonly problems: readonly PageProblem[] };

/**
 * Reads the query of the address. A parameter that is wrong is reported and has no effect. `countOf` says how many entries a section
 * has.
 */
export function readPageQuery(
  parameters: URLSearchParams,
  countOf: (section: ListSection) => number,
  { problems: texts }: Messages["tender"],
): QueryProblems {
  const problems: PageProblem[] = [];
  const report = (message: string): undefined => {
    problems.push({ message });
  };
  for (const name of unknownParameters(parameters, NAMES)) report(texts.unknown(echoed(name)));
  for (const name of NAMES) if (parameters.getAll(name).length > 1) report(texts.repeated(name));
  const shown = parameters.get("show") ?? undefined;
  const isSection = shown !== undefined && hasOwnKey(SECTION_LIMITS, shown);
  if (shown !== undefined && !isSection) report(texts.show(echoed(shown), LIST_SECTIONS.join(", ")));
  const show = isSection ? shown : undefined;
  const pageCount = show === undefined ? 1 : pageCountOf(countOf(show));
  const pageText = parameters.get("page") ?? "1";
  const isPage = /^[1-9]\d{0,6}$/.test(pageText) && Number(pageText) <= pageCount;
  if (!isPage) report(texts.page(echoed(pageText), String(pageCount)));
  const view = parameters.get("view") ?? undefined;
  if (view !== undefined && view !== "print") report(texts.view(echoed(view)));
  return { query: { show, page: isPage ? Number(pageText) : 1, isPrint: view === "print" }, problems };
}

/** The pages of a section with so many entries, at least one. */
export const pageCountOf = (entries: number): number => Math.max(1, Math.ceil(entries / ENTRIES_PER_PAGE));

const ECHOED_LENGTH_MAX = 60;

/** What the reader sent, short enough for a message. */
export const echoed = (text: string): string => text.slice(0, ECHOED_LENGTH_MAX).toWellFormed();
