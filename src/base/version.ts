import { readFileSync } from "node:fs";

/** The version in package.json, which is two folders up both in the checkout and in the package. */
export const VERSION: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
