import type { Tender } from "../model/tender.ts";

/** Marks the titles of a test tender, so that nobody mistakes it for a real one. */
export function withTestMarks(tender: Tender): Tender {
  if (tender.mode !== "test") return tender;
  const withMark = (title = "", mark: string) => (title.includes(mark) ? title : `${mark} ${title}`);
  return {
    ...tender,
    title: withMark(tender.title, "[ТЕСТУВАННЯ]"),
    title_en: withMark(tender.title_en, "[TESTING]"),
    title_ru: withMark(tender.title_ru, "[ТЕСТИРОВАНИЕ]"),
  };
}
