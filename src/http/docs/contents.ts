import { SEGMENTS } from "../../dialects/dialects.ts";

/** What there is to read, in the order in which it is best read: the navigation and every next step come from here. */

export type Version = { readonly name: string; readonly path: string };
export type Entry = {
  readonly path: string;
  readonly title: string;
  readonly about: string;
  /** Where one thing has a page for each version: the path is the newest one's. */
  readonly versions?: readonly Version[];
};
export type Section = { readonly title: string; readonly entries: readonly Entry[] };

const entry = (path: string, title: string, about: string): Entry => ({ path: `/docs/${path}`, title, about });

export const VERSIONS: readonly Version[] = SEGMENTS.toReversed().map((name) => ({ name, path: `/docs/api/${name}` }));

export const INDEX = "/docs";

export const SECTIONS: readonly Section[] = [
  {
    title: "Guides",
    entries: [
      entry("guides/first-tender", "Your first tender", "Publish, read, change. Five minutes and a terminal."),
      entry("guides/bidding", "Bidding, start to contract", "A whole procedure in seconds, on a clock that you move."),
      entry(
        "guides/following-the-feed",
        "Following the feed",
        "Keep a copy that misses nothing, and find without crawling.",
      ),
      entry(
        "guides/from-polling-to-push",
        "From polling to push",
        "A stream, or webhooks whose signatures you verify.",
      ),
      entry(
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
        ...entry(
          `api/${VERSIONS[0]!.name}`,
          "API",
          "Every operation, with a console to try it, in the version you speak.",
        ),
        versions: VERSIONS,
      },
      entry(
        "api/site",
        "Clocks, webhooks, files",
        "What is the same in all versions: test clocks, webhooks, the document service, health.",
      ),
      entry("errors", "Errors", "What every refusal means, and what to do about it."),
      entry("procedures", "Procedures", "Who may do what when, drawn as state diagrams."),
      entry("client", "Typed client", "The same by functions, in browsers and in Node."),
      entry("commands", "Command line", "Every command of tenderhall, with examples."),
    ],
  },
  {
    title: "Operating",
    entries: [
      entry("operations", "Operations", "Backup, restore, verify, repair, documents in S3."),
      entry("scale", "How far it goes", "Measured with a million tenders."),
      entry("decisions", "Decisions", "Why it is built the way it is."),
    ],
  },
];

const ALL = SECTIONS.flatMap(({ entries }) => entries);

/** Where somebody goes on who has read a page. Whoever has read everything begins to do something. */
export function nextAfter(path: string): Entry {
  if (path === INDEX) return ALL[0]!;
  if (path.startsWith("/docs/api/")) return ALL.find((one) => one.path === "/docs/errors")!;
  if (path.startsWith("/docs/procedures")) return ALL[1]!;
  const at = ALL.findIndex((one) => path === one.path || path.startsWith(`${one.path}/`));
  if (at < 0 || at === ALL.length - 1) return ALL[0]!;
  // After the guides one goes on operating: the reference is looked things up in.
  return path.endsWith("going-to-production") ? ALL.find((one) => one.path === "/docs/operations")! : ALL[at + 1]!;
}

/** Whether a page is what an entry names, or a part of it. */
export const isWithin = (path: string, { path: own, versions = [] }: Entry): boolean =>
  path === own || path.startsWith(`${own}/`) || versions.some((one) => one.path === path);

export function titleOf(path: string): string | undefined {
  const version = VERSIONS.find((one) => one.path === path);
  return version ? `API ${version.name}` : ALL.find((one) => one.path === path)?.title;
}
