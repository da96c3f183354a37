/** What XML 1.0 cannot contain, not even escaped. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** Escapes a text for XML elements and attributes in double quotes; characters that XML does not allow become U+FFFD. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_XML, "\ufffd")
    .replace(/[&<>"\r]/g, (character) => ENTITIES[character] ?? character);
