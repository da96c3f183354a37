import { required } from "../../../base/required.ts";
import type { ListedRule } from "../../../http/errorRules.ts";
import { EMPTY_MARKUP, html, type Markup, withBreakPoints } from "../../markup.ts";
import { NEWEST_VERSION } from "../contents.ts";
import { exampleOf, withSampleDates } from "../examples.ts";
import type { DocsSite } from "../layout.ts";
import { renderInline } from "../markdown.ts";
import {
  type DocumentedOperation,
  type DocumentedResponse,
  type ParameterObject,
  refName,
  schemaExample,
} from "../openapiDocument.ts";
import { bodySummary, exampleText, sentence, type TypeAddress } from "../schemaTables.ts";
import { errorRulesOf } from "./operationErrors.ts";
import type { Reference } from "./resources.ts";
import { sampleRequestOf } from "./sampleRequest.ts";
import { codeBlock, samplesOf } from "./samples.ts";

/** What an operation needs from the page that it is on. */
export type OperationContext = {
  readonly reference: Reference;
  readonly site: DocsSite;
  readonly addressOf: TypeAddress;
  /** The address of the same operation in the newest version, for older versions that have one. */
  readonly newestAddressOf: (operation: DocumentedOperation) => string | undefined;
};

export const endpoint = ({ method, path }: DocumentedOperation): Markup =>
  html`<span class="method ${method.toLowerCase()}">${method}</span> <code class="path">${withBreakPoints(path)}</code>`;

/** An operation: its explanation, and beside it a request and the response to it. */
export function operationSection(operation: DocumentedOperation, context: OperationContext): Markup {
  const { id, method, summary, needsKey } = operation;
  const { reference, site } = context;
  const example = exampleOf(operation, reference.document);
  const root = required(reference.document.servers[0], "the server of the document").url.replace(/\/$/, "");
  const data = example && withSampleDates(example, new Date());
  return html`<section class="operation" id="${id}">
<header><h2><a class="anchor" href="#${id}">${{ markup: renderInline(summary) }}</a></h2>
<p class="endpoint">${endpoint(operation)} <span class="quiet">${needsKey ? "needs an API key" : "needs no key"}</span></p></header>
<div class="explained">
${newestLink(operation, context)}${explanation(operation, context)}
</div>
<div class="shown">
<h3>Request</h3>
${samplesOf(sampleRequestOf(operation, root, data, site), id)}
${responseExample(operation)}
${site.sandbox || method === "GET" ? tryItForm(operation, root, example) : EMPTY_MARKUP}
</div>
</section>
`;
}

function newestLink(operation: DocumentedOperation, { newestAddressOf }: OperationContext): Markup {
  const address = newestAddressOf(operation);
  return address
    ? html`<p class="quiet"><a href="${address}">The same in ${NEWEST_VERSION.name}</a></p>\n`
    : EMPTY_MARKUP;
}

function explanation(operation: DocumentedOperation, context: OperationContext): Markup {
  const { description, responses } = operation;
  return html`${sentence(description)}
${parameterList(operation, context)}
${requestBody(operation, context)}
<h3>Returns</h3>
<ul class="returns">
${responses.map((response) => responseItem(response, context.addressOf))}</ul>
${errorList(operation, context)}`;
}

function parameterList({ parameters }: DocumentedOperation, { reference, site }: OperationContext): Markup {
  const [common, own] = partition(parameters, ({ name }) => reference.commonParameters.has(name));
  if (parameters.length === 0) return EMPTY_MARKUP;
  const links = common.map(
    ({ name }) =>
      html`<a href="${site.base}${reference.path}#${parameterAnchor(name)}"><code>${withBreakPoints(name)}</code></a>`,
  );
  return html`<h3>Parameters</h3>
${own.length > 0 ? parameterDescriptions(own) : EMPTY_MARKUP}${common.length > 0 ? html`<p class="common">${own.length > 0 ? "And the" : "The"} common ones: ${commaList(links)}</p>` : EMPTY_MARKUP}`;
}

export const parameterAnchor = (name: string): string => `parameter-${name}`;

/** What parameters mean, with ids for links where the list is the one that links lead to. */
export const parameterDescriptions = (
  parameters: readonly ParameterObject[],
  hasIds = false,
): Markup => html`<dl class="parameters">
${parameters.map(
  ({ name, in: place, required, description, example, schema }) =>
    html`<dt${hasIds ? html` id="${parameterAnchor(name)}"` : EMPTY_MARKUP}><code>${withBreakPoints(name)}</code> <span class="quiet">${place}${required ? ", required" : ""}</span></dt><dd>${sentence(description)}${exampleText(example ?? (schema && schemaExample(schema)))}</dd>\n`,
)}</dl>
`;

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

function requestBody(operation: DocumentedOperation, { reference, site, addressOf }: OperationContext): Markup {
  const { json, takesFile, requirements } = operation;
  if (!json && !takesFile) return EMPTY_MARKUP;
  const proceduresLink = html` <a href="${site.base}/docs/procedures">Who may do what when</a>`;
  return html`<h3>Body</h3>
<ul>
${takesFile ? html`<li>a multipart form with the file as <code>file</code></li>\n` : EMPTY_MARKUP}${json ? html`<li>JSON with ${bodySummary(json, addressOf)}</li>\n` : EMPTY_MARKUP}</ul>
${fieldNames(operation, reference)}
${requirements ? html`<p>${{ markup: renderInline(requirements) }}${proceduresLink}</p>` : EMPTY_MARKUP}`;
}

/** The fields that a client may send, by name: the type says the rest. */
function fieldNames({ json }: DocumentedOperation, { document }: Reference): Markup {
  const ref = json?.properties?.data?.$ref;
  const properties = ref ? document.components.schemas[refName(ref)]?.properties : undefined;
  const names = Object.entries(properties ?? {}).filter(([, { readOnly }]) => !readOnly);
  if (names.length === 0) return EMPTY_MARKUP;
  const codes = names.map(([name]) => html`<code>${withBreakPoints(name)}</code>`);
  return html`<p>Fields of <code>data</code>: ${commaList(codes)}</p>`;
}

const responseItem = ({ status, description, schema }: DocumentedResponse, addressOf: TypeAddress): Markup =>
  html`<li><code>${status}</code> ${{ markup: renderInline(description) }}${schema ? html` JSON with ${bodySummary(schema, addressOf, true)}` : EMPTY_MARKUP}</li>\n`;

/** The rules about single fields are many and the same for every body, so that one link leads to all of them. */
export const FIELD_TOPIC = "Format of requests";

export const topicAnchor = (topic: string): string => `topic-${topic.toLowerCase().replaceAll(/\W+/g, "-")}`;

export const ruleLink = ({ id }: ListedRule, base: string): Markup =>
  html`<a href="${base}/docs/errors#${id}"><code>${id}</code></a>`;

function errorList(operation: DocumentedOperation, { site, reference }: OperationContext): Markup {
  const overview = site.base + reference.path;
  const byStatus = Map.groupBy(errorRulesOf(operation), ({ id: rule, statuses }) =>
    required(statuses[0], `the status of ${rule}`),
  );
  const items = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, rules]) => {
      const links = rules.filter(({ topic }) => topic !== FIELD_TOPIC).map((rule) => ruleLink(rule, site.base));
      const hasFieldRules = rules.length > links.length;
      const fieldRules = html`<a href="${site.base}/docs/errors#${topicAnchor(FIELD_TOPIC)}">wrong or missing fields</a>`;
      return html`<li><code>${status}</code> ${commaList(hasFieldRules ? [...links, fieldRules] : links)}</li>\n`;
    });
  const shared = operation.method === "GET" ? "every request" : "every request that writes";
  return html`<h3>Errors</h3>
<ul class="errors">
${items}<li><a href="${overview}#errors">Errors of ${shared}</a></li>
</ul>`;
}

export const commaList = (items: readonly Markup[]): readonly Markup[] =>
  items.map((item, i) => html`${i > 0 ? ", " : ""}${item}`);

function responseExample({ responses }: DocumentedOperation): Markup {
  const shown = responses.find(({ example }) => example !== undefined);
  if (!shown) return EMPTY_MARKUP;
  const { status, example } = shown;
  const isText = typeof example === "string";
  const text = isText ? example.trimEnd() : JSON.stringify(example, null, 2);
  return html`<h3>Response</h3>
<figure class="code output"><figcaption>${status}</figcaption>${codeBlock(text, "json")}</figure>`;
}

const HIDDEN_INPUTS = ["opt_pretty", "opt_jsonp", "acc_token", "X-Access-Token"];

/** For an attribute with single quotes: JSON has many double ones, each of which would take six letters. */
const inSingleQuotes = (text: string): Markup => ({
  markup: text.replaceAll("&", "&amp;").replaceAll("'", "&#39;").replaceAll("<", "&lt;"),
});

/** All that the script needs to build the form when it is opened. */
function tryItForm(operation: DocumentedOperation, root: string, example: object | undefined): Markup {
  const { id, method, path, parameters, takesFile, needsKey } = operation;
  const inputs = parameters
    .filter(({ name }) => !HIDDEN_INPUTS.includes(name))
    .map(({ name, in: where, required = false }) => ({ name, where, required }));
  const takesToken = parameters.some(({ name }) => name === "X-Access-Token");
  const formSpec = { id, method, path: root + path, inputs, takesToken, takesFile, needsKey, body: example };
  return html`<details class="tryit"><summary>Try it</summary><div data-operation='${inSingleQuotes(JSON.stringify(formSpec))}'></div></details>`;
}
