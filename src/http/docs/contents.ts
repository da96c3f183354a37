import { SEGMENTS } from "../../dialects/dialects.ts";
import { hasDoc } from "./library.ts";

/** What there is to read, in the order in which it is best read: the navigation and every next step come from here. */

export type Entry = { readonly path: string; readonly title: string; readonly about: string };
export type Section = { readonly title: string; readonly entries: readonly Entry[] };

const entry = (path: string, title: string, about: string): Entry => ({ path: `/docs/${path}`, title, about });

/** What is written elsewhere, where it is. */
const written = (path: string, title: string, about: string): readonly Entry[] =>
  hasDoc(`${path}.md`) ? [entry(path, title, about)] : [];

const NEWEST_FIRST = SEGMENTS.toReversed();
const reference = (segment: string): Entry =>
  entry(`api/${segment}`, `API ${segment}`, `Every operation of version ${segment}, with a console to try it.`);

export const INDEX = "/docs";
export const FIRST_REFERENCE = `/docs/api/${NEWEST_FIRST[0]}`;

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
      ...NEWEST_FIRST.map(reference),
      entry("api/site", "Clocks and webhooks", "What is the same in all versions: test clocks, webhooks."),
      entry("errors", "Errors", "What every refusal means, and what to do about it."),
      entry("procedures", "Procedures", "Who may do what when, drawn as state diagrams."),
      ...written("client", "Typed client", "The same by functions, in browsers and in Node."),
      ...written("commands", "Command line", "Every command of tenderhall, with examples."),
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

export const titleOf = (path: string): string | undefined => ALL.find((one) => one.path === path)?.title;
