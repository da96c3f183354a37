import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Instant } from "../../domain/values/time.ts";
import { openChannel } from "./channel.ts";

/** A feed of a few tenders, as the store has it: each once, where it last changed. */
function openFeed() {
  const changed = new Map<string, Instant>();
  let now = 0;
  return {
    changed,
    change: (id: string) => void changed.set(id, ++now),
    feed: async (beyond: Instant | undefined, limit: number, descending = false) =>
      [...changed]
        .map(([id, dateModified]) => ({ id, dateModified }))
        .filter(({ dateModified }) => descending || dateModified > (beyond ?? 0))
        .sort((a, b) => (descending ? b.dateModified - a.dateModified : a.dateModified - b.dateModified))
        .slice(0, limit),
  };
}

const READERS = 3;
const change = fc.record({ change: fc.constantFrom("a", "b", "c", "d", "e") });
const refresh = fc.constant({ refresh: true } as const);
const read = fc.record({ read: fc.nat(READERS - 1) });

describe("a channel", () => {
  it("gives every reader everything once and in order, however little it keeps and however they fall behind", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(change, change, refresh, read), { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(0, 40, 100, 10_000),
        async (acts, pageRows, bytes) => {
          const { feed, changed, change } = openFeed();
          const channel = openChannel({
            feed,
            pageRows,
            bytesMax: () => bytes,
            entryOf: ({ id, dateModified }) => ({ text: id, dateModified }),
            offsetOf: String,
          });
          const readers = Array.from({ length: READERS }, () => ({ place: 0, heard: "" }));
          /** One chunk, if there is one. */
          const readOne = async (reader: { place: Instant; heard: string }): Promise<boolean> => {
            const next = channel.after(reader.place);
            if (!next) return false;
            const { bytes, upTo } = next === "behind" ? await channel.backfill(reader.place) : next;
            assert.ok(upTo > reader.place || bytes.length === 0);
            const isFurther = upTo > reader.place;
            reader.place = upTo;
            reader.heard += bytes;
            return isFurther;
          };
          for (const act of acts)
            if ("change" in act) change(act.change);
            else if ("read" in act) await readOne(readers[act.read]!);
            else await channel.refresh(() => {});
          await channel.refresh(() => {});
          for (const reader of readers) {
            while (await readOne(reader));
            const events = [...reader.heard.matchAll(/id: (\d+)\ndata: (\w)\n\n/g)].map(([, at, id]) => [
              id!,
              Number(at),
            ]);
            const places = events.map(([, at]) => at as number);
            assert.deepEqual(
              places,
              [...new Set(places)].sort((a, b) => a - b),
            );
            assert.deepEqual(Object.fromEntries(events), Object.fromEntries(changed));
          }
        },
      ),
      { numRuns: 300 },
    ));
});
