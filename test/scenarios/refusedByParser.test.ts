import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { checkRules } from "../support/apiDescription.ts";
import { TIMEOUT_MS, waitUntil } from "../support/processes.ts";
import { sharedWorld } from "../support/world.ts";

/** Requests that the parser rejects still get a response, an id and a log line. */

describe("a request that cannot be parsed", async () => {
  const world = await sharedWorld({ REQUEST_SECONDS_MAX: "1", SHUTDOWN_SECONDS: "1" });

  /** Everything that is received until the server closes the connection. */
  async function exchange(...pieces: readonly string[]): Promise<string> {
    const socket = connect({ port: Number(new URL(world.url).port), host: "127.0.0.1", allowHalfOpen: true });
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    for (const piece of pieces) socket.write(piece);
    await once(socket, "end");
    socket.destroy();
    return text;
  }

  async function assertRefused(text: string, status: number, reason: string): Promise<void> {
    assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} ${reason}\r\n`));
    const [head = "", body = ""] = text.split("\r\n\r\n");
    assert.match(head, /\r\nConnection: close(\r\n|$)/);
    assert.equal(Number(/Content-Length: (\d+)/.exec(head)?.[1]), Buffer.byteLength(body));
    assert.equal(JSON.parse(body).status, "error");
    checkRules(JSON.parse(body));
    assert.ok(JSON.parse(body).errors[0].docs.startsWith(world.url));
    const id = /X-Request-ID: ([0-9a-f]{32})/.exec(head)?.[1];
    assert.ok(id, head);
    const findLine = () =>
      world
        .logText()
        .split("\n")
        .find((line) => line.includes(id));
    await waitUntil(() => findLine() !== undefined, world.logText);
    assert.equal(JSON.parse(findLine()!).status, status);
  }

  it("is 405 with the known methods if its method is unknown", async () => {
    for (const request of ["BREW / HTTP/1.1\r\nHost: a\r\n\r\n", "gET /api/2.3/tenders?x=1 HTTP/1.0\r\n\r\n"]) {
      const text = await exchange(request);
      await assertRefused(text, 405, "Method Not Allowed");
      assert.match(text, /\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE\r\n/);
      assert.match(text, /"location":"url","name":"method"/);
    }
  });

  it("is 400 if it is not HTTP", async () => {
    await assertRefused(await exchange("hello\r\n\r\n"), 400, "Bad Request");
    await assertRefused(await exchange("GET / HTTP/1.1\r\nbad header\r\n\r\n"), 400, "Bad Request");
    await assertRefused(await exchange("\u0016\u0003\u0001 hello"), 400, "Bad Request");
  });

  it("is 431 if its headers are too long", async () => {
    const text = await exchange(`GET / HTTP/1.1\r\nX: ${"a".repeat(100_000)}\r\n\r\n`);
    await assertRefused(text, 431, "Request Header Fields Too Large");
  });

  it("is 408 if its headers or its body take too long", { timeout: TIMEOUT_MS }, async () => {
    const key = "Authorization: Bearer broker\r\nContent-Type: application/json";
    const half = `POST /api/2.3/tenders HTTP/1.1\r\nHost: a\r\n${key}\r\nContent-Length: 100\r\n\r\n{"data"`;
    const [head, body] = await Promise.all([exchange("GET / HTTP/1.1\r\nHo"), exchange(half)]);
    await assertRefused(head, 408, "Request Timeout");
    await assertRefused(body, 408, "Request Timeout");
  });

  it("gets one response only: a connection refused during its body is closed", { timeout: TIMEOUT_MS }, async () => {
    const text = await exchange("POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf");
    assert.equal(text.match(/HTTP\/1\.1 /g)?.length, 1, text);
    assert.match(text, /^HTTP\/1\.1 404 /);
    assert.doesNotMatch(world.logText(), /"level":"error"/);
  });

  it("does not delay a shutdown if its client stays connected", { timeout: TIMEOUT_MS }, async () => {
    const port = Number(new URL(world.url).port);
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {}).write("hello\r\n\r\n");
    await once(socket.resume(), "end");
    await world.restart();
    socket.destroy();
  });
});
