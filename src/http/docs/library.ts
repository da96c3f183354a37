import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The files that the site is made of, all below docs/, which goes with the program wherever it is installed. */

const DOCS = new URL("../../../docs/", import.meta.url);

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

/** By name: the site's style and scripts, and the drawings of the procedures. */
export function assets(): ReadonlyMap<string, Asset> {
  const files = [...found("assets/*.{css,js}"), ...found("procedures/*.svg")];
  return new Map(
    files.map((file) => [
      file.split("/").at(-1)!,
      { bytes: readFileSync(new URL(file, DOCS)), type: TYPES[file.split(".").at(-1)!]! },
    ]),
  );
}
