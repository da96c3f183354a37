import { html, type Markup } from "../../markup.ts";
import { curlSample } from "./curlSample.ts";
import { highlight, type SampleLanguage } from "./highlight.ts";
import { pythonSample } from "./pythonSample.ts";
import type { SampleRequest } from "./sampleRequest.ts";
import { typescriptSample } from "./typescriptSample.ts";

type Writer = {
  readonly title: string;
  readonly language: SampleLanguage;
  readonly write: (request: SampleRequest) => string;
};

const WRITERS: readonly Writer[] = [
  { title: "curl", language: "sh", write: curlSample },
  { title: "TypeScript", language: "ts", write: typescriptSample },
  { title: "Python", language: "python", write: pythonSample },
];

export const codeBlock = (text: string, language: SampleLanguage): Markup =>
  html`<pre tabindex="0" data-language="${language}"><code>${{ markup: highlight(text, language) }}</code></pre>`;

/**
 * The same request in each language. The tabs are radio buttons, of which the stylesheet shows the chosen one's sample: they
 * work without scripts, and a browser that does not understand the selector shows all samples.
 */
export function samplesOf(request: SampleRequest, id: string): Markup {
  const tabs = WRITERS.map(
    ({ title, language }, i) =>
      html`<label><input type="radio" name="language-${id}" value="${language}"${{ markup: i === 0 ? " checked" : "" }}> ${title}</label>\n`,
  );
  const blocks = WRITERS.map(({ language, write }) => codeBlock(write(request), language));
  return html`<div class="code samples">
<fieldset><legend class="visually-hidden">Language of the sample</legend>
${tabs}</fieldset>
${blocks}
</div>`;
}
