import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PLAN_TEMPLATES } from "../../src/cli/demo/plans.ts";
import { runCli } from "../../src/cli/runCli.ts";
import { assertSucceeded, COMMAND } from "../support/commands.ts";
import { openProcesses, TIMEOUT_MS, waitUntil } from "../support/processes.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";

/** The demo in a sandbox that holds auctions itself, as it does by default. */

const world = await sharedWorld({ AUCTIONS: "builtin" });
const api = world.api("2.5");
const { run } = openProcesses("demo-auctions");

// biome-ignore lint/suspicious/noExplicitAny: responses are looked into freely.
type AnyObject = any;

const auctionOf = async (id: string): Promise<AnyObject> =>
  expectStatus(200, await api.get(`/auctions/${id}`, { key: null })).body.data;

describe("the auctions of the demo", () => {
  it("stand in every phase, and bidders have lowered their prices", { timeout: 4 * TIMEOUT_MS }, async () => {
    const { out } = assertSucceeded(
      await runCli(["demo", "--json", "--url", world.url, "--tenders", String(PLAN_TEMPLATES.length)], {}),
    );
    const { auctions, statuses } = JSON.parse(out) as AnyObject;
    const phases = ["planned", "pause", "turn", "pre-announcement", "announcement"];
    assert.deepEqual(
      auctions.map(({ phase }: AnyObject) => phase),
      phases,
    );
    for (const { phase, id } of auctions) assert.equal((await auctionOf(id)).phase, phase);
    const ended = await auctionOf(auctions.at(-1).id);
    assert.ok(ended.offers.every(({ amount, initial }: AnyObject) => amount < initial.amount));
    const inTurn = await auctionOf(auctions[2].id);
    assert.ok(inTurn.offers.every(({ amount, initial }: AnyObject) => amount === initial.amount));
    for (const { status, belowThreshold } of statuses)
      if (status !== "active") assert.ok(belowThreshold > 0, `belowThreshold ${status}`);
  });

  it("run one after another in real time with --live, until it is interrupted", async () => {
    const live = run([...COMMAND, "demo", "--tenders", "1", "--live", "--url", world.url], {});
    const running = () => /Auction in progress: \S+\/auctions\/(\w+)/.exec(live.output())?.[1];
    await waitUntil(() => running() !== undefined || live.child.exitCode !== null, live.output);
    const id = running() ?? assert.fail(live.output());
    const timeOf = async () => (await api.get(`/auctions/${id}`, { key: null })).headers.get("x-server-time");
    const first = await timeOf();
    assert.equal((await auctionOf(id)).phase, "pause");
    await waitUntil(async () => (await timeOf()) !== first, live.output);
    live.child.kill("SIGINT");
    await waitUntil(() => live.child.exitCode !== null || live.child.signalCode !== null, live.output);
  });
});
