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

/** A request of the reference in one language, as a reader copies it. */
export type OperationSample = {
  readonly id: string;
  readonly language: "sh" | "ts" | "python";
  readonly text: string;
};

const textOf = (markup: string): string => unescapeHtml(markup.replaceAll(/<[^>]*>/g, ""));

/** The samples of a page of the reference, operation by operation. */
export const samplesIn = (html: string): readonly OperationSample[] =>
  html
    .split('<section class="operation"')
    .slice(1)
    .flatMap((section) => {
      const [, id] = /^ id="([^"]+)"/.exec(section)!;
      const blocks = section.matchAll(/<pre tabindex="0" data-language="(sh|ts|python)"><code>(.*?)<\/code><\/pre>/gs);
      return [...blocks].map(([, language, code]) => ({
        id: id!,
        language: language as OperationSample["language"],
        text: textOf(code!),
      }));
    });

/** The address of each operation's page, as the overview of a version links to it. */
export async function pagesOfOperations(url: string, segment: string): Promise<ReadonlyMap<string, string>> {
  const overview = await (await fetch(`${url}/docs/api/${segment}`)).text();
  const entries = overview.matchAll(/<li class="listed" id="([^"]+)"><a href="([^"#]+)#/g);
  return new Map([...entries].map(([, id, path]) => [id!, path!]));
}

/** All pages of the reference of a version, one after another. */
export async function referenceOf(url: string, segment: string): Promise<string> {
  const overview = await (await fetch(`${url}/docs/api/${segment}`)).text();
  const paths = linksIn(overview).flatMap((link) => /^\/docs\/api\/[^/#]+\/[^#]+/.exec(link)?.[0] ?? []);
  const own = [...new Set(paths)].filter((path) => path.startsWith(`/docs/api/${segment}/`));
  return (await Promise.all(own.map(async (path) => (await fetch(url + path)).text()))).join("\n");
}

/** The data of an operation in the reference, for the console. */
export type OperationData = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
};
export const operationsIn = (html: string): readonly OperationData[] =>
  attributes(html, /data-operation='([^']*)'/g).map((text) => JSON.parse(text));

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
