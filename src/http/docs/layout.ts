import { html, ICON, type Markup, NOTHING } from "../markup.ts";
import { type Entry, INDEX, isWithin, nextAfter, SECTIONS } from "./contents.ts";

/** One page of the documentation, before it is laid out. */
export type Page = {
  readonly path: string;
  readonly title: string;
  readonly content: Markup;
  /** Scripts of ours that it needs beside the one of all pages. */
  readonly scripts?: readonly string[];
  readonly wide?: true;
  /** It shows its next step itself. */
  readonly leadsOn?: true;
};

export type Site = {
  /** The path that the service stands below, if it does. */
  readonly base: string;
  readonly sandbox: boolean;
  /** The key that the sandbox's newcomers may use; empty where there is none. */
  readonly key: string;
  readonly asset: (name: string) => string;
};

/** What the search looks in. */
export const SEARCHED = `${INDEX}/search.json`;

/** Stands for the address that this very service is reached under. */
export const HERE = "http://this-service.invalid";

/** The one layout: where you are at the left, the text, and one obvious next step at its end. */
export function laidOut(page: Page, { base, sandbox, asset }: Site): Markup {
  const { path, title, content, scripts = [], wide, leadsOn } = page;
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
<a class="skip" href="#contents">Skip to the contents</a>
<header class="top" data-searched="${base}${SEARCHED}" data-base="${base}">
<a class="home" href="${base}/">Tenderhall</a>
<a class="home-docs" href="${base}${INDEX}">Documentation</a>
${sandbox ? html`<span class="mode">sandbox</span>` : NOTHING}
<a class="to-contents" href="#contents">Contents</a>
</header>
<div class="columns">
<main id="content" class="${wide ? "wide" : "text"}" tabindex="-1">
${content}
${leadsOn ? NOTHING : nextStep(path, base)}
</main>
<nav id="contents" aria-label="Documentation" tabindex="-1">
${SECTIONS.map((section) => sectionOf(section.title, section.entries, path, base))}</nav>
</div>
</body>
</html>
`;
}

function sectionOf(title: string, entries: readonly Entry[], path: string, base: string): Markup {
  return html`<h2>${title}</h2>
<ul>
${entries.map((one) => html`<li>${linkOf(one, path, base)}${versionsOf(one, path, base)}</li>\n`)}</ul>
`;
}

const CURRENT = html` aria-current="page"`;

const linkOf = (one: Entry, path: string, base: string): Markup =>
  html`<a href="${base}${one.path}"${isWithin(path, one) ? CURRENT : NOTHING}>${one.title}</a>`;

/** By its number, each version's page. */
export function versionsOf({ versions = [], title }: Entry, path: string, base: string): Markup {
  if (versions.length === 0) return NOTHING;
  const links = versions.map(
    ({ name, path: own }) =>
      html`<a href="${base}${own}" aria-label="${title} ${name}"${own === path ? CURRENT : NOTHING}>${name}</a>\n`,
  );
  return html`<span class="numbers">${links}</span>`;
}

export function nextStep(after: string, base: string): Markup {
  const { path, title, about } = nextAfter(after);
  return html`<aside class="next" aria-label="Next step">
<p class="quiet">Next step</p>
<p><a class="go" href="${base}${path}">${title}</a></p>
<p>${about}</p>
</aside>`;
}
