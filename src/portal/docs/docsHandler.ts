import type { IncomingMessage } from "node:http";
import { required } from "../../base/required.ts";
import { hashOf } from "../../base/secrets.ts";
import type { Config } from "../../config/config.ts";
import { ALIASES, type Dialect, dialectNamed, OLDEST, SEGMENTS } from "../../dialects/dialects.ts";
import { METHOD_NOT_ALLOWED, NOT_FOUND } from "../../http/errorResponses.ts";
import { allRules } from "../../http/errorRules.ts";
import { etagOf } from "../../http/etags.ts";
import { type HttpResponse, OPTIONS_RESPONSE, type ResponseHeaders } from "../../http/responses.ts";
import { isReadMethod } from "../../http/securityHeaders.ts";
import { describeApi } from "../../openapi/openapi.ts";
import { describeUnversionedApi } from "../../openapi/unversionedOpenapi.ts";
import { basePathOf, html, type Markup, withBreakPoints } from "../markup.ts";
import { DOCS_INDEX, NEWEST_VERSION, pageTitleOf, RENAMED_PAGES } from "./contents.ts";
import { type DocsAsset, loadAssets, markdownPages, readDoc } from "./docsFiles.ts";
import { errorsPage } from "./errorsPage.ts";
import { indexPage } from "./indexPage.ts";
import { type DocsPage, type DocsSite, ORIGIN_PLACEHOLDER, renderLayout, SEARCH_INDEX_PATH } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import type { OpenApiDocument } from "./openapiDocument.ts";
import { referencePages } from "./reference/referencePages.ts";
import { divideIntoResources } from "./reference/resources.ts";
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
/** Names what all versions share. */
const UNVERSIONED = "site";
const SANDBOX_KEY = "broker";
/** Samples are written for this address; a sandbox shows them with its own. */
const SAMPLE_ORIGIN = "http://127.0.0.1:8080";
/** What says where a command looks by itself must go on saying so. */
const COMMANDS_PATH = "/docs/commands";

type PageBuilders = ReadonlyMap<string, () => DocsPage>;
/** The pages of the reference of a version (or `site`); undefined for a version that does not exist. */
type ReferenceBuilders = (segment: string) => PageBuilders | undefined;
type CachedPage = { readonly origin: string; readonly bytes: Buffer; readonly tag: string };
type DocsState = {
  readonly site: DocsSite;
  readonly assets: ReadonlyMap<string, DocsAsset>;
  readonly pageBuilders: PageBuilders;
  readonly referenceBuilders: ReferenceBuilders;
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
  ["/docs/api", { status: 302, to: NEWEST_VERSION.path }],
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
    portal: { ...config.site, basePath: base, defaultLanguage: config.language, sandbox: config.sandbox },
    zoneName: config.zone.name,
    sandbox: config.sandbox,
    key: hasKnownKey ? SANDBOX_KEY : "",
    asset: (name) => `${base}${ASSETS_PATH}${name}?v=${versions.get(name)}`,
  };
  return {
    site,
    assets: files,
    pageBuilders: pageBuildersOf(site, files),
    referenceBuilders: referenceBuildersOf(ports, site),
    renderedMarkup: new Map(),
    cachedPages: new Map(),
  };
}

/** Each page outside the reference; a page is rendered at the first request for it. */
function pageBuildersOf(site: DocsSite, files: DocsState["assets"]): PageBuilders {
  const markdownFiles = markdownPages();
  const pathOfFile = new Map([...markdownFiles].map(([path, file]) => [file, path])).set("errors.md", "/docs/errors");
  for (const segment of [...SEGMENTS, UNVERSIONED]) pathOfFile.set(`api/${segment}.json`, `/docs/api/${segment}`);
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
  pageBuilders.set("/docs/errors", () => errorsPage(allRules(), addressOf));
  pageBuilders.set(DOCS_INDEX, () => indexPage(site));
  return pageBuilders;
}

// The module `openapi` builds both descriptions in this form; its tests validate them.
const openApiDocument = (description: unknown) => description as OpenApiDocument;

/** An OpenAPI document is built at the first request for a page of its version, and all its pages come from that one. */
function referenceBuildersOf(ports: DocsPorts, site: DocsSite): ReferenceBuilders {
  const oldest = dialectNamed(ports.dialects, OLDEST);
  const newestSegment = NEWEST_VERSION.name;
  const documentOf = (segment: string): OpenApiDocument | undefined => {
    if (segment === UNVERSIONED) return openApiDocument(describeUnversionedApi());
    const dialect = ALIASES.includes(segment) ? undefined : ports.dialects.get(segment);
    return dialect && openApiDocument(describeApi(dialect, oldest));
  };
  const newestReference = once(() =>
    divideIntoResources(required(documentOf(newestSegment), "the newest version"), newestSegment),
  );
  const builders = new Map<string, PageBuilders>();
  return (segment) => {
    const known = builders.get(segment);
    if (known) return known;
    const document = segment === newestSegment ? newestReference().document : documentOf(segment);
    if (!document) return undefined;
    const pages = referencePages(document, segment, site, newestReference);
    builders.set(segment, pages);
    return pages;
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const REFERENCE_PATH = /^\/docs\/api\/([^/]+)/;

function pageBuilderOf({ pageBuilders, referenceBuilders }: DocsState, path: string): (() => DocsPage) | undefined {
  const [, segment] = REFERENCE_PATH.exec(path) ?? [];
  return pageBuilders.get(path) ?? (segment ? referenceBuilders(segment)?.get(path) : undefined);
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
  const buildPage = pageBuilderOf(docs, path);
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

const SEARCH_INDEX_HEADERS: ResponseHeaders = { ...PAGE_HEADERS, "Content-Type": "application/json; charset=UTF-8" };

/** Made when somebody first looks for something. */
function searchIndexResponse({ pageBuilders, referenceBuilders, cachedPages }: DocsState): HttpResponse {
  const cached = cachedPages.get(SEARCH_INDEX_PATH);
  if (cached) return constantResponse(cached, SEARCH_INDEX_HEADERS);
  // The newest version stands for all, as they say nearly the same.
  const references = [NEWEST_VERSION.name, UNVERSIONED].flatMap((segment) => [
    ...required(referenceBuilders(segment), `the reference of ${segment}`).values(),
  ]);
  const pages = [...pageBuilders.values(), ...references].map((buildPage) => buildPage());
  const bytes = Buffer.from(JSON.stringify(buildSearchIndex(pages)));
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
