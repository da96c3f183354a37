import { escapeHtml } from "../../markup.ts";

/** Marks the tokens of a sample for the stylesheet: names, strings, constants and comments. */

export type SampleLanguage = "sh" | "ts" | "python" | "json";

/**
 * One pattern for each language; a named group is the class of what it matches. Text between matches stays as it is, so that a
 * pattern need only know what it colours.
 */
const PATTERNS: { readonly [language in SampleLanguage]: RegExp } = {
  json: /(?<k>"(?:[^"\\]|\\.)*"(?=:))|(?<s>"(?:[^"\\]|\\.)*")|(?<n>\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*)/g,
  sh: /(?<k>\bcurl\b|(?<=\s)--?[A-Za-z][\w-]*)|(?<s>'[^']*'|"[^"]*")|(?<n>\$[A-Z_]+)/g,
  ts: /(?<s>"(?:[^"\\]|\\.)*"|`[^`]*`)|(?<k>\b(?:import|from|const|await|new|for|of)\b)|(?<n>\b(?:true|false|null)\b|\b\d[\d._]*\b)/g,
  python:
    /(?<s>(?:\b[bf])?"(?:[^"\\]|\\.)*"|'[^']*')|(?<k>\b(?:import|with|as|for|in|open|print)\b)|(?<n>\b(?:True|False|None)\b|\b\d[\d._]*\b)/g,
};

export function highlight(text: string, language: SampleLanguage): string {
  let end = 0;
  let marked = "";
  for (const match of text.matchAll(PATTERNS[language])) {
    const [token] = match;
    const kind = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)?.[0];
    const isQuotedJson = language === "sh" && token.startsWith("'{");
    marked += escapeHtml(text.slice(end, match.index));
    marked += isQuotedJson ? highlight(token, "json") : `<span class="${kind}">${escapeHtml(token)}</span>`;
    end = match.index + token.length;
  }
  return marked + escapeHtml(text.slice(end));
}
