import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LANGUAGES } from "../languages.ts";
import { messagesIn } from "./messages.ts";

describe("the message catalogue", () => {
  it("has one name for the end of enquiries, on the timeline and in calendars", () => {
    for (const language of LANGUAGES) {
      const { tender, calendar } = messagesIn(language);
      assert.equal(calendar.kinds["enquiries end"], tender.timeline.enquiriesEnd);
    }
    assert.equal(messagesIn("en").calendar.shortKinds["enquiries end"], "Enquiries until");
    assert.equal(messagesIn("uk").calendar.shortKinds["enquiries end"], "Уточнення до");
  });

  it("says on links what they lead to, for readers who see the link alone", () => {
    const linksIn = ({ home }: ReturnType<typeof messagesIn>) => [home.closingAll, home.newestAll, home.decidedAll];
    for (const text of linksIn(messagesIn("en"))) assert.match(text, /^See all .*tenders/);
    for (const text of linksIn(messagesIn("uk"))) assert.match(text, /^Переглянути всі .*закупівлі/);
  });
});
