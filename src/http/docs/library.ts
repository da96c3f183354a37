import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The files that the site is made of: docs/ of this project, and the site's own style, scripts and pictures. */

const DOCS = new URL("../../../docs/", import.meta.url);
const ASSETS = new URL("./assets/", import.meta.url);

export const readDoc = (file: string): string => readFileSync(new URL(file, DOCS), "utf8");
export const hasDoc = (file: string): boolean => existsSync(new URL(file, DOCS));

const found = (pattern: string, folder: URL): readonly string[] =>
  globSync(pattern, { cwd: fileURLToPath(folder) })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();

/** By the path on the site, the file below docs/: a README is the page of its folder. */
export function writtenPages(): ReadonlyMap<string, string> {
  return new Map(
    found("**/*.md", DOCS).map((file) => [`/docs/${file.replace(/\.md$/, "").replace(/\/README$/, "")}`, file]),
  );
}

const TYPES: { readonly [extension: string]: string } = {
  css: "text/css; charset=UTF-8",
  js: "text/javascript; charset=UTF-8",
  svg: "image/svg+xml",
};

export type Asset = { readonly bytes: Buffer; readonly type: string };

/** By name: the site's own, and the drawings of the procedures. */
export function assets(): ReadonlyMap<string, Asset> {
  const own = found("*.{css,js}", ASSETS).map((name) => [name, new URL(name, ASSETS)] as const);
  const drawn = found("procedures/*.svg", DOCS).map((file) => [file.split("/").at(-1)!, new URL(file, DOCS)] as const);
  return new Map(
    [...own, ...drawn].map(([name, url]) => [
      name,
      { bytes: readFileSync(url), type: TYPES[name.split(".").at(-1)!]! },
    ]),
  );
}
