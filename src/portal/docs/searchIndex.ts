import { VERSIONS } from "./contents.ts";
import type { DocsPage } from "./layout.ts";

/** What can be found on the pages: every part that has an address of its own, with its words. */
export type SearchEntry = {
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
};

/** As much of a part as says what it is about. */
const TEXT_LENGTH_MAX = 1500;
/** Where a part begins: a heading, an operation or a rule, each with the id that links lead to. */
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

/** Of the versions, the newest stands for all: each says nearly the same. */
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
    // A part within a rule is its heading: it has been told.
    return heading === "" || isSchema ? [] : [{ path: `${path}#${id}`, page: title, heading, text }];
  });
}
