// Extracts parts of HTML pages by regular expressions.

const ENTITIES: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
export const unescapeHtml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name as string]!);

const attributes = (html: string, pattern: RegExp): readonly string[] =>
  [...html.matchAll(pattern)].map(([, value]) => unescapeHtml(value!));

export const linksIn = (html: string): readonly string[] => attributes(html, /<a\s[^>]*?href="([^"]*)"/g);
export const loadedAssets = (html: string): readonly string[] =>
  attributes(html, /<(?:link|script|img)\s[^>]*?(?:href|src)="([^"]*)"/g);
export const idsIn = (html: string): readonly string[] => attributes(html, /\sid="([^"]*)"/g);

/** The text of the code samples on a page. */
export const codeIn = (html: string): readonly string[] =>
  attributes(html, /<figure class="code">(?:<figcaption>[^<]*<\/figcaption>)?<pre[^>]*><code>(.*?)<\/code>/gs);

/** The data of an operation in the reference, for the console. */
export type OperationData = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
};
export const operationsIn = (html: string): readonly OperationData[] =>
  attributes(html, /data-operation="([^"]*)"/g).map((text) => JSON.parse(text));

/** All pages below `prefix` that can be reached from `start` by links: their HTML by URL. Throws on a broken link. */
export async function crawl(start: string, prefix: string): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  const queue = [start];
  for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
    if (pages.has(url)) continue;
    const response = await fetch(url, { redirect: "error" });
    const html = await response.text();
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    if (!response.headers.get("content-type")?.startsWith("text/html")) continue;
    pages.set(url, html);
    for (const link of linksIn(html)) {
      const target = new URL(link, url);
      target.hash = "";
      if (target.href.startsWith(prefix)) queue.push(target.href);
    }
  }
  return pages;
}
