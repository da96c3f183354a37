import { VERSIONS } from "./contents.ts";
import type { Page } from "./layout.ts";

/** What can be found on the pages: every part that has an address of its own, with its words. */
export type Findable = {
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
};

/** As much of a part as says what it is about. */
const TEXT_LENGTH_MAX = 1500;
/** Where a part begins: a heading, an operation or a rule, each with the id that links lead to. */
const PARTS = /<(?:h[1-4]|section class="rule"|details class="operation")[^>]*? id="([^"]+)"[^>]*>/g;
const HEADING = /^.*?<\/(?:h[1-4]|summary)>/s;

const ENTITIES: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

const wordsOf = (markup: string): string =>
  markup
    .replace(/<(wbr|\/?code|\/?a|\/?strong|\/?em)\b[^>]*>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name as string]!)
    .replace(/\s+/g, " ")
    .trim();

/** Of the versions, the newest stands for all: each says nearly the same. */
const isFound = ({ path }: Page): boolean => !VERSIONS.slice(1).some((one) => one.path === path);

export const findableOn = (pages: readonly Page[]): readonly Findable[] => pages.filter(isFound).flatMap(partsOf);

function partsOf({ path, title, content }: Page): readonly Findable[] {
  const { markup } = content;
  const begins = [...markup.matchAll(PARTS)];
  return begins.flatMap(({ 0: opening, 1: id, index }, i): Findable[] => {
    const part = markup.slice(index + opening.length, begins[i + 1]?.index);
    const heading = wordsOf(HEADING.exec(part)?.[0] ?? "");
    const isOperation = opening.startsWith("<details");
    const text = isOperation ? "" : wordsOf(part.replace(HEADING, "")).slice(0, TEXT_LENGTH_MAX);
    const isSchema = path.startsWith("/docs/api/") && !isOperation && !id!.startsWith("about-");
    // A part within a rule is its heading: it has been told.
    return heading === "" || isSchema ? [] : [{ path: `${path}#${id}`, page: title, heading, text }];
  });
}
