import type { IncomingMessage } from "node:http";
import type { Config } from "../../config.ts";
import { ALIASES, type Dialect, OLDEST, SEGMENTS } from "../../dialects/dialects.ts";
import { hashOf } from "../../registry/secrets.ts";
import { ALLOWED, type Answer, type Headers, METHOD_NOT_ALLOWED, NOT_FOUND } from "../answers.ts";
import { etagOf } from "../conditional.ts";
import { allRules } from "../errorRules.ts";
import { breakable, html, type Markup, pathBelow } from "../markup.ts";
import { describeApi } from "../openapi.ts";
import { describeSite } from "../siteDescription.ts";
import { isRead } from "../standingHeaders.ts";
import { INDEX, titleOf, VERSIONS } from "./contents.ts";
import type { Description } from "./description.ts";
import { errorsPage } from "./errors.ts";
import { indexPage } from "./frontPage.ts";
import { HERE, laidOut, type Page, SEARCHED, type Site } from "./layout.ts";
import { type Asset, assets, readDoc, writtenPages } from "./library.ts";
import { writtenOf } from "./markdown.ts";
import { referencePage } from "./reference.ts";
import { findableOn } from "./searching.ts";

/** Nothing but our own style, scripts and pictures may be loaded, and nothing but this service be spoken to. */
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** A drawing carries its style in itself. */
const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const PAGE_HEADERS: Headers = {
  "Content-Type": "text/html; charset=UTF-8",
  "Content-Security-Policy": POLICY,
  "Cache-Control": "no-cache",
  "Referrer-Policy": "no-referrer",
};
const A_YEAR = "public, max-age=31536000, immutable";
const ASSETS = "/docs/assets/";
const NEWCOMERS_KEY = "broker";
/** Samples are written for this address; a sandbox shows them with its own. */
const SAMPLE_ORIGIN = "http://127.0.0.1:8080";
/** What says where a command looks by itself must go on saying so. */
const COMMANDS = "/docs/commands";

type Kept = { readonly origin: string; readonly bytes: Buffer; readonly tag: string };
type Docs = {
  readonly site: Site;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly makers: ReadonlyMap<string, () => Page>;
  readonly made: Map<string, string>;
  readonly kept: Map<string, Kept>;
};

/** What the pages depend on. */
export type DocsPorts = { readonly config: Config; readonly dialects: ReadonlyMap<string, Dialect> };

const open = new WeakMap<DocsPorts, Docs>();

/** The documentation, at /docs: the answer, if the path is below it. */
export function askDocs(ports: DocsPorts, request: IncomingMessage, origin: string, path: string): Answer | undefined {
  if (path !== INDEX && !path.startsWith(`${INDEX}/`)) return undefined;
  const { method } = request;
  if (isRead(method)) return readDocs(ports, origin, path);
  if (method !== "OPTIONS") return METHOD_NOT_ALLOWED("GET, HEAD");
  return readDocs(ports, origin, path).status === 404 ? NOT_FOUND("path") : ALLOWED("GET, HEAD");
}

function readDocs(ports: DocsPorts, origin: string, path: string): Answer {
  const docs = docsOf(ports, origin);
  if (path.startsWith(ASSETS)) return assetAnswer(docs, path.slice(ASSETS.length));
  const plain = withoutSlashes(path);
  if (plain !== path) return { status: 301, headers: { Location: `${docs.site.base}${plain}` } };
  const led = LEADS.get(path);
  if (led) return { status: 302, headers: { Location: `${docs.site.base}${led}` } };
  if (path === SEARCHED) return searchedAnswer(docs);
  return pageAnswer(ports, docs, path, origin);
}

/** Not by a pattern, which would try each slash of a row that does not end the path. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

function docsOf(ports: DocsPorts, origin: string): Docs {
  const docs = open.get(ports) ?? openDocs(ports, pathBelow(origin));
  open.set(ports, docs);
  return docs;
}

/** Whoever shortens an address finds what it is the beginning of. */
const LEADS: ReadonlyMap<string, string> = new Map([
  ["/docs/api", VERSIONS[0]!.path],
  ["/docs/guides", `${INDEX}#guides`],
]);

function openDocs(ports: DocsPorts, base: string): Docs {
  const { config } = ports;
  const files = assets();
  const versions = new Map([...files].map(([name, { bytes }]) => [name, tagOf(bytes)]));
  const hasKnownKey = config.sandbox && config.accounts.has(hashOf(NEWCOMERS_KEY));
  const site: Site = {
    base,
    sandbox: config.sandbox,
    key: hasKnownKey ? NEWCOMERS_KEY : "",
    asset: (name) => `${base}${ASSETS}${name}?v=${versions.get(name)}`,
  };
  return { site, assets: files, makers: makersOf(ports, site, files), made: new Map(), kept: new Map() };
}

/** What makes each page; a page is made when it is first asked for. */
function makersOf(ports: DocsPorts, site: Site, files: Docs["assets"]): Docs["makers"] {
  const written = writtenPages();
  const pathOfFile = new Map([...written].map(([path, file]) => [file, path])).set("errors.md", "/docs/errors");
  for (const segment of [...SEGMENTS, "site"]) pathOfFile.set(`api/${segment}.json`, `/docs/api/${segment}`);
  const addressOf = (file: string): string | undefined => {
    const [, shown] = /^(?:procedures|\.\.\/deploy)\/([\w.-]+)$/.exec(file) ?? [];
    if (shown && files.has(shown)) return site.asset(shown);
    const path = pathOfFile.get(file) ?? pathOfFile.get(`${file.replace(/\/$/, "")}/README.md`);
    return path && site.base + path;
  };
  const makers = new Map<string, () => Page>();
  for (const [path, file] of written)
    makers.set(path, () => {
      const { title, markup } = writtenOf(readDoc(file), { file, addressOf }, nameOfChapters(path));
      return { path, title, content: path === COMMANDS ? forHere(markup) : { markup } };
    });
  for (const [segment, dialect] of ports.dialects) {
    if (ALIASES.includes(segment)) continue;
    const describe = () => describeApi(dialect, ports.dialects.get(OLDEST)!) as Description;
    makers.set(`/docs/api/${segment}`, () => referencePage(describe(), segment, site));
  }
  makers.set("/docs/api/site", () => referencePage(describeSite() as Description, "site", site));
  makers.set("/docs/errors", () => errorsPage(allRules(), addressOf));
  makers.set(INDEX, () => indexPage(site));
  return makers;
}

/** Commands ask a server of their own choice, unless somebody tells them which. */
function forHere(markup: string): Markup {
  const told = html`<p>To use them with this server: <code>export TENDERHALL_URL=${HERE}</code></p>`;
  return { markup: markup.replace("</h1>\n", () => `</h1>\n${told.markup}\n`) };
}

/** A file of several chapters has no title of its own. */
const nameOfChapters = (path: string): string | undefined => (path === "/docs/operations" ? titleOf(path) : undefined);

function pageAnswer({ config }: DocsPorts, docs: Docs, path: string, origin: string): Answer {
  const maker = docs.makers.get(path);
  if (!maker) return missing(docs, path);
  const kept = docs.kept.get(path);
  if (kept?.origin === origin) return constant(kept);
  const markup = docs.made.get(path) ?? laidOut(maker(), docs.site).markup;
  docs.made.set(path, markup);
  // An origin is a checked address: it has no character that markup would mind.
  const here = origin.replace(/["'&<>]/g, encodeURIComponent);
  const samples = config.sandbox && path !== COMMANDS ? here : SAMPLE_ORIGIN;
  const bytes = Buffer.from(markup.replaceAll(SAMPLE_ORIGIN, () => samples).replaceAll(HERE, () => here));
  const tag = `"${tagOf(bytes)}"`;
  const made = { origin, bytes, tag };
  docs.kept.set(path, made);
  return constant(made);
}

/** The same bytes for everybody who comes by the same address. */
const constant = ({ bytes, tag }: Pick<Kept, "bytes" | "tag">, headers: Headers = PAGE_HEADERS): Answer => ({
  status: 200,
  headers: { ...headers, ETag: tag },
  bytes,
  isConstant: true,
});

/** For people who went astray, wherever that was. */
export function missingPage(ports: DocsPorts, origin: string, path: string): Answer {
  return missing(docsOf(ports, origin), path);
}

const SEARCHED_HEADERS: Headers = { ...PAGE_HEADERS, "Content-Type": "application/json; charset=UTF-8" };

/** Made when somebody first looks for something. */
function searchedAnswer({ makers, kept }: Docs): Answer {
  const known = kept.get(SEARCHED);
  if (known) return constant(known, SEARCHED_HEADERS);
  const bytes = Buffer.from(JSON.stringify(findableOn([...makers.values()].map((make) => make()))));
  const made = { origin: "", bytes, tag: `"${tagOf(bytes)}"` };
  kept.set(SEARCHED, made);
  return constant(made, SEARCHED_HEADERS);
}

function missing({ site }: Docs, path: string): Answer {
  const content = html`<h1>There is no such page</h1>
<p>There is nothing at <code>${breakable(path)}</code>. <a href="${site.base}/">The first page</a> shows how the registry stands, and the contents list all there is to read.</p>`;
  const page = laidOut({ path: INDEX, title: "Not found", content }, site);
  return { status: 404, headers: { ...PAGE_HEADERS, Vary: "Accept" }, bytes: Buffer.from(page.markup) };
}

/** Names carry the version of what they name, so that it may be kept for good. */
function assetAnswer({ assets }: Docs, name: string): Answer {
  const asset = assets.get(name);
  if (!asset) return { status: 404, headers: { "Content-Type": "text/plain" }, bytes: Buffer.from("Not found\n") };
  const { bytes, type } = asset;
  const policy = type === "image/svg+xml" ? DRAWING_POLICY : POLICY;
  const headers = { "Content-Type": type, "Content-Security-Policy": policy, "Cache-Control": A_YEAR };
  return constant({ bytes, tag: `"${tagOf(bytes)}"` }, headers);
}

const tagOf = (bytes: Buffer): string => etagOf(bytes).replaceAll('"', "");
