import { hasDoc, readDoc } from "./library.ts";

/** What an error's `rule` says, for people. */
export type Rule = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly topic?: string;
  readonly statuses?: readonly number[];
};

const LIST = "errors.md";
const RULE = /^### `?([a-z][a-z0-9]*(?:-[a-z0-9]+)*)`?$/;
const TOPIC = /^## (.+)$/;
const TOLD = /^(?:\*\*(.+?)\.?\*\* *)?(?:Status(?:es)? ([\d, or]+)\. *)?(.*)$/s;

/** The rules, read off docs/errors.md where it is there. */
export function rulesKnown(): readonly Rule[] {
  return hasDoc(LIST) ? rulesIn(readDoc(LIST)) : [];
}

export function rulesIn(list: string): readonly Rule[] {
  let topic: string | undefined;
  return list.split(/^(?=##)/m).flatMap((chapter): readonly Rule[] => {
    const [heading = "", ...lines] = chapter.split("\n");
    topic = TOPIC.exec(heading)?.[1] ?? topic;
    const id = RULE.exec(heading)?.[1];
    if (!id) return [];
    const [, title, statuses = "", text = ""] = TOLD.exec(lines.join("\n").trim())!;
    return [
      {
        id,
        title: title ?? id.replaceAll("-", " "),
        text,
        topic,
        statuses: (statuses.match(/\d+/g) ?? []).map(Number),
      },
    ];
  });
}
