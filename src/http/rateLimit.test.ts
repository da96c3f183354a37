import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openRateLimit, type Quota } from "./rateLimit.ts";

const SECOND = 1000;
const limited = (perMinute: number) => {
  const clock = { at: 0 };
  return { clock, ...openRateLimit(perMinute, () => clock.at) };
};
const told = ({ headers }: Quota) => headers.RateLimit;
const times = (count: number, ask: () => Quota): readonly Quota[] => Array.from({ length: count }, ask);

describe("a rate limit", () => {
  it("says how many requests it allows in how many seconds", () => {
    assert.equal(limited(30).take(["a"]).headers["RateLimit-Policy"], '"requests";q=30;w=60');
  });

  it("says how many are left, and how long it takes until all of them are there again", () => {
    const { take } = limited(30);
    assert.deepEqual(times(3, () => take(["a"])).map(told), [
      '"requests";r=29;t=2',
      '"requests";r=28;t=4',
      '"requests";r=27;t=6',
    ]);
  });

  it("fills evenly, and says so", () => {
    const { take, clock } = limited(30);
    times(30, () => take(["a"]));
    clock.at += 20 * SECOND;
    assert.equal(told(take(["a"])), '"requests";r=9;t=42');
    clock.at += 42 * SECOND;
    assert.equal(told(take(["a"])), '"requests";r=29;t=2');
  });

  it("refuses with the moment from which on it does not, the same in both headers, and not a moment later", () => {
    for (const perMinute of [1, 7, 30, 6000]) {
      const { take, clock } = limited(perMinute);
      const all = times(perMinute, () => take(["a"]));
      assert.ok(all.every(({ allowed, headers }) => allowed && !("Retry-After" in headers)));
      assert.equal(told(all.at(-1)!), '"requests";r=0;t=60');
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

  it("of several tells of the one that is nearest to its end, and a refusal takes from none", () => {
    const { take } = limited(3);
    times(2, () => take(["address"]));
    assert.equal(told(take(["address", "key"])), '"requests";r=0;t=60');
    assert.equal(take(["address", "key"]).allowed, false);
    assert.equal(told(take(["key"])), '"requests";r=1;t=40');
  });
});
