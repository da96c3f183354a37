import { isPlainObject } from "../../domain/values/merge.ts";
import { changesBetween, type PublicChange, valueAt } from "../../history/publicChanges.ts";
import type { PublicTender } from "../../views/publicTender.ts";
import { userText } from "../layout/components.ts";
import { formatNumber } from "../layout/formats.ts";
import type { Language } from "../layout/languages.ts";
import { messagesIn } from "../layout/messages/messages.ts";
import { EMPTY_MARKUP, html, type Markup } from "../markup.ts";
import { changedValue, isShownField, type ValueContext, WHOLE_SHAPES } from "./changedValue.ts";
import { type ComparedViews, fieldLabel, subjectLabel, subjectPath, titleOf } from "./changeLabels.ts";
import { wordDiff } from "./wordDiff.ts";

/** What is different between two versions, for people: field by field, long texts word by word. */

/** What a comparison is written with. */
export type ComparisonSettings = Pick<ValueContext, "language" | "zoneName" | "apiPath" | "presentFiles">;

/** The changes that people are shown. Values such as money and periods are not taken apart. */
export const shownChanges = (before: PublicTender | undefined, after: PublicTender): readonly PublicChange[] =>
  changesBetween(before, after, WHOLE_SHAPES).filter(
    ({ format }) => "element" in format || isShownField(format.shape, format.field),
  );

/** A page shows so many changes; the JSON has all of them. */
const CHANGES_MAX = 200;

/** The differences between two views. */
export function renderComparison(views: ComparedViews, settings: ComparisonSettings): Markup {
  const { language } = settings;
  const { changes: texts } = messagesIn(language);
  const all = shownChanges(views.before, views.after);
  if (all.length === 0) return html`<p>${texts.nothing}</p>`;
  const context = { ...settings, ...titleFinders(views, language) };
  const shown = all.slice(0, CHANGES_MAX);
  const groups = Map.groupBy(shown, (change) => JSON.stringify(subjectPath(change)));
  const sections = Array.from(groups.values(), (group) => groupMarkup(group, views, context));
  const rest = all.length - CHANGES_MAX;
  return html`${sections}
${rest > 0 ? html`<p>${texts.compare.cut(rest, formatNumber(rest, language))}</p>\n` : EMPTY_MARKUP}`;
}

/** Finds lots and items by their ids, and criteria by their codes, in the new view or else in the old one. */
function titleFinders(
  { before, after }: ComparedViews,
  language: Language,
): Pick<ValueContext, "titleOfId" | "titleOfFeature"> {
  const views = [before, after];
  const titles = new Map(
    views.flatMap(({ lots, items = [] }) =>
      [...lots, ...items].flatMap((element) =>
        element.id === undefined ? [] : [[element.id, titleOf(element, language)] as const],
      ),
    ),
  );
  const features = new Map(
    views.flatMap(({ features = [] }) =>
      features.map((feature) => [feature.code, titleOf(feature, language)] as const),
    ),
  );
  return { titleOfId: (id) => titles.get(id) || undefined, titleOfFeature: (code) => features.get(code) || undefined };
}

/** The changes of one object, under its name. */
function groupMarkup(group: readonly PublicChange[], views: ComparedViews, context: ValueContext): Markup {
  const { compare } = messagesIn(context.language).changes;
  const subject = group[0] ? subjectLabel(subjectPath(group[0]), views, context.language) : EMPTY_MARKUP;
  return html`<section class="change-group">
<h3>${subject.markup === "" ? html`${compare.tender}` : subject}</h3>
<dl class="change-list">
${group.map((change) => changeMarkup(change, views, context))}</dl>
</section>
`;
}

function changeMarkup(change: PublicChange, views: ComparedViews, context: ValueContext): Markup {
  const { compare } = messagesIn(context.language).changes;
  const { format, before, after } = change;
  if ("element" in format) return elementChange(change, replacedVersion(change, views), context);
  const name = fieldLabel(format.shape, format.field, context.language);
  if (format.kind === "text" && isLong(before) && isLong(after))
    return html`<div><dt>${name}</dt>
<dd class="text-change">${textChange(before, after, context.language)}</dd>
</div>
`;
  return html`<div><dt>${name}</dt>
${valueMarkup("before", compare.before, change, context)}${valueMarkup("after", compare.after, change, context)}</div>
`;
}

/** The version of a document that an added one replaces: the one before it with the same id. Undefined for everything else. */
function replacedVersion({ path, format, before, after }: PublicChange, views: ComparedViews): unknown {
  const isAddedDocument = "element" in format && format.element === "Document" && before === undefined;
  if (!isAddedDocument || !isPlainObject(after)) return undefined;
  const documents = valueAt(views.after, path.slice(0, -1));
  if (!Array.isArray(documents)) return undefined;
  const earlier = documents.slice(0, documents.indexOf(after));
  return earlier.findLast((document) => isPlainObject(document) && document.id === after.id);
}

/**
 * An object that was added or removed, or one that is compared as a whole. `replaced` is the earlier version of a document of which
 * another was added.
 */
function elementChange(change: PublicChange, replaced: unknown, context: ValueContext): Markup {
  const { compare } = messagesIn(context.language).changes;
  const before = change.before ?? replaced;
  const [isAdded, isRemoved] = [before === undefined, change.after === undefined];
  const shown = { ...change, before };
  const values = [
    ...(isAdded ? [] : [valueMarkup("before", isRemoved ? "" : compare.before, shown, context)]),
    ...(isRemoved ? [] : [valueMarkup("after", isAdded ? "" : compare.after, shown, context)]),
  ];
  const name = isAdded
    ? compare.added
    : isRemoved
      ? compare.removed
      : replaced === undefined
        ? compare.changed
        : compare.newVersion;
  return html`<div><dt>${name}</dt>
${values}</div>
`;
}

function valueMarkup(kind: "before" | "after", word: string, change: PublicChange, context: ValueContext): Markup {
  const content = changedValue(change.format, change[kind], context);
  const label = word === "" ? EMPTY_MARKUP : html`<span class="change-word">${word}</span> `;
  return html`<dd class="${kind}">${label}<div class="change-value">${content}</div></dd>
`;
}

/** Texts from this length on are compared word by word. */
const LONG_TEXT = 40;
/** Longer texts are shortened before they are compared. */
const COMPARED_LENGTH_MAX = 20_000;

const isLong = (value: unknown): value is string => typeof value === "string" && value.length >= LONG_TEXT;

/** A text with what was removed and what was added, also in words for those who do not see the colours. */
function textChange(before: string, after: string, language: Language): Markup {
  const { compare } = messagesIn(language).changes;
  const isClipped = Math.max(before.length, after.length) > COMPARED_LENGTH_MAX;
  const [old, present] = [before, after].map((text) => text.slice(0, COMPARED_LENGTH_MAX).toWellFormed());
  const hidden = (text: string) => html`<span class="visually-hidden"> [${text}] </span>`;
  const parts = wordDiff(old ?? "", present ?? "").map(({ text, in: where }) => {
    if (where === "both") return userText(text);
    const [open, element] = where === "before" ? [compare.deleted, "del"] : [compare.inserted, "ins"];
    const marked = html`${hidden(open)}${userText(text)}${hidden(compare.end)}`;
    return element === "del" ? html`<del>${marked}</del>` : html`<ins>${marked}</ins>`;
  });
  return html`<p class="compared-text">${parts}</p>${isClipped ? html`<p>${compare.clipped}</p>` : EMPTY_MARKUP}`;
}
