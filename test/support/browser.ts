import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { CHROMIUM } from "./chromium.ts";

/** Turns off everything that the browser requests by itself, so that every request comes from the page. */
const FLAGS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

/** The viewport and colour scheme of a page, and headers that it sends with every request. */
export type ViewOptions = {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: true;
  readonly headers?: { readonly [name: string]: string };
};

/** A running browser. */
export type BrowserSession = {
  /** Opens a page. `problems` collects console errors, failed requests and requests to other origins. */
  readonly open: (url: string, view?: ViewOptions) => Promise<{ readonly page: Page; readonly problems: string[] }>;
  readonly close: () => Promise<void>;
};

/** Starts Chromium with a new profile, in which scripts of pages can be turned off. */
export async function openBrowser({ scripts = true } = {}): Promise<BrowserSession> {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-browser-"));
  const context: BrowserContext = await chromium.launchPersistentContext(folder, {
    executablePath: CHROMIUM,
    args: FLAGS,
    headless: true,
    javaScriptEnabled: scripts,
  });
  if (!scripts) SCRIPTLESS.add(context);
  return {
    open: async (url, { width = 1280, height = 900, dark, headers = {} } = {}) => {
      const page = await context.newPage();
      const problems: string[] = [];
      collectProblems(page, new URL(url).origin, problems);
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
      await page.setExtraHTTPHeaders(headers);
      await page.goto(url, { waitUntil: "load" });
      return { page, problems };
    },
    close: async () => {
      await context.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** By how many pixels the page is wider than its window. */
export const overflowOf = async (page: Page): Promise<number> =>
  Number(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"));

/** The browsers in which scripts are turned off. */
const SCRIPTLESS = new WeakSet<BrowserContext>();

/**
 * Runs something that waits for timers in the page. Without scripts, no timer of the page ever fires, so scripts are turned on for this
 * while. Scripts of the page itself stay out: the page was loaded without them.
 */
export async function withTimers<Result>(page: Page, run: () => Promise<Result>): Promise<Result> {
  if (!SCRIPTLESS.has(page.context())) return run();
  const devTools = await page.context().newCDPSession(page);
  const setDisabled = (value: boolean) => devTools.send("Emulation.setScriptExecutionDisabled", { value });
  // A new session of the developer tools believes that scripts are on, and ignores a first "false".
  await setDisabled(true);
  await setDisabled(false);
  try {
    return await run();
  } finally {
    await setDisabled(true);
  }
}

/** Violations of the Content-Security-Policy are console errors too. */
function collectProblems(page: Page, origin: string, problems: string[]): void {
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => problems.push(`failed: ${request.url()}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith("data:") && new URL(url).origin !== origin) problems.push(`request to another origin: ${url}`);
  });
}
