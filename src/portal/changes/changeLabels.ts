import { hasOwnKey } from "../../base/typeGuards.ts";
import { NEWEST } from "../../dialects/newestShapes.ts";
import { isPlainObject } from "../../domain/values/merge.ts";
import { type ChangePath, type PublicChange, valueAt } from "../../history/publicChanges.ts";
import type { PublicTender } from "../../views/publicTender.ts";
import { userText } from "../layout/components.ts";
import { LANGUAGE_ROWS, type Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { nameOf } from "../layout/nameOf.ts";
import { shortLine, shortText } from "../layout/shortText.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";

/** What people call the place of a change: "Lot: School meals". */

/** The two views that are compared. */
export type ComparedViews = { readonly before: PublicTender; readonly after: PublicTender };

/** The name of a field of a shape. */
export function fieldLabel(shape: string, name: string, language: Language): string {
  const { fields, translations } = messagesIn(language).changes;
  const suffix = Object.keys(translations).find((candidate) => name.endsWith(`_${candidate}`));
  const base = suffix === undefined ? name : name.slice(0, -1 - suffix.length);
  const label = nameOf(fields, hasOwnKey(fields, `${shape}.${base}`) ? `${shape}.${base}` : base);
  return suffix !== undefined && hasOwnKey(translations, suffix) ? translations[suffix](label) : label;
}

/** The path of the object that a change belongs to: itself if it was added or removed, otherwise the one whose field changed. */
export const subjectPath = ({ path, format }: PublicChange): ChangePath =>
  "element" in format ? path : path.slice(0, -1);

/** An object on the way: a field with an object, or an element of a list. */
type PathPart = { readonly label: string; readonly title: string };

/** The name of the object at a path; empty for the tender itself. */
export function subjectLabel(path: ChangePath, views: ComparedViews, language: Language): Markup {
  const parts = partsOf(path, views, language).map(
    ({ label, title }, i) =>
      html`${i === 0 ? "" : ", "}${label}${title === "" ? EMPTY_MARKUP : html`: ${userText(title)}`}`,
  );
  return html`${parts}`;
}

/** The same as plain text. */
export const subjectText = (path: ChangePath, views: ComparedViews, language: Language): string =>
  partsOf(path, views, language)
    .map(({ label, title }) => (title === "" ? label : `${label}: ${shortLine(title)}`))
    .join(", ");

function partsOf(path: ChangePath, views: ComparedViews, language: Language): readonly PathPart[] {
  const { elements } = messagesIn(language).changes;
  const parts: PathPart[] = [];
  const add = (label: string, title: string) =>
    parts.push({ label: parts.length === 0 ? label : label.toLowerCase(), title });
  let shape = "Tender";
  for (let i = 0; i < path.length; i++) {
    const name = path[i] ?? "";
    const field = hasOwnKey(NEWEST, shape) ? NEWEST[shape][name] : undefined;
    if (field?.kind !== "shape") break;
    if (field.many && i + 1 < path.length) {
      i++;
      add(nameOf(elements, name), elementTitle(path.slice(0, i + 1), views, language));
    } else add(fieldLabel(shape, name, language), "");
    shape = field.of;
  }
  return parts;
}

const TITLE_LENGTH_MAX = 120;

/** What an object is called by those who wrote it, in the language of the page if they did. */
export function titleOf(value: unknown, language: Language): string {
  if (!isPlainObject(value)) return "";
  const { translation } = LANGUAGE_ROWS[language];
  for (const name of ["title", "name", "description", "contractNumber", "complaintID", "legalName"])
    for (const key of translation ? [`${name}_${translation}`, name] : [name]) {
      const text = value[key];
      if (typeof text === "string" && text.trim() !== "") return shortText(text.trim(), TITLE_LENGTH_MAX);
    }
  const [organization] = [value.tenderers, value.suppliers].flatMap((list) => (Array.isArray(list) ? list : []));
  return organization === undefined ? "" : titleOf(organization, language);
}

const elementTitle = (path: ChangePath, { before, after }: ComparedViews, language: Language): string =>
  titleOf(valueAt(after, path) ?? valueAt(before, path), language);
