import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Instant } from "../../domain/values/time.ts";
import { openChannel } from "./channel.ts";

/** A feed like that of the store: each tender is listed once, at its last change. */
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
  it("delivers every change once and in order to every reader, however small its buffer and however far readers fall behind", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(change, change, refresh, read), { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(0, 40, 100, 10_000),
        async (steps, pageRows, bytes) => {
          const { feed, changed, change } = openFeed();
          const channel = openChannel({
            feed,
            pageRows,
            bytesMax: () => bytes,
            entryOf: ({ id, dateModified }) => ({ text: id, dateModified }),
            offsetOf: String,
          });
          const readers = Array.from({ length: READERS }, () => ({ position: 0, received: "" }));
          /** Reads one chunk; false if the reader has made no progress. */
          const readChunk = async (reader: { position: Instant; received: string }): Promise<boolean> => {
            const next = channel.after(reader.position);
            if (!next) return false;
            const { bytes, upTo } = next === "behind" ? await channel.backfill(reader.position) : next;
            assert.ok(upTo > reader.position || bytes.length === 0);
            const hasAdvanced = upTo > reader.position;
            reader.position = upTo;
            reader.received += bytes;
            return hasAdvanced;
          };
          for (const step of steps)
            if ("change" in step) change(step.change);
            else if ("read" in step) await readChunk(readers[step.read]!);
            else await channel.refresh(() => {});
          await channel.refresh(() => {});
          for (const reader of readers) {
            while (await readChunk(reader));
            const events = [...reader.received.matchAll(/id: (\d+)\ndata: (\w)\n\n/g)].map(([, at, id]) => [
              id!,
              Number(at),
            ]);
            const positions = events.map(([, at]) => at as number);
            assert.deepEqual(
              positions,
              [...new Set(positions)].sort((a, b) => a - b),
            );
            assert.deepEqual(Object.fromEntries(events), Object.fromEntries(changed));
          }
        },
      ),
      { numRuns: 300 },
    ));
});
