import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import { type Encoding, negotiateEncoding } from "../http/acceptEncoding.ts";
import type { BodyStyle, RenderedBody } from "../http/responseBody.ts";
import type { HttpResponse } from "../http/responses.ts";

/**
 * Compression of responses, outside the event loop. Cached bodies are compressed once, and the result is cached with them. Short
 * responses and requests without Accept-Encoding cost nothing extra.
 */
export type Compression = {
  /** Whether such a response is compressed for clients that accept it, so that it needs `Vary`. */
  readonly isEncodable: (
    request: IncomingMessage,
    response: HttpResponse,
    style: BodyStyle,
    rendered: RenderedBody,
  ) => boolean;
  /** The compressed body, if the client accepts one and it is shorter; not a promise if it is cached. */
  readonly encode: (
    request: IncomingMessage,
    response: HttpResponse,
    rendered: RenderedBody,
  ) => EncodedBody | undefined | Promise<EncodedBody | undefined>;
};

/** A compressed body. If it is cached, it is a Latin-1 string, which Node sends in one write with the headers; otherwise a buffer. */
export type EncodedBody = { readonly encoding: Encoding; readonly content: Buffer | string };

/** A response that fits into one packet with its headers arrives no sooner when compressed. */
const LENGTH_MIN = 1400;
/** Compression levels: for what never changes, for cached bodies, and for bodies of one request. */
type Effort = "best" | "good" | "fast";

const { BROTLI_PARAM_QUALITY, ZSTD_c_compressionLevel } = constants;
// At Brotli's highest levels the first reader of an API description would wait for most of a second.
const LEVELS = {
  br: { best: 9, good: 5, fast: 2 },
  zstd: { best: 15, good: 6, fast: 1 },
  gzip: { best: 9, good: 6, fast: 1 },
} as const satisfies { readonly [encoding in Encoding]: { readonly [effort in Effort]: number } };

/** Brotli gives the smallest result where time does not matter; zstd is the fastest otherwise. */
const BEST_ORDER: readonly Encoding[] = ["br", "zstd", "gzip"];
const FAST_ORDER: readonly Encoding[] = ["zstd", "br", "gzip"];

const compressors: { readonly [encoding in Encoding]: (content: Buffer, effort: Effort) => Promise<Buffer> } = {
  br: (content, effort) =>
    promisify<Buffer, object, Buffer>(brotliCompress)(content, {
      params: { [BROTLI_PARAM_QUALITY]: LEVELS.br[effort] },
    }),
  zstd: (content, effort) =>
    promisify<Buffer, object, Buffer>(zstdCompress)(content, {
      params: { [ZSTD_c_compressionLevel]: LEVELS.zstd[effort] },
    }),
  gzip: (content, effort) => promisify<Buffer, object, Buffer>(gzip)(content, { level: LEVELS.gzip[effort] }),
};

type Variant = EncodedBody | undefined;
/** The compressed forms of a body; undefined for an encoding that gains nothing. */
type Variants = Map<Encoding, Variant | Promise<Variant>>;

const COMPRESSIBLE = /^(text\/|application\/(json|javascript|xml)\b|application\/[\w.-]+\+(json|xml)|image\/svg\+xml)/;
const isCompressible = (type = ""): boolean => COMPRESSIBLE.test(type);

export const NO_COMPRESSION: Compression = { isEncodable: () => false, encode: () => undefined };

export function openCompression(): Compression {
  const cache = new WeakMap<object, Variants>();

  async function compress(rendered: RenderedBody, encoding: Encoding, effort: Effort): Promise<Variant> {
    const { content } = rendered;
    const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content;
    const compressed = await compressors[encoding](bytes, effort);
    return compressed.length < bytes.length ? { encoding, content: compressed } : undefined;
  }

  function compressOnce(source: object, rendered: RenderedBody, encoding: Encoding, effort: Effort) {
    const variants: Variants = cache.get(source) ?? new Map();
    if (variants.has(encoding)) return variants.get(encoding);
    const pending = compress(rendered, encoding, effort).then((compressed) => {
      const variant = compressed && { encoding, content: compressed.content.toString("latin1") };
      variants.set(encoding, variant);
      return variant;
    });
    // After a failure the next request tries again.
    pending.catch(() => variants.delete(encoding));
    cache.set(source, variants.set(encoding, pending));
    return pending;
  }

  return {
    isEncodable: ({ method }, { status, json, text, bytes, headers }, { callback }, { length }) =>
      length >= LENGTH_MIN &&
      status === 200 &&
      (method === "GET" || method === "HEAD") &&
      (json !== undefined ? !callback : (text ?? bytes) !== undefined && isCompressible(headers?.["Content-Type"])) &&
      !headers?.["Cache-Control"]?.includes("no-store"),
    encode(request, { json, text, bytes, isConstant, isFresh }, rendered) {
      const accepted = acceptEncodingOf(request);
      if (accepted === undefined || hasOwnerToken(request)) return undefined;
      const encoding = negotiateEncoding(accepted, isConstant ? BEST_ORDER : FAST_ORDER);
      if (!encoding) return undefined;
      const cachedJson = typeof json === "object" && rendered.etag !== undefined ? json : undefined;
      const constantBody = isConstant ? (bytes ?? text ?? cachedJson) : undefined;
      if (constantBody) return compressOnce(constantBody, rendered, encoding, "best");
      // A page that is not cached is sent only once.
      const cachedBody = cachedJson ?? (isFresh ? text : undefined);
      return cachedBody ? compressOnce(cachedBody, rendered, encoding, "good") : compress(rendered, encoding, "fast");
    },
  };
}

const ACCEPT_ENCODING = "accept-encoding";
const ACCESS_TOKEN = "x-access-token";

/** Searches `rawHeaders`, in which names and values alternate, because `request.headers` would have to be built first. */
function acceptEncodingOf({ rawHeaders }: IncomingMessage): string | undefined {
  let accepted: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length !== ACCEPT_ENCODING.length || name.toLowerCase() !== ACCEPT_ENCODING) continue;
    accepted = accepted === undefined ? rawHeaders[i + 1]! : `${accepted}, ${rawHeaders[i + 1]}`;
  }
  return accepted;
}

/**
 * Guards against BREACH: an attacker who can put text into a response learns about its secrets from the compressed length. So
 * responses to owners and responses to writes are not compressed.
 */
const hasOwnerToken = ({ url = "", rawHeaders }: IncomingMessage): boolean =>
  url.includes("acc_token=") ||
  rawHeaders.some(
    (name, i) => i % 2 === 0 && name.length === ACCESS_TOKEN.length && name.toLowerCase() === ACCESS_TOKEN,
  );
