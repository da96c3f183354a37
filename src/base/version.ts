import { readFileSync } from "node:fs";

/** Of this program, as package.json has it: in the checkout and in the packed file one folder up. */
export const VERSION = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
  .version as string;
