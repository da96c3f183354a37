import type { ListedRule as Rule } from "../errorRules.ts";
import { html, type Markup, NOTHING } from "../markup.ts";
import type { Page, Site } from "./layout.ts";
import { codeOf, inlineOf } from "./markdown.ts";

/** Every error looks the same, and says by its status whose turn it is. */
const STATUSES: readonly (readonly [status: string, means: string, todo: string])[] = [
  ["400", "The request is broken", "Look at what was sent: a proxy or a library may have damaged it."],
  [
    "401",
    "No key, or one that is not known",
    "Send the key as the user name of Basic authentication, or as a Bearer token.",
  ],
  ["403", "Not yours, or not now", "Send the owner token; read the status and the moments that the entry names."],
  ["404", "Not there", "Check the ids on the path. A sealed bid is not there for anybody but its owner."],
  ["405", "There is nothing of that kind to do here", "The header Allow lists what there is."],
  ["412", "It changed since you read it", "Read it again, and send If-Match with its new ETag."],
  ["413", "Too large", "The entry names the limit."],
  ["415", "The wrong Content-Type, or a procedure that is not known", "JSON for data, a multipart form for files."],
  ["422", "Fields are wrong", "There is one entry for each field; mend them all and send it again."],
  ["429", "Too many requests", "Wait as long as Retry-After and the RateLimit headers say."],
  ["500", "Our mistake", "Send it again with the same Idempotency-Key; tell the operators the id of the request."],
  [
    "503",
    "The service cannot answer now",
    "Wait as long as Retry-After says, and send it again with the same Idempotency-Key.",
  ],
];

const SHAPE = `{
  "status": "error",
  "errors": [
    {
      "location": "body",
      "name": "data",
      "description": "Can't add bid in current (active.enquiries) tender status",
      "rule": "wrong-status",
      "docs": "http://127.0.0.1:8080/docs/errors#wrong-status",
      "allowedFrom": "2026-03-09T09:00:00+02:00",
      "allowedUntil": "2026-03-16T09:00:00+02:00"
    }
  ]
}`;

export function errorsPage(rules: readonly Rule[], { base }: Site): Page {
  const content = html`<h1>Errors</h1>
<p>A refusal is always the same shape: a status, and an entry for everything that is wrong.</p>
${{ markup: codeOf(SHAPE, "json output") }}
<div class="scroll" tabindex="0" role="region" aria-label="Members of an entry"><table>
<thead><tr><th>member</th><th>what it is</th></tr></thead>
<tbody>
<tr><td><code>location</code>, <code>name</code></td><td>where: a field of the body, a parameter, a header, a part of the address</td></tr>
<tr><td><code>description</code></td><td>what is wrong, for people; under 2.5 it may be a list or an object, as nested as the field</td></tr>
<tr><td><code>rule</code></td><td>which rule refused it, for programs: an id that stays</td></tr>
<tr><td><code>docs</code></td><td>the place on this page that explains the rule</td></tr>
<tr><td><code>allowedFrom</code>, <code>allowedUntil</code></td><td>where time decides: from when and until when it would be taken</td></tr>
</tbody></table></div>
<h2 id="statuses"><a class="anchor" href="#statuses">By status</a></h2>
<div class="scroll" tabindex="0" role="region" aria-label="Statuses"><table>
<thead><tr><th>status</th><th>means</th><th>what to do</th></tr></thead>
<tbody>
${STATUSES.map(([status, means, todo]) => html`<tr><td><code>${status}</code></td><td>${means}</td><td>${todo}</td></tr>\n`)}</tbody>
</table></div>
${rules.length > 0 ? listOf(rules) : NOTHING}
<p>Try it without consequences: <code>?dry_run=1</code> on any write gives the answer and stores nothing. <a href="${base}/docs/guides/first-tender">The first guide</a> shows how.</p>`;
  return { path: "/docs/errors", title: "Errors", content };
}

function listOf(rules: readonly Rule[]): Markup {
  const topics = [...Map.groupBy(rules, ({ topic = "Rules" }) => topic)];
  return html`<h2 id="rules"><a class="anchor" href="#rules">By rule</a></h2>
<p><label for="search">Find a rule</label> <input id="search" type="search" data-search=".rule" autocomplete="off" placeholder="bid, period, token …"></p>
<p class="quiet" id="found" role="status">${rules.length} in all</p>
${topics.map(([topic, members]) => html`<div class="group"><h3>${topic}</h3>\n${members.map(ruleOf)}</div>\n`)}`;
}

function ruleOf({ id, title, text, statuses = [] }: Rule): Markup {
  return html`<section class="rule" id="${id}">
<h4><a class="anchor" href="#${id}"><code>${id}</code></a>${statuses.map((status) => html` <span class="quiet">${status}</span>`)}</h4>
<p><strong>${{ markup: inlineOf(title) }}.</strong> ${{ markup: inlineOf(text) }}</p>
</section>
`;
}
