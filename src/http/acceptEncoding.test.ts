import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Encoding, negotiateEncoding } from "./acceptEncoding.ts";

const ORDER: readonly Encoding[] = ["br", "zstd", "gzip"];

const EXPECTED: { readonly [accepted: string]: Encoding | undefined } = {
  gzip: "gzip",
  "gzip, deflate": "gzip",
  "gzip, deflate, br, zstd": "br",
  "GZIP;Q=0.5 , zstd ; q=0.7": "zstd",
  "br;q=0.1, gzip;q=0.9": "gzip",
  "br;q=0.9, gzip;q=0.9": "br",
  "x-gzip": "gzip",
  "*": "br",
  "*;q=0.5, br;q=0": "zstd",
  "br;q=0, *": "zstd",
  "gzip;q=1, *;q=0": "gzip",
  "": undefined,
  "*;q=0": undefined,
  identity: undefined,
  deflate: undefined,
  "gzip;q=0": undefined,
  "gzip;q=0.000": undefined,
  "gzip;q=0.001": "gzip",
  "gzip;q=0.5, identity": undefined,
  "gzip;q=0.5, identity;q=0.5": "gzip",
  "identity;q=0, gzip;q=0.1": "gzip",
  "identity;q=0": undefined,
  "identity;q=0, *;q=0.2": "br",
  "gzip;q=2": undefined,
  "gzip;q=, br;q=x, zstd": "zstd",
  ",,;q=1,gzip": "gzip",
};

describe("Accept-Encoding", () => {
  for (const [accepted, encoding] of Object.entries(EXPECTED))
    it(`"${accepted}" selects ${encoding ?? "no encoding"}`, () => {
      assert.equal(negotiateEncoding(accepted, ORDER), encoding);
      assert.equal(negotiateEncoding(accepted, ORDER), encoding, "the cached value gives the same result");
    });
});
