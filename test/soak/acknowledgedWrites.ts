import assert from "node:assert/strict";

/** The acknowledged writes of a soak, which every reader must see. */
export type AcknowledgedWrites = ReturnType<typeof openAcknowledgedWrites>;

/** Parses a timestamp of the API to microseconds since 1970. */
export function microsOf(wire: string): number {
  const [seconds = "", fraction = ""] = wire.replace(/([+-]\d\d:\d\d|Z)$/, "").split(".");
  const zone = /([+-]\d\d:\d\d|Z)$/.exec(wire)?.[0] ?? "";
  return Date.parse(`${seconds}${zone}`) * 1000 + Number(fraction.padEnd(6, "0").slice(0, 6));
}

/** Records acknowledged writes. */
export function openAcknowledgedWrites() {
  /** The time of the last acknowledged change of each tender. */
  const last = new Map<string, number>();
  let acknowledged = 0;
  let unanswered = 0;
  return {
    last,
    acknowledge(id: string, at: number): void {
      acknowledged += 1;
      last.set(id, Math.max(at, last.get(id) ?? 0));
    },
    /** Counts a request without a response, which may or may not have been carried out. */
    recordUnanswered(): void {
      unanswered += 1;
    },
    counts: () => ({ acknowledged, unanswered, tenders: last.size }),
    /** Asserts that a reader has seen the last acknowledged change of each tender, or a later one. */
    assertSeen(
      seenTimes: ReadonlyMap<string, number>,
      reader: string,
      expected: ReadonlyMap<string, number> = last,
    ): void {
      for (const [id, at] of expected)
        assert.ok(
          (seenTimes.get(id) ?? 0) >= at,
          `${reader} missed the change of ${id} at ${at}: saw ${seenTimes.get(id)}`,
        );
    },
  };
}
