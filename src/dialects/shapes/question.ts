import * as domain from "../../domain/model/tender.ts";
import { alwaysPresent, field, instant, objectOf, oneOf, readOnly, type ShapeOf, text } from "../fields.ts";
import { EXAMPLE_IDS } from "./exampleIds.ts";

export const questionShapes = {
  Question: {
    id: alwaysPresent(
      text,
      "Identifies the question in paths: 32 hex digits. Assigned by the service.",
      EXAMPLE_IDS.question,
    ),
    date: alwaysPresent(instant, "Time at which it was asked. Set by the service.", "2026-11-17T09:30:12.540113+02:00"),
    title: field(text, "The question in a few words. Required; set by the asker.", "Breakfast too?"),
    description: field(
      text,
      "The question in full. Set by the asker.",
      "Do the meals include breakfast, or lunch only?",
    ),
    author: field(
      objectOf("Organization"),
      "Who asks. Set by the asker. The response to the POST shows it; other responses do so from `active.qualification` on, or " +
        "once the tender has ended.",
    ),
    questionOf: field(
      oneOf(domain.SUBJECT_KINDS),
      "What the question is about. Set by the asker, `tender` if absent.",
      "tender",
    ),
    relatedItem: field(
      text,
      "`id` of the item or the lot, if `questionOf` is `item` or `lot`. Set by the asker.",
      EXAMPLE_IDS.item,
    ),
    answer: field(text, "The buyer's answer, in plain text. Set by the tender's owner with PATCH.", "Lunch only."),
    dateAnswered: readOnly(
      instant,
      "Time of the last change of `answer`. Set by the service; absent until the question is answered.",
      "2026-11-18T14:05:40.871002+02:00",
    ),
  } satisfies ShapeOf<domain.Question>,
};
