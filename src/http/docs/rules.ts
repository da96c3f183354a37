import { hasDoc, readDoc } from "./library.ts";

/** What an error's `rule` says, for people. */
export type Rule = { readonly id: string; readonly title: string; readonly text: string };

const LIST = "errors.md";
/** A rule is a heading with its id, a line with its title, and what to do. */
const HEADING = /^#{2,4} `?([a-z][a-z0-9]*(?:-[a-z0-9]+)*)`?:? *(.*)$/;

/** The rules, read off docs/errors.md where it is there. */
export function rulesKnown(): readonly Rule[] {
  return hasDoc(LIST) ? rulesIn(readDoc(LIST)) : [];
}

export function rulesIn(text: string): readonly Rule[] {
  const chapters = text.split(/^(?=#{2,4} )/m);
  return chapters.flatMap((chapter) => {
    const [heading = "", ...lines] = chapter.split("\n");
    const [, id, title = ""] = HEADING.exec(heading) ?? [];
    return id ? [{ id, title: title || id.replaceAll("-", " "), text: lines.join("\n").trim() }] : [];
  });
}
