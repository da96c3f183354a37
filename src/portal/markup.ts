/** HTML. Strings are escaped when `html` inserts them; `Markup` is inserted as it is. */
export type Markup = { readonly markup: string };

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Characters that reverse or embed the text after them: with one, a file "gpj.exe" seems to be called "exe.jpg". */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/;
const ALL_DIRECTION_CONTROLS = new RegExp(DIRECTION_CONTROLS, "g");

/** Removes characters that change the direction of the text around them, so that it is read as it is written. */
export const withoutDirectionControls = (text: string): string =>
  DIRECTION_CONTROLS.test(text) ? text.replace(ALL_DIRECTION_CONTROLS, "") : text;

/** What must be escaped, and control characters, which HTML does not allow. */
const ESCAPED = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const ALL_ESCAPED = new RegExp(ESCAPED, "g");
const REPLACEMENT_CHARACTER = "\ufffd";

/** Escaped short texts: pages consist of the same few hundred words. */
const escapedTexts = new Map<string, string>();
const CACHED_LENGTH_MAX = 32;
const CACHED_TEXTS_MAX = 2000;

/**
 * Escapes a text for HTML elements and quoted attributes. A control character becomes a visible replacement character; characters that
 * change the direction of text are left out, because the direction of a text of users is that of its element.
 */
export function escapeHtml(text: string): string {
  if (text.length > CACHED_LENGTH_MAX) return escapeText(text);
  const known = escapedTexts.get(text);
  if (known !== undefined) return known;
  const escaped = escapeText(text);
  if (escapedTexts.size >= CACHED_TEXTS_MAX) escapedTexts.clear();
  escapedTexts.set(text, escaped);
  return escaped;
}

// Most texts need nothing, and a test is twice as fast as a replacement that finds nothing.
function escapeText(text: string): string {
  const readable = withoutDirectionControls(text);
  return ESCAPED.test(readable)
    ? readable.replace(ALL_ESCAPED, (character) => ENTITIES[character] ?? REPLACEMENT_CHARACTER)
    : readable;
}

/** The tag of HTML templates: escapes every inserted string and number. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Markup | readonly Markup[])[]
): Markup {
  // Concatenation is much faster than joining a list, and pages consist of thousands of these.
  let markup = parts[0] ?? "";
  for (let i = 0; i < values.length; i++) markup += insertedText(values[i] ?? "") + (parts[i + 1] ?? "");
  return { markup };
}

function insertedText(value: string | number | Markup | readonly Markup[]): string {
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  if ("markup" in value) return value.markup;
  let text = "";
  for (const { markup } of value) text += markup;
  return text;
}

/** Escapes a name and allows line breaks after `.`, `_` and `/`. */
export const withBreakPoints = (name: string): Markup => ({
  markup: escapeHtml(name).replace(/([._/])(?=\w)/g, "$1<wbr>"),
});

/**
 * Puts markup into a text that takes its parameter as a string: `insertMarkup((time) => `Ends at ${time}`, html`<time>…</time>`)`.
 * The rest of the text is escaped.
 */
export function insertMarkup(textWith: (parameter: string) => string, inserted: Markup): Markup {
  const [before = "", ...after] = textWith(PLACEHOLDER).split(PLACEHOLDER);
  return html`${before}${inserted}${after.join("")}`;
}

/** No text contains this character, which HTML does not allow. */
const PLACEHOLDER = "\u0000";

/** No markup, for optional parts of a template. */
export const EMPTY_MARKUP: Markup = { markup: "" };

/**
 * The path in front of all links: that of `origin`, without a trailing slash. Links have no host, so that they stay on
 * the host under which the page was reached, whatever `Host` or PUBLIC_URL say.
 */
export function basePathOf(origin: string): string {
  const path = URL.parse(origin)?.pathname ?? "/";
  return path.replace(/^\/+|\/+$/g, "").replace(/^(?=.)/, "/");
}

/** The icon of all pages, as a data URL. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230b5c4d'/%3E%3Cpath d='M3 6.5 8 3l5 3.5zM4 8h1.6v4H4zm3.2 0h1.6v4H7.2zm3.2 0H12v4h-1.6zM3 12.5h10V14H3z' fill='%23fff'/%3E%3C/svg%3E";
