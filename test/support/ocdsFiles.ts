import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

/** The files of the Open Contracting Data Standard, which are not part of the repository. */

/** The folder with `schema`, `extensions` and `merge-cases`: `OCDS_DIR`, or `shared/ocds` beside the checkout or above it. */
const OCDS_DIR = process.env.OCDS_DIR ?? ["../shared/ocds", "../../shared/ocds"].find((folder) => existsSync(folder));

/** The reason to skip tests that need these files, or false. */
export const NO_OCDS_FILES: string | false =
  OCDS_DIR !== undefined && existsSync(resolve(OCDS_DIR, "schema"))
    ? false
    : "the files of OCDS are missing: set OCDS_DIR to a folder with schema, extensions and merge-cases";

/** The parsed file of this name. */
export const readOcdsFile = (name: string) => JSON.parse(readFileSync(resolve(OCDS_DIR ?? "", name), "utf8"));

/** The codes of a codelist of the standard. */
export const readOcdsCodes = (codelist: string): readonly string[] =>
  codesIn(readFileSync(resolve(OCDS_DIR ?? "", "schema/codelists", codelist), "utf8"));

/** A cell of a CSV file, in quotes or not, and what ends it. */
const CSV_CELL = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/g;

/** The column `Code` of a codelist, which may be any column of the file. */
export function codesIn(csv: string): readonly string[] {
  const rows: string[][] = [[]];
  for (const [, cell = "", end] of csv.matchAll(CSV_CELL)) {
    rows.at(-1)?.push(cell);
    if (end !== ",") rows.push([]);
  }
  const column = rows[0]?.indexOf("Code") ?? -1;
  return rows.slice(1).flatMap((row) => row[column] || []);
}

/** The names of the files in a folder. */
export const listOcdsFiles = (folder: string): readonly string[] => readdirSync(resolve(OCDS_DIR ?? "", folder)).sort();

export const OCDS_EXTENSIONS = ["bids", "enquiries", "lots"] as const;
