import assert from "node:assert/strict";
import type { Tender } from "../../src/domain/model/tender.ts";
import type { Instant } from "../../src/domain/values/time.ts";
import type { Language } from "../../src/portal/layout/languages.ts";
import { messagesIn } from "../../src/portal/layout/messages/messages.ts";
import { renderPortalPage } from "../../src/portal/layout/pageLayout.ts";
import type { PortalSite } from "../../src/portal/layout/portalPage.ts";
import { readPageQuery } from "../../src/portal/tender/pageQuery.ts";
import { screenOf } from "../../src/portal/tender/screenOf.ts";
import { entryCountOf, tenderPage } from "../../src/portal/tender/tenderPage.ts";
import type { TenderScreen } from "../../src/portal/tender/tenderScreen.ts";
import { zone } from "./decisions.ts";

/** Pages of tenders rendered without a server. */

export const SITE: PortalSite = {
  name: "Tenderhall",
  origin: "https://tenders.example",
  basePath: "",
  defaultLanguage: "uk",
  sandbox: false,
};

/** A tender at an instant: a scene. */
type Moment = { readonly tender: Tender; readonly now: Instant };

export const screenAt = ({ tender, now }: Moment, language: Language = "en"): TenderScreen =>
  screenOf(tender, { now, zone, sandbox: false }, { language, site: SITE });

/** The whole document, and what is wrong with the query. */
export function renderTender(scene: Moment, language: Language = "en", query = ""): string {
  const screen = screenAt(scene, language);
  const read = readPageQuery(
    new URLSearchParams(query),
    (section) => entryCountOf(screen, section),
    messagesIn(language).tender,
  );
  return renderPortalPage(tenderPage({ ...screen, query: read.query }, read.problems), SITE, language).markup;
}

/** The text of a page as people read it, in one line. */
export const visibleText = (page: string): string =>
  page
    .slice(page.indexOf("<main"))
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replaceAll(/[\s\u00a0]+/g, " ");

/** The text of one section of the page. */
export function sectionText(page: string, id: string): string {
  const start = page.indexOf(`<section class="card" id="${id}"`);
  return start < 0 ? "" : visibleText(`<main>${page.slice(start, page.indexOf("</section>", start))}`).trim();
}

const PAIRED = [
  ..."html head body main nav section div p span ul ol li dl dt dd table thead tbody tr th td caption".split(" "),
  ..."details summary a strong bdi time h1 h2 h3 h4 figure figcaption svg text form label button script title".split(
    " ",
  ),
];

/** Fails unless the elements of the page are closed, its ids are unique and referred to, and no value is missing. */
export function assertSound(page: string): void {
  assert.doesNotMatch(page, /undefined|\[object |NaN|Invalid Date/);
  for (const tag of PAIRED) {
    const opened = page.split(new RegExp(`<${tag}[ >]`)).length;
    assert.equal(opened, page.split(`</${tag}>`).length, `<${tag}>`);
  }
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);
  assert.deepEqual(
    ids.filter((id, i) => ids.indexOf(id) !== i),
    [],
    "ids are unique",
  );
  const referred = [...page.matchAll(/ (?:aria-labelledby|for)="([^"]+)"| href="#([^"]+)"/g)];
  for (const [, names, anchor] of referred)
    for (const id of (names ?? anchor ?? "").split(" ")) assert.ok(ids.includes(id), `#${id}`);
}
