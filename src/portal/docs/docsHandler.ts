import type { IncomingMessage } from "node:http";
import { hashOf } from "../../base/secrets.ts";
import type { Config } from "../../config/config.ts";
import { ALIASES, type Dialect, OLDEST, SEGMENTS } from "../../dialects/dialects.ts";
import { allRules } from "../../http/errorRules.ts";
import { etagOf } from "../../http/etags.ts";
import {
  type HttpResponse,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  OPTIONS_RESPONSE,
  type ResponseHeaders,
} from "../../http/responses.ts";
import { isReadMethod } from "../../http/securityHeaders.ts";
import { describeApi } from "../../openapi/openapi.ts";
import { describeUnversionedApi } from "../../openapi/unversionedOpenapi.ts";
import { basePathOf, html, type Markup, withBreakPoints } from "../markup.ts";
import { DOCS_INDEX, pageTitleOf, RENAMED_PAGES, VERSIONS } from "./contents.ts";
import { type DocsAsset, loadAssets, markdownPages, readDoc } from "./docsFiles.ts";
import { errorsPage } from "./errorsPage.ts";
import { indexPage } from "./indexPage.ts";
import { type DocsPage, type DocsSite, ORIGIN_PLACEHOLDER, renderLayout, SEARCH_INDEX_PATH } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import type { OpenApiDocument } from "./openapiDocument.ts";
import { referencePage } from "./referencePage.ts";
import { buildSearchIndex } from "./searchIndex.ts";

/** Nothing but our own style, scripts and pictures may be loaded, and nothing but this service be spoken to. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** A drawing carries its style in itself. */
const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const PAGE_HEADERS: ResponseHeaders = {
  "Content-Type": "text/html; charset=UTF-8",
  "Content-Security-Policy": PAGE_POLICY,
  "Cache-Control": "no-cache",
  "Referrer-Policy": "no-referrer",
};
const CACHE_FOR_A_YEAR = "public, max-age=31536000, immutable";
const ASSETS_PATH = "/docs/assets/";
const SANDBOX_KEY = "broker";
/** Samples are written for this address; a sandbox shows them with its own. */
const SAMPLE_ORIGIN = "http://127.0.0.1:8080";
/** What says where a command looks by itself must go on saying so. */
const COMMANDS_PATH = "/docs/commands";

type CachedPage = { readonly origin: string; readonly bytes: Buffer; readonly tag: string };
type DocsState = {
  readonly site: DocsSite;
  readonly assets: ReadonlyMap<string, DocsAsset>;
  readonly pageBuilders: ReadonlyMap<string, () => DocsPage>;
  readonly renderedMarkup: Map<string, string>;
  readonly cachedPages: Map<string, CachedPage>;
};

/** What the pages depend on. */
export type DocsPorts = { readonly config: Config; readonly dialects: ReadonlyMap<string, Dialect> };

const docsByService = new WeakMap<DocsPorts, DocsState>();

/** The documentation, at /docs: the answer, if the path is below it. */
export function handleDocs(
  ports: DocsPorts,
  request: IncomingMessage,
  origin: string,
  path: string,
): HttpResponse | undefined {
  if (path !== DOCS_INDEX && !path.startsWith(`${DOCS_INDEX}/`)) return undefined;
  const { method } = request;
  if (isReadMethod(method)) return docsResponse(ports, origin, path);
  if (method !== "OPTIONS") return METHOD_NOT_ALLOWED("GET, HEAD");
  return docsResponse(ports, origin, path).status === 404 ? NOT_FOUND("path") : OPTIONS_RESPONSE("GET, HEAD");
}

function docsResponse(ports: DocsPorts, origin: string, path: string): HttpResponse {
  const docs = docsOf(ports, origin);
  if (path.startsWith(ASSETS_PATH)) return assetResponse(docs, path.slice(ASSETS_PATH.length));
  const canonicalPath = withoutSlashes(path);
  if (canonicalPath !== path) return { status: 301, headers: { Location: `${docs.site.base}${canonicalPath}` } };
  const redirect = REDIRECTS.get(path);
  if (redirect) return { status: redirect.status, headers: { Location: `${docs.site.base}${redirect.to}` } };
  if (path === SEARCH_INDEX_PATH) return searchIndexResponse(docs);
  return pageResponse(ports, docs, path, origin);
}

/** Not by a pattern, which would try each slash of a row that does not end the path. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

function docsOf(ports: DocsPorts, origin: string): DocsState {
  const docs = docsByService.get(ports) ?? openDocs(ports, basePathOf(origin));
  docsByService.set(ports, docs);
  return docs;
}

type DocsRedirect = { readonly status: 301 | 302; readonly to: string };

/** 302 for a shortened address, whose target may change with the next version; 301 for a page that was renamed. */
const REDIRECTS: ReadonlyMap<string, DocsRedirect> = new Map<string, DocsRedirect>([
  ["/docs/api", { status: 302, to: VERSIONS[0]!.path }],
  ["/docs/guides", { status: 302, to: `${DOCS_INDEX}#guides` }],
  ...RENAMED_PAGES.map(([from, to]) => [from, { status: 301, to }] as const),
]);

function openDocs(ports: DocsPorts, base: string): DocsState {
  const { config } = ports;
  const files = loadAssets();
  const versions = new Map([...files].map(([name, { bytes }]) => [name, contentTagOf(bytes)]));
  const hasKnownKey = config.sandbox && config.accounts.has(hashOf(SANDBOX_KEY));
  const site: DocsSite = {
    base,
    sandbox: config.sandbox,
    key: hasKnownKey ? SANDBOX_KEY : "",
    asset: (name) => `${base}${ASSETS_PATH}${name}?v=${versions.get(name)}`,
  };
  return {
    site,
    assets: files,
    pageBuilders: pageBuildersOf(ports, site, files),
    renderedMarkup: new Map(),
    cachedPages: new Map(),
  };
}

/** What makes each page; a page is made when it is first asked for. */
function pageBuildersOf(ports: DocsPorts, site: DocsSite, files: DocsState["assets"]): DocsState["pageBuilders"] {
  const markdownFiles = markdownPages();
  const pathOfFile = new Map([...markdownFiles].map(([path, file]) => [file, path])).set("errors.md", "/docs/errors");
  for (const segment of [...SEGMENTS, "site"]) pathOfFile.set(`api/${segment}.json`, `/docs/api/${segment}`);
  const addressOf = (linkedFile: string): string | undefined => {
    // Pages at the top of the repository link to docs/ from outside.
    const file = linkedFile.replace(/^\.\.\/docs\//, "");
    const [, assetName = file] = /^(?:procedures|\.\.\/deploy)\/([\w.-]+)$/.exec(file) ?? [];
    if (files.has(assetName)) return site.asset(assetName);
    const path = pathOfFile.get(file) ?? pathOfFile.get(`${file.replace(/\/$/, "")}/README.md`);
    return path && site.base + path;
  };
  const pageBuilders = new Map<string, () => DocsPage>();
  for (const [path, file] of markdownFiles)
    pageBuilders.set(path, () => {
      const { title, markup } = renderMarkdown(readDoc(file), { file, addressOf }, chaptersTitleOf(path));
      return { path, title, content: path === COMMANDS_PATH ? withServerHint(markup) : { markup } };
    });
  for (const [segment, dialect] of ports.dialects) {
    if (ALIASES.includes(segment)) continue;
    const describe = () => describeApi(dialect, ports.dialects.get(OLDEST)!) as OpenApiDocument;
    pageBuilders.set(`/docs/api/${segment}`, () => referencePage(describe(), segment, site));
  }
  pageBuilders.set("/docs/api/site", () => referencePage(describeUnversionedApi() as OpenApiDocument, "site", site));
  pageBuilders.set("/docs/errors", () => errorsPage(allRules(), addressOf));
  pageBuilders.set(DOCS_INDEX, () => indexPage(site));
  return pageBuilders;
}

/** Commands ask a server of their own choice, unless somebody tells them which. */
function withServerHint(markup: string): Markup {
  const hint = html`<p>To use them with this server: <code>export TENDERHALL_URL=${ORIGIN_PLACEHOLDER}</code></p>`;
  return { markup: markup.replace("</h1>\n", () => `</h1>\n${hint.markup}\n`) };
}

/** A file of several chapters has no title of its own. */
const chaptersTitleOf = (path: string): string | undefined =>
  path === "/docs/operations" ? pageTitleOf(path) : undefined;

function pageResponse({ config }: DocsPorts, docs: DocsState, path: string, origin: string): HttpResponse {
  const buildPage = docs.pageBuilders.get(path);
  if (!buildPage) return renderNotFound(docs, path);
  const cached = docs.cachedPages.get(path);
  if (cached?.origin === origin) return constantResponse(cached);
  const markup = docs.renderedMarkup.get(path) ?? renderLayout(buildPage(), docs.site).markup;
  docs.renderedMarkup.set(path, markup);
  // An origin is a checked address: it has no character that markup would mind.
  const here = origin.replace(/["'&<>]/g, encodeURIComponent);
  const samples = config.sandbox && path !== COMMANDS_PATH ? here : SAMPLE_ORIGIN;
  const bytes = Buffer.from(markup.replaceAll(SAMPLE_ORIGIN, () => samples).replaceAll(ORIGIN_PLACEHOLDER, () => here));
  const tag = `"${contentTagOf(bytes)}"`;
  const page = { origin, bytes, tag };
  docs.cachedPages.set(path, page);
  return constantResponse(page);
}

/** The same bytes for everybody who comes by the same address. */
const constantResponse = (
  { bytes, tag }: Pick<CachedPage, "bytes" | "tag">,
  headers: ResponseHeaders = PAGE_HEADERS,
): HttpResponse => ({
  status: 200,
  headers: { ...headers, ETag: tag },
  bytes,
  isConstant: true,
});

/** For people who went astray, wherever that was. */
export function notFoundPageResponse(ports: DocsPorts, origin: string, path: string): HttpResponse {
  return renderNotFound(docsOf(ports, origin), path);
}

const SEARCH_INDEX_HEADERS: ResponseHeaders = { ...PAGE_HEADERS, "Content-Type": "application/json; charset=UTF-8" };

/** Made when somebody first looks for something. */
function searchIndexResponse({ pageBuilders, cachedPages }: DocsState): HttpResponse {
  const cached = cachedPages.get(SEARCH_INDEX_PATH);
  if (cached) return constantResponse(cached, SEARCH_INDEX_HEADERS);
  const bytes = Buffer.from(
    JSON.stringify(buildSearchIndex([...pageBuilders.values()].map((buildPage) => buildPage()))),
  );
  const page = { origin: "", bytes, tag: `"${contentTagOf(bytes)}"` };
  cachedPages.set(SEARCH_INDEX_PATH, page);
  return constantResponse(page, SEARCH_INDEX_HEADERS);
}

function renderNotFound({ site }: DocsState, path: string): HttpResponse {
  const content = html`<h1>There is no such page</h1>
<p>There is nothing at <code>${withBreakPoints(path)}</code>. See the <a href="${site.base}/">home page</a> or the contents.</p>`;
  const page = renderLayout({ path: DOCS_INDEX, title: "Not found", content }, site);
  return { status: 404, headers: { ...PAGE_HEADERS, Vary: "Accept" }, bytes: Buffer.from(page.markup) };
}

/** Names carry the version of what they name, so that it may be kept for good. */
function assetResponse({ assets }: DocsState, name: string): HttpResponse {
  const asset = assets.get(name);
  if (!asset) return { status: 404, headers: { "Content-Type": "text/plain" }, bytes: Buffer.from("Not found\n") };
  const { bytes, type } = asset;
  const policy = type === "image/svg+xml" ? DRAWING_POLICY : PAGE_POLICY;
  const headers = { "Content-Type": type, "Content-Security-Policy": policy, "Cache-Control": CACHE_FOR_A_YEAR };
  return constantResponse({ bytes, tag: `"${contentTagOf(bytes)}"` }, headers);
}

const contentTagOf = (bytes: Buffer): string => etagOf(bytes).replaceAll('"', "");
