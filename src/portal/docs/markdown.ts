import { posix } from "node:path";
import { Marked, type Renderer, type Tokens } from "marked";
import { escapeHtml, withBreakPoints } from "../markup.ts";

/** Markdown of this project as markup of the site. Only what we wrote ourselves comes here; raw HTML is shown as text. */

export type RenderedMarkdown = { readonly title: string; readonly markup: string };

export type MarkdownSource = {
  /** The file below docs/, such as `guides/bidding.md`. */
  readonly file: string;
  /** The address of another file below docs/, if the site has it. */
  readonly addressOf: (file: string) => string | undefined;
};

export function renderMarkdown(text: string, source: MarkdownSource, givenTitle?: string): RenderedMarkdown {
  const headings = text.replace(/^```.*?^```/gms, "").match(/(?<=^# ).+$/gm) ?? [];
  const title = givenTitle ?? withoutBackticks(headings[0] ?? source.file);
  // A file of several chapters gets a title above them, and every heading steps down.
  const isOneChapter = headings.length === 1;
  const marked = new Marked({ gfm: true, renderer: rendererOf(source, isOneChapter ? 0 : 1) });
  const body = marked.parse(text, { async: false });
  const page = isOneChapter ? body : `<h1>${escapeHtml(title)}</h1>\n${body}`;
  return { title, markup: page.replace("</h1>\n", () => `</h1>\n${contentsList(text, body)}`) };
}

/** Whoever can see a page at a glance needs no list of what is on it. */
const CONTENTS_LIST_MIN = { letters: 6000, headings: 5 };

function contentsList(text: string, body: string): string {
  const headings = [...body.matchAll(/<h2 id="([^"]*)"><a [^>]*>(.*?)<\/a><\/h2>/g)];
  if (text.length < CONTENTS_LIST_MIN.letters || headings.length < CONTENTS_LIST_MIN.headings) return "";
  const links = headings.map(([, id, inner]) => `<li><a href="#${id}">${inner}</a></li>`);
  return `<nav class="on-page" aria-label="On this page"><p>On this page</p><ul>${links.join("\n")}</ul></nav>\n`;
}

/** A sentence or two, without a place among the files. */
export const renderInline = (text: string): string => INLINE.parseInline(text, { async: false });

/** Without links made of whatever looks like an address: in a sentence it is an example. */
const INLINE = new Marked({
  gfm: false,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    codespan: ({ text }) => `<code>${withBreakPoints(text).markup}</code>`,
  },
});

const withoutBackticks = (heading: string): string => heading.replaceAll("`", "");

/** As GitHub makes them, so that links work here and there. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");

function rendererOf({ file, addressOf }: MarkdownSource, depthOffset: 0 | 1) {
  const usedAnchors = new Set<string>();
  let tableCount = 0;
  let pictureCount = 0;
  const uniqueAnchor = (anchorBase: string, n = 0): string => {
    const anchor = n === 0 ? anchorBase : `${anchorBase}-${n}`;
    if (usedAnchors.has(anchor)) return uniqueAnchor(anchorBase, n + 1);
    usedAnchors.add(anchor);
    return anchor;
  };
  return {
    heading(this: Renderer<string, string>, { tokens, depth, text }: Tokens.Heading): string {
      const level = Math.min(6, depth + depthOffset);
      const inner = this.parser.parseInline(tokens);
      const id = uniqueAnchor(anchorOf(text));
      return level === 1
        ? `<h1 id="${id}">${inner}</h1>\n`
        : `<h${level} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${level}>\n`;
    },
    link(this: Renderer<string, string>, { href, tokens, raw }: Tokens.Link): string {
      const inner = this.parser.parseInline(tokens);
      // An address that nobody made a link of is an example.
      if (!/^[[<]/.test(raw)) return inner;
      const address = resolveLink(file, href, addressOf);
      return address === undefined ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
    },
    code({ text, lang = "" }: Tokens.Code): string {
      return lang === "mermaid" ? renderDiagram(file, addressOf) : renderCode(text, lang);
    },
    paragraph(this: Renderer<string, string>, { tokens }: Tokens.Paragraph): string {
      const [image] = tokens;
      // The type of a token does not follow from its `type`, because extensions may have any.
      if (tokens.length === 1 && image?.type === "image") {
        pictureCount += 1;
        return renderPicture(image as Tokens.Image, file, addressOf, `Picture ${pictureCount}`);
      }
      return `<p>${this.parser.parseInline(tokens)}</p>\n`;
    },
    codespan: ({ text }: Tokens.Codespan): string => `<code>${withBreakPoints(text).markup}</code>`,
    table(this: Renderer<string, string>, token: Tokens.Table): string {
      const { parser } = this;
      tableCount += 1;
      return renderTable(token, (cell) => parser.parseInline(cell.tokens), `Table ${tableCount}`);
    },
    html({ text }: Tokens.HTML | Tokens.Tag): string {
      if (HTML_COMMENT.test(text)) return "";
      return /^<br>$/.test(text.trim()) ? "<br>" : escapeHtml(text);
    },
  };
}

function renderTable(token: Tokens.Table, inner: (cell: Tokens.TableCell) => string, label: string): string {
  const { header, rows } = token;
  const head = header.some(({ text }) => text !== "")
    ? `<thead><tr>${header.map((cell) => (cell.text === "" ? "<td></td>" : `<th>${inner(cell)}</th>`)).join("")}</tr></thead>`
    : "";
  // On a narrow screen the cells of a row stand below each other, each with its column's name.
  const columnAttributes = header.map(({ text }) =>
    text ? ` data-column="${escapeHtml(withoutBackticks(text))}"` : "",
  );
  // Where a column has no name, the first cell of each row names what the others are about.
  const hasRowNames = header.some(({ text }) => text === "");
  const body = rows.map((row) => {
    const cells = row.map((cell, i) =>
      i === 0 && hasRowNames ? `<th scope="row">${inner(cell)}</th>` : `<td${columnAttributes[i]}>${inner(cell)}</td>`,
    );
    return `<tr>${cells.join("")}</tr>`;
  });
  const isWide = header.length > 2 || rows.flat().some(({ text }) => text.length > CELL_LETTERS_MAX);
  const classAttribute = isWide ? ' class="stacks"' : "";
  return `<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table${classAttribute}>${head}<tbody>${body.join("\n")}</tbody></table></div>\n`;
}

/** More of them do not stand beside another cell on a narrow screen. */
const CELL_LETTERS_MAX = 120;

/** What those who change the file should know, and no reader. */
const HTML_COMMENT = /^\s*<!--.*-->\s*$/s;

/** A link to a file of the site leads to its page; one to a file that only the source has is no link here. */
function resolveLink(file: string, href: string, addressOf: MarkdownSource["addressOf"]): string | undefined {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const address = addressOf(posix.join(posix.dirname(file), path));
  return address === undefined ? undefined : address + (anchor ? `#${anchor}` : "");
}

/** A state diagram is served as the picture beside its page: the site has no script that could draw it. */
function renderDiagram(file: string, addressOf: MarkdownSource["addressOf"]): string {
  const address = addressOf(file.replace(/\.md$/, ".svg"));
  const name = posix.basename(file, ".md");
  const text = `The statuses of the procedure ${name} and the moves between them; the table below says the same`;
  return address ? pictureFigure(address, text, `State diagram of ${name}`) : "";
}

function renderPicture(
  { href, text }: Tokens.Image,
  file: string,
  addressOf: MarkdownSource["addressOf"],
  label: string,
): string {
  const address = addressOf(posix.join(posix.dirname(file), href));
  return address ? pictureFigure(address, text, label) : "";
}

/** A picture that can be scrolled where it does not fit, and opened on its own. */
const pictureFigure = (address: string, text: string, label: string): string =>
  `<figure class="picture"><div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(label)}"><img src="${escapeHtml(address)}" alt="${escapeHtml(text)}"></div><figcaption><a href="${escapeHtml(address)}">Open it in full size</a></figcaption></figure>\n`;

const LANGUAGES: { readonly [language: string]: string } = {
  sh: "Terminal",
  js: "JavaScript",
  ts: "TypeScript",
  json: "JSON",
  text: "Text",
};

/** ```sh is run, ```js name.mjs is a file, ```json output is what comes back. */
export function renderCode(text: string, info = ""): string {
  const [language = "", note = ""] = info.split(/\s+/);
  const isOutput = note === "output";
  const isFile = note.includes(".");
  const caption = isOutput ? "What comes back" : isFile ? `A file: ${note}` : (LANGUAGES[language] ?? "Text");
  // A line for a terminal has no shape that a break would spoil, and its end matters as much as its beginning.
  const wraps = language === "" || language === "sh";
  const file = isFile ? ` data-file="${escapeHtml(note)}"` : "";
  return `<figure class="code${isOutput ? " output" : ""}"${file}><figcaption>${escapeHtml(caption)}</figcaption><pre tabindex="0"${wraps ? ' class="wraps"' : ""}><code>${language === "" ? unbreakableOptions(text) : escapeHtml(text)}</code></pre></figure>\n`;
}

/** How a command is called: the line may be broken between its options, and not within one. */
const unbreakableOptions = (text: string): string =>
  escapeHtml(text).replace(/\[--[^\]]*\]/g, '<span class="whole">$&</span>');
