import type { ListedRule as Rule } from "../../http/errorRules.ts";
import { html, type Markup } from "../markup.ts";
import { ERRORS_INTRODUCTION } from "./errorsIntroduction.ts";
import type { DocsPage } from "./layout.ts";
import { type MarkdownSource, renderInline, renderMarkdown } from "./markdown.ts";
import { topicAnchor } from "./reference/operationSection.ts";

/** The same as docs/errors.md says, with a search among the rules. */
export function errorsPage(rules: readonly Rule[], addressOf: MarkdownSource["addressOf"]): DocsPage {
  const { title, markup } = renderMarkdown(ERRORS_INTRODUCTION, { file: "errors.md", addressOf });
  return { path: "/docs/errors", title, content: html`${{ markup }}${ruleList(rules)}` };
}

function ruleList(rules: readonly Rule[]): Markup {
  const topics = [...Map.groupBy(rules, ({ topic }) => topic)];
  return html`<h2 id="rules"><a class="anchor" href="#rules">By rule</a></h2>
<p class="finder"><label for="search">Find a rule</label> <input id="search" type="search" data-search=".rule" autocomplete="off" placeholder="bid, period, token …"></p>
<p class="quiet" id="found" role="status">${rules.length} in all</p>
${topics.map(([topic, members]) => html`<div class="group"><h3 id="${topicAnchor(topic)}">${topic}</h3>\n${members.map(ruleSection)}</div>\n`)}`;
}

function ruleSection({ id, title, text, statuses }: Rule): Markup {
  return html`<section class="rule" id="${id}">
<h4><a class="anchor" href="#${id}"><code>${id}</code></a>${statuses.map((status) => html` <span class="quiet">${status}</span>`)}</h4>
<p><strong>${{ markup: renderInline(title) }}.</strong> ${{ markup: renderInline(text) }}</p>
</section>
`;
}
