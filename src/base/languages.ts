/** The languages of the pages for people. A third one is a row here, a file of messages, and what the compiler then asks for. */
export const LANGUAGES = ["uk", "en"] as const;
export type Language = (typeof LANGUAGES)[number];
