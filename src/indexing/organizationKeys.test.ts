import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { organizationKey, organizationKeys } from "./organizationKeys.ts";

const keyOf = (scheme?: string, id?: string) => organizationKey({ identifier: { scheme, id } });

describe("the key of an organisation", () => {
  it("is its scheme and id", () => {
    assert.equal(keyOf("UA-EDR", "00037256"), "UA-EDR-00037256");
    assert.equal(keyOf(" UA-EDR", "00037256\n"), "UA-EDR-00037256");
  });

  it("is absent without a scheme or an id", () => {
    const incomplete = [keyOf("UA-EDR"), keyOf(undefined, "1"), keyOf("UA-EDR", " \0"), keyOf("", "1")];
    assert.deepEqual([...incomplete, organizationKey({}), organizationKey(undefined)], Array(6).fill(undefined));
  });

  it("can be stored and encoded in an address whatever the id is, and has no bar", () => {
    const texts = fc.string({ unit: "binary", maxLength: 300 });
    fc.assert(
      fc.property(texts, fc.constantFrom("", "\ud800", "|", "\0", "a".repeat(199) + "😀"), (id, odd) => {
        const key = keyOf("UA-EDR", id + odd + "1");
        assert.ok(key !== undefined && key.length <= 200 && key.isWellFormed());
        assert.doesNotMatch(key, /[\u0000-\u001f|]/);
        assert.equal(decodeURIComponent(encodeURIComponent(key)), key);
        assert.equal(keyOf("UA-EDR", id + odd + "1"), key);
      }),
    );
  });

  it("is listed once for an organisation that is named twice", () => {
    const cook = { identifier: { scheme: "UA-EDR", id: "1" } };
    assert.deepEqual(organizationKeys([cook, { ...cook, name: "Інша назва" }, {}]), ["UA-EDR-1"]);
    assert.deepEqual(organizationKeys(undefined), []);
  });
});
