/** Content negotiation by `Accept-Encoding` (RFC 9110, section 12.5.3). */

/** The content encodings that the server can send. */
export type Encoding = "br" | "zstd" | "gzip";

const ALIASES: { readonly [name: string]: string } = { "x-gzip": "gzip" };
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

type Qualities = ReadonlyMap<string, number>;

/**
 * The encoding with the highest weight; among equals, the first in `order`. Undefined if the client prefers no encoding or an unknown
 * one. Encodings that are not listed are not acceptable, unless `*` is; `identity` has the lowest preference unless it is listed.
 */
export function negotiateEncoding(accepted: string, order: readonly Encoding[]): Encoding | undefined {
  const qualities = parseQualities(accepted);
  const qualityOf = (encoding: Encoding) => qualities.get(encoding) ?? qualities.get("*") ?? 0;
  const best = order.reduce((preferred, candidate) =>
    qualityOf(candidate) > qualityOf(preferred) ? candidate : preferred,
  );
  const quality = qualityOf(best);
  return quality > 0 && quality >= (qualities.get("identity") ?? 0) ? best : undefined;
}

/** Nearly all clients send one of a few values, so parsed values are cached. */
const CACHED_HEADERS_MAX = 64;
const CACHED_HEADER_LENGTH_MAX = 100;
const qualitiesByHeader = new Map<string, Qualities>();

function parseQualities(accepted: string): Qualities {
  const cached = qualitiesByHeader.get(accepted);
  if (cached) return cached;
  const qualities = new Map<string, number>();
  for (const part of accepted.split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const weight = parameters.find((text) => /^q\s*=/.test(text))?.replace(/^q\s*=\s*/, "") ?? "1";
    // An encoding with an invalid weight is ignored.
    if (name !== "" && QUALITY.test(weight)) qualities.set(ALIASES[name] ?? name, Number(weight));
  }
  if (accepted.length <= CACHED_HEADER_LENGTH_MAX) {
    if (qualitiesByHeader.size >= CACHED_HEADERS_MAX) qualitiesByHeader.clear();
    qualitiesByHeader.set(accepted, qualities);
  }
  return qualities;
}
