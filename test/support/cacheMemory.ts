// Runs a registry, changes tenders with bodies that contain much white space, and prints how much memory stays in use after each
// kind of request. A test starts it as a process with --expose-gc.
import assert from "node:assert/strict";
import { start } from "../../src/app/start.ts";
import { systemClock } from "../../src/app/systemClock.ts";
import { heapBytesOf } from "../../src/base/heapBytes.ts";
import { configOf } from "../../src/config/config.ts";
import { openLog } from "../../src/ops/log.ts";
import { fullTender } from "./examples.ts";

const TENDERS = 20;
const COPIES = 300;
const PADDING = 1_900_000;

const config = configOf({ ...process.env, PORT: "0" });
assert.ok("port" in config, String(config));
const { url, stop } = await start(config, { clock: systemClock, log: openLog(() => {}, { info: false }) });
const headers = {
  Authorization: `Basic ${Buffer.from("broker:").toString("base64")}`,
  "Content-Type": "application/json",
};

async function send(method: string, path: string, body: string, token = "") {
  const response = await fetch(`${url}/api/2.3${path}`, {
    method,
    body,
    headers: { ...headers, "X-Access-Token": token },
  });
  assert.ok(response.ok, `${response.status} ${await response.clone().text()}`);
  // biome-ignore lint/suspicious/noExplicitAny: tests access response bodies freely.
  return (await response.json()) as any;
}

const now = systemClock();
const tenders: { readonly path: string; readonly token: string }[] = [];
for (let i = 0; i < TENDERS; i++) {
  const { data, access } = await send("POST", "/tenders", JSON.stringify({ data: fullTender(now) }));
  tenders.push({ path: `/tenders/${data.id}`, token: access.token });
}

function memoryInUse(): number {
  global.gc!();
  const { heapUsed, external } = process.memoryUsage();
  // Long strings are outside the V8 heap.
  return heapUsed + external;
}

/** The memory that values use, as a multiple of the estimate by `heapBytesOf`. */
function memoryRatio(make: (i: number) => unknown): number {
  const texts = Array.from({ length: COPIES }, (_, i) => JSON.stringify(make(i)));
  const before = memoryInUse();
  const values = texts.map((text) => JSON.parse(text));
  const usedBytes = memoryInUse() - before;
  return usedBytes / values.reduce((sum, value) => sum + heapBytesOf(value), 0);
}

const memoryRatios = {
  ascii: memoryRatio((i) => ({ text: "x".repeat(20_000) + i })),
  cyrillic: memoryRatio((i) => ({ text: "ї".repeat(20_000) + i })),
  objects: memoryRatio((i) => Array.from({ length: 1000 }, (_, n) => ({ a: { b: n + i }, c: [n] }))),
  instants: memoryRatio((i) => Array.from({ length: 1000 }, (_, n) => ({ date: 1_790_000_000_000_000 + n + i }))),
  tenders: memoryRatio((i) => ({ ...fullTender(), id: `${i}`.padStart(32, "0") })),
};

/** The memory in use after every tender was changed with `padding` bytes in the body and read with a `query` of that length. */
async function heapAfter(round: number, padding: number, query: number): Promise<number> {
  for (const [i, { path, token }] of tenders.entries()) {
    const data = {
      title: `Послуги шкільних їдалень, ${round}, ${i}`,
      description: `Plain text of tender number ${i}, changed in round ${round}`,
    };
    await send("PATCH", path, `{"data":${JSON.stringify(data)}${" ".repeat(padding)}}`, token);
    for (let read = 0; read < 2; read++)
      await (await fetch(`${url}/api/2.3${path}?x=${"y".repeat(query)}${round}`)).arrayBuffer();
  }
  for (let i = 0; i < 5; i++) {
    await new Promise(setImmediate);
    global.gc!();
  }
  return memoryInUse();
}

// The first round loads and compiles code, which does not count.
await heapAfter(0, 0, 0);
const plain = await heapAfter(1, 0, 0);
const padded = await heapAfter(2, PADDING, 8000);
console.log(JSON.stringify({ sent: TENDERS * PADDING, grown: padded - plain, measured: memoryRatios }));
await stop();
