import { sectionRankOf, VERSIONS } from "./contents.ts";
import type { DocsPage } from "./layout.ts";

/** One part of a page that has an address of its own: a section, an operation or an error rule. */
export type SearchEntry = {
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  /** The place of the page's section in the contents. Of two equally good matches the lower rank comes first. */
  readonly rank: number;
  /** Set for decision records, which come after every other match: they explain reasons, not how to do something. */
  readonly isBackground?: true;
};

/** Longer texts are cut: the beginning of a part says what it is about. */
const TEXT_LENGTH_MAX = 1500;
/** The start of a part: a heading, an operation or a rule, each with the id that links lead to. */
const PART_START = /<(?:h[1-4]|section class="rule"|details class="operation")[^>]*? id="([^"]+)"[^>]*>/g;
const HEADING = /^.*?<\/(?:h[1-4]|summary)>/s;

const ENTITIES: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

const plainTextOf = (markup: string): string =>
  markup
    .replace(/<(wbr|\/?code|\/?a|\/?strong|\/?em)\b[^>]*>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name as string]!)
    .replace(/\s+/g, " ")
    .trim();

/** Of the API reference only the newest version is indexed: the others say nearly the same. */
const isIndexed = ({ path }: DocsPage): boolean => !VERSIONS.slice(1).some((version) => version.path === path);

export const buildSearchIndex = (pages: readonly DocsPage[]): readonly SearchEntry[] =>
  pages.filter(isIndexed).flatMap(searchEntriesOf);

function searchEntriesOf({ path, title, content }: DocsPage): readonly SearchEntry[] {
  const { markup } = content;
  const partStarts = [...markup.matchAll(PART_START)];
  return partStarts.flatMap(({ 0: opening, 1: id, index }, i): SearchEntry[] => {
    const part = markup.slice(index + opening.length, partStarts[i + 1]?.index);
    const heading = plainTextOf(HEADING.exec(part)?.[0] ?? "");
    const isOperation = opening.startsWith("<details");
    const text = isOperation ? "" : plainTextOf(part.replace(HEADING, "")).slice(0, TEXT_LENGTH_MAX);
    const isSchema = path.startsWith("/docs/api/") && !isOperation && !id!.startsWith("about-");
    // A rule contains a heading of its own, which would be the same entry again.
    if (heading === "" || isSchema) return [];
    return [{ path: `${path}#${id}`, page: title, heading, text, ...priorityOf(path) }];
  });
}

const priorityOf = (path: string): Pick<SearchEntry, "rank" | "isBackground"> => ({
  rank: sectionRankOf(path),
  ...(path.startsWith("/docs/decisions") && { isBackground: true }),
});
