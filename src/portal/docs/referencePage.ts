import { EMPTY_MARKUP, html, type Markup, withBreakPoints } from "../markup.ts";
import { pageTitleOf, VERSIONS } from "./contents.ts";
import { exampleOf, withSampleDates } from "./examples.ts";
import { type DocsPage, type DocsSite, ORIGIN_PLACEHOLDER } from "./layout.ts";
import { renderCode, renderInline } from "./markdown.ts";
import {
  type DocumentedOperation,
  documentedOperations,
  groupBySubject,
  type OpenApiDocument,
  type ParameterObject,
} from "./openapiDocument.ts";
import { bodySummary, schemaSection } from "./schemaTables.ts";

/** The reference of one version: everything in it is read off its OpenAPI description. */
export function referencePage(description: OpenApiDocument, segment: string, site: DocsSite): DocsPage {
  const operations = documentedOperations(description);
  const groups = [...groupBySubject(operations)];
  const path = `/docs/api/${segment}`;
  const title = pageTitleOf(path)!;
  const file = segment === "site" ? "/openapi.json" : `/api/${segment}/openapi.json`;
  const content = html`<h1>${title}</h1>
<p>${{ markup: renderInline(description.info.description) }} The same as a file: <a href="${site.base}${file}">OpenAPI 3.1</a>.</p>
<p class="versions">Version ${versionLinks(path, site.base)}</p>
${consoleNotice(site)}
<p class="finder"><label for="search">Find an operation</label> <input id="search" type="search" data-search=".operation" autocomplete="off" placeholder="bids, PATCH, document …"></p>
<p class="quiet" id="found" role="status">${operations.length} operations</p>
${groups.map(([subject, members]) => operationGroup(subject, members, description, site))}
<h2 id="schemas"><a class="anchor" href="#schemas">Schemas</a></h2>
<p>What the bodies are made of. Read-only fields belong to the service and are ignored when sent. What is always there is always in answers; what must be sent is said at the operation.</p>
${Object.entries(description.components.schemas).map(([name, schema]) => schemaSection(name, schema))}`;
  return { path, title, content, scripts: ["tryit.js"], isWide: true };
}

function versionLinks(currentPath: string, base: string): readonly Markup[] {
  const pages = [...VERSIONS, { name: "all of them", path: "/docs/api/site" }];
  return pages.map(({ name, path }) =>
    path === currentPath ? html`<strong>${name}</strong> ` : html`<a href="${base}${path}">${name}</a> `,
  );
}

function consoleNotice({ sandbox, base, key }: DocsSite): Markup {
  const text = sandbox
    ? "Open an operation, change what you like, and send it to this sandbox. What you create is remembered on this page's forms until you close the tab."
    : "This is a registry in production: only what reads can be tried here. For the rest, start a sandbox of your own.";
  return html`<p class="quiet" id="console" data-base="${base}" data-key="${key}">${text}</p>`;
}

const subjectAnchor = (subject: string): string => `about-${subject.toLowerCase().replaceAll(" ", "-")}`;

function operationGroup(
  subject: string,
  members: readonly DocumentedOperation[],
  description: OpenApiDocument,
  site: DocsSite,
): Markup {
  const id = subjectAnchor(subject);
  return html`<section class="group" aria-labelledby="${id}">
<h2 id="${id}"><a class="anchor" href="#${id}">${subject}</a></h2>
${members.map((operation) => operationSection(operation, description, site))}</section>
`;
}

function operationSection(operation: DocumentedOperation, description: OpenApiDocument, site: DocsSite): Markup {
  const { id, method, path, summary, json, requirements, takesFile, responses, errorStatuses, needsKey } = operation;
  const example = exampleOf(operation, description);
  const root = description.servers[0]!.url.replace(/\/$/, "");
  const accepts = [
    ...(json ? [html`<li>JSON with ${bodySummary(json)}</li>`] : []),
    ...(takesFile ? [html`<li>a multipart form with <code>file</code></li>`] : []),
  ];
  return html`<details class="operation" id="${id}">
<summary><span class="method ${method.toLowerCase()}">${method}</span> <code class="path">${withBreakPoints(path)}</code> <span class="what">${{ markup: renderInline(summary) }}</span></summary>
<div class="inside">
<p>${needsKey ? "Needs a key." : "Needs no key."}</p>
${parameterTable(operation.parameters)}
${accepts.length > 0 ? html`<h4>Sends</h4><ul>${accepts}</ul>` : EMPTY_MARKUP}
${requirements ? html`<p>${{ markup: renderInline(requirements) }} <a href="${site.base}/docs/procedures">Who may do what when</a></p>` : EMPTY_MARKUP}
<h4>Answers</h4>
<ul>
${responses.map(({ status, what, schema }) => html`<li><code>${status}</code> ${what}${schema ? html`, with ${bodySummary(schema)}` : EMPTY_MARKUP}</li>\n`)}
<li>${errorStatuses.map((status) => html`<code>${status}</code> `)} why not: <a href="${site.base}/docs/errors">errors</a></li>
</ul>
${site.sandbox || method === "GET" ? tryItForm(operation, root, example) : EMPTY_MARKUP}
<details class="curl"><summary>The same by curl</summary>
${{ markup: renderCode(curlCommand(operation, root, example, site), "sh") }}
</details>
</div>
</details>
`;
}

function parameterTable(parameters: readonly ParameterObject[]): Markup {
  if (parameters.length === 0) return EMPTY_MARKUP;
  return html`<h4>Parameters</h4>
<div class="scroll" tabindex="0" role="region" aria-label="Parameters"><table class="fields stacks">
<thead><tr><th>parameter</th><th>where</th><th>meaning</th></tr></thead>
<tbody>
${parameters.map(
  ({ name, in: where, required, description = "" }) =>
    html`<tr><td data-column="parameter"><code>${withBreakPoints(name)}</code></td><td data-column="where">${where}${required ? ", required" : ""}</td><td data-column="meaning">${{ markup: renderInline(description) }}</td></tr>\n`,
)}</tbody></table></div>`;
}

const escapeSingleQuotes = (text: string): string => text.replaceAll("'", String.raw`'\''`);

/** Ids and tokens are variables of the shell, named as the parameters are. */
function curlCommand(
  operation: DocumentedOperation,
  root: string,
  example: object | undefined,
  { key }: DocsSite,
): string {
  const { method, path, needsKey, takesFile, isStream } = operation;
  const address = `${ORIGIN_PLACEHOLDER}${root}${path.replaceAll(/\{(\w+)\}/g, (_, name) => `$${name.toUpperCase()}`)}`;
  const token = needsKey && path.includes("{") ? "?acc_token=$TOKEN" : "";
  const body = example && JSON.stringify({ data: withSampleDates(example, new Date()) }, null, 2);
  return [
    isStream ? "curl -sN --max-time 5" : "curl -s",
    ...(method === "GET" || (method === "POST" && (body || takesFile)) ? [] : [`-X ${method}`]),
    ...(needsKey ? [`-u ${key || "$KEY"}:`] : []),
    ...(takesFile ? ["-F file=@terms.txt"] : []),
    `"${address}${token}"`,
    ...(body ? [`\\\n  -H 'Content-Type: application/json' -d '${escapeSingleQuotes(body)}'`] : []),
  ].join(" ");
}

/** All that the script needs to build the form when it is opened. */
function tryItForm(operation: DocumentedOperation, root: string, example: object | undefined): Markup {
  const { id, method, path, parameters, takesFile, needsKey } = operation;
  const inputs = parameters
    .filter(({ name }) => !["opt_pretty", "opt_jsonp", "acc_token", "X-Access-Token"].includes(name))
    .map(({ name, in: where, required = false }) => ({ name, where, required }));
  const takesToken = parameters.some(({ name }) => name === "X-Access-Token");
  const formSpec = { id, method, path: root + path, inputs, takesToken, takesFile, needsKey, body: example };
  return html`<div class="tryit" data-operation="${JSON.stringify(formSpec)}"></div>`;
}
