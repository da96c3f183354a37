import assert from "node:assert/strict";
import { createCipheriv, hash, randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { hashOf } from "../base/secrets.ts";
import { openZone } from "../domain/values/time.ts";
import { openIdempotentRequest } from "./idempotency.ts";

const settings = {
  account: { name: "acme", group: "brokers", levels: "12" },
  key: "a retry",
  requestWithoutBody: "POST /tenders",
  errorContext: { origin: "https://tenders.example", zone: openZone("UTC") },
  quota: { usage: { kind: "idempotency usage", id: "acme" }, bytesMax: 1_000_000 },
} as const;
/** A request with this API key, of an account that has these keys. */
const requestWith = (apiKey: string, ...accountKeys: readonly string[]) =>
  openIdempotentRequest({ ...settings, apiKey, keyHashes: accountKeys.map(hashOf) }).withBody("{}");
const RESPONSE = { status: 201, json: '{"access":{"token":"a secret token"}}' };

/** A record of a version without key rotation: encrypted with the API key itself, which the record does not name. */
function legacyRecord(apiKey: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", hash("sha256", `seal\0${apiKey}\0${settings.key}`, "buffer"), iv);
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(RESPONSE), "utf8"), cipher.final()]);
  const content = Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString("base64");
  return `${hashOf(`${settings.requestWithoutBody}\0{}`)} ${content}`;
}

describe("a recorded response", () => {
  const { value: text } = requestWith("old", "old").record(RESPONSE, 0);

  it("is replayed under every API key of the account, also after the key that it was recorded under is retired", () => {
    for (const retry of [requestWith("old", "old"), requestWith("new", "old", "new"), requestWith("new", "new", "old")])
      assert.deepEqual(retry.replay(text).json, RESPONSE.json);
  });

  it("is not replayed for an account that does not have that key", () => {
    for (const request of [requestWith("new", "new"), requestWith("other", "other", "another")])
      assert.equal(request.replay(text).status, 422);
  });

  it("cannot be read with what the store contains", () => {
    assert.ok(text !== "" && !text.includes("a secret token") && !text.includes(hashOf("old")));
  });

  it("of an earlier version is replayed under the same API key only", () => {
    assert.deepEqual(requestWith("old", "old").replay(legacyRecord("old")).json, RESPONSE.json);
    assert.equal(requestWith("new", "old", "new").replay(legacyRecord("old")).status, 422);
  });
});
