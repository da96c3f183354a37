import { newId } from "../base/secrets.ts";
import { CURRENT_SEGMENT } from "../dialects/dialects.ts";
import type { Release, ReleaseHead } from "../ocds/merge.ts";
import type { ReleaseSettings } from "../ocds/release.ts";

/**
 * Releases are stored as templates: JSON with marks for the origin of the service and for the prefix of open contracting ids. So what is
 * stored depends on the ledger alone, and links work under whatever address a reader uses.
 *
 * The marks are control characters. JSON has none inside of texts, where they are escaped, so no text of a user can be taken for a mark.
 */
const ORIGIN_MARK = "\u0001";
const PREFIX_MARK = "\u0002";

/** What the marks of templates stand for. */
export type TemplateValues = {
  /** The address of the service, such as https://tenders.example, without a slash at its end. */
  readonly origin: string;
  /** The prefix of open contracting ids. */
  readonly ocidPrefix: string;
};

/** The settings that releases with these values are made with. */
export const releaseSettingsOf = ({ origin, ocidPrefix }: TemplateValues): ReleaseSettings => ({
  origin,
  apiRoot: `${origin}/api/${CURRENT_SEGMENT}`,
  ocidPrefix,
});

/** JSON of one or more templates, such as a list of them, with the values instead of the marks. */
export const fillTemplate = (template: string, { origin, ocidPrefix }: TemplateValues): string =>
  // Splitting takes no notice of `$` in the values, unlike replacing.
  template.split(ORIGIN_MARK).join(origin).split(PREFIX_MARK).join(ocidPrefix);

/** Random values, which no text of a user can contain: releases made with them can be turned into templates. */
const PLACEHOLDERS: TemplateValues = { origin: `https://${newId()}.invalid`, ocidPrefix: newId() };

/** The settings of releases that are made to be stored. */
export const TEMPLATE_SETTINGS: ReleaseSettings = releaseSettingsOf(PLACEHOLDERS);

/** The template of a release that was made with `TEMPLATE_SETTINGS`. */
export const templateOf = (release: Release): string =>
  JSON.stringify(release).replaceAll(PLACEHOLDERS.origin, ORIGIN_MARK).replaceAll(PLACEHOLDERS.ocidPrefix, PREFIX_MARK);

/** The JSON of the release from which the template was made. */
export const untemplated = (template: string): string => fillTemplate(template, PLACEHOLDERS);

/** The beginning of a release as JSON, or of its template, which has its head first: see `nextRelease`. */
const HEAD = /^\{"ocid":"[^"]*","id":"([^"]*)","date":"([^"]*)","tag":\["([^\]]*)"\]/;

/** The id, date and tags of a release from its JSON or its template, which is not parsed: it may be long. */
export function headOf(text: string): Pick<ReleaseHead, "id" | "date" | "tag"> {
  const [, id, date, tags] = HEAD.exec(text) ?? [];
  if (id === undefined || date === undefined || tags === undefined) throw new TypeError("A release has no head");
  return { id, date, tag: tags.split('","') };
}

/** The date of the newest of these releases, which are JSON or templates. All dates are in UTC with the same number of digits. */
export const newestDate = (texts: readonly string[]): string =>
  texts.reduce((newest, text) => {
    const { date } = headOf(text);
    return date > newest ? date : newest;
  }, "");
