import assert from "node:assert/strict";
import { createPrivateKey, sign } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openDocumentKeys, type SignaturePurpose } from "./documentKeys.ts";

const key = "0123456789abcdef0123456789abcdef";
/** A hash that could be read as a time. */
const digits = "9".repeat(32);

const PURPOSES: readonly SignaturePurpose[] = [
  { for: "document", key, hash: digits },
  { for: "upload", key, hash: `md5:${digits}`, owner: key },
  { for: "upload", key, hash: `md5:${digits}`, owner: "" },
  { for: "download", key, expires: "1800000000", prefix: "" },
  { for: "download", key, expires: "1800000000", prefix: `${key}/${key}` },
  { for: "content", key },
];

/** Purposes that an attacker could try to obtain by misreading a URL that was signed for one of those above. */
const CANDIDATES: readonly SignaturePurpose[] = [
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
      for (const candidate of CANDIDATES) {
        const expected = candidate === signed ? undefined : "wrong";
        assert.equal(keys.signatureProblem(queryOf(signed), candidate), expected, JSON.stringify(candidate));
      }
    });

  it("of an earlier release for a download is still valid, and for nothing else", () => {
    const signature = sign(null, Buffer.from(`${key}\x001800000000`), createPrivateKey(pem)).toString("base64");
    const query = queryOf({ for: "content", key });
    query.set("Signature", signature);
    assert.equal(keys.signatureProblem(query, { for: "download", key, expires: "1800000000", prefix: "" }), undefined);
    const others = CANDIDATES.filter(
      (candidate) => candidate.for !== "download" || candidate.prefix !== "" || candidate.expires === digits,
    );
    for (const other of others) assert.equal(keys.signatureProblem(query, other), "wrong", JSON.stringify(other));
  });

  it("is not made for a malformed purpose", () => {
    assert.throws(() => keys.signUrl("http://a.example/", { for: "document", key, hash: "1800000000" }));
    assert.throws(() => keys.signUrl("http://a.example/", { for: "download", key: "x", expires: "1", prefix: "" }));
    assert.throws(() => keys.signUrl("http://a.example/", { for: "upload", key, hash: "1800000000", owner: "" }));
  });
});
