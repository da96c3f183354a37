import { breakable, html, type Markup, NOTHING } from "../markup.ts";
import { titleOf, VERSIONS } from "./contents.ts";
import { bySubject, type Description, type OperationSeen, operationsOf, type Parameter } from "./description.ts";
import { dated, exampleOf } from "./examples.ts";
import { HERE, type Page, type Site } from "./layout.ts";
import { codeOf, inlineOf } from "./markdown.ts";
import { bodyOf, schemaSection } from "./schemas.ts";

/** The reference of one version: everything in it is read off its OpenAPI description. */
export function referencePage(description: Description, segment: string, site: Site): Page {
  const operations = operationsOf(description);
  const groups = [...bySubject(operations)];
  const path = `/docs/api/${segment}`;
  const title = titleOf(path)!;
  const file = segment === "site" ? "/openapi.json" : `/api/${segment}/openapi.json`;
  const content = html`<h1>${title}</h1>
<p>${{ markup: inlineOf(description.info.description) }} The same as a file: <a href="${site.base}${file}">OpenAPI 3.1</a>.</p>
<p class="versions">Version ${versionLinks(path, site.base)}</p>
${siteConsole(site)}
<p class="finder"><label for="search">Find an operation</label> <input id="search" type="search" data-search=".operation" autocomplete="off" placeholder="bids, PATCH, document …"></p>
<p class="quiet" id="found" role="status">${operations.length} operations</p>
${groups.map(([subject, members]) => groupOf(subject, members, description, site))}
<h2 id="schemas"><a class="anchor" href="#schemas">Schemas</a></h2>
<p>What the bodies are made of. Read-only fields belong to the service and are ignored when sent. What is always there is always in answers; what must be sent is said at the operation.</p>
${Object.entries(description.components.schemas).map(([name, schema]) => schemaSection(name, schema))}`;
  return { path, title, content, scripts: ["tryit.js"], wide: true };
}

function versionLinks(here: string, base: string): readonly Markup[] {
  const all = [...VERSIONS, { name: "all of them", path: "/docs/api/site" }];
  return all.map(({ name, path }) =>
    path === here ? html`<strong>${name}</strong> ` : html`<a href="${base}${path}">${name}</a> `,
  );
}

function siteConsole({ sandbox, base, key }: Site): Markup {
  const text = sandbox
    ? "Open an operation, change what you like, and send it to this sandbox. What you create is remembered on this page's forms until you close the tab."
    : "This is a registry in production: only what reads can be tried here. For the rest, start a sandbox of your own.";
  return html`<p class="quiet" id="console" data-base="${base}" data-key="${key}">${text}</p>`;
}

const anchorOf = (subject: string): string => `about-${subject.toLowerCase().replaceAll(" ", "-")}`;

function groupOf(subject: string, members: readonly OperationSeen[], description: Description, site: Site): Markup {
  const id = anchorOf(subject);
  return html`<section class="group" aria-labelledby="${id}">
<h2 id="${id}"><a class="anchor" href="#${id}">${subject}</a></h2>
${members.map((one) => operationOf(one, description, site))}</section>
`;
}

function operationOf(operation: OperationSeen, description: Description, site: Site): Markup {
  const { id, method, path, summary, json, needs, takesFile, answers, refusals, needsKey } = operation;
  const example = exampleOf(operation, description);
  const root = description.servers[0]!.url.replace(/\/$/, "");
  const accepts = [
    ...(json ? [html`<li>JSON with ${bodyOf(json)}</li>`] : []),
    ...(takesFile ? [html`<li>a multipart form with <code>file</code></li>`] : []),
  ];
  return html`<details class="operation" id="${id}">
<summary><span class="method ${method.toLowerCase()}">${method}</span> <code class="path">${breakable(path)}</code> <span class="what">${{ markup: inlineOf(summary) }}</span></summary>
<div class="inside">
<p>${needsKey ? "Needs a key." : "Needs no key."}</p>
${parametersOf(operation.parameters)}
${accepts.length > 0 ? html`<h4>Sends</h4><ul>${accepts}</ul>` : NOTHING}
${needs ? html`<p>${{ markup: inlineOf(needs) }} <a href="${site.base}/docs/procedures">Who may do what when</a></p>` : NOTHING}
<h4>Answers</h4>
<ul>
${answers.map(({ status, what, schema }) => html`<li><code>${status}</code> ${what}${schema ? html`, with ${bodyOf(schema)}` : NOTHING}</li>\n`)}
<li>${refusals.map((status) => html`<code>${status}</code> `)} why not: <a href="${site.base}/docs/errors">errors</a></li>
</ul>
${site.sandbox || method === "GET" ? consoleOf(operation, root, example) : NOTHING}
<details class="curl"><summary>The same by curl</summary>
${{ markup: codeOf(curlOf(operation, root, example, site), "sh") }}
</details>
</div>
</details>
`;
}

function parametersOf(parameters: readonly Parameter[]): Markup {
  if (parameters.length === 0) return NOTHING;
  return html`<h4>Parameters</h4>
<div class="scroll" tabindex="0" role="region" aria-label="Parameters"><table class="fields stacks">
<thead><tr><th>parameter</th><th>where</th><th>meaning</th></tr></thead>
<tbody>
${parameters.map(
  ({ name, in: where, required, description = "" }) =>
    html`<tr><td data-column="parameter"><code>${breakable(name)}</code></td><td data-column="where">${where}${required ? ", required" : ""}</td><td data-column="meaning">${{ markup: inlineOf(description) }}</td></tr>\n`,
)}</tbody></table></div>`;
}

const quoted = (text: string): string => text.replaceAll("'", String.raw`'\''`);

/** Ids and tokens are variables of the shell, named as the parameters are. */
function curlOf(operation: OperationSeen, root: string, example: object | undefined, { key }: Site): string {
  const { method, path, needsKey, takesFile, isStream } = operation;
  const address = `${HERE}${root}${path.replaceAll(/\{(\w+)\}/g, (_, name) => `$${name.toUpperCase()}`)}`;
  const token = needsKey && path.includes("{") ? "?acc_token=$TOKEN" : "";
  const body = example && JSON.stringify({ data: dated(example, new Date()) }, null, 2);
  return [
    isStream ? "curl -sN --max-time 5" : "curl -s",
    ...(method === "GET" || (method === "POST" && (body || takesFile)) ? [] : [`-X ${method}`]),
    ...(needsKey ? [`-u ${key || "$KEY"}:`] : []),
    ...(takesFile ? ["-F file=@terms.txt"] : []),
    `"${address}${token}"`,
    ...(body ? [`\\\n  -H 'Content-Type: application/json' -d '${quoted(body)}'`] : []),
  ].join(" ");
}

/** All that the script needs to build the form when it is opened. */
function consoleOf(operation: OperationSeen, root: string, example: object | undefined): Markup {
  const { id, method, path, parameters, takesFile, needsKey } = operation;
  const inputs = parameters
    .filter(({ name }) => !["opt_pretty", "opt_jsonp", "acc_token", "X-Access-Token"].includes(name))
    .map(({ name, in: where, required = false }) => ({ name, where, required }));
  const takesToken = parameters.some(({ name }) => name === "X-Access-Token");
  const told = { id, method, path: root + path, inputs, takesToken, takesFile, needsKey, body: example };
  return html`<div class="tryit" data-operation="${JSON.stringify(told)}"></div>`;
}
