import { isPlainObject } from "../domain/values/merge.ts";
import { etagOf } from "./etags.ts";
import type { JsonBody } from "./jsonBody.ts";
import { cachedBodyText, type HttpResponse, type ResponseHeaders } from "./responses.ts";

/** How a JSON body is formatted. */
export type BodyStyle = {
  /** Indented. */
  readonly pretty: boolean;
  /** JSONP: the function to call with the JSON. */
  readonly callback?: string;
  /** Escapes all other characters, for clients that can read nothing but ASCII. */
  readonly ascii?: true;
};

export const JSON_CONTENT_TYPE = "application/json; charset=UTF-8";

const CALLBACK_PATTERN = /^[A-Za-z_$][\w$]{0,63}(\.[A-Za-z_$][\w$]{0,63}){0,4}$/;
/** Whether this can be the name of a JSONP function, such as `app.show`. */
export const isCallback = (name: string): boolean => CALLBACK_PATTERN.test(name);

/** The JSONP function that the client asks for; it is not validated yet (see `isCallback`). */
export const callbackOf = (query: URLSearchParams): string | undefined => query.get("opt_jsonp") || undefined;

/** Whether the client asks for indented JSON: by `opt_pretty` in the query, or by `options.pretty` in the body. */
export function wantsPretty(query: URLSearchParams, body?: JsonBody): boolean {
  const optPretty = query.get("opt_pretty");
  if (optPretty !== null && optPretty !== "" && optPretty !== "0") return true;
  const options = body?.envelope.options;
  return isPlainObject(options) && Boolean(options.pretty);
}

/** A body that is ready to be sent or compressed. */
export type RenderedBody = {
  /** A string has a character for each byte ("latin1"). */
  readonly content: string | Buffer;
  /** In bytes. */
  readonly length: number;
  readonly headers: ResponseHeaders;
  /** Only for cached bodies; for others it has to be computed. */
  readonly etag?: string;
};

const JSON_HEADERS: ResponseHeaders = { "Content-Type": JSON_CONTENT_TYPE };
const SCRIPT_HEADERS: ResponseHeaders = { "Content-Type": "application/javascript; charset=UTF-8" };

/** The body of a response in this style; undefined for a stream or a response without a body. Errors are never styled. */
export function renderBody(response: HttpResponse, style: BodyStyle): RenderedBody | undefined {
  const { status, bytes, json, text } = response;
  if (text) return { content: text.latin1, length: text.latin1.length, headers: {}, etag: text.etag };
  if (bytes) return { content: bytes, length: bytes.length, headers: {} };
  if (json === undefined) return undefined;
  if (style.ascii) {
    const escaped = escapeNonAscii(typeof json === "object" ? cachedBodyText(json) : json);
    return renderBody({ ...response, json: escaped }, { ...style, ascii: undefined });
  }
  const { pretty, callback } = status >= 400 ? { pretty: false } : style;
  if (typeof json === "object" && !pretty && !callback) {
    const { latin1, etag } = json;
    return { content: latin1, length: latin1.length, headers: JSON_HEADERS, etag };
  }
  const jsonText = typeof json === "object" ? cachedBodyText(json) : json;
  if (!pretty && !callback) return utf8Body(jsonText, JSON_HEADERS);
  const formatted = pretty ? prettyJson(jsonText) : formatJson(jsonText, "");
  return callback ? utf8Body(jsonpScript(callback, formatted), SCRIPT_HEADERS) : utf8Body(formatted, JSON_HEADERS);
}

/** The ETag of a response in this style; undefined unless it is JSON with status 200. */
export function responseEtag(response: HttpResponse, style: BodyStyle): string | undefined {
  const body = response.status === 200 && response.json !== undefined ? renderBody(response, style) : undefined;
  return body && (body.etag ?? etagOf(body.content));
}

/** Other characters occur only in strings and keys of JSON, where each UTF-16 code unit can be written as `\u` and four digits. */
const escapeNonAscii = (json: string): string =>
  json.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A longer body is sent as bytes, apart from the headers: joining it with them would copy it. */
const JOINED_BYTES_MAX = 16 * 1024;

/** A short body is a string with a character for each byte: Node sends it together with the headers in one write. */
function utf8Body(text: string, headers: ResponseHeaders): RenderedBody {
  const bytes = Buffer.from(text);
  const content = bytes.length > JOINED_BYTES_MAX ? bytes : bytes.toString("latin1");
  return { content, length: bytes.length, headers };
}

/**
 * Escapes line separators, which are valid in JSON but not in the string literals of older JavaScript. The leading comment prevents
 * attacks that pass off the response as another type of file (Rosetta Flash).
 */
const jsonpScript = (callback: string, text: string): string =>
  `/**/${callback}(${text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")});`;

/** JSON with a line for each value, for people. */
export const prettyJson = (json: string): string => formatJson(json, "\n");

/**
 * Reformats JSON: a space after each colon, and either lines indented by four spaces or one line with a space after each comma.
 * Works on the text, so that numbers keep their digits.
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
