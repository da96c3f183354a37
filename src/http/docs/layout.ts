import { html, ICON, type Markup, NOTHING } from "../markup.ts";
import { type Entry, INDEX, nextAfter, SECTIONS } from "./contents.ts";

/** One page of the documentation, before it is laid out. */
export type Page = {
  readonly path: string;
  readonly title: string;
  readonly content: Markup;
  /** Scripts of ours that it needs beside the one of all pages. */
  readonly scripts?: readonly string[];
  readonly wide?: true;
};

export type Site = {
  /** The path that the service stands below, if it does. */
  readonly base: string;
  readonly sandbox: boolean;
  /** The key that the sandbox's newcomers may use; empty where there is none. */
  readonly key: string;
  readonly asset: (name: string) => string;
};

/** The one layout: where you are at the left, the text, and one obvious next step at its end. */
export function laidOut({ path, title, content, scripts = [], wide }: Page, { base, sandbox, asset }: Site): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tenderhall</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${asset("docs.css")}">
${["docs.js", ...scripts].map((name) => html`<script type="module" src="${asset(name)}"></script>\n`)}</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="home" href="${base}/">Tenderhall</a>
<a class="home-docs" href="${base}${INDEX}">Documentation</a>
${sandbox ? html`<span class="mode">sandbox</span>` : NOTHING}
<a class="to-contents" href="#contents">Contents</a>
</header>
<div class="columns">
<main id="content" class="${wide ? "wide" : "text"}" tabindex="-1">
${content}
${nextStep(nextAfter(path), base)}
</main>
<nav id="contents" aria-label="Documentation">
${SECTIONS.map((section) => sectionOf(section.title, section.entries, path, base))}</nav>
</div>
</body>
</html>
`;
}

function sectionOf(title: string, entries: readonly Entry[], path: string, base: string): Markup {
  const isHere = (one: Entry) => path === one.path || path.startsWith(`${one.path}/`);
  return html`<h2>${title}</h2>
<ul>
${entries.map(
  (one) =>
    html`<li><a href="${base}${one.path}"${isHere(one) ? html` aria-current="page"` : NOTHING}>${one.title}</a></li>\n`,
)}</ul>
`;
}

function nextStep({ path, title, about }: Entry, base: string): Markup {
  return html`<aside class="next" aria-label="Next step">
<p class="quiet">Next step</p>
<p><a class="go" href="${base}${path}">${title}</a></p>
<p>${about}</p>
</aside>`;
}
