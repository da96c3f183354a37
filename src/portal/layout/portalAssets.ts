import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { posix } from "node:path";
import type { HttpResponse } from "../../http/responses.ts";

/**
 * The style and the scripts of the portal. Scripts are the modules of `src/portal/browser` and everything that they import, such as
 * the engine of auctions. In a checkout they are TypeScript, whose types are stripped when the first page is rendered; in the packed
 * product they are JavaScript already. Nothing else of the source can be requested.
 *
 * The path has the hash of all files, so that a browser may cache them for good, and relative imports lead to files of the same
 * version.
 */

/** The modules that pages run, relative to `src/`, with the extension that browsers see. */
const ENTRY_SCRIPTS = ["portal/browser/auctionPage.js"];
/**
 * The one stylesheet of all pages, and the files that it consists of, in this order: what it shares with the documentation, the layout,
 * then a file for an area.
 */
const STYLESHEET = "portal/layout/portal.css";
const STYLE_FILES = [
  "portal/layout/base.css",
  STYLESHEET,
  "portal/home/home.css",
  "portal/auctions/auctions.css",
  "portal/search/search.css",
  "portal/changes/changes.css",
  "portal/statistics/statistics.css",
  "portal/calendar/calendar.css",
  "portal/tender/tender.css",
];

/** `src/` in a checkout, `dist/` in the packed product. */
const SOURCE = new URL("../../", import.meta.url);
const ASSETS_PATH = "/assets/";
const VERSION_LENGTH = 16;

type PortalAsset = { readonly bytes: Buffer; readonly type: string };
type PortalAssets = {
  readonly version: string;
  readonly files: ReadonlyMap<string, PortalAsset>;
  readonly imports: ReadonlyMap<string, readonly string[]>;
};

const STATIC_IMPORT = /^(?:(?:import|export)\b[^;"']*?\bfrom|import)\s*["'](\.{1,2}\/[^"']+)["']/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*["'](\.{1,2}\/[^"']+)["']\s*\)/g;

/** The text of a module as JavaScript. `path` ends with `.js`, whatever the file in the source is. */
function readScript(path: string): string {
  const packed = new URL(path, SOURCE);
  if (existsSync(packed)) return readFileSync(packed, "utf8");
  const source = readFileSync(new URL(path.replace(/\.js$/, ".ts"), SOURCE), "utf8");
  return stripTypeScriptTypes(source).replace(/(["']\.{1,2}\/[^"'\n]+)\.ts(["'])/g, "$1.js$2");
}

function loadAssets(): PortalAssets {
  const files = new Map<string, PortalAsset>();
  const imports = new Map<string, readonly string[]>();
  const addScript = (path: string): void => {
    if (files.has(path)) return;
    const text = readScript(path);
    files.set(path, { bytes: Buffer.from(text), type: "text/javascript; charset=UTF-8" });
    const found = (pattern: RegExp) =>
      [...text.matchAll(pattern)].map(([, target = ""]) => posix.join(posix.dirname(path), target));
    const staticImports = found(STATIC_IMPORT);
    imports.set(path, staticImports);
    for (const target of [...staticImports, ...found(DYNAMIC_IMPORT)]) addScript(target);
  };
  for (const path of ENTRY_SCRIPTS) addScript(path);
  const style = Buffer.concat(STYLE_FILES.map((path) => readFileSync(new URL(path, SOURCE))));
  files.set(STYLESHEET, { bytes: style, type: "text/css; charset=UTF-8" });
  const contents = [...files].map(([path, { bytes }]) => `${path} ${hash("sha256", bytes)}`).sort();
  return { version: hash("sha256", contents.join("\n"), "base64url").slice(0, VERSION_LENGTH), files, imports };
}

let loaded: PortalAssets | undefined;

function assetsOf(): PortalAssets {
  loaded ??= loadAssets();
  return loaded;
}

/** The path under which a browser loads an asset: `path` is relative to `src/`. Throws if there is no such asset. */
export function assetPath(basePath: string, path: string): string {
  const { version, files } = assetsOf();
  if (!files.has(path)) throw new Error(`There is no asset ${path}`);
  return `${basePath}${ASSETS_PATH}${version}/${path}`;
}

/** The script and everything that it imports at its start, each once. */
export function scriptPaths(script: string): readonly string[] {
  const { imports } = assetsOf();
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const target of imports.get(path) ?? []) visit(target);
  };
  visit(script);
  return [...found];
}

const POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Handles GET and HEAD of `/assets/…`; `undefined` for any other path. `path` is without the base path. A page of another version of
 * the service gets the present files, which must not be cached under the name of that version.
 */
export function handlePortalAssets(path: string): HttpResponse | undefined {
  if (!path.startsWith(ASSETS_PATH)) return undefined;
  const { version, files } = assetsOf();
  const [, requestedVersion, name = ""] = /^\/assets\/([\w-]+)\/(.+)$/.exec(path) ?? [];
  const file = files.get(name);
  if (!file) return { status: 404, headers: { "Content-Type": "text/plain; charset=UTF-8" }, bytes: NOT_FOUND_TEXT };
  return {
    status: 200,
    headers: {
      "Content-Type": file.type,
      "Content-Security-Policy": POLICY,
      "Cache-Control": requestedVersion === version ? "public, max-age=31536000, immutable" : "no-cache",
      ETag: `"${hash("sha256", file.bytes, "base64url").slice(0, 22)}"`,
    },
    bytes: file.bytes,
    isConstant: true,
  };
}

const NOT_FOUND_TEXT = Buffer.from("Not found\n");
