import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { openEventReader, type ServerSentEvent } from "./eventReader.ts";

function readChunks(chunks: readonly string[]): readonly ServerSentEvent[] {
  const reader = openEventReader();
  return chunks.flatMap((chunk) => reader.read(chunk));
}

/** Splits the text at these offsets, taken modulo its length. */
function splitAt(text: string, offsets: readonly number[]): readonly string[] {
  const ends = [...new Set(offsets.map((offset) => offset % (text.length + 1)))].toSorted((a, b) => a - b);
  return [...ends, text.length].map((end, i) => text.slice(ends[i - 1] ?? 0, end));
}

const STREAM = [
  "retry: 1000",
  ": heartbeat",
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
  { id: "2", data: " two spaces", type: "other" },
  { id: "2", data: "x" },
];

describe("openEventReader", () => {
  for (const [name, lineEnd] of [
    ["LF", "\n"],
    ["CR", "\r"],
    ["CRLF", "\r\n"],
  ] as const)
    it(`reads the same events with ${name} line ends, wherever the text is split`, () => {
      const text = `\uFEFF${STREAM.join(lineEnd)}`;
      assert.deepEqual(readChunks([text]), EVENTS);
      assert.deepEqual(readChunks([...text]), EVENTS);
      fc.assert(
        fc.property(fc.array(fc.nat()), (offsets) => {
          assert.deepEqual(readChunks(splitAt(text, offsets)), EVENTS);
        }),
      );
    });

  it("reports the retry delay and ignores one that is not a number", () => {
    const reader = openEventReader();
    reader.read("retry: 250\nretry: soon\n\n");
    assert.equal(reader.retryMs(), 250);
  });
});
