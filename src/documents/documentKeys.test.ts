import assert from "node:assert/strict";
import { createPrivateKey, sign } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openDocumentKeys, type SignaturePurpose } from "./documentKeys.ts";

/** Signatures of the document service: each is good for what it was made for and for nothing else. */

const key = "0123456789abcdef0123456789abcdef";
/** A hash that reads as a time far away. */
const digits = "9".repeat(32);

const PURPOSES: readonly SignaturePurpose[] = [
  { for: "document", key, hash: digits },
  { for: "upload", key, hash: `md5:${digits}`, owner: key },
  { for: "upload", key, hash: `md5:${digits}`, owner: "" },
  { for: "download", key, expires: "1800000000", prefix: "" },
  { for: "download", key, expires: "1800000000", prefix: `${key}/${key}` },
  { for: "content", key },
];

/** The same purpose, taken from each of these addresses and misread in every way that an address can be. */
const MISREAD: readonly SignaturePurpose[] = [
  ...PURPOSES,
  { for: "document", key, hash: "1800000000" },
  { for: "document", key, hash: `md5:${digits}` },
  { for: "document", key: "upload", hash: key },
  { for: "document", key: "download", hash: key },
  { for: "upload", key, hash: digits, owner: "" },
  { for: "upload", key, hash: "1800000000", owner: "" },
  { for: "upload", key, hash: `md5:${digits}\0${key}`, owner: "" },
  { for: "download", key, expires: digits, prefix: "" },
  { for: "download", key, expires: `md5:${digits}`, prefix: "" },
  { for: "download", key: "upload", expires: key, prefix: `md5:${digits}` },
  { for: "download", key, expires: "", prefix: "" },
  { for: "content", key: `${key}\0${digits}` },
  { for: "content", key: `upload\0${key}\0md5:${digits}` },
  { for: "content", key: `download\0${key}\x001800000000\0` },
];

describe("a signature of the document service", async () => {
  let pem = "";
  const secret = async (_name: string, make: () => string) => {
    pem = make();
    return pem;
  };
  const keys = await openDocumentKeys(join(tmpdir(), "there-is-no-such-folder"), secret);
  const queryOf = (signed: SignaturePurpose) => new URL(keys.signUrl("http://a.example/", signed)).searchParams;

  for (const signed of PURPOSES)
    it(`for ${JSON.stringify(signed)} verifies for that and for nothing else`, () => {
      for (const other of MISREAD) {
        const expected = other === signed ? undefined : "wrong";
        assert.equal(keys.signatureProblem(queryOf(signed), other), expected, JSON.stringify(other));
      }
    });

  it("that an earlier release made for a download still counts, as no hash is that short", () => {
    const signature = sign(null, Buffer.from(`${key}\x001800000000`), createPrivateKey(pem)).toString("base64");
    const query = queryOf({ for: "content", key });
    query.set("Signature", signature);
    assert.equal(keys.signatureProblem(query, { for: "download", key, expires: "1800000000", prefix: "" }), undefined);
    for (const other of MISREAD.filter((one) => one.for !== "download" || one.prefix !== "" || one.expires === digits))
      assert.equal(keys.signatureProblem(query, other), "wrong", JSON.stringify(other));
  });

  it("is made for nothing that has not the form of its purpose", () => {
    assert.throws(() => keys.signUrl("http://a.example/", { for: "document", key, hash: "1800000000" }));
    assert.throws(() => keys.signUrl("http://a.example/", { for: "download", key: "x", expires: "1", prefix: "" }));
    assert.throws(() => keys.signUrl("http://a.example/", { for: "upload", key, hash: "1800000000", owner: "" }));
  });
});
