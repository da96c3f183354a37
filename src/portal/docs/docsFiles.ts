import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The files that the site is made of, all below docs/ and deploy/, which go with the program wherever it is installed. */

const DOCS = new URL("../../../docs/", import.meta.url);
const DEPLOY = new URL("../../../deploy/", import.meta.url);

export const readDoc = (file: string): string => readFileSync(new URL(file, DOCS), "utf8");

const findDocs = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: fileURLToPath(DOCS) })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();

/** By the path on the site, the file below docs/: a README is the page of its folder. */
export function markdownPages(): ReadonlyMap<string, string> {
  return new Map(
    findDocs("**/*.md").map((file) => [`/docs/${file.replace(/\.md$/, "").replace(/\/README$/, "")}`, file]),
  );
}

const MEDIA_TYPES: { readonly [extension: string]: string } = {
  css: "text/css; charset=UTF-8",
  js: "text/javascript; charset=UTF-8",
  svg: "image/svg+xml",
};

export type DocsAsset = { readonly bytes: Buffer; readonly type: string };

const PLAIN_TEXT = "text/plain; charset=UTF-8";

/** By name: the site's style and scripts, the drawings of the procedures, and the files to deploy by. */
export function loadAssets(): ReadonlyMap<string, DocsAsset> {
  const files = [...findDocs("assets/*.{css,js}"), ...findDocs("procedures/*.svg")];
  const docsAssets = files.map((file) => [file.split("/").at(-1)!, readAsset(new URL(file, DOCS))] as const);
  const deployFiles = globSync("*", { cwd: fileURLToPath(DEPLOY) });
  return new Map([...docsAssets, ...deployFiles.map((file) => [file, readAsset(new URL(file, DEPLOY))] as const)]);
}

const readAsset = (url: URL): DocsAsset => ({
  bytes: readFileSync(url),
  type: MEDIA_TYPES[url.pathname.split(".").at(-1)!] ?? PLAIN_TEXT,
});
