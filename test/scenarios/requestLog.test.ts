import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { mayConcernSealedBids, pathForLog } from "../../src/http/requestTrace.ts";
import { bidOf, DAY, fullTender, plainTender, publish, publishForBids } from "../support/examples.ts";
import { FAULTS, openFaultyFileSystem } from "../support/faultyFileSystem.ts";
import { waitUntil } from "../support/processes.ts";
import { expectStatus, openWorld, type World } from "../support/world.ts";

/** The request log says who requested what, but not who bids in a sealed tender. */

const ADDRESS = "192.0.2.77";
const THROUGH_PROXY = { "X-Forwarded-For": ADDRESS };
const faulty = openFaultyFileSystem();

/** All log lines up to that of a last request. */
async function linesOf(world: World): Promise<string> {
  const mark = `mark-${Math.random()}`;
  await world.api("2.5").get("/tenders", { headers: { "X-Request-ID": mark } });
  await waitUntil(() => world.logText().includes(mark), world.logText);
  return world.logText();
}

describe("the log line of a request", async () => {
  const world = await openWorld({ LOG_ADDRESSES: "on", TRUST_PROXY: "1" }, false, { fileSystem: faulty.fileSystem });
  after(world.stop);
  const api = world.api("2.5");

  it("contains account, path, request id and address", async () => {
    const { path, token } = await publish(api, fullTender(world.clock.now));
    await api.patch(path, { title: "y" }, { token, headers: { ...THROUGH_PROXY, "X-Request-ID": "my-own-id" } });
    assert.match(
      await linesOf(world),
      new RegExp(
        `"requestId":"my-own-id","method":"PATCH","path":"/api/2.5${path}","status":200,"ms":[^,]*,"user":"broker","address":"${ADDRESS}"}`,
      ),
    );
  });

  it("contains neither account nor bid nor address for a bid in a sealed tender, whatever the result", async () => {
    const { path } = await publishForBids(world);
    const before = (await linesOf(world)).length;
    const options = { headers: { ...THROUGH_PROXY, "X-Request-ID": "of-broker-2" }, key: "broker2" };
    const made = expectStatus(201, await api.post(`${path}/bids`, bidOf(400_000), options));
    const { data, access } = made.body;
    assert.match(made.headers.get("x-request-id")!, /^[0-9a-f]{32}$/);
    const bid = `${path}/bids/${data.id}`;
    const own = { ...options, token: access.token };
    expectStatus(200, await api.patch(bid, { value: { amount: 390_000 } }, own));
    expectStatus(200, await api.get(bid, own));
    const file = { name: "a.txt", content: "a" };
    const document = expectStatus(201, await api.upload(`${bid}/documents`, file, own)).body.data;
    await api.get(`${bid}/documents/${document.id}`, own);
    const download = expectStatus(302, await api.get(document.url, { ...own }));
    expectStatus(200, await api.get(download.headers.get("location")!, options));
    await api.get(`${path}/bid/${data.id}`, own);
    await world.api("0.1").get(`${path}/bidders/${data.id}`, own);
    expectStatus(200, await api.upload(`${world.url}/upload`, file, options));
    faulty.arm(1, FAULTS["that fails"]!);
    const failed = expectStatus(500, await api.upload(`${bid}/documents`, file, own));
    assert.ok(faulty.disarm());
    expectStatus(200, await api.delete(bid, own));
    const log = (await linesOf(world)).slice(before);
    const fileKey = new URL(document.url).searchParams.get("download")!;
    for (const named of ["broker2", "of-broker-2", data.id, document.id, ADDRESS, "a.txt", fileKey])
      assert.ok(!log.includes(named), `${named} is in\n${log}`);
    assert.match(log, new RegExp(`"method":"POST","path":"/api/2.5${path}/bids","status":201,"ms":[^,]*}`));
    assert.match(log, new RegExp(`"method":"PATCH","path":"/api/2.5${path}/bids/…","status":200,"ms":[^,]*}`));
    assert.match(log, /"level":"error","what":"request failed",.*bids\/…/);
    assert.ok(log.includes(failed.headers.get("x-request-id")!), "what the client is told finds the line");
  });

  it("contains them once the bids are open, and for bids that are never sealed", async () => {
    const { path } = await publishForBids(world);
    const [first] = [400_000, 390_000].map((amount) => api.post(`${path}/bids`, bidOf(amount), { key: "broker2" }));
    const { id } = expectStatus(201, await first!).body.data;
    world.clock.forward(30 * DAY);
    expectStatus(200, await api.patch(`${path}`, { status: "active.qualification" }, { key: "administrator" }));
    await api.get(`${path}/bids/${id}`, { key: "broker2" });
    assert.match(await linesOf(world), new RegExp(`"GET","path":"/api/2.5${path}/bids/${id}".*"user":"broker2"`));
    const open = await publish(world.api("2.3"), plainTender(world.clock.now));
    await world.api("2.3").post(`${open.path}/bids`, bidOf(1), { key: "broker2" });
    assert.match(await linesOf(world), new RegExp(`"POST","path":"/api/2.3${open.path}/bids".*"user":"broker2"`));
  });
});

describe("with default settings", async () => {
  const world = await openWorld();
  after(world.stop);

  it("the log contains no addresses and no successful health probes", async () => {
    for (const path of ["/health", "/health/live", "/health/ready", "/api/2.5/health"])
      assert.equal((await fetch(world.url + path)).status, 200);
    const log = await linesOf(world);
    assert.doesNotMatch(log, /"address"|\/health/);
    const logging = await openWorld({ LOG_HEALTH: "on" });
    await fetch(`${logging.url}/health/live`);
    assert.match(await linesOf(logging), /"path":"\/health\/live","status":200/);
    await logging.stop();
  });
});

describe("a logged path", () => {
  it("counts as sealed unless its bids are known to be open", () => {
    for (const path of [
      "/api/2.5/tenders/T/bids/B",
      "/api/2.5/tenders/T//bids/B/documents/D",
      "/api/2.5/tenders//bids/B",
      "/api/2.5/tenders///T/bids/B",
      "/api/0.1/tenders/T/bidders/B",
      "/api/2.5/tenders/T/bid/B",
      "/api/2.5/tenders/T/BIDS/B",
    ]) {
      assert.ok(mayConcernSealedBids(path, {}), path);
      assert.doesNotMatch(pathForLog(path, {}), /[BD]$/, path);
    }
    for (const path of ["/api/2.5/tenders/T", "/api/2.5/tenders", "/docs/guides/bidding", "/getting"])
      assert.ok(!mayConcernSealedBids(path, {}), path);
  });

  it("is analysed in time linear to its length, whatever it contains", () => {
    /** The fastest of several runs, so that a pause of the machine does not count. */
    const took = (path: string): number => {
      const runs = Array.from({ length: 10 }, () => {
        const started = performance.now();
        mayConcernSealedBids(path, {});
        return performance.now() - started;
      });
      return Math.min(...runs);
    };
    const ROWS = ["/", "/a", "/tenders", "/tenders/", "/tenders//a", "/bid", "bid"];
    for (const row of ROWS) {
      const long = (length: number) => `/bid/tenders${row.repeat(length / row.length)}x`;
      const [short, ten] = [took(long(1500)), took(long(15_000))];
      // The input is ten times as long; quadratic time would be a hundred times as long.
      assert.ok(ten < 40 * short, `${row}: ${short} ms, then ${ten} ms`);
    }
  });
});
