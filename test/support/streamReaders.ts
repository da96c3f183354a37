import assert from "node:assert/strict";
import { after } from "node:test";
import { openZone, parseInstant } from "../../src/domain/values/time.ts";
import { entriesIn, openSse, type SseConnection, type SseOptions } from "./sse.ts";
import { openWorld, type World } from "./world.ts";

// Readers of the stream, and assertions about what they received.

const kyiv = openZone("Europe/Kyiv");
export const instantOf = (text: string): number => parseInstant(text, kyiv) as number;
export const STREAM_VERSIONS = ["0", "0.1", "0.2", "2.3", "2.5"];
export const stampOf = (version: string) => (version === "0.1" ? "modified" : "dateModified");

/** Opens worlds and readers, which are closed after the tests of the file. */
export function openStreamReaders() {
  const worlds: World[] = [];
  const listening: SseConnection[] = [];
  after(async () => {
    for (const sse of listening) sse.close();
    for (const world of worlds) await world.stop();
  });
  return {
    newWorld: async (...settings: Parameters<typeof openWorld>): Promise<World> => {
      const world = await openWorld(...settings);
      worlds.push(world);
      return world;
    },
    listen: async ({ url }: { readonly url: string }, version: string, query = "", options: SseOptions = {}) => {
      const sse = await openSse(`${url}/api/${version}/tenders/stream?${query}`, options);
      listening.push(sse);
      return sse;
    },
  };
}

export const idsOf = (sse: SseConnection) => entriesIn(sse).map(({ id }) => id);
const isRising = (stamps: readonly string[]) =>
  stamps.every((stamp, i) => i === 0 || Number(stamp) > Number(stamps[i - 1]));

/** Waits for the last written change, and asserts that every change was received once and in order. */
export async function assertReceivedAll(
  sse: SseConnection,
  written: ReadonlyMap<string, string>,
  stamp = "dateModified",
): Promise<void> {
  const last = Math.max(...[...written.values()].map(instantOf));
  await sse.waitUntil(({ events }) => events.length > 0 && instantOf(JSON.parse(events.at(-1)!.data)[stamp]) >= last);
  assertInOrder(sse, stamp);
  const received = new Map(entriesIn(sse).map((entry) => [entry.id!, entry[stamp]!]));
  assert.deepEqual([...received].sort(), [...written].sort());
}

export function assertInOrder(sse: Pick<SseConnection, "events">, stamp = "dateModified"): void {
  const stamps = entriesIn(sse).map((entry) => instantOf(entry[stamp]!));
  assert.ok(isRising(stamps.map(String)), "changes are repeated or out of order");
}
