import { CURRENT_SEGMENT, SEGMENTS } from "../../dialects/dialects.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { DOCS_INDEX, SECTIONS } from "./contents.ts";
import { type DocsPage, type DocsSite, nextStep, ORIGIN_PLACEHOLDER, versionNumberLinks } from "./layout.ts";

/** The first page of the documentation: all sections with their pages. */
export function indexPage({ base, sandbox }: DocsSite): DocsPage {
  const content = html`<h1>Documentation</h1>
<p class="lead">Tenderhall is a public procurement registry over HTTP and JSON. You can integrate with it in an afternoon, on your own laptop, without waiting for real deadlines.</p>
${
  sandbox
    ? html`<p>This is a sandbox: every sample of the guides works here unchanged, and you can try every operation of the reference on its page. To use the command line with this server, run <code>export TENDERHALL_URL=${ORIGIN_PLACEHOLDER}</code>.</p>`
    : html`<p>This is a production registry. The samples are for a sandbox of your own: <code>npm start</code> runs one on your laptop.</p>`
}
${nextStep(DOCS_INDEX, base)}
${SECTIONS.map(
  ({ title, entries }) => html`<h2 id="${title.toLowerCase()}">${title}</h2>
<ul class="cards">
${entries.map((entry) => html`<li><a class="cards-link" href="${base}${entry.path}">${entry.title}</a><p>${entry.summary}</p>${versionNumberLinks(entry, DOCS_INDEX, base)}</li>\n`)}</ul>
`,
)}
${versionsSection(base)}`;
  return { path: DOCS_INDEX, title: "Documentation", content, hasNextStep: true };
}

/** The versions of the API, with the feed of each, which is where most clients begin. */
function versionsSection(base: string): Markup {
  const rows = SEGMENTS.toReversed().map((segment) => {
    const current = segment === CURRENT_SEGMENT ? html` <strong>current</strong>` : EMPTY_MARKUP;
    return html`<tr><th scope="row"><code>${segment}</code>${current}</th>
<td><a href="${base}/api/${segment}/tenders"><code>/api/${segment}<wbr>/tenders</code></a></td>
<td><a href="${base}/docs/api/${segment}" aria-label="Reference of version ${segment}">Reference</a>, <a href="${base}/api/${segment}/openapi.json" aria-label="OpenAPI description of version ${segment}">OpenAPI</a></td></tr>
`;
  });
  return html`<h2 id="versions">Versions of the API</h2>
<p>All versions show the same tenders. Write new clients for ${CURRENT_SEGMENT}, the current version, which the guides use too. The others are for existing clients.</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="versions">
<table>
<thead><tr><th scope="col">Version</th><th scope="col">Feed of tenders</th><th scope="col">Description</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>`;
}
