import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hashOf } from "../../src/base/secrets.ts";
import { fullTender, publish } from "../support/examples.ts";
import { sharedWorld } from "../support/world.ts";

/** CORS and security headers. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-cors-"));
after(() => rmSync(folder, { recursive: true }));
const ACCOUNTS_FILE = join(folder, "accounts.json");
writeFileSync(
  ACCOUNTS_FILE,
  JSON.stringify([{ name: "acme", group: "brokers", levels: "1234", keyHash: hashOf("a long secret") }]),
);

const PUBLIC_URL = "https://tenders.example";
const sandbox = await sharedWorld();
const production = await sharedWorld({ MODE: "production", ACCOUNTS_FILE, PUBLIC_URL });
const ELSEWHERE = { Origin: "https://paper.example" };
const WRITES = ["POST", "PUT", "PATCH", "DELETE"];

const ask = async (url: string, method = "GET", headers: { readonly [name: string]: string } = {}) => {
  const response = await fetch(url, { method, headers: { ...ELSEWHERE, ...headers }, redirect: "manual" });
  await response.arrayBuffer();
  return response;
};

const preflight = (url: string, method: string) =>
  ask(url, "OPTIONS", { "Access-Control-Request-Method": method, "Access-Control-Request-Headers": "authorization" });

describe("a page of another site", async () => {
  const { path, token } = await publish(sandbox.api("2.5"), fullTender(sandbox.clock.now));
  const uploaded = await sandbox.api("2.5").upload(`${path}/documents`, { name: "a", content: "a" }, { token });
  const PATHS = ["/", "/health", "/api/2.5/tenders", "/api/2.5/tenders/none", "/none", "/api/2.5/spore"];

  it("can read responses, refusals and the headers that say how to continue", async () => {
    const urls = [sandbox, production].flatMap(({ url }) => PATHS.map((path) => url + path));
    for (const url of [...urls, `${sandbox.url}/api/2.5${path}`, uploaded.body.data.url])
      for (const method of ["GET", "HEAD"]) {
        const { headers } = await ask(url, method);
        assert.equal(headers.get("access-control-allow-origin"), "*", url);
        assert.equal(headers.get("access-control-allow-credentials"), null);
        assert.match(headers.get("access-control-expose-headers")!, /^ETag, Location, RateLimit, .*X-Request-ID/);
        assert.equal(headers.get("cross-origin-resource-policy"), "cross-origin");
      }
  });

  it("can read with a key and a token after a preflight, on any path", async () => {
    for (const { url } of [sandbox, production])
      for (const path of [...PATHS, "/api/9/x"]) {
        const response = await preflight(url + path, "GET");
        assert.equal(response.status, 204);
        assert.equal(response.headers.get("access-control-allow-origin"), "*");
        assert.match(response.headers.get("access-control-allow-methods")!, /^GET, HEAD/);
        assert.match(response.headers.get("access-control-allow-headers")!, /Authorization.*X-Access-Token/);
        assert.equal(response.headers.get("content-length"), null);
      }
  });

  it("can write in the sandbox only", async () => {
    for (const method of WRITES) {
      const tried = await preflight(`${sandbox.url}/api/2.5/tenders`, method);
      assert.ok(tried.headers.get("access-control-allow-methods")!.includes(method));
      const refused = await preflight(`${production.url}/api/2.5/tenders`, method);
      assert.equal(refused.headers.get("access-control-allow-methods"), "GET, HEAD");
      const sent = (url: string) => ask(`${url}/api/2.5/tenders`, method);
      assert.equal((await sent(sandbox.url)).headers.get("access-control-allow-origin"), "*");
      assert.equal((await sent(production.url)).headers.get("access-control-allow-origin"), null);
    }
  });

  it("can ask which methods a path has", async () => {
    const response = await ask(`${sandbox.url}/api/2.5/tenders`, "OPTIONS");
    assert.equal(response.status, 204);
    assert.equal(response.headers.get("allow"), "GET, HEAD, POST");
    assert.equal(response.headers.get("access-control-allow-methods"), null);
  });

  it("sees that its key was not used", async () => {
    const response = await ask(`${sandbox.url}/api/2.5/tenders`, "GET", { Authorization: "Bearer nobody" });
    assert.equal(response.headers.get("x-ignored-authorization"), "unknown key");
    assert.match(response.headers.get("access-control-expose-headers")!, /X-Ignored-Authorization/);
  });
});

describe("every response", () => {
  const ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
  };

  /** Pages have forms, which browsers would otherwise send with `Origin: null`. */
  const ON_PAGES: { readonly [name: string]: string } = { "referrer-policy": "same-origin" };

  it("has each security header once", async () => {
    for (const { url } of [sandbox, production])
      for (const [path, method] of [
        ...[["/"], ["/api/2.5/tenders"], ["/none"], ["/api/2.5/tenders", "POST"], ["/health/ready"], ["/metrics"]],
      ] as const) {
        const { headers } = await ask(url + path, method);
        for (const [name, value] of Object.entries(ALWAYS))
          assert.equal(headers.get(name), path === "/" ? (ON_PAGES[name] ?? value) : value, `${name} of ${path}`);
      }
  });

  it("requires TLS only if the service is reached over TLS", async () => {
    const strictTransportSecurity = async (url: string) =>
      (await ask(`${url}/health`)).headers.get("strict-transport-security");
    assert.equal(await strictTransportSecurity(sandbox.url), null);
    assert.equal(await strictTransportSecurity(production.url), "max-age=31536000");
  });
});
