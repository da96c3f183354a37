import { isBelow, sectionRankOf, VERSIONS } from "./contents.ts";
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
/** The beginning of a part: a heading, an operation or a rule, each with the id that links lead to. */
const PART_START = /<(?:h[1-4]|section class="rule"|section class="operation")[^>]*? id="([^"]+)"[^>]*>/g;
const HEADING = /^.*?<\/h[1-4]>/s;
/** The name of an operation and its method and path, then its explanation up to the first list of details. */
const OPERATION = /^<header>.*?<h2>(.*?)<\/h2>(.*?)<\/header>(.*?)<h3>/s;

const ENTITIES: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

const plainTextOf = (markup: string): string =>
  markup
    .replace(/<(wbr|\/?code|\/?a|\/?strong|\/?em)\b[^>]*>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, " ")
    .trim();

/** Of the API reference only the newest version is indexed: the others say nearly the same. */
const isIndexed = ({ path }: DocsPage): boolean => !VERSIONS.slice(1).some((version) => isBelow(path, version.path));

export const buildSearchIndex = (pages: readonly DocsPage[]): readonly SearchEntry[] =>
  pages.filter(isIndexed).flatMap(searchEntriesOf);

function searchEntriesOf({ path, title, content }: DocsPage): readonly SearchEntry[] {
  const { markup } = content;
  const partStarts = [...markup.matchAll(PART_START)];
  return partStarts.flatMap(({ 0: opening, 1: id, index }, i): SearchEntry[] => {
    const part = markup.slice(index + opening.length, partStarts[i + 1]?.index);
    const operation = OPERATION.exec(part.trimStart());
    const [, summary = HEADING.exec(part)?.[0] ?? "", endpoint = "", explained = part.replace(HEADING, "")] =
      operation ?? [];
    const heading = plainTextOf(`${endpoint} ${summary}`);
    const text = plainTextOf(explained).slice(0, TEXT_LENGTH_MAX);
    // Of the reference, resources and operations are found; types are part of their descriptions.
    const isDetail = path.startsWith("/docs/api/") && !operation && !opening.startsWith("<h1");
    // A part within a rule is its heading: it has been told.
    return heading === "" || isDetail
      ? []
      : [{ path: `${path}#${id}`, page: title, heading, text, ...priorityOf(path) }];
  });
}

const priorityOf = (path: string): Pick<SearchEntry, "rank" | "isBackground"> => ({
  rank: sectionRankOf(path),
  ...(path.startsWith("/docs/decisions") && { isBackground: true }),
});
