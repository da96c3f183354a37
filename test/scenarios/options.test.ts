import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { before, describe, it } from "node:test";
import { type PublishedTender, plainTender, publish } from "../support/examples.ts";
import { expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

/** The formats of responses, and the pages about the service itself. */

const VERSIONS = ["0", "0.1", "0.2", "2.3"];

describe("a response", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  let tender: PublishedTender;
  before(async () => {
    tender = await publish(api, { ...plainTender(), title: "a\u2028b, c: {d}\n" });
  });

  const scriptOf = ({ headers, text }: TestResponse, callback = "callback"): unknown => {
    assert.match(headers.get("content-type")!, /^application\/javascript/);
    assert.ok(!text.includes("\u2028"));
    const start = text.indexOf(`${callback}(`);
    return JSON.parse(text.slice(start + callback.length + 1, text.lastIndexOf(")")));
  };

  it("is indented for any opt_pretty except a missing one, an empty one and 0", async () => {
    const plain = (await api.get(tender.path)).text;
    for (const value of ["1", "true", "yes", "00"])
      assert.ok((await api.get(`${tender.path}?opt_pretty=${value}`)).text.startsWith('{\n    "data": {\n        "'));
    for (const query of ["opt_pretty=", "opt_pretty=0", "opt_pretty", ""])
      assert.equal((await api.get(`${tender.path}?${query}`)).text, plain);
    const pretty = await api.get("/tenders?opt_pretty=1");
    assert.ok(pretty.text.startsWith('{\n    "data": [\n        {'));
    assert.equal(pretty.headers.get("content-type"), "application/json; charset=UTF-8");
  });

  it("is indented if options.pretty in the body of a POST or PATCH requests it", async () => {
    const begins = /^\{\n {4}"(data|access)"/;
    const body = { data: {}, options: { pretty: true } };
    assert.match(expectStatus(201, await api.request("POST", "/tenders", { body })).text, begins);
    const { path, token } = tender;
    assert.match(expectStatus(200, await api.request("PATCH", path, { token, body })).text, begins);
    for (const options of [{ pretty: false }, {}, null, 5, "pretty", []])
      assert.ok(
        !expectStatus(201, await api.request("POST", "/tenders", { body: { data: {}, options } })).text.includes("\n"),
      );
    const created = expectStatus(201, await api.request("POST", "/tenders?opt_pretty=1", { body: { data: {} } }));
    assert.match(created.text, begins);
  });

  it("calls the function that opt_jsonp names", async () => {
    const plain = (await api.get(tender.path)).body;
    const script = expectStatus(200, await api.get(`${tender.path}?opt_jsonp=callback`));
    assert.ok(script.text.includes('callback({"data": {"'), script.text.slice(0, 60));
    assert.deepEqual(scriptOf(script), plain);
    const body = { data: {} };
    const created = expectStatus(201, await api.request("POST", "/tenders?opt_jsonp=callback", { body }));
    assert.ok(created.text.includes('callback({"data": {"'), created.text.slice(0, 60));
    const page = await api.get("/tenders?opt_jsonp=callback");
    assert.deepEqual(scriptOf(page), (await api.get("/tenders")).body);
    assert.ok(!page.text.includes("opt_jsonp"));
  });

  it("can be indented and a function call at once", async () => {
    const both = await api.get(`${tender.path}?opt_jsonp=callback&opt_pretty=1`);
    assert.ok(both.text.includes('callback({\n    "data": {\n        "'));
    assert.deepEqual(scriptOf(both), (await api.get(tender.path)).body);
  });

  it("is refused if opt_jsonp is not a function name", async () => {
    for (const name of ["jQuery1_2", "a.b.c", "$", "_x"])
      scriptOf(expectStatus(200, await api.get(`${tender.path}?opt_jsonp=${name}`)), name);
    const bad = ["alert(1)", "a b", "<script>", "1a", "a;b", "a-b", "x=", "a.", "'", "\u2028", "a\n", "x".repeat(2000)];
    for (const name of bad) {
      const refused = expectStatus(400, await api.get(`${tender.path}?opt_jsonp=${encodeURIComponent(name)}`));
      assert.equal(refused.body.status, "error");
      assert.equal(refused.body.errors[0].location, "params");
    }
    const count = async () => (await api.get("/tenders?limit=1000")).body.data.length;
    const before = await count();
    expectStatus(400, await api.request("POST", "/tenders?opt_jsonp=a()", { body: { data: {} } }));
    assert.equal(await count(), before);
  });

  it("is never indented or wrapped if it is an error", async () => {
    const query = "opt_pretty=1&opt_jsonp=callback";
    const body = { data: { rogue: 1 }, options: { pretty: true } };
    const errors = [
      await api.get(`/tenders/no?${query}`),
      await api.get(`/tenders?offset=x&${query}`),
      await api.request("PUT", `/tenders?${query}`),
      await api.request("POST", `/tenders?${query}`, { body, key: null }),
      await api.request("POST", `/tenders?${query}`, { body }),
      await api.request("PATCH", `${tender.path}?${query}`, { body: { ...body, data: {} } }),
      await world.api("9").get(`/tenders?${query}`),
    ];
    assert.deepEqual(
      errors.map(({ status }) => status),
      [404, 404, 405, 401, 422, 403, 404],
    );
    for (const { headers, text } of errors) {
      assert.equal(headers.get("content-type"), "application/json; charset=UTF-8");
      assert.match(text, /^\{"status":\s?"error"[^\n]*$/);
    }
  });

  it("has a Date and sets no cookie, and accepts a cookie", async () => {
    const began = Date.now();
    const headers = { Cookie: "SERVER_ID=x; Path=/; a=b" };
    const responses = [
      await api.get("/tenders", { headers }),
      await api.get("/nothing", { headers }),
      await api.request("HEAD", "/spore", { headers }),
      await api.post("/tenders", {}, { headers }),
      await api.post("/tenders", {}, { headers, key: null }),
    ];
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 404, 200, 201, 401],
    );
    for (const response of responses) {
      // The Date header has whole seconds.
      const date = Date.parse(response.headers.get("date")!);
      assert.ok(date > began - 1000 && date <= Date.now(), response.headers.get("date")!);
      assert.equal(response.headers.get("set-cookie"), null);
    }
    assert.ok((await fetch(world.url, { method: "HEAD" })).headers.has("date"));
  });

  it("describes the service: spore, health and the API, in every version, without a key", async () => {
    for (const version of VERSIONS) {
      const options = { key: null };
      const spore = expectStatus(200, await world.api(version).get("/spore", options)).body;
      assert.equal(spore.version, version);
      assert.equal(typeof spore.methods, "object");
      assert.equal(spore.base_url, `${world.url}/api/${version}`);
      expectStatus(200, await world.api(version).request("HEAD", "/spore", options));
      expectStatus(200, await world.api(version).get("/health", options));
      const description = expectStatus(200, await world.api(version).get("/openapi.json", options)).body;
      assert.equal(description.info.version, version);
      assert.ok(description.paths[version === "0.1" ? "/tenders/{tender_id}/bidders" : "/tenders/{tender_id}"]);
    }
    expectStatus(404, await world.api("9").get("/spore"));
    assert.equal((await fetch(`${world.url}/health`)).status, 200);
  });

  it("is never refused by a rate limit in the sandbox", async () => {
    const many = await Promise.all(Array.from({ length: 200 }, () => api.get("/spore")));
    assert.ok(many.every(({ status, headers }) => status === 200 && !headers.has("ratelimit")));
  });
});

describe("a rate limit of five requests a minute", async () => {
  const world = await sharedWorld({ RATE_LIMIT_PER_MINUTE: "5" });

  /** From one of the many loopback addresses. */
  function askFrom(
    localAddress: string,
    authorization?: string,
  ): Promise<{ status: number; headers: Headers; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = authorization ? { authorization } : {};
      const request = httpRequest(
        `${world.url}/api/2.3/tenders`,
        { localAddress, headers, agent: false },
        async (response) => {
          const text = (await response.toArray()).join("");
          resolve({
            status: response.statusCode!,
            headers: new Headers(response.headers as { [name: string]: string }),
            text,
          });
        },
      );
      request.on("error", reject).end();
    });
  }

  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

  it("allows an address five requests, reports how many are left, and then how long to wait", async () => {
    const responses = [];
    for (let i = 0; i < 6; i++) responses.push(await askFrom("127.0.0.2"));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200, 200, 200, 429],
    );
    const left = responses.map(({ headers }) => /r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
    assert.deepEqual(left, ["4", "3", "2", "1", "0", "0"]);
    const refused = responses[5]!;
    const wait = Number(refused.headers.get("retry-after"));
    assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60);
    assert.equal(JSON.parse(refused.text).status, "error");
    assert.equal(refused.headers.get("content-type"), "application/json; charset=UTF-8");
    assert.equal((await askFrom("127.0.0.3")).status, 200);
  });

  it("counts a key from all addresses and in all its spellings", async () => {
    const ways = [basic("broker:"), basic("broker:any"), "Bearer broker", "bearer  broker", basic("broker:x:y")];
    for (const [i, way] of ways.entries()) assert.equal((await askFrom(`127.0.1.${i + 1}`, way)).status, 200);
    assert.equal((await askFrom("127.0.1.9", basic("broker:again"))).status, 429);
    assert.equal((await askFrom("127.0.1.9", basic("broker1:"))).status, 200);
  });
});
