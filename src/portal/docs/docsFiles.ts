import { globSync, readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { required } from "../../base/required.ts";

/** The files of the documentation. They are part of the installed package, so the service needs no checkout. */

const DOCS = new URL("../../../docs/", import.meta.url);
const DEPLOY = new URL("../../../deploy/", import.meta.url);

export const readDoc = (file: string): string => readFileSync(new URL(file, DOCS), "utf8");

const findDocs = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: fileURLToPath(DOCS) })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();

/** Pages that stand at the top of the repository, where readers of the source look for them. */
const TOP_LEVEL_PAGES: readonly (readonly [path: string, file: string])[] = [
  ["/docs/architecture", "../ARCHITECTURE.md"],
  ["/docs/glossary", "../GLOSSARY.md"],
];

/** The Markdown file of each page, relative to docs/. A README is the page of its folder. */
export function markdownPages(): ReadonlyMap<string, string> {
  const pages = findDocs("**/*.md").map(
    (file) => [`/docs/${file.replace(/\.md$/, "").replace(/\/README$/, "")}`, file] as const,
  );
  return new Map([...pages, ...TOP_LEVEL_PAGES]);
}

const MEDIA_TYPES: { readonly [extension: string]: string } = {
  ".css": "text/css; charset=UTF-8",
  ".js": "text/javascript; charset=UTF-8",
  ".svg": "image/svg+xml",
};

export type DocsAsset = { readonly bytes: Buffer; readonly type: string };

/** The stylesheet of all pages. It begins with what they share with the portal. */
const STYLESHEET = "docs.css";
const BASE_STYLE = new URL("../layout/base.css", import.meta.url);

const PLAIN_TEXT = "text/plain; charset=UTF-8";

/** The assets of the site by name: its style and scripts, the diagrams, and the files of deploy/. */
export function loadAssets(): ReadonlyMap<string, DocsAsset> {
  const base = readFileSync(BASE_STYLE);
  const files = [...findDocs("assets/*.{css,js}"), ...findDocs("{.,procedures}/*.svg")];
  const docsAssets = files.map((file) => [basename(file), readAsset(new URL(file, DOCS))] as const);
  const style = required(new Map(docsAssets).get(STYLESHEET), STYLESHEET);
  const deployFiles = globSync("*", { cwd: fileURLToPath(DEPLOY) });
  return new Map([
    ...docsAssets,
    [STYLESHEET, { ...style, bytes: Buffer.concat([base, style.bytes]) }],
    ...deployFiles.map((file) => [file, readAsset(new URL(file, DEPLOY))] as const),
  ]);
}

const readAsset = (url: URL): DocsAsset => ({
  bytes: readFileSync(url),
  type: MEDIA_TYPES[extname(url.pathname)] ?? PLAIN_TEXT,
});
