import { html } from "../markup.ts";
import { DOCS_INDEX, SECTIONS } from "./contents.ts";
import { type DocsPage, type DocsSite, nextStep, ORIGIN_PLACEHOLDER, versionNumberLinks } from "./layout.ts";

/** What somebody sees first: all there is, in the order in which it is best read. */
export function indexPage({ base, sandbox }: DocsSite): DocsPage {
  const content = html`<h1>Documentation</h1>
<p class="lead">Tenderhall is a public procurement registry over HTTP and JSON. Integrate with it in an afternoon, on your own laptop, without waiting for real time to pass.</p>
${
  sandbox
    ? html`<p>You are looking at a sandbox: every sample of the guides works here as it stands, and every operation of the reference can be tried on its page. Commands begin to ask this server once you have said <code>export TENDERHALL_URL=${ORIGIN_PLACEHOLDER}</code>.</p>`
    : html`<p>You are looking at a registry in production. The samples are written for a sandbox of your own: <code>npm start</code> brings one to your laptop.</p>`
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
