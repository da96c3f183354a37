import { etagOf } from "./etags.ts";
import type { JsonBody } from "./jsonBody.ts";
import { cachedJsonText, type HttpResponse, type ResponseHeaders } from "./responses.ts";

/** How a body is to be written: plain, indented, or as a call of the client's function. */
export type BodyStyle = {
  readonly pretty: boolean;
  readonly callback?: string;
  /** Whatever is not ASCII is escaped, for clients that can take nothing else. */
  readonly ascii?: true;
};

export const JSON_CONTENT_TYPE = "application/json; charset=UTF-8";

const CALLBACK_PATTERN = /^[A-Za-z_$][\w$]{0,63}(\.[A-Za-z_$][\w$]{0,63}){0,4}$/;
export const isCallback = (name: string): boolean => CALLBACK_PATTERN.test(name);

/** The function that the client wants called, which may have no name that one can have. */
export const callbackOf = (query: URLSearchParams): string | undefined => query.get("opt_jsonp") || undefined;

export function wantsPretty(query: URLSearchParams, body?: JsonBody): boolean {
  const optPretty = query.get("opt_pretty");
  const options = body?.envelope.options as { readonly pretty?: unknown } | null | undefined;
  return (
    (optPretty !== null && optPretty !== "" && optPretty !== "0") || (typeof options === "object" && !!options?.pretty)
  );
}

export type RenderedBody = {
  readonly content: string | Buffer;
  readonly encoding: "utf8" | "latin1";
  readonly length: number;
  readonly headers: ResponseHeaders;
  /** Where it is known already. */
  readonly etag?: string;
};

const JSON_HEADERS: ResponseHeaders = { "Content-Type": JSON_CONTENT_TYPE };
const SCRIPT_HEADERS: ResponseHeaders = { "Content-Type": "application/javascript; charset=UTF-8" };

export function renderBody(response: HttpResponse, style: BodyStyle): RenderedBody | undefined {
  const { status, bytes, json } = response;
  if (bytes) return { content: bytes, encoding: "latin1", length: bytes.length, headers: {} };
  if (json === undefined) return undefined;
  if (style.ascii) {
    const { ascii: _done, ...rest } = style;
    return renderBody(
      { ...response, json: escapeNonAscii(typeof json === "object" ? cachedJsonText(json) : json) },
      rest,
    );
  }
  const { pretty, callback } = status >= 400 ? { pretty: false } : style;
  if (typeof json === "object" && !pretty && !callback) {
    const { latin1, etag } = json;
    return { content: latin1, encoding: "latin1", length: latin1.length, headers: JSON_HEADERS, etag };
  }
  const text = typeof json === "object" ? cachedJsonText(json) : json;
  if (!pretty && !callback) return utf8Body(text, JSON_HEADERS);
  const formatted = pretty ? formatJson(text, "\n") : formatJson(text, "");
  return callback ? utf8Body(jsonpScript(callback, formatted), SCRIPT_HEADERS) : utf8Body(formatted, JSON_HEADERS);
}

/** The tag of an answer in the style in which it would be sent; of a JSON body with status 200 alone. */
export function responseEtag(response: HttpResponse, style: BodyStyle): string | undefined {
  const body = response.status === 200 && response.json !== undefined ? renderBody(response, style) : undefined;
  return body && (body.etag ?? etagOf(body.content, body.encoding));
}

/** In JSON, what is not ASCII stands in texts and names alone, where each unit of UTF-16 has an escape. */
const escapeNonAscii = (json: string): string =>
  json.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const utf8Body = (text: string, headers: ResponseHeaders): RenderedBody => ({
  content: text,
  encoding: "utf8",
  length: Buffer.byteLength(text),
  headers,
});

/** Line separators are fine in JSON, but once ended a line of script; the comment keeps a reply from being taken for another type of file. */
const jsonpScript = (callback: string, text: string): string =>
  `/**/${callback}(${text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")});`;

/**
 * The same JSON with a space after each colon, and either lines indented by four, or on one line a space after each
 * comma. It works on the text, so that numbers keep the digits they have.
 */
function formatJson(json: string, newline: "\n" | ""): string {
  let depth = 0;
  const lineBreak = () => (newline ? newline + "    ".repeat(depth) : "");
  return json.replace(/"(?:[^"\\]|\\.)*"|\[\]|\{\}|[[\]{}:,]/g, (token) => {
    switch (token) {
      case "{":
      case "[":
        depth += 1;
        return token + lineBreak();
      case "}":
      case "]":
        depth -= 1;
        return lineBreak() + token;
      case ",":
        return newline ? token + lineBreak() : ", ";
      case ":":
        return ": ";
      default:
        return token;
    }
  });
}
