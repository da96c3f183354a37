import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { describe, it } from "node:test";
import { toCachedJson } from "../http/responses.ts";
import { openResponseCache } from "./responseCache.ts";

describe("an answer whose store cannot say whether it is still the one", () => {
  it("is not kept, and harms nobody", async () => {
    const failures: unknown[] = [];
    const note = (error: unknown) => failures.push(error);
    process.on("unhandledRejection", note);
    const hot = openResponseCache();
    const request = { method: "GET", url: "/a", rawHeaders: ["Host", "here"] } as unknown as IncomingMessage;
    const isStill = () => Promise.reject(new Error("the database is away"));
    hot.store(request, { answer: { status: 200, json: toCachedJson("{}"), isFresh: isStill } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", note);
    assert.deepEqual([failures, hot.find(request)], [[], undefined]);
  });
});

describe("what is kept", () => {
  const isStill = () => true;
  const asked = (url: string) => ({ method: "GET", url, rawHeaders: ["Host", "here"] }) as unknown as IncomingMessage;
  const kept = (hot: ReturnType<typeof openResponseCache>, count: number, urlOf: (i: number) => string) => {
    for (let i = 0; i < count; i++)
      hot.store(asked(urlOf(i)), { answer: { status: 200, json: toCachedJson("{}"), isFresh: isStill } });
    return Array.from({ length: count }, (_, i) => hot.find(asked(urlOf(i)))).filter(Boolean).length;
  };

  it("is little also of answers that are short, whoever makes up addresses", () => {
    const hot = openResponseCache();
    assert.equal(
      kept(hot, 10, (i) => `/few?${i}`),
      10,
    );
    assert.ok(kept(hot, 50_000, (i) => `/many?${i}`) < 5000);
  });

  it("has no long address", () => {
    assert.equal(
      kept(openResponseCache(), 10, (i) => `/long?${i}${"x".repeat(2000)}`),
      0,
    );
  });
});
