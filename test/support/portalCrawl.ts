import { unescapeHtml } from "./htmlPages.ts";

/** Something that the crawl has fetched. */
export type CrawledResource = {
  /** Path and query. */
  readonly path: string;
  /** The path of the page that links to it. */
  readonly from: string;
  readonly status: number;
  readonly type: string;
  /** All headers that do not differ between two requests for the same thing. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
};

/** Headers that differ between two requests for the same thing. */
const VARYING = ["x-request-id", "date", "ratelimit", "keep-alive", "connection"];

/** How many addresses with the same path and different queries are visited: filters can be combined without end. */
const QUERIES_MAX = 60;
/** How many of the pages of a tender as it was are visited: there is one for each of its versions, in several forms. */
const PAST_MAX = 2;

/** Links, files that pages load, and forms without their fields. */
const LINK = /<(?:a|link|script|img|form)\s[^>]*?(?:href|src|action)="([^"]*)"/g;
const FEED_LINK = /<(?:link|loc|id)[^>]*?(?:href="([^"]+)"|>([^<]+)<)/g;

/** The addresses of the same site that a response links to. */
function linkedPaths({ type, body }: CrawledResource, base: string, origins: readonly string[]): readonly string[] {
  const pattern = type.startsWith("text/html") ? LINK : /\bxml\b/.test(type) ? FEED_LINK : undefined;
  if (!pattern) return [];
  return [...body.toString().matchAll(pattern)].flatMap(([, first, second]) => {
    const target = URL.parse(unescapeHtml(first ?? second ?? ""), base);
    return target && origins.includes(target.origin) ? [target.pathname + target.search] : [];
  });
}

/**
 * Everything that can be reached by links from these pages: pages, files, feeds and downloads, also those that lead to an error.
 * The documentation is entered but not followed, as it has a crawl of its own. `publicOrigin` is what absolute links begin with.
 */
export async function crawlPortal(
  origin: string,
  starts: readonly string[],
  publicOrigin = origin,
): Promise<ReadonlyMap<string, CrawledResource>> {
  const found = new Map<string, CrawledResource>();
  const queries = new Map<string, number>();
  const queue = starts.map((path) => ({ path, from: "" }));
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { path, from } = next;
    const [pathname = ""] = path.split("?");
    const isPast = /^[^?]*\?(?:[^#]*&)?at=/.test(path);
    const counter = isPast ? `${pathname}?at` : pathname;
    const count = queries.get(counter) ?? 0;
    if (found.has(path) || count >= (isPast ? PAST_MAX : QUERIES_MAX)) continue;
    queries.set(counter, count + 1);
    const response = await fetch(origin + path, { redirect: "manual" });
    const resource: CrawledResource = {
      path,
      from,
      status: response.status,
      type: response.headers.get("content-type") ?? "",
      headers: [...response.headers].filter(([name]) => !VARYING.includes(name)),
      body: Buffer.from(await response.arrayBuffer()),
    };
    found.set(path, resource);
    const location = response.headers.get("location");
    const target = location === null ? null : URL.parse(location, origin + path);
    if (target && [origin, publicOrigin].includes(target.origin))
      queue.push({ path: target.pathname + target.search, from: path });
    if (pathname.startsWith("/docs")) continue;
    for (const linked of linkedPaths(resource, origin + path, [origin, publicOrigin]))
      queue.push({ path: linked, from: path });
  }
  return found;
}

/** Whether it is a page of the portal, which the documentation and the API are not. */
export const isPortalPage = ({ path, type }: CrawledResource): boolean =>
  type.startsWith("text/html") && !/^\/(docs|api)\b/.test(path);
