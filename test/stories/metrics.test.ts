import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hashOf } from "../../src/base/secrets.ts";
import { formatMetrics, openMetrics } from "../../src/ops/metrics.ts";
import { DAY, fullTender, publish } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { askForMetrics, documentedMetrics, scrape, sumOf } from "../support/prometheus.ts";
import { openWebhookApi, openWebhookReceiver, respondWithError } from "../support/webhookReceiver.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

const folder = mkdtempSync(join(tmpdir(), "tenderhall-metrics-"));
after(() => rmSync(folder, { recursive: true }));
const ACCOUNTS_FILE = join(folder, "accounts.json");
const accounts = ["admins", "brokers", "metrics"].map((group) => ({
  ...{ name: group, group, keyHash: hashOf(`key of ${group}`) },
  ...(group === "brokers" && { levels: "12" }),
}));
writeFileSync(ACCOUNTS_FILE, JSON.stringify(accounts));

const isOfWorkers = (name: string) => name.startsWith("tenderhall_worker_");

describe("metrics", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const requests = async (labels: { readonly [name: string]: string }) =>
    sumOf(await scrape(world.url), "tenderhall_requests_total", labels);

  it("are exactly those that the documentation lists", async () => {
    const { types } = await scrape(world.url);
    assert.deepEqual(
      [...types].toSorted(),
      documentedMetrics.filter(([name]) => !isOfWorkers(name)).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  });

  it("count requests by method, route pattern and status class, never by client input", async () => {
    const { path } = await publish(api, fullTender(world.clock.now));
    const route = "/api/{version}/tenders/{tender_id}";
    for (let i = 0; i < 5; i++) await api.get(path, { key: null });
    const { headers } = await api.get(path, { key: null });
    await api.get(path, { key: null, headers: { "If-None-Match": headers.get("etag")! } });
    await api.get("/tenders/none");
    await api.request("PROPFIND", path);
    await api.get(`${path}/nothing/here`);
    for (const made of ["/made/up", "/docs/x/y", "/api/77/x", "/wp-login.php?x=1", "/get/x"])
      await fetch(world.url + made);
    assert.equal(await requests({ route, method: "GET", status: "2xx" }), 6);
    assert.equal(await requests({ route, method: "GET", status: "3xx" }), 1);
    assert.equal(await requests({ route, method: "GET", status: "4xx" }), 1);
    assert.equal(await requests({ route, method: "other", status: "4xx" }), 1);
    assert.equal(await requests({ route: "/api/{version}/tenders", method: "POST", status: "2xx" }), 1);
    assert.equal(await requests({ route: "/docs/*" }), 1);
    await fetch(`${world.url}/get/${"0".repeat(32)}`);
    assert.equal(await requests({ route: "/get/{key}", method: "GET", status: "4xx" }), 1);
    assert.equal(await requests({ route: "unknown", status: "4xx" }), 5);
    const { series } = await scrape(world.url);
    const routes = series.flatMap(({ labels }) => labels.route ?? []);
    for (const route of routes)
      assert.match(route, /^(unknown|\/[a-z]*(\/\*|\/\{key\})?|\/api\/\{version\}[\w/{}.]+)$/);
  });

  it("report how long requests, the store, the files and deadlines take", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    expectStatus(201, await api.upload(`${path}/documents`, { name: "a.txt", content: "a" }, { token }));
    const before = await scrape(world.url);
    world.clock.forward(30 * DAY);
    assert.notEqual((await api.get(path)).body.data.status, "active.enquiries");
    const scraped = await scrape(world.url);
    for (const kind of ["read", "write", "site"])
      assert.ok(sumOf(scraped, "tenderhall_request_seconds_count", { kind }) > 0, kind);
    for (const operation of ["find", "write"])
      assert.ok(sumOf(scraped, "tenderhall_store_seconds_count", { operation }) > 0, operation);
    assert.equal(sumOf(scraped, "tenderhall_files_seconds_count", { operation: "receive" }), 1);
    const moved = (name: string) => sumOf(scraped, name) - sumOf(before, name);
    assert.ok(moved("tenderhall_deadline_late_seconds_count") >= 1);
    assert.ok(moved("tenderhall_deadline_late_seconds_sum") > 86_400);
    assert.equal(sumOf(scraped, "tenderhall_writes_waiting"), 0);
    assert.equal(sumOf(scraped, "tenderhall_requests_in_flight"), 1);
  });

  it("report the outcomes of webhook attempts, and the time that the key-value store and pending files take", async () => {
    const receiver = await openWebhookReceiver();
    const hooks = openWebhookApi(world);
    const id = expectStatus(201, await hooks.create({ url: receiver.url })).body.data.id;
    const attempts = async (outcome: string) =>
      sumOf(await scrape(world.url), "tenderhall_webhook_attempts_total", { outcome });
    const waitForOutcome = async (outcome: string) => {
      await publish(api, fullTender(world.clock.now));
      await waitUntil(
        async () => (await attempts(outcome)) >= 1,
        () => outcome,
      );
    };
    await waitForOutcome("delivered");
    receiver.respond = respondWithError;
    await waitForOutcome("refused");
    await receiver.close();
    await waitForOutcome("unanswered");
    await hooks.delete(id);
    const form = new FormData();
    form.append("file", new Blob(["x"]), "a.txt");
    await fetch(`${world.url}/upload`, { method: "POST", headers: { Authorization: "Bearer broker" }, body: form });
    const scraped = await scrape(world.url);
    for (const operation of ["notes.find", "notes.list"])
      assert.ok(sumOf(scraped, "tenderhall_store_seconds_count", { operation }) > 0, operation);
    assert.ok(sumOf(scraped, "tenderhall_files_seconds_count", { operation: "wait" }) > 0);
  });

  it("report the position of the feed and the size of commit groups", async () => {
    const before = await scrape(world.url);
    await Promise.all(Array.from({ length: 20 }, () => publish(api, fullTender(world.clock.now))));
    const scraped = await scrape(world.url);
    const moved = (name: string) => sumOf(scraped, name) - sumOf(before, name);
    assert.ok(moved("tenderhall_ledger_position") >= 20);
    assert.ok(moved("tenderhall_commit_changes_sum") >= 20);
    assert.ok(moved("tenderhall_commit_changes_count") <= moved("tenderhall_commit_changes_sum"));
    const [{ sequence }] = (await world.database.query("select max(sequence) as sequence from ledger")) as [
      { sequence: number | string },
    ];
    assert.equal(sumOf(scraped, "tenderhall_ledger_position"), Number(sequence));
  });
});

describe("access to metrics", async () => {
  const address = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === "IPv4" && !address.internal)?.address;
  const production = { MODE: "production", ACCOUNTS_FILE, HOST: "0.0.0.0" };
  const world = await sharedWorld(production);
  const { port } = new URL(world.url);
  const here = `http://127.0.0.1:${port}`;
  const throughProxy = { "X-Forwarded-For": "203.0.113.9" };
  const keyOf = (group: string) => ({ Authorization: `Bearer key of ${group}` });

  it("is granted to this machine, and to a key of the administrators", async () => {
    assert.equal((await askForMetrics(here)).status, 200);
    for (const [url, headers] of [
      [here, throughProxy],
      ...(address ? [[`http://${address}:${port}`, {}] as const] : []),
    ] as const) {
      assert.equal((await askForMetrics(url, headers)).status, 401);
      assert.equal((await askForMetrics(url, { ...headers, ...keyOf("brokers") })).status, 403);
      assert.equal((await askForMetrics(url, { ...headers, ...keyOf("admins") })).status, 200);
    }
  });

  it("is refused to requests through a proxy on this machine, whatever header reveals it", async () => {
    for (const name of ["X-Real-IP", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "Via"])
      assert.equal((await askForMetrics(here, { [name]: "x" })).status, 401, name);
    const proxied = await sharedWorld({ MODE: "production", ACCOUNTS_FILE, TRUST_PROXY: "1" });
    assert.equal((await askForMetrics(proxied.url, { "X-Real-IP": "203.0.113.9" })).status, 401);
  });

  it("is refused to pages of other sites", async () => {
    for (const headers of [{}, throughProxy]) {
      const response = await fetch(`${here}/metrics`, { headers: { ...headers, Origin: "https://elsewhere.example" } });
      await response.text();
      for (const name of response.headers.keys()) assert.doesNotMatch(name, /^access-control-/);
    }
  });

  it("is refused behind proxies, however many there are and whatever TRUST_PROXY is", async () => {
    for (const TRUST_PROXY of ["0", "1", "2"]) {
      const proxied = await sharedWorld({ MODE: "production", ACCOUNTS_FILE, TRUST_PROXY });
      assert.equal((await askForMetrics(proxied.url)).status, 200);
      // The last case: two proxies, the second on this machine, with TRUST_PROXY=1.
      for (const chain of ["203.0.113.9", "127.0.0.1, 203.0.113.9", "127.0.0.1", "203.0.113.9, 127.0.0.1"])
        assert.equal(
          (await askForMetrics(proxied.url, { "X-Forwarded-For": chain })).status,
          401,
          `${TRUST_PROXY}: ${chain}`,
        );
      for (const name of ["X-Forwarded-Port", "X-Client-IP", "CF-Connecting-IP", "True-Client-IP", "X-Envoy-Peer"])
        assert.equal((await askForMetrics(proxied.url, { [name]: "127.0.0.1" })).status, 401, name);
    }
  });

  it("is refused through a proxy without headers, and to a site whose name resolves to this machine", async () => {
    const statusOf = (head: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), "127.0.0.1", () => socket.write(`${head}\r\nConnection: close\r\n\r\n`));
        let text = "";
        socket
          .on("data", (chunk) => (text += chunk))
          .on("end", () => resolve(text.slice(9, 12)))
          .on("error", reject);
      });
    assert.equal(await statusOf("GET /metrics HTTP/1.1\r\nHost: localhost:8080"), "200");
    assert.equal(await statusOf(`GET /metrics HTTP/1.1\r\nHost: [::1]:${port}`), "200");
    assert.equal(await statusOf("GET /metrics HTTP/1.0\r\nHost: 127.0.0.1"), "401");
    assert.equal(await statusOf("GET /metrics HTTP/1.1\r\nHost: tenders.example"), "401");
  });

  it("is granted to everybody with METRICS=public, and to nobody with METRICS=off", async () => {
    const open = await sharedWorld({ METRICS: "public" });
    assert.equal((await askForMetrics(open.url, throughProxy)).status, 200);
    const api = open.api("2.5");
    const { path, token } = await publish(api, fullTender(open.clock.now));
    await api.get(`${path}/bids`);
    expectStatus(201, await api.upload(`${path}/documents`, { name: "a.txt", content: "a" }, { token }));
    const { series } = await scrape(open.url);
    const routes = new Set(series.flatMap(({ labels }) => labels.route ?? []));
    assert.deepEqual([...routes].toSorted().slice(0, 2), [
      "/api/{version}/tenders",
      "/api/{version}/tenders/{tender_id}/*",
    ]);
    assert.ok([...routes].every((route) => !/tender_id\}\/\w/.test(route)));
    const closed = await sharedWorld({ METRICS: "off" });
    assert.equal((await askForMetrics(closed.url, { Authorization: "Bearer token" })).status, 404);
  });
});

describe("a metric", () => {
  it("is printed in the exposition format, whatever its labels contain", async () => {
    const metrics = openMetrics();
    const counter = metrics.counter("a_total", "A \\ b\nc", ["what"]);
    counter.with('x"\\\n').add(2);
    counter.with('x"\\\n').add();
    const seconds = metrics.histogram("b_seconds", "B", [0.1, 1]).with();
    for (const value of [0.1, 0.5, 7]) seconds.observe(value);
    metrics.gauge("c", "C", async () => Number.POSITIVE_INFINITY);
    metrics.gauge("d", "D", () => [{ labels: [["of", "x"]], value: 1 }]);
    metrics.gauge("e", "E", () => Promise.reject(new Error("away")));
    assert.equal(
      formatMetrics(await metrics.collect()),
      `# HELP a_total A \\\\ b\\nc
# TYPE a_total counter
a_total{what="x\\"\\\\\\n"} 3
# HELP b_seconds B
# TYPE b_seconds histogram
b_seconds_bucket{le="0.1"} 1
b_seconds_bucket{le="1"} 2
b_seconds_bucket{le="+Inf"} 3
b_seconds_sum 7.6
b_seconds_count 3
# HELP c C
# TYPE c gauge
c +Inf
# HELP d D
# TYPE d gauge
d{of="x"} 1
# HELP e E
# TYPE e gauge
`,
    );
    assert.throws(() => metrics.gauge("d", "D", () => 1), /d is already registered/);
  });
});
