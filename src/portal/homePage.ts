import { hashOf } from "../base/secrets.ts";
import { shellQuoted } from "../base/shell.ts";
import { hasOwnKey } from "../base/typeGuards.ts";
import type { Config } from "../config/config.ts";
import { CURRENT_SEGMENT, SEGMENTS } from "../dialects/dialects.ts";
import { TENDER_STATUSES, type Tender, type TenderStatus } from "../domain/model/tender.ts";
import { formatInstant, type Instant, type Zone } from "../domain/values/time.ts";
import { firstTenderCommand } from "../http/firstTender.ts";
import { openVersionedCache } from "../http/renderedCache.ts";
import type { HttpResponse, ResponseHeaders } from "../http/responses.ts";
import type { Registry } from "../registry/registry.ts";
import { BAR_STEPS, STYLE, STYLE_HASH } from "./homePageStyle.ts";
import { basePathOf, EMPTY_MARKUP, html, ICON, type Markup } from "./markup.ts";

const CACHE_KEY = "home page";
const CHANGES_SHOWN = 10;
const TITLE_LENGTH_MAX = 140;
const SANDBOX_KEY = "broker";
/** The server that commands use without --url. */
const DEFAULT_ORIGIN = "http://127.0.0.1:8080";

/** The policy allows only the page's own style and icon, so that even a title that escaped as markup could not run or load anything. */
const HEADERS: ResponseHeaders = {
  "Content-Type": "text/html; charset=UTF-8",
  "Content-Security-Policy": `default-src 'none'; style-src '${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "Cache-Control": "no-cache",
  "Referrer-Policy": "no-referrer",
};

/** The statuses in plain words. The page shows the names of the API beside them. */
const STATUS_TITLES: { readonly [status in TenderStatus]: string } = {
  draft: "Draft",
  "active.enquiries": "Open for questions",
  "active.tendering": "Open for bids",
  "active.auction": "In auction",
  "active.qualification": "Choosing a winner",
  "active.awarded": "Winner chosen",
  active: "Direct purchase",
  complete: "Complete",
  cancelled: "Cancelled",
  unsuccessful: "Ended without a winner",
};

type RecentChange = { readonly id: string; readonly title: string; readonly status: string; readonly at: Instant };

/** What the page shows of the registry: only public data, and nothing about bids. */
type RegistrySummary = {
  readonly counts: readonly (readonly [status: string, number: number])[];
  readonly changes: RecentChange[];
};

const cachedSummaries = openVersionedCache<RegistrySummary>();

/** What the home page needs. */
export type HomePagePorts = { readonly registry: Registry; readonly config: Config };

/**
 * Handles `GET /`: a page that says what the registry is, shows its newest changes and counts, and suggests a first step.
 * The data is cached until the registry changes.
 */
export async function showHomePage(ports: HomePagePorts, origin: string): Promise<HttpResponse> {
  const { registry } = ports;
  const version = await registry.catchUp();
  const summaries = cachedSummaries(registry, version);
  const summary = summaries.get(CACHE_KEY) ?? (await summaryOf(registry));
  summaries.set(CACHE_KEY, summary);
  return {
    status: 200,
    headers: HEADERS,
    bytes: Buffer.from(homePage(ports, origin, await registry.nowFor({}), summary).markup),
  };
}

async function summaryOf(registry: Registry): Promise<RegistrySummary> {
  const rows = await registry.feed({ modes: "real", descending: true, beyond: undefined, limit: CHANGES_SHOWN });
  const tenders = await Promise.all(rows.map(({ id }) => registry.tender(id)));
  const changes = tenders.filter((tender) => tender !== undefined).map(changeOf);
  // Counted last, because reading a tender can carry out its deadlines.
  const counts = [...(await registry.countByStatus())].filter(([, count]) => count > 0);
  return { counts: counts.sort(([a], [b]) => statusOrder(a) - statusOrder(b)), changes };
}

function changeOf({ id, tenderID, title = "", status, dateModified }: Tender): RecentChange {
  const readable = shortTitle(title);
  return { id, title: /[\p{L}\p{N}\p{P}\p{S}]/u.test(readable) ? readable : tenderID, status, at: dateModified };
}

/** Statuses are sorted in the order in which a tender goes through them. */
const STATUS_ORDER: readonly string[] = TENDER_STATUSES;
const statusOrder = (status: string): number => STATUS_ORDER.indexOf(status);

const statusTitle = (status: string): string => (hasOwnKey(STATUS_TITLES, status) ? STATUS_TITLES[status] : status);

/** Removes line breaks and characters that change the direction of text. Other invisible characters belong to some scripts. */
const withoutControlCharacters = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "");

/** The beginning of a title for a list. More than four combining marks on one letter would cover the lines above. */
function shortTitle(title: string): string {
  const start = withoutControlCharacters(title.slice(0, TITLE_LENGTH_MAX * 20))
    .replace(/(\p{M}{4})\p{M}+/gu, "$1")
    .trim();
  const letters = [...start];
  if (letters.length <= TITLE_LENGTH_MAX) return start;
  return `${letters.slice(0, TITLE_LENGTH_MAX).join("").trimEnd()}…`;
}

function homePage({ config }: HomePagePorts, origin: string, now: Instant, summary: RegistrySummary): Markup {
  const basePath = basePathOf(origin);
  // A sandbox with its own accounts does not know the public keys.
  const hasKnownKey = config.sandbox && config.accounts.has(hashOf(SANDBOX_KEY));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Tenderhall, a public procurement registry over HTTP and JSON.">
<title>Tenderhall: a public procurement registry</title>
<link rel="icon" href="${ICON}">
<style>${{ markup: STYLE }}</style>
</head>
<body>
<header>
${config.sandbox ? html`<p class="mode">A sandbox to try things in</p>` : EMPTY_MARKUP}
<div class="name"><h1>Tenderhall</h1> <a href="${basePath}/${config.language === "en" ? "" : "en/"}auctions">Auctions</a> <a href="${basePath}/docs">Documentation</a></div>
<p class="lead">A public procurement registry. Buyers publish tenders, suppliers bid for them, and anyone can follow what happens, over HTTP and JSON.</p>
</header>
<main>
${hasKnownKey ? publishingStep(origin, basePath, now) : readingStep(basePath)}
<div class="columns">
<div>
${changesSection(summary, `${basePath}/api/${CURRENT_SEGMENT}`, config.zone)}
${hasKnownKey && summary.changes.length === 0 ? fillingStep(origin) : EMPTY_MARKUP}
</div>
<div>
${statusesSection(summary)}
${versionsSection(basePath)}
</div>
</div>
</main>
<footer>
<p class="quiet">Times are in the time zone ${config.zone.name}. <a href="${basePath}/health">Is the service healthy?</a></p>
</footer>
</body>
</html>
`;
}

/** Suggests to fill an empty sandbox with demo tenders. */
function fillingStep(origin: string): Markup {
  const urlOption = origin === DEFAULT_ORIGIN ? "" : ` --url ${shellQuoted(withoutControlCharacters(origin))}`;
  return html`<section aria-labelledby="fill">
<h2 id="fill">Or fill the sandbox first</h2>
<p>This command creates tenders in every status. Run it in the folder of your checkout:</p>
<pre><code>npx --no-install tenderhall demo${urlOption}</code></pre>
</section>`;
}

function publishingStep(origin: string, basePath: string, now: Instant): Markup {
  const command = firstTenderCommand(withoutControlCharacters(origin), SANDBOX_KEY, now);
  return html`<section class="next" aria-labelledby="next">
<h2 id="next">Next step: publish a tender</h2>
<p>Paste this command into a terminal. It needs no account: the sandbox key <code>${SANDBOX_KEY}</code> is public.</p>
<pre><code>${command}</code></pre>
<p class="quiet">A click or a tap selects all of it. The response contains your tender and, only this once, the token that lets you change it. Then reload this page: your tender is the newest change. To continue, follow <a href="${basePath}/docs/guides/first-tender">a five-minute guide</a>.</p>
</section>`;
}

function readingStep(basePath: string): Markup {
  return html`<section class="next" aria-labelledby="next">
<h2 id="next">Next step: read the feed</h2>
<p>The feed lists every published tender in the order of its last change. Reading needs no key.</p>
<p><a class="go" href="${basePath}/api/${CURRENT_SEGMENT}/tenders?descending=1&amp;opt_pretty=1">Open the feed, newest first</a></p>
<p class="quiet">To publish or to bid you need a key. Ask the operator of this registry for one, and send it as the user name of Basic authentication, with no password.</p>
</section>`;
}

const INVITATION = html`<section aria-labelledby="changes">
<h2 id="changes">Ready for the first tender</h2>
<p>Nothing has been published here yet. Once there are tenders, this page shows the newest changes and the number of tenders in each status.</p>
</section>`;

function changesSection({ changes }: RegistrySummary, root: string, zone: Zone): Markup {
  if (changes.length === 0) return INVITATION;
  const list = html`<ol class="changes" role="list">
${changes.map(({ id, title, status, at }) => {
  const timestamp = formatInstant(at, zone);
  return html`<li><a href="${root}/tenders/${encodeURIComponent(id)}?opt_pretty=1"><bdi lang="">${title}</bdi></a>
<span class="about">${statusTitle(status)}, <time datetime="${timestamp}">${readableTime(timestamp)}</time></span></li>
`;
})}</ol>`;
  return html`<section aria-labelledby="changes">
<h2 id="changes">Newest changes</h2>
${list}
</section>`;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** For example `15 Nov 2026, 05:03`. */
function readableTime(timestamp: string): string {
  const [, year, month, day, clock] = /^(.+)-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(timestamp) ?? [];
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}, ${clock}`;
}

/** The API's name of a status, if it differs from the title. */
const apiStatusName = (status: string): Markup =>
  statusTitle(status).toLowerCase() === status ? EMPTY_MARKUP : html` <code>${status}</code>`;

const NUMBER_FORMAT = new Intl.NumberFormat("en");

function statusesSection({ counts }: RegistrySummary): Markup {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const countMax = Math.max(1, ...counts.map(([, count]) => count));
  if (total === 0) return EMPTY_MARKUP;
  return html`<section aria-labelledby="statuses">
<h2 id="statuses">${NUMBER_FORMAT.format(total)} ${total === 1 ? "tender" : "tenders"} by status</h2>
<table class="statuses" aria-labelledby="statuses">
<thead><tr><th scope="col">Status</th><th scope="col">Tenders</th></tr></thead>
<tbody>
${counts.map(
  ([status, count]) => html`<tr><th scope="row">${statusTitle(status)}${apiStatusName(status)}
<span class="bar" aria-hidden="true"><span class="bar-${Math.ceil((count / countMax) * BAR_STEPS)}"></span></span></th>
<td>${NUMBER_FORMAT.format(count)}</td></tr>
`,
)}</tbody>
</table>
</section>`;
}

function versionsSection(basePath: string): Markup {
  const rows = SEGMENTS.toReversed().map(
    (
      segment,
    ) => html`<tr><th scope="row"><code>${segment}</code>${segment === CURRENT_SEGMENT ? html` <span class="newest">current</span>` : EMPTY_MARKUP}</th>
<td><a href="${basePath}/api/${segment}/tenders"><code>/api/${segment}<wbr>/tenders</code></a></td>
<td><a href="${basePath}/docs/api/${segment}" aria-label="Reference of version ${segment}">Reference</a>, <a href="${basePath}/api/${segment}/openapi.json" aria-label="OpenAPI description of version ${segment}">OpenAPI</a></td></tr>
`,
  );
  return html`<section aria-labelledby="versions">
<h2 id="versions">Versions of the API</h2>
<p>All versions show the same tenders. Write new clients for ${CURRENT_SEGMENT}, the current version, which the guides use too. The others are for existing clients.</p>
<table class="versions" aria-labelledby="versions">
<thead><tr><th scope="col">Version</th><th scope="col">Feed of tenders</th><th scope="col">Description</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</section>`;
}
