import { required } from "../../base/required.ts";
import { CURRENT_SEGMENT, SEGMENTS } from "../../dialects/dialects.ts";

/** The pages in reading order. The navigation, the next steps and the ranking of the search are derived from it. */

export type DocsVersion = { readonly name: string; readonly path: string };
export type DocsEntry = {
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** Set if there is a page for each version; `path` is that of the newest one. */
  readonly versions?: readonly DocsVersion[];
};
export type DocsSection = { readonly title: string; readonly entries: readonly DocsEntry[] };

const docsEntry = (path: string, title: string, summary: string): DocsEntry => ({
  path: `/docs/${path}`,
  title,
  summary,
});

const docsVersion = (name: string): DocsVersion => ({ name, path: `/docs/api/${name}` });

/** The newest first. */
export const VERSIONS: readonly DocsVersion[] = SEGMENTS.toReversed().map(docsVersion);
export const NEWEST_VERSION = docsVersion(CURRENT_SEGMENT);

export const DOCS_INDEX = "/docs";

export const SECTIONS: readonly DocsSection[] = [
  {
    title: "Guides",
    entries: [
      docsEntry("guides/first-tender", "Your first tender", "Publish, read, change. Five minutes and a terminal."),
      docsEntry("guides/bidding", "Bidding, start to contract", "A whole procedure in seconds, on a test clock."),
      docsEntry(
        "guides/auction",
        "Run an auction",
        "For buyers, bidders and integrators: prices, streams, results, replay.",
      ),
      docsEntry(
        "guides/following-the-feed",
        "Following the feed",
        "Keep a copy that misses nothing, and find tenders without crawling.",
      ),
      docsEntry(
        "guides/search",
        "Searching tenders",
        "Words, filters and counts; tables, feeds and calendars of results.",
      ),
      docsEntry(
        "guides/from-polling-to-push",
        "From polling to push",
        "A stream, or webhooks whose signatures you verify.",
      ),
      docsEntry(
        "guides/use-the-data",
        "Use the data",
        "Releases, records and bulk files in the Open Contracting Data Standard.",
      ),
      docsEntry(
        "guides/going-to-production",
        "Going to production",
        "Accounts, database, documents, proxy, backups, monitoring.",
      ),
    ],
  },
  {
    title: "Reference",
    entries: [
      {
        ...docsEntry(
          `api/${NEWEST_VERSION.name}`,
          "API",
          "Every operation, with a console to try it. Start with the newest version.",
        ),
        versions: VERSIONS,
      },
      docsEntry(
        "api/site",
        "Clocks, webhooks, files",
        "The same in all versions: test clocks, webhooks, the document service, health.",
      ),
      docsEntry("versions", "Versions", "Which versions there are, and how they differ."),
      docsEntry("errors", "Errors", "What every error means, and what to do about it."),
      docsEntry("procedures", "Procedures", "Who may do what in each status, as state diagrams."),
      docsEntry("client", "Typed client", "The whole API as typed functions, for browsers and Node."),
      docsEntry("commands", "Command line", "Every command of tenderhall, with examples."),
      docsEntry("glossary", "Glossary", "The terms of procurement and of the code, one sentence each."),
    ],
  },
  {
    title: "Operating",
    entries: [
      docsEntry("operations", "Operations", "Deploy, back up, restore, verify, repair, monitor."),
      docsEntry("settings", "Settings", "Every setting, its default and its meaning."),
      docsEntry("scale", "How far it goes", "What a request costs, and where one registry ends."),
    ],
  },
  {
    title: "Design",
    entries: [
      docsEntry("architecture", "Architecture", "The modules, and the path of a request through them."),
      docsEntry("decisions", "Decisions", "Why it is built the way it is."),
    ],
  },
];

/** Pages that have moved, with their new address. */
export const RENAMED_PAGES: readonly (readonly [from: string, to: string])[] = [
  ["/docs/decisions/0007-gaps", "/docs/decisions/0007-open-points"],
  ["/docs/decisions/0018-asking-again", "/docs/decisions/0018-retries-dry-runs-test-clocks"],
];

/** The place of a page's section in the contents; pages outside of the contents come last. */
export function sectionRankOf(path: string): number {
  const rank = SECTIONS.findIndex(({ entries }) => entries.some((entry) => isWithin(path, entry)));
  return rank < 0 ? SECTIONS.length : rank;
}

const ALL_ENTRIES = SECTIONS.flatMap(({ entries }) => entries);

const entryAt = (path: string): DocsEntry =>
  required(
    ALL_ENTRIES.find((entry) => entry.path === path),
    `${path} in the contents`,
  );

/** The page to read after another one. The last page leads back to the first guide. */
export function nextEntryAfter(path: string): DocsEntry {
  const firstGuide = entryAt("/docs/guides/first-tender");
  if (path === DOCS_INDEX) return firstGuide;
  if (path.startsWith("/docs/api/")) return entryAt("/docs/errors");
  if (path.startsWith("/docs/procedures")) return entryAt("/docs/guides/bidding");
  const index = ALL_ENTRIES.findIndex((entry) => path === entry.path || path.startsWith(`${entry.path}/`));
  if (index < 0) return firstGuide;
  // The last guide leads to operations, because the reference is not read from start to end.
  return path.endsWith("going-to-production") ? entryAt("/docs/operations") : (ALL_ENTRIES[index + 1] ?? firstGuide);
}

/** Whether a page has an address, or one below it. */
export const isBelow = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}/`);

/** Whether a page is what an entry names, or a part of it. */
export const isWithin = (path: string, { path: entryPath, versions = [] }: DocsEntry): boolean =>
  isBelow(path, entryPath) || versions.some((version) => isBelow(path, version.path));

/** The title of a page of the contents, or of the reference of a version. */
export function pageTitleOf(path: string): string {
  const version = VERSIONS.find((candidate) => candidate.path === path);
  return version ? `API ${version.name}` : entryAt(path).title;
}
