import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

/** Checks pages with axe. */

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Violation = { readonly id: string; readonly impact: string; readonly nodes: readonly { readonly html: string }[] };

/** All rules of axe: levels A, AA and AAA, best practices, and experimental ones. */
const TAGS = ["wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"];
/** The contrast of level AAA, which axe checks only on request. */
const RULES = { "color-contrast-enhanced": { enabled: true } };

/** The violations that axe finds, of any impact. */
export async function violationsOn(
  page: Page,
  options: object = { runOnly: TAGS, rules: RULES },
): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const run = `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ["violations"] })}).then(({ violations }) => violations)`;
  const violations = (await page.evaluate(run)) as readonly Violation[];
  return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join("\n  ")}`);
}
