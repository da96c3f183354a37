import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openRateLimit, type Quota } from "./rateLimit.ts";

const SECOND = 1000;
const openLimit = (perMinute: number) => {
  const clock = { at: 0 };
  return { clock, ...openRateLimit(perMinute, () => clock.at) };
};
const headerOf = ({ headers }: Quota) => headers.RateLimit;
const repeat = (count: number, take: () => Quota): readonly Quota[] => Array.from({ length: count }, take);

describe("a rate limit", () => {
  it("reports how many requests it allows in how many seconds", () => {
    assert.equal(openLimit(30).take(["a"]).headers["RateLimit-Policy"], '"requests";q=30;w=60');
  });

  it("reports how many requests are left, and when all of them are available again", () => {
    const { take } = openLimit(30);
    assert.deepEqual(repeat(3, () => take(["a"])).map(headerOf), [
      '"requests";r=29;t=2',
      '"requests";r=28;t=4',
      '"requests";r=27;t=6',
    ]);
  });

  it("fills evenly", () => {
    const { take, clock } = openLimit(30);
    repeat(30, () => take(["a"]));
    clock.at += 20 * SECOND;
    assert.equal(headerOf(take(["a"])), '"requests";r=9;t=42');
    clock.at += 42 * SECOND;
    assert.equal(headerOf(take(["a"])), '"requests";r=29;t=2');
  });

  it("reports the same waiting time in both headers when it refuses, and allows a request after exactly that time", () => {
    for (const perMinute of [1, 7, 30, 6000]) {
      const { take, clock } = openLimit(perMinute);
      const all = repeat(perMinute, () => take(["a"]));
      assert.ok(all.every(({ allowed, headers }) => allowed && !("Retry-After" in headers)));
      assert.equal(headerOf(all.at(-1)!), '"requests";r=0;t=60');
      const { allowed, headers } = take(["a"]);
      const wait = Number(headers["Retry-After"]);
      assert.deepEqual([allowed, headers.RateLimit], [false, `"requests";r=0;t=${wait}`]);
      assert.equal(wait, Math.ceil(60 / perMinute));
      clock.at += 60_000 / perMinute - 1;
      assert.equal(take(["a"]).allowed, false);
      clock.at += wait * SECOND - (60_000 / perMinute - 1);
      assert.equal(take(["a"]).allowed, true);
    }
  });

  it("reports the emptiest of several buckets, and takes from none of them when it refuses", () => {
    const { take } = openLimit(3);
    repeat(2, () => take(["address"]));
    assert.equal(headerOf(take(["address", "key"])), '"requests";r=0;t=60');
    assert.equal(take(["address", "key"]).allowed, false);
    assert.equal(headerOf(take(["key"])), '"requests";r=1;t=40');
  });
});
