import { hash } from "node:crypto";

/** Conditional requests (RFC 9110): a tag names exactly the bytes of a body, and who has them is not sent them again. */

/** 132 bits: nobody finds two bodies of one tag. */
const TAG_LENGTH = 22;

export function etagOf(content: string | Buffer, encoding: "utf8" | "latin1" = "utf8"): string {
  const bytes = typeof content === "string" && encoding === "latin1" ? Buffer.from(content, "latin1") : content;
  return `"${hash("sha256", bytes, "base64url").slice(0, TAG_LENGTH)}"`;
}

/** Whether a list of tags names this one, as If-None-Match asks: `W/` before a tag makes no difference. */
export const namesWeakly = (list: string, etag: string): boolean =>
  list === etag || tagsIn(list).some((tag) => tag === "*" || tag === etag || tag === `W/${etag}`);

/** The same as If-Match asks: what may be other bytes is another tag. */
export const namesStrongly = (list: string, etag: string): boolean =>
  list === etag || tagsIn(list).some((tag) => tag === "*" || tag === etag);

const tagsIn = (list: string): readonly string[] => list.split(",").map((tag) => tag.trim());

const IF_NONE_MATCH = "if-none-match";

/** Names and values stand in turn; looking through them costs less than having them sorted into an object. */
export function hasAlready(rawHeaders: readonly string[], etag: string): boolean {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length !== IF_NONE_MATCH.length || name.toLowerCase() !== IF_NONE_MATCH) continue;
    if (namesWeakly(rawHeaders[i + 1]!, etag)) return true;
  }
  return false;
}
