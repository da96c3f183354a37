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
  quota: { usage: { kind: "answers of", id: "acme" }, bytesMax: 1_000_000 },
} as const;
const under = (apiKey: string, ...keys: readonly string[]) =>
  openIdempotentRequest({ ...settings, apiKey, keyHashes: keys.map(hashOf) }).withBody("{}");
const ANSWER = { status: 201, json: '{"access":{"token":"told once"}}' };

/** As versions before the rotation of keys recorded an answer: under the key itself, which the record does not name. */
function formerRecord(apiKey: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", hash("sha256", `seal\0${apiKey}\0${settings.key}`, "buffer"), iv);
  const content = Buffer.concat([cipher.update(JSON.stringify(ANSWER), "utf8"), cipher.final()]);
  const sealed = Buffer.concat([iv, cipher.getAuthTag(), content]).toString("base64");
  return `${hashOf(`${settings.requestWithoutBody}\0{}`)} ${sealed}`;
}

describe("an answer that was recorded", () => {
  const { text } = under("old", "old").record(ANSWER, 0);

  it("is given again under every key of the account, also once the one it was recorded under is retired", () => {
    for (const once of [under("old", "old"), under("new", "old", "new"), under("new", "new", "old")])
      assert.deepEqual(once.replay(text!).json, ANSWER.json);
  });

  it("is given to nobody whose account does not have that key", () => {
    for (const once of [under("new", "new"), under("other", "other", "another")])
      assert.equal(once.replay(text!).status, 422);
  });

  it("is not readable with what the store has", () => {
    assert.ok(!text!.includes("told once") && !text!.includes(hashOf("old")));
  });

  it("by an earlier version is given again under the same key", () => {
    assert.deepEqual(under("old", "old").replay(formerRecord("old")).json, ANSWER.json);
    assert.equal(under("new", "old", "new").replay(formerRecord("old")).status, 422);
  });
});
