import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { plainTender, publish } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { bodyBytesInFlight } from "../support/prometheus.ts";
import { expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

/** Limits on bodies: before the key is known, while they arrive, and afterwards. */

const KIB = 1024;

/** Opens raw connections, which are closed after the tests. */
function openConnections(port: () => number) {
  const open = new Set<Socket>();
  // Before the world stops, which would otherwise wait for the requests that are never completed.
  afterEach(() => {
    for (const socket of open) socket.destroy();
  });
  return (text: string): { readonly socket: Socket; readonly response: Promise<string> } => {
    const socket = connect(port(), "127.0.0.1");
    open.add(socket);
    const response = new Promise<string>((resolve) => {
      let received = "";
      socket.on("data", (chunk) => {
        received += chunk;
        if (received.includes("\r\n\r\n")) resolve(received);
      });
      socket.on("close", () => resolve(received)).on("error", () => {});
    });
    socket.write(text);
    return { socket, response };
  };
}

const head = (path: string, ...headers: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, "Host: here", ...headers].map((line) => `${line}\r\n`).join("") + "\r\n";
const JSON_TYPE = "Content-Type: application/json";
const FORM_TYPE = "Content-Type: multipart/form-data; boundary=b";
const keyOf = (name: string): string => `Authorization: Bearer ${name}`;
const statusIn = (response: string): number => Number(response.split(" ")[1]);

describe("a body without a valid key", async () => {
  const world = await sharedWorld();
  const open = openConnections(() => Number(new URL(world.url).port));
  const { path } = await publish(world.api("2.3"), plainTender());
  const places = [
    ["/api/2.3/tenders", JSON_TYPE],
    ["/api/0.1/tenders", JSON_TYPE],
    ["/api/2.5/tenders", JSON_TYPE],
    [`/api/2.3${path}/questions`, JSON_TYPE],
    [`/api/2.3${path}/documents`, FORM_TYPE],
    [`/api/2.3${path}/documents`, JSON_TYPE],
    ["/webhooks", JSON_TYPE],
    ["/sandbox/clocks", JSON_TYPE],
    ["/register", JSON_TYPE],
    ["/upload", FORM_TYPE],
  ] as const;

  it("is refused before any byte of it has arrived, on every path", async () => {
    for (const [place, type] of places)
      for (const more of [
        ["Content-Length: 1000"],
        ["Content-Length: 1000", "Idempotency-Key: a"],
        [keyOf("nobody")],
      ]) {
        const { response } = open(head(place, type, ...more, ...(more.length > 1 ? [] : ["X-Any: 1"])));
        assert.equal(statusIn(await response), 401, `${place} ${more}`);
      }
  });

  it("is not requested from a client that waits for 100-continue", async () => {
    const expecting = ["Content-Length: 1000", "Expect: 100-continue"];
    for (const [place, type] of places)
      assert.equal(statusIn(await open(head(place, type, ...expecting)).response), 401, place);
    const known = open(head("/api/2.3/tenders", JSON_TYPE, keyOf("broker"), ...expecting));
    assert.equal(statusIn(await known.response), 100);
  });

  it("gets no error about its size or form", async () => {
    const api = world.api("2.5");
    for (const raw of ["{", "", '{"data":1}', " ".repeat(3 * KIB * KIB)])
      expectStatus(
        401,
        await api.request("POST", "/tenders", { key: null, raw, headers: { "Content-Type": "application/json" } }),
      );
  });
});

describe("the bytes of bodies in progress", async () => {
  const world = await sharedWorld({
    JSON_BYTES_MAX: String(64 * KIB),
    BODIES_PER_ACCOUNT_BYTES_MAX: String(64 * KIB),
    BODIES_BYTES_MAX: String(100 * KIB),
  });
  const api = world.api("2.3");
  const open = openConnections(() => Number(new URL(world.url).port));

  /** All but the end of a body of 60 KiB, once it has arrived. */
  async function sendHalf(key: string): Promise<Socket> {
    const before = await inFlight();
    const { socket } = open(head("/api/2.3/tenders", JSON_TYPE, keyOf(key), `Content-Length: ${60 * KIB}`));
    socket.write(" ".repeat(40 * KIB));
    await waitForBytesInFlight(before + 40 * KIB);
    return socket;
  }

  const inFlight = () => bodyBytesInFlight(world.url);
  const waitForBytesInFlight = (bytes: number) =>
    waitUntil(
      async () => (await inFlight()) === bytes,
      () => `${bytes} bytes in flight`,
    );

  const publishLong = (key: string): Promise<TestResponse> =>
    api.request("POST", "/tenders", {
      key,
      raw: `{"data":{}}${" ".repeat(40 * KIB)}`,
      headers: { "Content-Type": "application/json" },
    });

  it("are limited for each account, without effect on others", async () => {
    const half = await sendHalf("broker");
    const refused = expectStatus(429, await publishLong("broker"));
    assert.equal(refused.body.errors[0].rule, "too-many-bodies");
    assert.equal(refused.headers.get("retry-after"), "1");
    expectStatus(201, await publishLong("broker1"));
    half.destroy();
    await waitForBytesInFlight(0);
    expectStatus(201, await publishLong("broker"));
  });

  it("are limited for all accounts together", async () => {
    const halves = [await sendHalf("broker1"), await sendHalf("broker2")];
    const refused = expectStatus(503, await publishLong("broker"));
    assert.equal(refused.body.errors[0].rule, "too-many-bodies");
    assert.equal(refused.headers.get("retry-after"), "1");
    for (const half of halves) half.destroy();
    await waitForBytesInFlight(0);
    expectStatus(201, await publishLong("broker"));
  });

  it("count when they arrive, not when they are announced", async () => {
    const announced = Array.from({ length: 20 }, () =>
      open(head("/api/2.3/tenders", JSON_TYPE, keyOf("broker"), `Content-Length: ${60 * KIB}`, "X-Request-ID: waits")),
    );
    expectStatus(201, await publishLong("broker"));
    for (const { socket } of announced) socket.destroy();
  });

  it("are released however the request ends", async () => {
    for (const raw of ['{"data":{}}', "{", '{"data":{"title":[]}}', " ".repeat(70 * KIB)])
      for (const key of ["", raw.slice(0, 5) + raw.length])
        await api.request("POST", "/tenders", {
          raw,
          headers: { "Content-Type": "application/json", "Idempotency-Key": key },
        });
    const chunked = open(head("/api/2.3/tenders", JSON_TYPE, keyOf("broker"), "Transfer-Encoding: chunked"));
    for (let i = 0; i < 20; i++) chunked.socket.write(`1000\r\n${" ".repeat(0x1000)}\r\n`);
    assert.equal(statusIn(await chunked.response), 413);
    assert.equal(await inFlight(), 0);
  });
});

describe("a body in many chunks", async () => {
  const world = await sharedWorld();
  const open = openConnections(() => Number(new URL(world.url).port));

  it("is read like a body in one chunk", async () => {
    const body = JSON.stringify({ data: { title: "я".repeat(20_000), description: "end" } });
    for (const size of [1, 7, 1000, 30_000]) {
      const bytes = Buffer.from(body);
      const { socket, response } = open(
        head("/api/2.3/tenders", JSON_TYPE, keyOf("broker"), "Transfer-Encoding: chunked"),
      );
      for (let at = 0; at < bytes.length; at += size) {
        const piece = bytes.subarray(at, at + size);
        socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]));
      }
      socket.write("0\r\n\r\n");
      assert.equal(statusIn(await response), 201, String(size));
    }
    const { data } = (await world.api("2.3").get("/tenders?opt_fields=title,description")).body;
    assert.equal(data.length, 4);
    for (const { title, description } of data) assert.deepEqual([title.length, description], [20_000, "end"]);
  });
});
