import assert from "node:assert/strict";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { checkRules } from "../support/apiDescription.ts";
import { plainTender, publish } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { bodyBytesInFlight } from "../support/prometheus.ts";
import { expectStatus, sharedWorld, withoutRule } from "../support/world.ts";

/** Requests that no well-behaved client sends. */

const KEY = `Authorization: Basic ${Buffer.from("broker:").toString("base64")}`;
const JSON_TYPE = "Content-Type: application/json";
const ANSWER_MS_MAX = 3000;

type Raw = { readonly status: number; readonly headers: ReadonlyMap<string, string>; readonly body: string };

/** The responses on a connection in order. One without a length lasts to the end. */
function responsesIn(text: string): Raw[] {
  const end = text.indexOf("\r\n\r\n");
  if (!text.startsWith("HTTP/1.1 ") || end < 0) return [];
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const status = Number(first.split(" ")[1]);
  const from = end + 4;
  const length = status < 200 || status === 304 ? 0 : Number(headers.get("content-length") ?? text.length - from);
  return [{ status, headers, body: text.slice(from, from + length) }, ...responsesIn(text.slice(from + length))];
}

describe("a hostile client", async () => {
  const world = await sharedWorld({ JSON_BYTES_MAX: "20000" });
  const api = world.api("2.3");

  /** Sends the pieces and waits until the server closes the connection or has sent the expected number of responses. */
  function talk(pieces: readonly (string | Buffer)[], wanted = 1): Promise<Raw[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Raw[]>();
    const socket = connect(Number(new URL(world.url).port), "127.0.0.1");
    let text = "";
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(responsesIn(text));
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer: ${text}`));
    }, ANSWER_MS_MAX);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      const final = responsesIn(text).filter(({ status }) => status >= 200);
      const last = final.at(-1);
      const isComplete = last && last.body.length >= Number(last.headers.get("content-length") ?? Infinity);
      if (final.length >= wanted && isComplete) finish();
    });
    socket.on("close", finish).on("error", () => {});
    for (const piece of pieces) socket.write(piece);
    return promise;
  }

  const lines = (...all: readonly string[]): string => `${all.join("\r\n")}\r\n\r\n`;
  const get = (path: string, ...headers: readonly string[]): string => lines(`GET ${path} HTTP/1.1`, ...headers);
  const publishing = (...headers: readonly string[]): string =>
    lines("POST /api/2.3/tenders HTTP/1.1", "Host: here", KEY, JSON_TYPE, ...headers);
  const countTenders = async () => (await api.get("/tenders?limit=1000")).body.data.length;

  async function talkOnce(...pieces: readonly (string | Buffer)[]): Promise<Raw> {
    const [response] = (await talk(pieces)).filter(({ status }) => status >= 200);
    assert.ok(response, "there was no answer");
    return response;
  }

  function assertError({ status, headers, body }: Raw, expected: number): void {
    assert.equal(status, expected, body);
    assert.equal(headers.get("content-type"), "application/json; charset=UTF-8");
    assert.ok(headers.has("date"));
    const { status: bodyStatus, errors } = JSON.parse(body);
    assert.equal(bodyStatus, "error");
    checkRules({ errors });
    assert.deepEqual(Object.keys(withoutRule(errors[0])).sort(), ["description", "location", "name"]);
  }

  it("with a body over the limit gets 413, with or without Content-Length, and nothing is created", async () => {
    const before = await countTenders();
    const body = JSON.stringify({ data: { title: "a".repeat(20_000) } });
    assertError(await talkOnce(publishing(`Content-Length: ${body.length}`), body), 413);
    assertError(await talkOnce(publishing("Content-Length: 99999999999")), 413);
    const chunk = `3000\r\n${" ".repeat(0x3000)}\r\n`;
    assertError(await talkOnce(publishing("Transfer-Encoding: chunked"), ...Array(3).fill(chunk)), 413);
    for (let round = 0; round < 10; round++) {
      const huge = { raw: Buffer.alloc(8_000_000, " "), headers: { "Content-Type": "application/json" } };
      expectStatus(413, await api.request("POST", "/tenders", huge));
    }
    assert.equal(await countTenders(), before);
    expectStatus(201, await api.post("/tenders", {}));
  });

  it("that sends a large body to a path without one can still read the refusal", async () => {
    const raw = Buffer.alloc(8_000_000, " ");
    for (let round = 0; round < 10; round++) {
      expectStatus(404, await api.request("POST", "/nothing", { raw }));
      expectStatus(405, await api.request("PUT", "/tenders", { raw }));
      expectStatus(415, await api.request("POST", "/tenders", { raw }));
    }
  });

  it("that sends something other than HTTP, or an unknown method, gets the usual error body", async () => {
    assertError(await talkOnce("hello\r\n\r\n"), 400);
    assertError(await talkOnce(lines("BREW /api/2.3/tenders HTTP/1.1", "Host: here")), 405);
    assertError(await talkOnce(lines("GET /api/2.3/tenders HTTP/1.1", "Host: here", "bad header")), 400);
    assertError(await talkOnce(lines("POST /api/2.3/tenders HTTP/1.1", "Host: a", "Content-Length: x")), 400);
    const both = ["Host: a", "Content-Length: 3", "Transfer-Encoding: chunked"];
    assertError(await talkOnce(lines("POST /api/2.3/tenders HTTP/1.1", ...both)), 400);
  });

  it("that repeats a header which may occur only once is refused, in any letter case", async () => {
    const twice = ["Host: there", "host: here", KEY, `${KEY}\r\nauthorization: Bearer other`];
    for (const more of twice.slice(0, 2)) assertError(await talkOnce(get("/api/2.3/tenders", "Host: here", more)), 400);
    assertError(await talkOnce(get("/api/2.3/tenders", "Host: here", twice[3]!)), 400);
    const doubles = ["Idempotency-Key", "X-Access-Token", "X-Test-Clock", "Content-Type"];
    for (const name of doubles) {
      const response = await talkOnce(
        publishing("Content-Length: 11", `${name}: a`, `${name.toLowerCase()}: b`),
        '{"data":{}}',
      );
      assertError(response, 400);
      const [{ location, name: named, rule }] = JSON.parse(response.body).errors;
      assert.deepEqual([location, named, rule], ["header", name, "repeated-header"]);
    }
    for (const both of [
      ["Content-Length: 11", "Content-Length: 11"],
      ["Content-Length: 11", "Content-Length: 12"],
      ["Transfer-Encoding: chunked", "Content-Length: 11"],
      ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
      ["Transfer-Encoding: identity", "Transfer-Encoding: chunked"],
    ])
      assertError(await talkOnce(publishing(...both), '{"data":{}}'), 400);
    const { status } = await talkOnce(
      get("/api/2.3/tenders", "Host: here", "Accept: a/b", "Accept: c/d", "Cookie: a", "Cookie: b"),
    );
    assert.equal(status, 200);
  });

  it("that sends no Host gets the usual error body", async () => {
    assertError(await talkOnce(get("/api/2.3/tenders")), 400);
  });

  it("with an unknown Expect header gets the usual error body", async () => {
    assertError(await talkOnce(get("/api/2.3/tenders", "Host: here", "Expect: miracles", "Connection: close")), 417);
  });

  for (const path of ["/webhooks", "/sandbox/clocks", "/api/2.3/tenders"])
    it(`with thousands of unknown fields for ${path} gets a limited number of errors`, async () => {
      const data = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [i.toString(36), 0]));
      const { body } = expectStatus(422, await api.request("POST", `${world.url}${path}`, { body: { data } }));
      assert.equal(body.errors.length, 1000);
    });

  it("with a very long row of slashes gets an ordinary response", async () => {
    for (const path of [`/docs${"/".repeat(15_000)}x`, `/docs${"/".repeat(15_000)}`])
      assert.ok([301, 404].includes((await api.get(`${world.url}${path}`)).status));
  });

  it("with a very long URL or header gets an error", async () => {
    assertError(await talkOnce(get(`/api/2.3/tenders?x=${"a".repeat(100_000)}`, "Host: here")), 431);
    assertError(await talkOnce(get("/api/2.3/tenders", "Host: here", `X: ${"a".repeat(100_000)}`)), 431);
    expectStatus(200, await api.get(`/tenders?opt_fields=${"a,".repeat(5000)}`));
    expectStatus(404, await api.get(`/tenders?offset=${"9".repeat(10_000)}`));
    expectStatus(404, await api.get(`/tenders/${"a".repeat(10_000)}`));
  });

  it("may use the absolute form of a URL, as for a proxy", async () => {
    const { status } = await talkOnce(get("http://here/api/2.3/tenders", "Host: here"));
    assert.equal(status, 200);
    // The first page has no parameters, but takes no notice of those that other sites add to links.
    for (const root of ["http://here", "http://here?utm_source=1", "HTTP://here/?utm_source=1"]) {
      const { status, headers } = await talkOnce(get(root, "Host: here"));
      assert.deepEqual([status, headers.get("content-type")], [200, "text/html; charset=UTF-8"], root);
    }
  });

  it("that expects 100-continue gets it and then the response", async () => {
    const head = publishing("Content-Length: 12", "Expect: 100-continue");
    const responses = await talk([head, '{"data": {}}']);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [100, 201],
    );
  });

  it("that disconnects in the middle of a body leaves nothing behind, and does not affect others", async () => {
    const before = await countTenders();
    const { path, token } = await publish(api, plainTender());
    const socket = connect(Number(new URL(world.url).port), "127.0.0.1");
    socket.write(publishing("Content-Length: 100") + '{"data": {"ti');
    await waitUntil(
      async () => (await bodyBytesInFlight(world.url)) > 0,
      () => "half a body to arrive",
    );
    socket.destroy();
    const patching = lines(
      `PATCH /api/2.3${path}?acc_token=${token} HTTP/1.1`,
      "Host: a",
      KEY,
      JSON_TYPE,
      "Content-Length: 50",
    );
    const half = connect(Number(new URL(world.url).port), "127.0.0.1");
    half.end(`${patching}{"data": {"title": "x"}}`);
    await new Promise((resolve) => half.on("close", resolve).on("error", resolve).resume());
    assert.equal(await countTenders(), before + 1);
    assert.equal((await api.get(path)).body.data.title, undefined);
    // An error would be logged before a later request.
    await api.get(path, { headers: { "X-Request-ID": "later-request" } });
    await waitUntil(() => world.logText().includes("later-request"), world.logText);
    assert.doesNotMatch(world.logText(), /"level":"error"/);
  });

  it("that announces no body where one is required is refused without a wait", async () => {
    const { path, token } = await publish(api, plainTender());
    const form = "Content-Type: multipart/form-data; boundary=x";
    const requests = [
      ["POST /api/2.3/tenders", JSON_TYPE],
      [`PATCH /api/2.3${path}?acc_token=${token}`, JSON_TYPE],
      [`POST /api/2.3${path}/documents?acc_token=${token}`, form],
      ["POST /register", JSON_TYPE],
      ["POST /upload", form],
    ];
    for (const [requestLine, type] of requests) {
      const response = await talkOnce(lines(`${requestLine} HTTP/1.1`, "Host: here", KEY, type!));
      assertError(response, 422);
    }
  });

  it("that pipelines many requests on one connection gets the responses in order", async () => {
    const ids = await Promise.all([1, 2, 3].map(() => publish(api, {})));
    const requests = ids.map(({ path }) => get(`/api/2.3${path}`, "Host: here"));
    const post = (body: string) => publishing(`Content-Length: ${body.length}`) + body;
    const pieces = [
      requests[0]!,
      post('{"data": {}}'),
      requests[1]!,
      post("oops"),
      get("/no", "Host: a"),
      requests[2]!,
    ];
    const responses = await talk([pieces.join("")], 6);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 201, 200, 422, 404, 200],
    );
    for (const [i, at] of [0, 2, 5].entries()) assert.equal(JSON.parse(responses[at]!.body).data.id, ids[i]!.id);
  });

  it("that sends bytes after a complete request gets its response first, then an error for the rest", async () => {
    const body = '{"data": {}}';
    const post = publishing(`Content-Length: ${body.length}`) + body;
    for (const rest of ["}", "more of it\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"]) {
      const before = await countTenders();
      const responses = await talk([post + rest], 2);
      assert.deepEqual(
        responses.map(({ status }) => status),
        [201, 400],
        rest,
      );
      assertError(responses[1]!, 400);
      assert.equal(await countTenders(), before + 1);
    }
  });

  it("that sends CONNECT is refused", async () => {
    assertError(await talkOnce(lines("CONNECT there:443 HTTP/1.1", "Host: there:443")), 405);
  });

  it("with a malformed Authorization header is anonymous: it may read but not write", async () => {
    const encoded = (text: string) => Buffer.from(text).toString("base64");
    const broken = ["", "Basic", "Basic ", "Basic !!!", `Basic ${encoded("broker")}`, "Bearer", "Bearer ", "broker"];
    const odd = ["Digest username=broker", `Basic ${encoded(":broker")}`, "Basic \u00ff", `Basic ${"A".repeat(8000)}`];
    for (const value of [...broken, ...odd, `Basic ${encoded("\0")}`, `Bearer broker, Bearer broker`]) {
      const headers = [`Authorization: ${value}`, "Host: here", JSON_TYPE, "Content-Length: 12"];
      const post = lines("POST /api/2.3/tenders HTTP/1.1", ...headers);
      assertError(await talkOnce(Buffer.from(`${post}{"data": {}}`, "latin1")), 401);
      const read = await talkOnce(Buffer.from(get("/api/2.3/tenders", ...headers.slice(0, 2)), "latin1"));
      assert.equal(read.status, 200);
    }
    for (const value of [`basic ${encoded("broker:any")}`, "BEARER broker", `Basic  ${encoded("broker:a:b")}`])
      expectStatus(201, await api.post("/tenders", {}, { key: null, headers: { Authorization: value } }));
  });

  function ask(
    path: string,
    headers: IncomingHttpHeaders,
  ): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(world.url + path, { headers }, async (response) => {
        resolve({ status: response.statusCode!, headers: response.headers, text: (await response.toArray()).join("") });
      });
      request.on("error", reject).end();
    });
  }

  it("with a hostile Host gets safe links and never a server error", async () => {
    await publish(api, {});
    const strange = [
      "a b",
      "a/b",
      "a?b",
      "user@evil",
      'x"onload=',
      "<b>",
      "a\\b",
      "x:y",
      "x:1:2",
      "[zz]",
      "\u00ff",
      "a#b",
    ];
    const unusable = ["x:99999", "1.2.3.4.5", "256.256.256.256", "...", "[::::]", "xn--a", "-", "x:", "1.2.3.08"];
    for (const host of [...strange, ...unusable])
      for (const path of ["/api/2.3/tenders", "/api/0.1/tenders", "/api/2.3/spore", "/"]) {
        const { status, text } = await ask(path, { host });
        assert.equal(status, 200, `${host} ${path}: ${text}`);
        if (!path.endsWith("/tenders")) continue;
        const { next_page } = JSON.parse(text);
        assert.ok(URL.canParse(next_page.uri), `${host}: ${next_page.uri}`);
        assert.ok(next_page.path.startsWith(`${path}?`));
        assert.ok(!text.includes("evil") && !text.includes("onload") && !text.includes("<b>"), text);
      }
  });

  it("with a hostile X-Request-ID gets a generated one, and with a valid one gets it back, on every response", async () => {
    for (const id of ["a-b", "0f8fad5b-d9cb-469f-a165-70867728950e", "x".repeat(128)])
      assert.equal((await ask("/api/2.3/tenders", { "x-request-id": id })).headers["x-request-id"], id);
    for (const id of ["", " ", "a b", "<script>", '"', "x".repeat(129), "\u00ff", "a,b;c"])
      assert.match(
        String((await ask("/api/2.3/tenders", { "x-request-id": id })).headers["x-request-id"]),
        /^[0-9a-f]{32}$/,
      );
    for (const path of [
      "/",
      "/no",
      "/api/9/tenders",
      "/api/2.3/tenders/no",
      "/api/2.3/tenders?offset=x",
      "/api/2.3/spore",
      "/health",
    ])
      assert.ok((await ask(path, {})).headers["x-request-id"], path);
    for (const sent of [{ key: null }, { headers: { "Content-Type": "x/y" } }, { body: 5 }])
      assert.ok((await api.post("/tenders", {}, sent)).headers.has("x-request-id"));
  });
});
