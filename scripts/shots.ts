// `npm run shots`: screenshots of the main pages, for people to look at.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { parseArgs } from "node:util";
import { start } from "../src/app/start.ts";
import { systemClock } from "../src/app/systemClock.ts";
import { openProgress } from "../src/cli/output/progress.ts";
import { runCli } from "../src/cli/runCli.ts";
import { configOf } from "../src/config/config.ts";
import { openLog } from "../src/ops/log.ts";
import { type BrowserSession, openBrowser } from "../test/support/browser.ts";
import { BROWSER_MISSING } from "../test/support/chromium.ts";
import { type NamedPage, portalPages } from "../test/support/pagesToLookAt.ts";

const HELP = `npm run shots -- [--url URL] [--only PART] [--dir shots]

Writes a picture of each main page to the folder: on a phone and on a desk, light and dark, in Ukrainian and English. Without
--url it starts a server of its own and fills it with demo tenders. --only takes the pages whose name contains PART.
`;

const VIEWS = [
  { name: "desk", width: 1280, height: 900, prefix: "" },
  { name: "phone", width: 390, height: 844, prefix: "" },
  { name: "desk-dark-en", width: 1280, height: 900, dark: true, prefix: "/en" },
] as const;

const { values } = parseArgs({
  options: {
    url: { type: "string" },
    only: { type: "string", default: "" },
    dir: { type: "string", default: "shots" },
    help: { type: "boolean", short: "h" },
  },
});

if (values.help) process.stdout.write(HELP);
else if (BROWSER_MISSING) fail(BROWSER_MISSING);
else if (values.url === undefined) await withDemo((url) => takeShots(url));
else await takeShots(values.url.replace(/\/+$/, ""));

function fail(problem: string): void {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

/** Starts a server with demo tenders, which is stopped after the use. */
async function withDemo(use: (url: string) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "tenderhall-shots-"));
  const config = configOf({ PORT: "0", DATA_DIR: dataDir });
  if (!("port" in config)) throw new Error(`invalid settings: ${config}`);
  const log = openLog(() => {}, { info: false });
  const server = await start(config, { clock: systemClock, log });
  try {
    process.stderr.write("Creating demo tenders ...\n");
    const terminal = { in: new PassThrough(), out: new PassThrough().resume(), err: { write: () => {} } };
    const { code, err } = await runCli(["demo", "--tenders", "60", "--url", server.url], {}, terminal);
    if (code !== 0) throw new Error(err);
    await use(server.url);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function takeShots(url: string): Promise<void> {
  const pages = (await portalPages(url)).filter(({ name }) => name.includes(values.only));
  mkdirSync(values.dir, { recursive: true });
  const browser = await openBrowser();
  const progress = openProgress({ label: "Looking", total: pages.length, unit: "pages", out: process.stderr });
  try {
    for (const page of pages) {
      await takeShot(browser, url, page);
      progress.step(1);
    }
  } finally {
    progress.end();
    await browser.close();
  }
  process.stdout.write(`${pages.length * VIEWS.length} pictures are in ${values.dir}\n`);
}

async function takeShot(browser: BrowserSession, url: string, { name, path }: NamedPage): Promise<void> {
  for (const { name: viewName, prefix, ...view } of VIEWS) {
    const address = prefix === "" ? path : `${prefix}${path === "/" ? "" : path}`;
    const { page } = await browser.open(url + address, view);
    await page.screenshot({ path: join(values.dir, `${name}-${viewName}.png`), fullPage: true });
    await page.close();
  }
}
