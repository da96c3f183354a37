import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { cook, DAY, plainTender, publish } from "../support/examples.ts";
import { expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

/** Methods, content types and empty values on every path. */

const VERSIONS = ["0", "0.1", "0.2", "2.3"];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

describe("a request", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  let scene: { path: string; token: string; allowed: { readonly [path: string]: string } };

  before(async () => {
    const { path, token } = await publish(api, plainTender());
    const question = await api.post(`${path}/questions`, { title: "?", author: cook });
    world.clock.forward(DAY);
    const bid = expectStatus(201, await api.post(`${path}/bids`, { tenderers: [cook], value: { amount: 1 } }));
    const bidPath = `${path}/bids/${bid.body.data.id}`;
    const file = { name: "a.txt", content: "a" };
    const document = await api.upload(`${path}/documents`, file, { token });
    const ofBid = await api.upload(`${bidPath}/documents`, file, { token: bid.body.access.token });
    const award = await api.post(`${path}/awards`, { awardStatus: "pending" }, { token });
    scene = {
      path,
      token,
      allowed: {
        "/spore": "GET, HEAD",
        "/health": "GET, HEAD",
        "/openapi.json": "GET, HEAD",
        "/tenders": "GET, HEAD, POST",
        [path]: "GET, HEAD, PATCH",
        [`${path}/documents`]: "GET, HEAD, POST",
        [`${path}/documents/${document.body.data.id}`]: "GET, HEAD, PUT, PATCH",
        [`${path}/questions`]: "GET, HEAD, POST",
        [`${path}/questions/${question.body.data.id}`]: "GET, HEAD, PATCH",
        [`${path}/bids`]: "GET, HEAD, POST",
        [bidPath]: "GET, HEAD, PATCH, DELETE",
        [`${bidPath}/documents`]: "GET, HEAD, POST",
        [`${bidPath}/documents/${ofBid.body.data.id}`]: "GET, HEAD, PUT, PATCH",
        [`${path}/awards`]: "GET, HEAD, POST",
        [`${path}/awards/${award.body.data.awardID}`]: "GET, HEAD, PATCH",
        [`${path}/auction`]: "GET, HEAD, PATCH, POST",
      },
    };
  });

  const refusedWith = (response: TestResponse) => [
    response.status,
    response.body.errors[0].location,
    response.body.errors[0].name,
  ];

  it("with an unsupported method is 405 with the allowed methods", async () => {
    for (const [path, allowed] of Object.entries(scene.allowed))
      for (const method of [...METHODS, "PROPFIND"].filter((other) => !allowed.split(", ").includes(other))) {
        const response = expectStatus(405, await api.request(method, path));
        assert.equal(response.headers.get("allow"), allowed, `${method} ${path}`);
        assert.deepEqual(refusedWith(response), [405, "url", "method"]);
      }
  });

  it("with OPTIONS is 204 with the allowed methods, and 404 if the path does not exist", async () => {
    for (const [path, allowed] of Object.entries(scene.allowed)) {
      const response = expectStatus(204, await api.request("OPTIONS", path, { key: null }));
      assert.equal(response.headers.get("allow"), allowed, path);
      assert.equal(response.text, "");
    }
    const site = {
      "/": "GET, HEAD",
      "/health/ready": "GET, HEAD",
      "/openapi.json": "GET, HEAD",
      "/metrics": "GET, HEAD",
      "/docs": "GET, HEAD",
      "/favicon.ico": "GET, HEAD",
      "/webhooks": "GET, HEAD, POST",
      "/sandbox/clocks": "GET, HEAD, POST",
      "/register": "POST",
    };
    for (const [path, allowed] of Object.entries(site)) {
      const response = expectStatus(204, await api.request("OPTIONS", `${world.url}${path}`, { key: null }));
      assert.equal(response.headers.get("allow"), allowed, path);
    }
    const lost = [`${api.root}/tenders/${"0".repeat(32)}`, `${api.root}/no`, `${world.url}/no`, `${world.url}/docs/no`];
    for (const path of [...lost, `${world.url}/api/9/tenders`])
      assert.deepEqual(refusedWith(await api.request("OPTIONS", path)).slice(0, 2), [404, "url"], path);
  });

  it("with HEAD is served wherever GET is, with the same headers and no body", async () => {
    const paths = [...Object.keys(scene.allowed), "/tenders?limit=1&descending=1", "/tenders/no", "/no"];
    for (const version of VERSIONS)
      for (const path of paths) {
        const [head, get] = [await world.api(version).request("HEAD", path), await world.api(version).get(path)];
        assert.equal(head.status, get.status, `${version} ${path}`);
        assert.equal(head.text, "");
        for (const name of ["content-type", "content-length"])
          assert.equal(head.headers.get(name), get.headers.get(name), `${name} of ${version} ${path}`);
      }
  });

  it("with empty query values means the same as without them", async () => {
    const plain = await api.get("/tenders");
    const empty = "offset=&descending=&opt_fields=&limit=&mode=&feed=&opt_pretty=&opt_jsonp=&acc_token=";
    assert.equal((await api.get(`/tenders?${empty}`)).text, plain.text);
    const { path, token } = scene;
    const options = { headers: { "X-Access-Token": "" }, body: { data: { title: "a" }, access: { token } } };
    expectStatus(200, await api.request("PATCH", path, options));
    expectStatus(200, await api.request("PATCH", `${path}?acc_token=`, options));
    expectStatus(200, await api.patch(`${path}?acc_token=`, { title: "b" }, { token }));
    assert.equal((await api.get(`${path}?opt_pretty=&opt_jsonp=`)).text, (await api.get(path)).text);
  });

  it("has its owner token read from the query before the header, and from the header before the body", async () => {
    const { path, token } = scene;
    const body = { data: { title: "c" }, access: { token: "wrong" } };
    expectStatus(200, await api.request("PATCH", `${path}?acc_token=${token}`, { body, token: "wrong" }));
    expectStatus(200, await api.request("PATCH", path, { body, token }));
    expectStatus(403, await api.request("PATCH", path, { body }));
    expectStatus(403, await api.request("PATCH", `${path}?acc_token=wrong`, { body, token }));
  });

  it("may have parameters and capitals in its JSON content type", async () => {
    for (const type of ["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"', "application/json;"])
      expectStatus(201, await api.post("/tenders", {}, { headers: { "Content-Type": type } }));
  });

  it("with a body of any other type is 415, whoever sends it", async () => {
    const others = ["text/json", "application/jsonx", "application/json-patch+json", "multipart/form-data; boundary=a"];
    for (const type of [...others, "application/x-www-form-urlencoded", "", "application/json, text/plain"])
      for (const [method, path] of [
        ["POST", "/tenders"],
        ["PATCH", scene.path],
        ["POST", `${scene.path}/awards`],
      ] as const) {
        const sent = { headers: { "Content-Type": type }, raw: Buffer.from('{"data":{}}') };
        const response = await api.request(method, path, { ...sent, key: null });
        assert.deepEqual(refusedWith(response), [415, "header", "Content-Type"], `${type}: ${response.text}`);
        const wanted = "Content-Type header should be one of ['application/json']";
        assert.equal(response.body.errors[0].description, wanted);
      }
    expectStatus(415, await api.request("POST", "/tenders", { raw: Buffer.from('{"data":{}}') }));
  });

  it("with GET, HEAD or DELETE may have a JSON content type without a body", async () => {
    const headers = { "Content-Type": "application/json" };
    expectStatus(200, await api.get("/tenders", { headers }));
    expectStatus(200, await api.request("HEAD", "/spore", { headers }));
    const bid = await api.post(`${scene.path}/bids`, { tenderers: [cook], value: { amount: 1 } });
    const { token } = bid.body.access;
    expectStatus(200, await api.delete(`${scene.path}/bids/${bid.body.data.id}`, { token, headers }));
  });

  it("to an unknown path or version is 404 with the usual error body", async () => {
    const paths = ["", "/", "/tenders/", "//tenders", "/tenders//documents", `${scene.path}/`, `${scene.path}/nothing`];
    for (const path of paths) assert.deepEqual(refusedWith(await api.get(path)).slice(0, 2), [404, "url"], path);
    for (const version of ["1", "2.30", "0.10", "x", "__proto__", "constructor", "2.3%00"])
      assert.deepEqual(refusedWith(await world.api(version).get("/tenders")), [404, "url", "version"], version);
  });
});
