import { html } from "../markup.ts";
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
)}`;
  return { path: DOCS_INDEX, title: "Documentation", content, hasNextStep: true };
}
