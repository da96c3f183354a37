import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseJson } from "../../src/dialects/json.ts";

/** No text takes the parser much longer than others of the same length. */

describe("the time for parsing JSON", () => {
  const LENGTH = 400_000;
  const filled = (head: string, piece: string, tail: string) =>
    head + piece.repeat(Math.floor((LENGTH - head.length - tail.length) / piece.length)).replace(/,$/, "") + tail;
  const plain = filled("[", '{"description":"A chair for an office","quantity":25,"unit":{"code":"H87"}},', "]");
  const deep = "[".repeat(60) + "]".repeat(60);
  const manyKeys = (nameOf: (i: number) => string) =>
    filled("[", `{${Array.from({ length: 19_999 }, (_, i) => `"${nameOf(i)}":1`).join()}},`, "]");
  const bodies: { readonly [name: string]: string } = {
    "numbers with exponents": filled("[", "1e1,", "]"),
    "zeros with exponents": filled("[", "0e9,", "]"),
    "numbers too large": filled("[", "1e999999,", "]"),
    "numbers too long for a double": filled("[", "1.0000000000000001,", "]"),
    "one huge number": filled("", "9", ""),
    "deep nesting": filled("[", `${deep},`, "]"),
    "deep objects": filled("[", `${'{"a":'.repeat(60)}1${"}".repeat(60)},`, "]"),
    "nesting that never ends": filled("", "[", ""),
    "empty lists": filled("[", "[],", "]"),
    "empty objects": filled("[", "{},", "]"),
    "objects of many keys": manyKeys((i) => i.toString(36)),
    "objects of many numbers": manyKeys((i) => String((i * 7919) % 1_000_003)),
    "escaped characters": filled('"', "\\u0041", '"'),
    "escaped quotes": filled('"', '\\"', '"'),
    backslashes: filled('"', "\\\\", '"'),
    "short texts with escapes": filled("[", '"\\n",', "]"),
    "spaces and nothing else": filled("", " ", ""),
  };

  const WARM_UP_ROUNDS = 3;
  const ROUNDS = 10;

  /**
   * The processor time of this thread in interleaved rounds, so that other load does not count. It adds up all rounds, because the
   * platform measures in steps that may be longer than one parse, and the shortest of several would be random.
   */
  const totalMs = (texts: readonly string[]): number[] => {
    const totals = texts.map(() => 0);
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++)
      for (const [i, text] of texts.entries()) {
        const before = process.threadCpuUsage();
        parseJson(text);
        const { user, system } = process.threadCpuUsage(before);
        if (round >= 0) totals[i]! += (user + system) / 1000;
      }
    return totals;
  };

  for (const [name, body] of Object.entries(bodies))
    it(`for ${name} is at most ten times that of plain text of the same length`, () => {
      // The garbage collector and the caches of a busy processor can only add to a cost, so the lowest of three is the closest.
      const ratios = Array.from({ length: 3 }, () => {
        const [its = 0, plainly = 0] = totalMs([body, plain]);
        return its / plainly;
      });
      assert.ok(Math.min(...ratios) <= 10, `${ratios.map((ratio) => ratio.toFixed(1)).join(", ")} times`);
    });
});
