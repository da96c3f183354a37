import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sharedWorld } from "../support/world.ts";

/** Unversioned JSON pages support opt_pretty and opt_jsonp, as tenders do. */

describe("an unversioned JSON page", async () => {
  const world = await sharedWorld();
  const PAGES = ["/health", "/api/2.3/health", "/api/2.3/spore", "/api/0.1/openapi.json"];

  const ask = async (path: string, method = "GET") => {
    const response = await fetch(world.url + path, { method });
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
  };

  it("is indented for opt_pretty", async () => {
    for (const page of PAGES) {
      const [plain, pretty] = [await ask(`${page}?opt_pretty=0`), await ask(`${page}?opt_pretty=1`)];
      assert.ok(!plain.text.includes("\n"));
      assert.match(pretty.text, /^\{\n {4}"/);
      assert.deepEqual(JSON.parse(pretty.text), JSON.parse(plain.text));
    }
  });

  it("calls the function that opt_jsonp names", async () => {
    for (const page of PAGES) {
      const { type, text } = await ask(`${page}?opt_jsonp=cb`);
      assert.match(type!, /^application\/javascript/);
      assert.match(text, /^\/\*\*\/cb\(\{.*\}\);$/s);
      assert.equal((await ask(`${page}?opt_jsonp=alert(1)`)).status, 400);
    }
  });

  it("is unchanged if it is not JSON, and plain if it is refused", async () => {
    const query = "opt_pretty=1&opt_jsonp=a()";
    const first = await ask(`/?${query}`);
    assert.equal(first.status, 200);
    assert.match(first.type!, /^text\/html/);
    const refused = await ask(`/api/2.3/spore?${query}`, "POST");
    assert.equal(refused.status, 405);
    assert.match(refused.text, /^\{"status":"error"[^\n]*$/);
  });
});
