import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Lru, openLru, openLruBySize } from "./lru.ts";

const keysIn = (cache: Lru<number>, ...keys: readonly string[]) => keys.filter((key) => cache.has(key)).join("");

describe("an LRU cache", () => {
  it("returns the value of a key, and undefined for others", () => {
    const cache = openLru<number>(10);
    cache.put("a", 1, 5);
    assert.deepEqual([cache.get("a"), cache.get("b"), cache.has("a"), cache.has("b")], [1, undefined, true, false]);
  });

  it("is full to the last byte, and evicts the least recently used for one more", () => {
    const cache = openLru<number>(10);
    cache.put("a", 1, 5);
    cache.put("b", 2, 5);
    assert.equal(keysIn(cache, "a", "b"), "ab");
    cache.get("a");
    cache.put("c", 3, 1);
    assert.equal(keysIn(cache, "a", "b", "c"), "ac");
  });

  it("evicts exactly as many entries as needed", () => {
    const cache = openLru<number>(10);
    for (const key of "abcd") cache.put(key, 1, 2);
    cache.put("e", 1, 4);
    assert.equal(keysIn(cache, ..."abcde"), "bcde");
    cache.put("f", 1, 6);
    assert.equal(keysIn(cache, ..."abcdef"), "ef");
  });

  it("replaces the value of a key and counts it once", () => {
    const cache = openLru<number>(10);
    cache.put("a", 1, 6);
    cache.put("b", 2, 4);
    cache.put("a", 3, 6);
    assert.deepEqual([cache.get("a"), cache.get("b")], [3, 2]);
  });

  it("stores what just fits, and keeps the others if a value could never fit", () => {
    const cache = openLru<number>(10);
    cache.put("a", 1, 4);
    cache.put("b", 2, 11);
    assert.equal(keysIn(cache, "a", "b"), "a");
    cache.put("c", 3, 10);
    assert.equal(keysIn(cache, "a", "c"), "c");
    cache.put("c", 4, 11);
    assert.equal(keysIn(cache, "c"), "", "what was there is outdated");
  });

  it("forgets a key or everything, and has the room again", () => {
    const cache = openLru<number>(10);
    cache.put("a", 1, 6);
    cache.drop("a");
    cache.drop("a");
    cache.put("b", 2, 10);
    assert.equal(keysIn(cache, "a", "b"), "b");
    cache.clear();
    assert.equal(keysIn(cache, "b"), "");
    cache.put("c", 3, 5);
    cache.put("d", 4, 5);
    assert.equal(keysIn(cache, "c", "d"), "cd");
  });
});

describe("an LRU cache by size", () => {
  it("has separate room for entries of more than a quarter of the usual one", () => {
    const cache = openLruBySize<number>(8, 100);
    for (const key of "abcd") cache.put(key, 1, 2);
    cache.put("L", 2, 3);
    assert.equal(keysIn(cache, ..."abcdL"), "abcdL", "the large one evicts none of the usual");
    cache.put("e", 1, 2);
    assert.equal(keysIn(cache, ..."abcdeL"), "bcdeL", "and a quarter is still usual");
    assert.deepEqual([cache.get("L"), cache.get("b"), cache.get("x")], [2, 1, undefined]);
  });

  it("moves an entry that changes its size, and forgets in both rooms", () => {
    const cache = openLruBySize<number>(8, 10);
    cache.put("a", 1, 2);
    cache.put("a", 2, 9);
    assert.equal(cache.get("a"), 2);
    cache.put("b", 3, 9);
    assert.equal(keysIn(cache, "a", "b"), "b");
    cache.put("b", 4, 1);
    assert.equal(cache.get("b"), 4);
    cache.drop("b");
    assert.equal(cache.has("b"), false);
    cache.put("c", 1, 1);
    cache.put("d", 1, 9);
    cache.drop("d");
    assert.equal(keysIn(cache, "c", "d"), "c");
    cache.put("d", 1, 9);
    cache.clear();
    assert.equal(keysIn(cache, "c", "d"), "");
  });
});
