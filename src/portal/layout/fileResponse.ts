import { type HttpResponse, toCachedBody } from "../../http/responses.ts";
import type { Language } from "./languages.ts";

/** Content of the portal for other programs than browsers: feeds, calendars, tables. */

/** How a file is sent. */
export type FileResponseOptions = {
  /** The media type with its parameters. */
  readonly type: string;
  readonly language: Language;
  /** The name under which a program stores the file. */
  readonly fileName?: string;
  /** Browsers store the file instead of showing it. */
  readonly isAttachment?: true;
  /** Whether the same request would still get this file: as for `pageResponse`. Without it, the server does not cache the file. */
  readonly isFresh?: (() => boolean | Promise<boolean>) | undefined;
};

/** The headers of a file. Nothing in it may run in a browser. Caches may store it, but ask whether it is still the same. */
export const fileHeaders = ({ type, language, fileName, isAttachment }: FileResponseOptions) => ({
  "Content-Type": type,
  "Content-Language": language,
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cache-Control": "public, no-cache",
  ...(fileName !== undefined && {
    "Content-Disposition": `${isAttachment ? "attachment" : "inline"}; filename="${fileName}"`,
  }),
});

/** The response with a file. Its ETag lets programs ask whether it has changed. */
export const fileResponse = (text: string, options: FileResponseOptions): HttpResponse => ({
  status: 200,
  headers: fileHeaders(options),
  text: toCachedBody(text),
  ...(options.isFresh && { isFresh: options.isFresh }),
});

/** Says in plain text what is wrong with the address of a file, a problem on each line. */
export const fileProblemsResponse = (messages: readonly string[], language: Language): HttpResponse => ({
  status: 400,
  headers: { "Content-Type": "text/plain; charset=UTF-8", "Content-Language": language, "Cache-Control": "no-cache" },
  text: toCachedBody(messages.map((message) => `${message}\n`).join("")),
});
