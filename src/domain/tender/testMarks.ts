import type { Tender } from "../model/tender.ts";

const TEST_MARKS = { title: "[ТЕСТУВАННЯ]", title_en: "[TESTING]", title_ru: "[ТЕСТИРОВАНИЕ]" } as const;
const MARKS: ReadonlySet<string> = new Set(Object.values(TEST_MARKS));

/** Marks the titles of a test tender, so that nobody mistakes it for a real one. A title that is missing becomes the mark alone. */
export function withTestMarks(tender: Tender): Tender {
  if (tender.mode !== "test") return tender;
  const withMark = (title = "", mark: string) => (title.includes(mark) ? title : `${mark} ${title}`);
  return {
    ...tender,
    title: withMark(tender.title, TEST_MARKS.title),
    title_en: withMark(tender.title_en, TEST_MARKS.title_en),
    title_ru: withMark(tender.title_ru, TEST_MARKS.title_ru),
  };
}

/** Whether the text is the mark of a test tender without a title. */
export const isBareTestMark = (text: string): boolean => MARKS.has(text.trim());
