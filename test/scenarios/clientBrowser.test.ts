import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { basename } from "node:path";
import { describe, it } from "node:test";
import { chromium } from "playwright-core";
import { BROWSER_MISSING, CHROMIUM } from "../support/chromium.ts";
import { fullTender } from "../support/examples.ts";
import { openWorld } from "../support/world.ts";

/** The client in a real browser, from a page with the origin of the registry. */

const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"];

/** This program runs in the page. */
const PROGRAM = `async (sent) => {
  const { openClient, TenderhallError, verifyWebhook } = await import("/client/index.ts");
  const client = openClient({ url: location.origin, key: "broker" });
  const { data } = await client.tenders.create(sent);
  const told = [];
  const content = "x".repeat(3000000);
  const onProgress = (sent, total) => told.push([sent, total]);
  const document = await client.documents.upload({ tender: data.id }, content, { name: "умови.txt", type: "text/plain", onProgress });
  const text = await (await client.documents.download(document.data)).text();
  const refused = await client.documents.upload({ tender: data.id }, "x", { token: "wrong", onProgress: () => {} }).catch((error) => error);
  const stranger = openClient({ url: location.origin, key: "wrong", timeoutMs: 5000, retries: 0 });
  const unknown = await stranger.tenders.create(sent).catch((error) => error.status ?? String(error));
  const stopped = new AbortController();
  const given = client.documents.upload({ tender: data.id }, content, { signal: stopped.signal, onProgress: () => stopped.abort(new Error("enough")) });
  const why = await given.catch((error) => error.message);
  let followed;
  for await (const change of client.follow({ opt_fields: "title" })) { followed = change; break; }
  return {
    title: document.data.title, same: text === content, first: told[0], last: told.at(-1),
    refused: refused instanceof TenderhallError && [refused.status, refused.errors.length, !!refused.requestId],
    unknown, why, followed: [followed.id === data.id, followed.title], verified: await verifyWebhook({ secret: "s", signature: "t=1,v1=0", body: "" }),
  };
}`;

describe("the client in a browser", () => {
  it("publishes, uploads with progress, downloads and follows the feed", { skip: BROWSER_MISSING }, async (t) => {
    const world = await openWorld({}, true);
    t.after(world.stop);
    const browser = await chromium.launch({ executablePath: CHROMIUM!, args: ARGS });
    t.after(() => browser.close());
    const page = await browser.newPage();
    const troubles: string[] = [];
    page.on("pageerror", (error) => troubles.push(String(error)));
    await page.route(`${world.url}/client/*`, (route) => {
      const source = readFileSync(`src/client/${basename(new URL(route.request().url()).pathname)}`, "utf8");
      return route.fulfill({ contentType: "text/javascript", body: stripTypeScriptTypes(source) });
    });
    await page.route(`${world.url}/empty`, (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html>" }),
    );
    await page.goto(`${world.url}/empty`);
    const result = await page.evaluate(`(${PROGRAM})(${JSON.stringify(fullTender(Date.now() * 1000))})`);
    assert.deepEqual(result, {
      title: "умови.txt",
      same: true,
      first: [0, 3_000_000],
      last: [3_000_000, 3_000_000],
      refused: [403, 1, true],
      // The browser shows no login dialog.
      unknown: 401,
      why: "enough",
      followed: [true, fullTender().title],
      verified: false,
    });
    assert.deepEqual(troubles, []);
  });
});
