import { SEGMENTS } from "../../dialects/dialects.ts";

/** What there is to read, in the order in which it is best read: the navigation and every next step come from here. */

export type DocsVersion = { readonly name: string; readonly path: string };
export type DocsEntry = {
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** Where one thing has a page for each version: the path is the newest one's. */
  readonly versions?: readonly DocsVersion[];
};
export type DocsSection = { readonly title: string; readonly entries: readonly DocsEntry[] };

const docsEntry = (path: string, title: string, summary: string): DocsEntry => ({
  path: `/docs/${path}`,
  title,
  summary,
});

export const VERSIONS: readonly DocsVersion[] = SEGMENTS.toReversed().map((name) => ({
  name,
  path: `/docs/api/${name}`,
}));

export const DOCS_INDEX = "/docs";

export const SECTIONS: readonly DocsSection[] = [
  {
    title: "Guides",
    entries: [
      docsEntry("guides/first-tender", "Your first tender", "Publish, read, change. Five minutes and a terminal."),
      docsEntry(
        "guides/bidding",
        "Bidding, start to contract",
        "A whole procedure in seconds, on a clock that you move.",
      ),
      docsEntry(
        "guides/following-the-feed",
        "Following the feed",
        "Keep a copy that misses nothing, and find without crawling.",
      ),
      docsEntry(
        "guides/from-polling-to-push",
        "From polling to push",
        "A stream, or webhooks whose signatures you verify.",
      ),
      docsEntry(
        "guides/going-to-production",
        "Going to production",
        "Accounts, database, documents, proxy, backups, watching.",
      ),
    ],
  },
  {
    title: "Reference",
    entries: [
      {
        ...docsEntry(
          `api/${VERSIONS[0]!.name}`,
          "API",
          "Every operation, with a console to try it, in the version you speak.",
        ),
        versions: VERSIONS,
      },
      docsEntry(
        "api/site",
        "Clocks, webhooks, files",
        "What is the same in all versions: test clocks, webhooks, the document service, health.",
      ),
      docsEntry("errors", "Errors", "What every refusal means, and what to do about it."),
      docsEntry("procedures", "Procedures", "Who may do what when, drawn as state diagrams."),
      docsEntry("client", "Typed client", "The same by functions, in browsers and in Node."),
      docsEntry("commands", "Command line", "Every command of tenderhall, with examples."),
    ],
  },
  {
    title: "Operating",
    entries: [
      docsEntry("operations", "Operations", "Backup, restore, verify, repair, documents in S3."),
      docsEntry("scale", "How far it goes", "Measured with a million tenders."),
      docsEntry("decisions", "Decisions", "Why it is built the way it is."),
    ],
  },
];

const ALL_ENTRIES = SECTIONS.flatMap(({ entries }) => entries);

/** Where somebody goes on who has read a page. Whoever has read everything begins to do something. */
export function nextEntryAfter(path: string): DocsEntry {
  if (path === DOCS_INDEX) return ALL_ENTRIES[0]!;
  if (path.startsWith("/docs/api/")) return ALL_ENTRIES.find((entry) => entry.path === "/docs/errors")!;
  if (path.startsWith("/docs/procedures")) return ALL_ENTRIES[1]!;
  const index = ALL_ENTRIES.findIndex((entry) => path === entry.path || path.startsWith(`${entry.path}/`));
  if (index < 0 || index === ALL_ENTRIES.length - 1) return ALL_ENTRIES[0]!;
  // After the guides one goes on operating: the reference is looked things up in.
  return path.endsWith("going-to-production")
    ? ALL_ENTRIES.find((entry) => entry.path === "/docs/operations")!
    : ALL_ENTRIES[index + 1]!;
}

/** Whether a page has an address, or one below it. */
export const isBelow = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}/`);

/** Whether a page is what an entry names, or a part of it. */
export const isWithin = (path: string, { path: entryPath, versions = [] }: DocsEntry): boolean =>
  isBelow(path, entryPath) || versions.some((version) => isBelow(path, version.path));

export function pageTitleOf(path: string): string | undefined {
  const version = VERSIONS.find((candidate) => candidate.path === path);
  return version ? `API ${version.name}` : ALL_ENTRIES.find((candidate) => candidate.path === path)?.title;
}
