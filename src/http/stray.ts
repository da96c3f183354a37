import type { IncomingMessage } from "node:http";
import { ALLOWED, type Answer, NOT_FOUND } from "./answers.ts";
import { type DocsPorts, missingPage } from "./docs/site.ts";
import { ICON } from "./markup.ts";
import { isRead } from "./standingHeaders.ts";

/** Browsers ask for it beside whatever is no page of ours, such as JSON. */
const BROWSERS_ICON = "/favicon.ico";

/** Where nothing is: programs are told so in JSON, as everywhere, and people who look for a page are shown one. */
export function answerStray(ports: DocsPorts, request: IncomingMessage, origin: string, path: string): Answer {
  if (path === BROWSERS_ICON && request.method === "OPTIONS") return ALLOWED("GET, HEAD");
  if (!isRead(request.method)) return NOT_FOUND("path");
  if (path === BROWSERS_ICON) return THE_ICON;
  return wantsPage(request) && !isOfApi(path) ? missingPage(ports, origin, path) : NOT_FOUND("path");
}

const isOfApi = (path: string): boolean => path === "/api" || path.startsWith("/api/");

/** Who takes anything, as most programs say, takes JSON. */
const wantsPage = ({ headers }: IncomingMessage): boolean => /\btext\/html\b/i.test(headers.accept ?? "");

const THE_ICON: Answer = {
  status: 200,
  headers: {
    "Content-Type": "image/svg+xml",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "public, max-age=86400",
  },
  bytes: Buffer.from(decodeURIComponent(ICON.slice(ICON.indexOf(",") + 1))),
};
