import { hash } from "node:crypto";
import type { Encoding } from "./acceptEncoding.ts";

/** Conditional requests (RFC 9110): a tag names exactly the bytes of a body, and who has them is not sent them again. */

/** 132 bits: nobody finds two bodies of one tag. */
const TAG_LENGTH = 22;

export function etagOf(content: string | Buffer, encoding: "utf8" | "latin1" = "utf8"): string {
  const bytes = typeof content === "string" && encoding === "latin1" ? Buffer.from(content, "latin1") : content;
  return `"${hash("sha256", bytes, "base64url").slice(0, TAG_LENGTH)}"`;
}

/** The compressed forms of a body have tags of their own, which begin with that of the body. */
export const encodedTag = (etag: string, encoding: Encoding): string => `${etag.slice(0, -1)}-${encoding}"`;

const ENCODED_TAG = new RegExp(`^("[\\w-]{${TAG_LENGTH}})-(?:gzip|br|zstd)"$`);

/** The tag of the body itself, if this is that of a compressed form. */
const unencodedTag = (tag: string): string => tag.replace(ENCODED_TAG, '$1"');

/** Whether a list of tags names this body, in whatever form, as If-Match asks: what may be other bytes is another tag. */
export const matchesStrongly = (list: string, etag: string): boolean =>
  list === etag || tagsIn(list).some((tag) => tag === "*" || unencodedTag(tag) === etag);

/** The tag by which a list names this body, in whatever form, as If-None-Match asks: `W/` before a tag makes no difference. */
function weaklyMatchingTag(list: string, etag: string): string | undefined {
  if (list === etag) return etag;
  for (const tag of tagsIn(list)) {
    const strong = tag.startsWith("W/") ? tag.slice(2) : tag;
    if (strong === "*") return etag;
    if (unencodedTag(strong) === etag) return strong;
  }
  return undefined;
}

const tagsIn = (list: string): readonly string[] => list.split(",").map((tag) => tag.trim());

const IF_NONE_MATCH = "if-none-match";

/**
 * The tag by which the client has this body already, in whatever form. Names and values stand in turn; looking through them costs
 * less than having them sorted into an object.
 */
export function ifNoneMatchTag(rawHeaders: readonly string[], etag: string): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length !== IF_NONE_MATCH.length || name.toLowerCase() !== IF_NONE_MATCH) continue;
    const matchedTag = weaklyMatchingTag(rawHeaders[i + 1]!, etag);
    if (matchedTag) return matchedTag;
  }
  return undefined;
}
