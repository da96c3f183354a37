import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The files that the site is made of, all below docs/ and deploy/, which go with the program wherever it is installed. */

const DOCS = new URL("../../../docs/", import.meta.url);
const DEPLOY = new URL("../../../deploy/", import.meta.url);

export const readDoc = (file: string): string => readFileSync(new URL(file, DOCS), "utf8");

const found = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: fileURLToPath(DOCS) })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();

/** By the path on the site, the file below docs/: a README is the page of its folder. */
export function writtenPages(): ReadonlyMap<string, string> {
  return new Map(found("**/*.md").map((file) => [`/docs/${file.replace(/\.md$/, "").replace(/\/README$/, "")}`, file]));
}

const TYPES: { readonly [extension: string]: string } = {
  css: "text/css; charset=UTF-8",
  js: "text/javascript; charset=UTF-8",
  svg: "image/svg+xml",
};

export type Asset = { readonly bytes: Buffer; readonly type: string };

const PLAIN = "text/plain; charset=UTF-8";

/** By name: the site's style and scripts, the drawings of the procedures, and the files to deploy by. */
export function assets(): ReadonlyMap<string, Asset> {
  const files = [...found("assets/*.{css,js}"), ...found("procedures/*.svg")];
  const own = files.map((file) => [file.split("/").at(-1)!, assetAt(new URL(file, DOCS))] as const);
  const deployed = globSync("*", { cwd: fileURLToPath(DEPLOY) });
  return new Map([...own, ...deployed.map((file) => [file, assetAt(new URL(file, DEPLOY))] as const)]);
}

const assetAt = (place: URL): Asset => ({
  bytes: readFileSync(place),
  type: TYPES[place.pathname.split(".").at(-1)!] ?? PLAIN,
});
