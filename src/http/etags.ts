import { hash } from "node:crypto";
import type { Encoding } from "./acceptEncoding.ts";

/** ETags and `If-None-Match` (RFC 9110). An ETag is a hash of the exact bytes of a body. */

/** In base64url characters: 132 bits of SHA-256, too many to find a collision. */
const TAG_LENGTH = 22;

/** The strong ETag of a body, with its quotes. A string has a character for each byte. */
export function etagOf(content: string | Buffer): string {
  const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content;
  return `"${hash("sha256", bytes, "base64url").slice(0, TAG_LENGTH)}"`;
}

/** The ETag of a compressed body: that of the body with the encoding as a suffix. */
export const encodedTag = (etag: string, encoding: Encoding): string => `${etag.slice(0, -1)}-${encoding}"`;

const ENCODED_TAG = new RegExp(`^("[\\w-]{${TAG_LENGTH}})-(?:gzip|br|zstd)"$`);

/** Removes the suffix for the encoding, if there is one. */
const unencodedTag = (tag: string): string => tag.replace(ENCODED_TAG, '$1"');

/** Whether an `If-Match` list names this body, in any encoding. By strong comparison: a tag with `W/` never matches. */
export const matchesStrongly = (list: string, etag: string): boolean =>
  list === etag || tagsIn(list).some((tag) => tag === "*" || unencodedTag(tag) === etag);

/** The tag of an `If-None-Match` list that names this body, in any encoding. By weak comparison: `W/` is ignored. */
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
 * The ETag under which the client already has this body, in any encoding; undefined if it has not. Takes `rawHeaders`, in which names
 * and values alternate, because `request.headers` would have to be built first.
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
