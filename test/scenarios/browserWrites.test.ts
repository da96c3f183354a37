import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { hashOf } from "../../src/base/secrets.ts";
import { bidOf, publishForBids } from "../support/examples.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

/** What a page of another site can do with a key that the browser stores. */

const folder = mkdtempSync(join(tmpdir(), "tenderhall-browser-"));
after(() => rmSync(folder, { recursive: true }));
const ACCOUNTS_FILE = join(folder, "accounts.json");
writeFileSync(
  ACCOUNTS_FILE,
  JSON.stringify([{ name: "acme", group: "brokers", levels: "1234", keyHash: hashOf("a long secret") }]),
);

const sandbox = await sharedWorld();
const production = await sharedWorld({ MODE: "production", ACCOUNTS_FILE });
const KEYS = new Map([
  [sandbox, "broker"],
  [production, "a long secret"],
]);

type RequestHeaders = { readonly [name: string]: string };

/** Not with fetch, which sets Origin and Sec-Fetch headers itself. */
function post(url: string, headers: RequestHeaders, body = '{"data":{}}'): Promise<{ status: number; rule?: string }> {
  return new Promise((resolve, reject) => {
    const sent = { "Content-Type": "application/json", ...headers };
    const request = httpRequest(url, { method: "POST", headers: sent, agent: false }, async (response) => {
      const text = (await response.toArray()).join("");
      const rule = response.statusCode! >= 400 ? JSON.parse(text).errors[0].rule : undefined;
      resolve({ status: response.statusCode!, rule });
    });
    request.on("error", reject).end(body);
  });
}

describe("a write from a page of another site, with a key that the browser stores", () => {
  const tenders = (world: typeof sandbox) => `${world.url}/api/2.3/tenders`;
  const keyOf = (world: typeof sandbox) => ({ Authorization: `Bearer ${KEYS.get(world)}` });
  const form = "--b\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\na\r\n--b--\r\n";
  const FORM = { "Content-Type": "multipart/form-data; boundary=b" };

  it("is refused in production, whatever the request type", async () => {
    for (const site of ["cross-site", "same-site"])
      for (const mode of ["navigate", "no-cors", "cors"]) {
        const headers = { ...keyOf(production), "Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode };
        assert.deepEqual(await post(tenders(production), headers), { status: 403, rule: "cross-site" });
        assert.deepEqual(await post(`${production.url}/upload`, { ...headers, ...FORM }, form), {
          status: 403,
          rule: "cross-site",
        });
      }
  });

  it("is refused in production if the browser sends only the Origin header", async () => {
    for (const origin of ["https://evil.example", "null"]) {
      const response = await post(tenders(production), { ...keyOf(production), Origin: origin });
      assert.deepEqual(response, { status: 403, rule: "cross-site" });
    }
    assert.equal((await post(tenders(production), { ...keyOf(production), Origin: production.url })).status, 201);
  });

  it("is refused in the sandbox without a CORS request, for example from a form", async () => {
    for (const mode of ["navigate", "no-cors"]) {
      const headers = { ...keyOf(sandbox), "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode };
      assert.deepEqual(await post(tenders(sandbox), headers), { status: 403, rule: "cross-site" });
      assert.deepEqual(await post(`${sandbox.url}/upload`, { ...headers, ...FORM }, form), {
        status: 403,
        rule: "cross-site",
      });
    }
    const asking = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", Origin: "https://paper.example" };
    assert.equal((await post(tenders(sandbox), { ...keyOf(sandbox), ...asking })).status, 201);
  });

  it("does not affect writes by programs or by the service's own pages", async () => {
    for (const world of [sandbox, production]) {
      assert.equal((await post(tenders(world), keyOf(world))).status, 201);
      for (const site of ["same-origin", "none"])
        assert.equal((await post(tenders(world), { ...keyOf(world), "Sec-Fetch-Site": site })).status, 201);
    }
  });

  it("is refused after the key is checked and before the body is read", async () => {
    const elsewhere = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" };
    assert.equal((await post(tenders(production), elsewhere, "{")).status, 401);
    assert.equal((await post(tenders(production), { ...elsewhere, ...keyOf(production) }, "{")).status, 403);
  });
});

describe("JSONP, which a page of any site can read,", () => {
  const api = sandbox.api("2.3");
  let bidPath = "";
  let token = "";
  before(async () => {
    const { path } = await publishForBids(sandbox);
    const bid = expectStatus(201, await api.post(`${path}/bids`, bidOf(1000)));
    bidPath = `${path}/bids/${bid.body.data.id}`;
    token = bid.body.access.token;
  });

  it("is refused where the response depends on the key", async () => {
    const clock = (await api.post(`${sandbox.url}/sandbox/clocks`, {})).body.data.id;
    const hook = (await api.post(`${sandbox.url}/webhooks`, { url: "http://127.0.0.1:9/" })).body.data.id;
    for (const path of ["/webhooks", `/webhooks/${hook}`, `/webhooks/${hook}/deliveries`, `/sandbox/clocks/${clock}`]) {
      expectStatus(200, await api.get(`${sandbox.url}${path}`));
      const refused = expectStatus(400, await api.get(`${sandbox.url}${path}?opt_jsonp=show`));
      assert.equal(refused.body.errors[0].rule, "no-jsonp");
    }
    const written = await api.post(`${sandbox.url}/sandbox/clocks?opt_jsonp=show`, {});
    assert.equal(expectStatus(400, written).body.errors[0].rule, "no-jsonp");
  });

  it("returns only public data, whatever key and token are sent", async () => {
    expectStatus(200, await api.get(`${bidPath}?acc_token=${token}`));
    const asOwner = await api.get(`${bidPath}?acc_token=${token}&opt_jsonp=show`);
    const asAnyone = await api.get(`${bidPath}?opt_jsonp=show`, { key: null });
    assert.deepEqual([asOwner.status, asOwner.text], [asAnyone.status, asAnyone.text]);
    assert.doesNotMatch(asOwner.text, /1000/);
    assert.equal(asOwner.headers.get("x-ignored-authorization"), "not used for JSONP");
    const draft = await api.post("/tenders", { status: "draft" });
    const path = `/tenders/${draft.body.data.id}?opt_jsonp=show&acc_token=${draft.body.access.token}`;
    assert.equal((await api.get(path)).text, (await api.get(path, { key: null })).text);
    assert.match((await api.get("/tenders?opt_jsonp=show")).text, /^\/\*\*\/show\(/);
  });
});
