import { HtmlValidate } from "html-validate";

/** Checks that HTML is valid, apart from matters of taste. */
const validator = new HtmlValidate({
  extends: ["html-validate:standard"],
  rules: {
    // Titles of tenders are as long as buyers write them.
    "long-title": "off",
    // Lists that look unlike lists keep their role, which Safari would drop.
    "no-redundant-role": "off",
    "no-trailing-whitespace": "off",
    "doctype-style": "off",
    "void-style": "off",
  },
});

/** What is wrong with the page, with the place. */
export async function htmlProblems(html: string): Promise<readonly string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId}: ${message}`),
  );
}
