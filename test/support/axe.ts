import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { withTimers } from "./browser.ts";

/** Checks pages with axe. */

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Violation = { readonly id: string; readonly impact: string; readonly nodes: readonly { readonly html: string }[] };

/** All rules of axe: levels A, AA and AAA, best practices, and experimental ones. */
const TAGS = ["wcag2a", "wcag2aa", "wcag2aaa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"];
/** The contrast of level AAA, which axe checks only on request. */
const RULES = { "color-contrast-enhanced": { enabled: true } };

/** The contrast rules: dark mode changes only the contrast, so these are all that it needs. */
const CONTRAST = { runOnly: ["color-contrast", "color-contrast-enhanced"], rules: RULES };

/** The violations that axe finds, of any impact. */
export async function violationsOn(
  page: Page,
  options: object = { runOnly: TAGS, rules: RULES },
): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const run = `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ["violations"] })}).then(({ violations }) => violations)`;
  const violations = (await withTimers(page, () => page.evaluate(run))) as readonly Violation[];
  return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join("\n  ")}`);
}

/** The contrast violations of the page in dark mode, up to level AAA. The page is light again afterwards. */
export async function darkViolationsOn(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: "dark" });
  const violations = await violationsOn(page, CONTRAST);
  await page.emulateMedia({ colorScheme: "light" });
  return violations;
}
