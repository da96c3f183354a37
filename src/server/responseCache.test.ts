import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { describe, it } from "node:test";
import { type HttpResponse, toCachedBody } from "../http/responses.ts";
import { openResponseCache } from "./responseCache.ts";

const requestFor = (url: string) =>
  ({ method: "GET", url, rawHeaders: ["Host", "localhost"] }) as unknown as IncomingMessage;

describe("the response cache", () => {
  it("does not store a response whose freshness check rejects, and handles the rejection", async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", onUnhandled);
    const cache = openResponseCache();
    const request = requestFor("/a");
    const isFresh = () => Promise.reject(new Error("the database is unavailable"));
    cache.store(request, { response: { status: 200, json: toCachedBody("{}"), isFresh } });
    // Node has reported every unhandled rejection by then.
    await new Promise(setImmediate);
    process.off("unhandledRejection", onUnhandled);
    assert.deepEqual([unhandled, cache.find(request)], [[], undefined]);
  });

  /** Stores `count` responses and returns how many of them can be found afterwards. */
  const storedCount = (cache: ReturnType<typeof openResponseCache>, count: number, urlOf: (i: number) => string) => {
    for (let i = 0; i < count; i++)
      cache.store(requestFor(urlOf(i)), {
        response: { status: 200, json: toCachedBody("{}"), isFresh: () => true },
      });
    return Array.from({ length: count }, (_, i) => cache.find(requestFor(urlOf(i)))).filter(Boolean).length;
  };

  it("is bounded also for many short responses with made-up URLs", () => {
    const cache = openResponseCache();
    assert.equal(
      storedCount(cache, 10, (i) => `/few?${i}`),
      10,
    );
    assert.ok(storedCount(cache, 50_000, (i) => `/many?${i}`) < 5000);
  });

  const BODIES: readonly (readonly [name: string, bodyOf: (length: number) => Partial<HttpResponse>])[] = [
    ["encoded JSON", (length) => ({ json: toCachedBody("x".repeat(length)) })],
    ["JSON", (length) => ({ json: "x".repeat(length / 2) })],
    ["a text", (length) => ({ text: toCachedBody("x".repeat(length)) })],
    ["bytes", (length) => ({ bytes: Buffer.alloc(length) })],
  ];
  for (const [name, bodyOf] of BODIES)
    it(`is bounded by the bytes of its bodies: ${name}`, () => {
      const cache = openResponseCache();
      const countOf = (count: number, length: number): number => {
        for (let i = 0; i < count; i++)
          cache.store(requestFor(`/${length}/${i}`), {
            response: { status: 200, ...bodyOf(length), isFresh: () => true },
          });
        return Array.from({ length: count }, (_, i) => cache.find(requestFor(`/${length}/${i}`))).filter(Boolean)
          .length;
      };
      assert.equal(countOf(10, 200_000), 10);
      assert.ok(countOf(200, 200_000) < 90);
      assert.equal(countOf(3, 300_000), 0);
    });

  it("does not store responses for long URLs", () => {
    assert.equal(
      storedCount(openResponseCache(), 10, (i) => `/long?${i}${"x".repeat(2000)}`),
      0,
    );
  });
});
