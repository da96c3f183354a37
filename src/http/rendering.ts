import { type Answer, type Headers, textOf } from "./answers.ts";
import type { JsonBody } from "./body.ts";
import { etagOf } from "./conditional.ts";

/** How a body is to be written: plain, indented, or as a call of the client's function. */
export type Style = {
  readonly pretty: boolean;
  readonly callback?: string;
  /** Whatever is not ASCII is escaped, for clients that can take nothing else. */
  readonly ascii?: true;
};

export const JSON_TYPE = "application/json; charset=UTF-8";

const CALLBACK = /^[A-Za-z_$][\w$]{0,63}(\.[A-Za-z_$][\w$]{0,63}){0,4}$/;
export const isCallback = (name: string): boolean => CALLBACK.test(name);

/** The function that the client wants called, which may have no name that one can have. */
export const callbackOf = (query: URLSearchParams): string | undefined => query.get("opt_jsonp") || undefined;

export function wantsPretty(query: URLSearchParams, body?: JsonBody): boolean {
  const asked = query.get("opt_pretty");
  const options = body?.whole.options as { readonly pretty?: unknown } | null | undefined;
  return (asked !== null && asked !== "" && asked !== "0") || (typeof options === "object" && !!options?.pretty);
}

export type Rendered = {
  readonly content: string | Buffer;
  readonly encoding: "utf8" | "latin1";
  readonly length: number;
  readonly headers: Headers;
  /** Where it is known already. */
  readonly etag?: string;
};

const JSON_HEADERS: Headers = { "Content-Type": JSON_TYPE };
const SCRIPT_HEADERS: Headers = { "Content-Type": "application/javascript; charset=UTF-8" };

export function render(answer: Answer, style: Style): Rendered | undefined {
  const { status, bytes, json } = answer;
  if (bytes) return { content: bytes, encoding: "latin1", length: bytes.length, headers: {} };
  if (json === undefined) return undefined;
  if (style.ascii) {
    const { ascii: _done, ...rest } = style;
    return render({ ...answer, json: escaped(typeof json === "object" ? textOf(json) : json) }, rest);
  }
  const { pretty, callback } = status >= 400 ? { pretty: false } : style;
  if (typeof json === "object" && !pretty && !callback) {
    const { latin1, etag } = json;
    return { content: latin1, encoding: "latin1", length: latin1.length, headers: JSON_HEADERS, etag };
  }
  const text = typeof json === "object" ? textOf(json) : json;
  if (!pretty && !callback) return rendered(text, JSON_HEADERS);
  const laidOut = pretty ? layOut(text, "\n") : layOut(text, "");
  return callback ? rendered(scriptOf(callback, laidOut), SCRIPT_HEADERS) : rendered(laidOut, JSON_HEADERS);
}

/** The tag of an answer in the style in which it would be sent; of a JSON body with status 200 alone. */
export function etagOfAnswer(answer: Answer, style: Style): string | undefined {
  const body = answer.status === 200 && answer.json !== undefined ? render(answer, style) : undefined;
  return body && (body.etag ?? etagOf(body.content, body.encoding));
}

/** In JSON, what is not ASCII stands in texts and names alone, where each unit of UTF-16 has an escape. */
const escaped = (json: string): string =>
  json.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const rendered = (text: string, headers: Headers): Rendered => ({
  content: text,
  encoding: "utf8",
  length: Buffer.byteLength(text),
  headers,
});

/** Line separators are fine in JSON, but once ended a line of script; the comment keeps a reply from being taken for another type of file. */
const scriptOf = (callback: string, text: string): string =>
  `/**/${callback}(${text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")});`;

/**
 * The same JSON with a space after each colon, and either lines indented by four, or on one line a space after each
 * comma. It works on the text, so that numbers keep the digits they have.
 */
function layOut(json: string, newline: "\n" | ""): string {
  let depth = 0;
  const line = () => (newline ? newline + "    ".repeat(depth) : "");
  return json.replace(/"(?:[^"\\]|\\.)*"|\[\]|\{\}|[[\]{}:,]/g, (token) => {
    switch (token) {
      case "{":
      case "[":
        depth += 1;
        return token + line();
      case "}":
      case "]":
        depth -= 1;
        return line() + token;
      case ",":
        return newline ? token + line() : ", ";
      case ":":
        return ": ";
      default:
        return token;
    }
  });
}
