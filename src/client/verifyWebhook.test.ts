import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { verifyWebhook } from "./verifyWebhook.ts";

const secret = "whsec_секрет";
const body = '{"data":{"id":"0","title":"Їжа"}}';
const hmac = (at: number, key = secret) => createHmac("sha256", key).update(`${at}.${body}`).digest("hex");
const now = 1_800_000_000;

describe("verifyWebhook", () => {
  it("accepts what was signed with the secret, as a string and as bytes", async () => {
    const signature = `t=${now},v1=${hmac(now)}`;
    assert.equal(await verifyWebhook({ secret, signature, body, now }), true);
    assert.equal(await verifyWebhook({ secret, signature, body: new TextEncoder().encode(body), now }), true);
    assert.equal(
      await verifyWebhook({ secret, signature: `t=${now}, v1=${hmac(now, "old")}, v1=${hmac(now)}`, body, now }),
      true,
    );
  });

  it("rejects another body, another secret and another time than was signed", async () => {
    const signature = `t=${now},v1=${hmac(now)}`;
    assert.equal(await verifyWebhook({ secret, signature, body: `${body} `, now }), false);
    assert.equal(await verifyWebhook({ secret: "other", signature, body, now }), false);
    assert.equal(await verifyWebhook({ secret, signature: `t=${now + 1},v1=${hmac(now)}`, body, now }), false);
  });

  it("rejects a signature that is too old or from the future", async () => {
    const signature = `t=${now},v1=${hmac(now)}`;
    assert.equal(await verifyWebhook({ secret, signature, body, now: now + 300 }), true);
    assert.equal(await verifyWebhook({ secret, signature, body, now: now + 301 }), false);
    assert.equal(await verifyWebhook({ secret, signature, body, now: now - 301 }), false);
    assert.equal(await verifyWebhook({ secret, signature, body, now: now + 10, toleranceSeconds: 9 }), false);
  });

  it("rejects a missing or malformed signature", async () => {
    for (const signature of [
      null,
      undefined,
      "",
      "t=1",
      `v1=${hmac(now)}`,
      `t=${now},v1=`,
      `t=${now},v1=zz`,
      `t=x,v1=${hmac(now)}`,
    ])
      assert.equal(await verifyWebhook({ secret, signature, body, now }), false, String(signature));
  });
});
