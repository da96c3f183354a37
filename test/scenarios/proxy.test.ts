import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sharedWorld, type World } from "../support/world.ts";

/** Which headers of a proxy are trusted. */

type RequestHeaders = { readonly [name: string]: string };

const statusOf = async (world: World, headers: RequestHeaders, path = "/api/2.3/tenders"): Promise<number> => {
  const response = await fetch(world.url + path, { headers });
  await response.text();
  return response.status;
};

const statusesOf = async (world: World, all: readonly string[]): Promise<number[]> => {
  const statuses = [];
  for (const forwarded of all) statuses.push(await statusOf(world, { "X-Forwarded-For": forwarded }));
  return statuses;
};

describe("without a proxy", async () => {
  const world = await sharedWorld({ RATE_LIMIT_PER_MINUTE: "2" });

  it("the rate limit uses the address of the connection and ignores X-Forwarded-For", async () => {
    assert.deepEqual(await statusesOf(world, ["192.0.2.1", "192.0.2.2", "192.0.2.3"]), [200, 200, 429]);
  });

  it("health checks are not rate-limited", async () => {
    for (const path of ["/health", "/api/2.3/health"])
      for (let i = 0; i < 5; i++) assert.equal(await statusOf(world, {}, path), 200);
    assert.equal(await statusOf(world, {}), 429);
    assert.equal(await statusOf(world, {}, "/api/2.3/spore"), 429);
  });
});

describe("behind one proxy", async () => {
  const world = await sharedWorld({ RATE_LIMIT_PER_MINUTE: "2", TRUST_PROXY: "1" });

  it("each client has its own limit", async () => {
    assert.deepEqual(await statusesOf(world, Array(3).fill("192.0.2.1")), [200, 200, 429]);
    assert.deepEqual(await statusesOf(world, ["192.0.2.2"]), [200]);
  });

  it("addresses that the client put into the header are ignored", async () => {
    const forged = ["1.1.1.1, 192.0.2.9", "2.2.2.2,192.0.2.9", "x, y, 192.0.2.9"];
    assert.deepEqual(await statusesOf(world, forged), [200, 200, 429]);
  });

  it("different spellings of one address count as one", async () => {
    const written = ["198.51.100.7", "198.51.100.7:4711", "::ffff:198.51.100.7"];
    assert.deepEqual(await statusesOf(world, written), [200, 200, 429]);
    assert.deepEqual(await statusesOf(world, ["2001:DB8::1", "[2001:db8:0:0::1]:80", "2001:db8::1"]), [200, 200, 429]);
  });

  it("the address of the connection is used if the header has none", async () => {
    assert.deepEqual(await statusesOf(world, ["unknown", "", "198.51.100.8, nonsense"]), [200, 200, 429]);
  });

  it("X-Forwarded-Host and X-Forwarded-Proto are ignored in favour of PUBLIC_URL", async () => {
    const headers = {
      "X-Forwarded-Host": "evil.example",
      "X-Forwarded-Proto": "https",
      "X-Forwarded-For": "192.0.2.77",
    };
    const text = await (await fetch(`${world.url}/api/2.3/spore`, { headers })).text();
    assert.ok(text.includes(`"base_url":"${world.url}/api/2.3"`) && !text.includes("evil"), text);
  });
});

describe("behind two proxies", async () => {
  const world = await sharedWorld({ RATE_LIMIT_PER_MINUTE: "2", TRUST_PROXY: "2" });

  it("the client is the second address from the right, or the first if there is only one", async () => {
    const chains = [
      "192.0.2.1, 10.0.0.1",
      "192.0.2.1, 10.0.0.2",
      "9.9.9.9, 192.0.2.1, 10.0.0.3",
      "192.0.2.2, 10.0.0.3",
    ];
    assert.deepEqual(await statusesOf(world, chains), [200, 200, 429, 200]);
    assert.deepEqual(await statusesOf(world, Array(3).fill("192.0.2.3")), [200, 200, 429]);
  });
});

describe("a public URL that is not plain ASCII", async () => {
  const world = await sharedWorld({ PUBLIC_URL: "https://тендери.example/ринок/" });

  it("is sent in its encoded form", async () => {
    const { headers, status } = await world.api("2.3").post("/tenders", {});
    assert.equal(status, 201);
    const origin = "https://xn--d1abbmwuj.example/%D1%80%D0%B8%D0%BD%D0%BE%D0%BA";
    assert.ok(headers.get("location")?.startsWith(`${origin}/api/2.3/tenders/`), headers.get("location")!);
  });
});
