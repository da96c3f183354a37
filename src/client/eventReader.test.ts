import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { openEventReader, type ServerSentEvent } from "./eventReader.ts";

function readIn(pieces: readonly string[]): readonly ServerSentEvent[] {
  const reader = openEventReader();
  return pieces.flatMap((piece) => reader.read(piece));
}

/** The text in pieces that end at these places. */
function cut(text: string, places: readonly number[]): readonly string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted((a, b) => a - b);
  return [...ends, text.length].map((end, i) => text.slice(ends[i - 1] ?? 0, end));
}

const STREAM = [
  "retry: 1000",
  ": heart-beat",
  "",
  "id: 1",
  'data: {"a":',
  "data:1}",
  "",
  "data",
  "",
  "id: 2",
  "",
  ":",
  "event: other",
  "unknown: field",
  "data:  two spaces",
  "",
  "id: bad\0id",
  "data: x",
  "",
  "data: never ended",
];

const EVENTS: readonly ServerSentEvent[] = [
  { id: "1", data: '{"a":\n1}' },
  { id: "1", data: "" },
  { id: "2", data: undefined },
  { id: "2", data: " two spaces" },
  { id: "2", data: "x" },
];

describe("the reader of events", () => {
  for (const [name, end] of [
    ["line feeds", "\n"],
    ["returns", "\r"],
    ["both", "\r\n"],
  ] as const)
    it(`reads the same with ${name} at the ends of lines, wherever it is cut`, () => {
      const text = `\uFEFF${STREAM.join(end)}`;
      assert.deepEqual(readIn([text]), EVENTS);
      assert.deepEqual(readIn([...text]), EVENTS);
      fc.assert(
        fc.property(fc.array(fc.nat()), (places) => {
          assert.deepEqual(readIn(cut(text, places)), EVENTS);
        }),
      );
    });

  it("hears how long to wait, and nothing else that is not digits", () => {
    const reader = openEventReader();
    reader.read("retry: 250\nretry: soon\n\n");
    assert.equal(reader.retryMs(), 250);
  });
});
