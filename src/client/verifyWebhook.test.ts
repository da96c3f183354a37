import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { verifyWebhook } from "./verifyWebhook.ts";

const secret = "whsec_секрет";
const body = '{"data":{"id":"0","title":"Їжа"}}';
const hmac = (at: number, key = secret) => createHmac("sha256", key).update(`${at}.${body}`).digest("hex");
const now = 1_800_000_000;

describe("verifying what a webhook sent", () => {
  it("knows what was signed with the secret, as text and as bytes", async () => {
    const signature = `t=${now},v1=${hmac(now)}`;
    assert.equal(await verifyWebhook({ secret, signature, body, now }), true);
    assert.equal(await verifyWebhook({ secret, signature, body: new TextEncoder().encode(body), now }), true);
    assert.equal(
      await verifyWebhook({ secret, signature: `t=${now}, v1=${hmac(now, "old")}, v1=${hmac(now)}`, body, now }),
      true,
    );
  });

  it("refuses another body, another secret, and another time than was signed", async () => {
    const signature = `t=${now},v1=${hmac(now)}`;
    assert.equal(await verifyWebhook({ secret, signature, body: `${body} `, now }), false);
    assert.equal(await verifyWebhook({ secret: "other", signature, body, now }), false);
    assert.equal(await verifyWebhook({ secret, signature: `t=${now + 1},v1=${hmac(now)}`, body, now }), false);
  });

  it("refuses what is too old, or from a time to come", async () => {
    const signature = `t=${now},v1=${hmac(now)}`;
    assert.equal(await verifyWebhook({ secret, signature, body, now: now + 300 }), true);
    assert.equal(await verifyWebhook({ secret, signature, body, now: now + 301 }), false);
    assert.equal(await verifyWebhook({ secret, signature, body, now: now - 301 }), false);
    assert.equal(await verifyWebhook({ secret, signature, body, now: now + 10, toleranceSeconds: 9 }), false);
  });

  it("refuses whatever is no signature", async () => {
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
