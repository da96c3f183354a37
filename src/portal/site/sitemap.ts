import { NOT_FOUND } from "../../http/errorResponses.ts";
import { type HttpResponse, toCachedBody } from "../../http/responses.ts";
import type { OrganizationRole } from "../../indexing/organizationQuery.ts";
import type { Registry } from "../../registry/registry.ts";
import { escapeXml } from "../feeds/xml.ts";
import { machineTime } from "../layout/formats.ts";
import { LANGUAGES, type Language, localizedPath } from "../layout/languages.ts";
import { PORTAL_SECTIONS, type PortalSite } from "../layout/portalPage.ts";
import { profilePath } from "../organizations/profilePage.ts";

/**
 * The sitemap for search engines: an index, a file with the pages that always exist, files with the tenders in the order of their
 * publication, so that a tender stays in its file, and files with the profiles of buyers and suppliers. A file may have 50,000 addresses and 50 MB; ours are short enough to be rendered
 * within milliseconds, and the index could list 50,000 of them.
 */

type SitemapReads = Pick<Registry, "publishedPage" | "publishedCount" | "profileKeys" | "profileCount">;

/** Each tender and each organisation has an address in every language. */
const ENTRIES_PER_FILE = 2500;
const CONSTANT_PATHS = [
  "/",
  ...PORTAL_SECTIONS.map((section) => `/${section}`),
  "/buyers",
  "/suppliers",
  "/about",
  "/accessibility",
  "/privacy",
];

/** `/sitemap.xml`: the list of all files. */
export async function sitemapIndex(registry: SitemapReads, { origin }: PortalSite): Promise<HttpResponse> {
  const numbers = (count: number) =>
    Array.from({ length: Math.ceil(count / ENTRIES_PER_FILE) }, (_, i) => String(i + 1));
  const buyers = numbers(await registry.profileCount("buyer")).map((number) => `buyers-${number}`);
  const suppliers = numbers(await registry.profileCount("supplier")).map((number) => `suppliers-${number}`);
  const names = ["pages", ...numbers(await registry.publishedCount()), ...buyers, ...suppliers];
  const files = names.map((name) => `<sitemap><loc>${escapeXml(origin)}/sitemap-${name}.xml</loc></sitemap>\n`);
  return xmlResponse(
    `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${files.join("")}</sitemapindex>\n`,
  );
}

/** `/sitemap-<name>.xml`: `pages`, the number of a file of tenders, or `buyers-` or `suppliers-` with a number. */
export async function sitemapFile(registry: SitemapReads, site: PortalSite, name: string): Promise<HttpResponse> {
  if (name === "pages") {
    const paths = [...CONSTANT_PATHS, ...(site.hasOpenData ? ["/data"] : [])];
    return urlsResponse(paths.map((path) => addressesOf(site, path)));
  }
  const [, folder, number] = /^(?:(buyers|suppliers)-)?(\d+)$/.exec(name) ?? [];
  const page = { offset: (Number(number) - 1) * ENTRIES_PER_FILE, limit: ENTRIES_PER_FILE };
  if (folder !== undefined) return profilesFile(registry, site, folder === "buyers" ? "buyer" : "supplier", page);
  const tenders = await registry.publishedPage(page);
  if (tenders.length === 0) return NOT_FOUND("path");
  return urlsResponse(
    tenders.map(({ id, dateModified }) => addressesOf(site, `/tenders/${id}`, machineTime(dateModified))),
  );
}

async function profilesFile(
  registry: SitemapReads,
  site: PortalSite,
  role: OrganizationRole,
  page: { readonly offset: number; readonly limit: number },
): Promise<HttpResponse> {
  const keys = await registry.profileKeys({ role, ...page });
  if (keys.length === 0) return NOT_FOUND("path");
  return urlsResponse(keys.map((key) => addressesOf(site, profilePath(role, key))));
}

const urlsResponse = (urls: readonly string[]): HttpResponse =>
  xmlResponse(
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${urls.join("")}</urlset>\n`,
  );

/** A page in every language. Each address lists all of them, itself included. */
function addressesOf({ origin, defaultLanguage }: PortalSite, path: string, lastModified?: string): string {
  const addressIn = (language: Language) => escapeXml(origin + localizedPath(path, language, defaultLanguage));
  const alternate = (name: string, language: Language) =>
    `<xhtml:link rel="alternate" hreflang="${name}" href="${addressIn(language)}"/>`;
  const alternates = LANGUAGES.map((language) => alternate(language, language)).join("");
  const modified = lastModified === undefined ? "" : `<lastmod>${lastModified}</lastmod>`;
  const rest = `${modified}${alternates}${alternate("x-default", defaultLanguage)}</url>\n`;
  return LANGUAGES.map((language) => `<url><loc>${addressIn(language)}</loc>${rest}`).join("");
}

const xmlResponse = (content: string): HttpResponse => ({
  status: 200,
  headers: { "Content-Type": "application/xml; charset=UTF-8", "Cache-Control": "public, no-cache" },
  text: toCachedBody(`<?xml version="1.0" encoding="UTF-8"?>\n${content}`),
});
