import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fullTender } from "../support/examples.ts";
import { sharedWorld } from "../support/world.ts";

/** The cost of a body from its first byte to the response, compared with a plain one of the same size. */

const BYTES = 1_000_000;

describe("a request body that is designed to be slow", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const { items, ...tender } = fullTender(world.clock.now);
  const fields = JSON.stringify(tender).slice(1, -1);
  const item = JSON.stringify((items as readonly object[])[0]);

  const listOf = (name: string, piece: string): string => {
    const count = Math.min(1000, Math.floor((BYTES - fields.length - 50) / (Buffer.byteLength(piece) + 1)));
    return `{"data":{${fields},"${name}":[${Array(count).fill(piece).join()}]}}`;
  };
  const listIn = (name: string, piece: string): string => `{"${name}":[${Array(990).fill(piece).join()}]}`;

  /** Its items are of different classes, so that it is refused like the others, and as late as possible. */
  const other = item.replace("55523100-3", "39110000-6");
  const plain = `{"data":{${fields},"items":[${[...Array(990).fill(item), other].join()}]}}`.padEnd(BYTES, " ");
  const filled = (piece: string): string =>
    `{"data":{${fields},"title_en":[${piece.repeat(Math.floor((BYTES - fields.length) / piece.length)).slice(0, -1)}]}}`;
  const bodies: { readonly [name: string]: string } = {
    "of numbers with exponents": filled("1e1,"),
    "of deep nesting": filled(`${"[".repeat(50)}${"]".repeat(50)},`),
    "of empty objects": filled("{},"),
    "of unknown fields": `{"data":{${Array.from({ length: 19_000 }, (_, i) => `"unknown_field_of_a_tender_with_a_long_name_${i}":1`).join()}}}`,
    "of wrong classifications": listOf("items", listIn("additionalClassifications", "{}")),
    "of unknown fields in lists": listOf("items", listIn("additionalClassifications", '{"a":{}}')),
    "of wrong features": listOf("features", listIn("enum", "{}")),
    "of wrong identifiers": `{"data":{${fields},"procuringEntity":${listIn("additionalIdentifiers", "{}")}}}`.padEnd(
      BYTES,
      " ",
    ),
    "of wrong lots": listOf("lots", '{"value":{},"minimalStep":{},"guarantee":{}}'),
  };

  /** Uses the processor time of this process, which is client and server, so that other load does not count. */
  const msOf = async (body: string): Promise<number> => {
    const before = process.cpuUsage();
    const response = await api.request("POST", "/tenders", {
      raw: body,
      headers: { "Content-Type": "application/json" },
    });
    assert.equal(response.status, 422, response.text.slice(0, 200));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };

  for (const [name, body] of Object.entries(bodies))
    it(`${name} takes at most ten times as long as a plain body of the same size`, async () => {
      let [its, plainly] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let round = 0; round < 3; round++) {
        plainly = Math.min(plainly, await msOf(plain));
        its = Math.min(its, await msOf(body));
      }
      assert.ok(its <= 10 * plainly, `${its} ms, plainly ${plainly} ms`);
    });
});
