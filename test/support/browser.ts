import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { CHROMIUM } from "./chromium.ts";

/** Nothing that a browser does by itself may be taken for something that a page did. */
const FLAGS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

export type ViewOptions = { readonly width?: number; readonly height?: number; readonly dark?: true };

export type BrowserSession = {
  /** A page, and everything that went wrong on it: what the console said, what was refused, what was asked elsewhere. */
  readonly open: (url: string, view?: ViewOptions) => Promise<{ readonly page: Page; readonly problems: string[] }>;
  readonly close: () => Promise<void>;
};

export async function openBrowser(): Promise<BrowserSession> {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-browser-"));
  const context: BrowserContext = await chromium.launchPersistentContext(folder, {
    executablePath: CHROMIUM,
    args: FLAGS,
    headless: true,
  });
  return {
    open: async (url, { width = 1280, height = 900, dark } = {}) => {
      const page = await context.newPage();
      const problems: string[] = [];
      collectProblems(page, new URL(url).origin, problems);
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
      await page.goto(url, { waitUntil: "load" });
      return { page, problems };
    },
    close: async () => {
      await context.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A breach of the page's policy is an error on the console as well. */
function collectProblems(page: Page, origin: string, problems: string[]): void {
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => problems.push(`failed: ${request.url()}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith("data:") && new URL(url).origin !== origin) problems.push(`left the machine: ${url}`);
  });
}
