import { clippedText } from "./tenderScreen.ts";

/** Control characters, and those that change the direction of text: outside of an element they would affect what follows. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/g;

/** How much of a text is cleaned: what is shown is much shorter. */
const CLEANED_LENGTH_MAX = 2000;

/** A text of a user in one line, for places without markup: titles of tabs, descriptions, calendars. */
export const plainText = (text: string, lengthMax: number): string =>
  clippedText(
    text.slice(0, CLEANED_LENGTH_MAX).toWellFormed().replaceAll(UNSAFE, " ").replaceAll(/\s+/g, " ").trim(),
    lengthMax,
  );
