import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { openDatabase } from "../support/engines.ts";
import { bidOf, cook, formatTime, fullTender } from "../support/examples.ts";
import { openProcesses, TIMEOUT_MS, urlOf } from "../support/processes.ts";
import { expectStatus, openApi, START } from "../support/world.ts";

/** Brokers that send as much as they can to a server with limited memory. */

const { folder, run } = openProcesses("hostile-bids");
const BIDS = 100;
const FEWER_BIDS = 24;
const BODIES_MAX = 512 * 1024 * 1024;
const BYTES_MAX = 16 * 1024 * 1024;
/** Just below the maximum body size. */
const long = { ...cook, additionalIdentifiers: Array(30).fill({ scheme: "UA-EDR", id: "x".repeat(65_000) }) };
const LARGE_BODY = JSON.stringify({ data: bidOf(400_000, { tenderers: [long] }) });

/** A server with little memory, and a tender that accepts bids. */
async function openSmallServer(name: string, environment: { readonly [name: string]: string } = {}) {
  const dataDir = `${folder}/${name}`;
  const database = await openDatabase(dataDir);
  const node = [process.execPath, "--disable-warning=ExperimentalWarning", "--max-old-space-size=384", "src/main.ts"];
  // All bodies are accepted at once, as many accounts could send them.
  const bodies = { BODIES_BYTES_MAX: String(BODIES_MAX), BODIES_PER_ACCOUNT_BYTES_MAX: String(BODIES_MAX) };
  const settings = { DATA_DIR: dataDir, LOG: "off", ...database.environment, ...bodies, ...environment };
  const server = run(node, settings);
  const url = await urlOf(server);
  const api = openApi(() => url, "2.3");
  const clock = await api.post(`${url}/sandbox/clocks`, { now: formatTime(START) });
  const headers = { "X-Test-Clock": clock.body.data.id };
  const { body } = expectStatus(201, await api.post("/tenders", fullTender(START), { headers }));
  const path = `/tenders/${body.data.id}`;
  await api.post(`${url}/sandbox/clocks/${clock.body.data.id}/advance`, { next: true });
  assert.equal((await api.get(path)).body.data.status, "tendering");
  const stop = async () => {
    server.child.kill("SIGKILL");
    await server.ended;
    await database.drop();
  };
  return { url, api, path, stop, isAlive: () => server.child.exitCode === null && server.child.signalCode === null };
}

/** Sends bids all at once. Returns how often each status and each rule occurred. */
async function bidAtOnce(url: string, path: string, keys: readonly string[], count = BIDS) {
  const outcomes: { [outcome: string]: number } = {};
  const bid = async (key: string): Promise<void> => {
    const response = await fetch(`${url}/api/2.3${path}/bids`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: LARGE_BODY,
    });
    const text = await response.text();
    // On a busy machine the database may time out, which is a 503: then the bid is sent again.
    if (response.status === 503) return bid(key);
    const outcome = [response.status, ...(/"rule":"([^"]+)"/.exec(text.slice(0, 1000)) ?? []).slice(1)].join(" ");
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: count }, (_, i) => bid(keys[i % keys.length]!)));
  return outcomes;
}

/** Counts successful health checks until it is stopped. They come from another process, as this one is busy with sending bids. */
function watchHealth(url: string) {
  const check = `for (;;) process.stdout.write((await fetch("${url}/health/live")).status + "\\n")`;
  const watcher = spawn(process.execPath, ["--input-type=module", "-e", check], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  watcher.stdout.on("data", (chunk: Buffer) => {
    printed += chunk;
  });
  return async () => {
    const ended = once(watcher, "close");
    watcher.kill();
    await ended;
    const statuses = printed.trimEnd().split("\n");
    assert.deepEqual(new Set(statuses), new Set(["200"]));
    return statuses.length;
  };
}

describe("a server with limited memory", () => {
  it("survives a broker that sends a hundred of the largest bids at once, serves others meanwhile, and says why it refuses", {
    timeout: 2 * TIMEOUT_MS,
  }, async () => {
    const { url, api, path, stop, isAlive } = await openSmallServer("one", {
      BID_BYTES_PER_ACCOUNT_MAX: String(BYTES_MAX),
    });
    const endWatching = watchHealth(url);
    const outcomes = await bidAtOnce(url, path, ["broker"]);
    const response = await endWatching();
    assert.ok(isAlive());
    const { 201: taken = 0, "403 bids-too-large": refused = 0 } = outcomes;
    assert.equal(taken + refused, BIDS, JSON.stringify(outcomes));
    assert.equal(taken, Math.floor(BYTES_MAX / LARGE_BODY.length));
    assert.ok(response > 5, `it said ${response} times that it lives`);
    // The usage of one account does not reduce the quota of another.
    assert.equal((await api.post(`${path}/bids`, bidOf(400_000), { key: "broker2" })).status, 201);
    await stop();
  });

  it("survives several brokers that do so together, and refuses what it could not store", {
    timeout: 4 * TIMEOUT_MS,
  }, async () => {
    // By default none of them could use more than half of it.
    const limits = { STORED_TENDER_BYTES_MAX: String(BYTES_MAX), BID_BYTES_PER_ACCOUNT_MAX: String(BYTES_MAX) };
    const { url, api, path, stop, isAlive } = await openSmallServer("several", limits);
    const outcomes = await bidAtOnce(url, path, ["broker", "broker2"], FEWER_BIDS);
    assert.ok(isAlive());
    const { 201: taken = 0, "403 tender-full": refused = 0 } = outcomes;
    assert.equal(taken + refused, FEWER_BIDS, JSON.stringify(outcomes));
    assert.ok(taken > 0 && refused > 0, JSON.stringify(outcomes));
    assert.equal((await api.get(path)).status, 200);
    await stop();
  });
});
