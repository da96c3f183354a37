import assert from "node:assert/strict";

/** What was acknowledged, and what must therefore be seen. Times are the texts of the wire, made comparable. */
export type AcknowledgedWrites = ReturnType<typeof openAcknowledgedWrites>;

/** Microseconds since the epoch of a time as the wire has it, in seconds with a fraction or with an offset. */
export function microsOf(wire: string): number {
  const [seconds = "", fraction = ""] = wire.replace(/([+-]\d\d:\d\d|Z)$/, "").split(".");
  const zone = /([+-]\d\d:\d\d|Z)$/.exec(wire)?.[0] ?? "";
  return Date.parse(`${seconds}${zone}`) * 1000 + Number(fraction.padEnd(6, "0").slice(0, 6));
}

export function openAcknowledgedWrites() {
  /** The last acknowledged change of each tender. */
  const last = new Map<string, number>();
  let acknowledged = 0;
  let unanswered = 0;
  return {
    last,
    acknowledge(id: string, at: number): void {
      acknowledged += 1;
      last.set(id, Math.max(at, last.get(id) ?? 0));
    },
    /** Nobody said whether it was done. */
    recordUnanswered(): void {
      unanswered += 1;
    },
    counts: () => ({ acknowledged, unanswered, tenders: last.size }),
    /** What a reader has seen of each tender is at least what was acknowledged. */
    assertSeen(seen: ReadonlyMap<string, number>, reader: string, expected: ReadonlyMap<string, number> = last): void {
      for (const [id, at] of expected)
        assert.ok((seen.get(id) ?? 0) >= at, `${reader} missed the change of ${id} at ${at}: saw ${seen.get(id)}`);
    },
  };
}
