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

export type Look = { readonly width?: number; readonly height?: number; readonly dark?: true };

export type Browser = {
  /** A page, and everything that went wrong on it: what the console said, what was refused, what was asked elsewhere. */
  readonly open: (url: string, look?: Look) => Promise<{ readonly page: Page; readonly wrong: string[] }>;
  readonly close: () => Promise<void>;
};

export async function openBrowser(): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-browser-"));
  const context: BrowserContext = await chromium.launchPersistentContext(folder, {
    executablePath: CHROMIUM,
    args: FLAGS,
    headless: true,
  });
  return {
    open: async (url, { width = 1280, height = 900, dark } = {}) => {
      const page = await context.newPage();
      const wrong: string[] = [];
      watch(page, new URL(url).origin, wrong);
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
      await page.goto(url, { waitUntil: "load" });
      return { page, wrong };
    },
    close: async () => {
      await context.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A breach of the page's policy is an error on the console as well. */
function watch(page: Page, origin: string, wrong: string[]): void {
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => wrong.push(`failed: ${request.url()}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith("data:") && new URL(url).origin !== origin) wrong.push(`left the machine: ${url}`);
  });
}
