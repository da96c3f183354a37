import type { Answer, Headers } from "./answers.ts";

/** How a body is to be written: plain, indented, or as a call of the client's function. */
export type Style = { readonly pretty: boolean; readonly callback?: string };

export const JSON_TYPE = "application/json; charset=UTF-8";

const CALLBACK = /^[A-Za-z_$][\w$]{0,63}(\.[A-Za-z_$][\w$]{0,63}){0,4}$/;
export const isCallback = (name: string): boolean => CALLBACK.test(name);

const keptBytes = new WeakMap<object, Buffer>();

export function render(
  answer: Answer,
  style: Style,
): { readonly bytes: Buffer; readonly headers: Headers } | undefined {
  if (answer.bytes) return { bytes: answer.bytes, headers: {} };
  if (answer.body === undefined) return undefined;
  const isError = answer.status >= 400;
  if (isError || (!style.pretty && !style.callback))
    return { bytes: plain(answer), headers: { "Content-Type": JSON_TYPE } };
  const text = style.pretty ? JSON.stringify(answer.body, null, 4) : spaced(answer.body);
  if (!style.callback) return { bytes: Buffer.from(text), headers: { "Content-Type": JSON_TYPE } };
  // The line separators are fine in JSON, but once ended a line of script; the comment keeps a reply from being taken for another type of file.
  const script = `/**/${style.callback}(${text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")});`;
  return { bytes: Buffer.from(script), headers: { "Content-Type": "application/javascript; charset=UTF-8" } };
}

function plain({ body, kept }: Answer): Buffer {
  const found = kept && keptBytes.get(body as object);
  if (found) return found;
  const bytes = Buffer.from(JSON.stringify(body));
  if (kept) keptBytes.set(body as object, bytes);
  return bytes;
}

/** With a space after each colon and comma, as clients that look into the script expect it. Strings hold no raw line breaks. */
const spaced = (body: unknown): string => JSON.stringify(body, null, 1).replace(/,\n */g, ", ").replace(/\n */g, "");
