import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { describe, it } from "node:test";
import { replayText } from "../../src/domain/auctions/replay.ts";
import { ENGINE, openDatabase } from "../support/engines.ts";
import { bidOf, fullTender } from "../support/examples.ts";
import { openProcesses, type RunningProcess, urlOf, waitForNextPoll, waitUntil } from "../support/processes.ts";
import { type Api, expectStatus, openApi } from "../support/world.ts";

// Servers are killed while bidders place prices in real time, often at the very end of a turn.

const SERVER = "test/support/shortAuctionServer.ts";
/** SQLite has one server at a time; PostgreSQL any number. */
const SERVERS = ENGINE === "postgres" ? 3 : 1;

const PRICES_PER_KILL = 25;
const KILLS = 4;

const { folder, run } = openProcesses("auctionCrash");

type Servers = { readonly api: () => Api; readonly killOne: () => Promise<void> };

/** Servers of one registry. Requests go to any of them. */
async function startServers(): Promise<Servers> {
  const database = await openDatabase(folder);
  const serve = (): RunningProcess =>
    run([process.execPath, "--disable-warning=ExperimentalWarning", SERVER], {
      DATA_DIR: folder,
      ...database.environment,
    });
  const running: { server: RunningProcess; url: string }[] = [];
  for (let i = 0; i < SERVERS; i++) {
    const server = serve();
    running.push({ server, url: await urlOf(server) });
  }
  return {
    api: () => openApi(() => running[randomInt(SERVERS)]?.url ?? "", "2.5"),
    killOne: async () => {
      const killed = running[randomInt(SERVERS)];
      assert.ok(killed);
      killed.server.child.kill("SIGKILL");
      await killed.server.ended;
      killed.server = serve();
      killed.url = await urlOf(killed.server);
    },
  };
}

/** Repeats a request until a server answers, as clients do. */
async function untilAnswered<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await waitForNextPoll();
    }
  }
}

type Bidder = { readonly id: string; readonly token: string };
type AcknowledgedPrice = { readonly bid: string; readonly amount: number };

const soon = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

/** A tender whose auction begins in a few seconds. */
async function tenderWithBids({ api }: Servers): Promise<{ readonly id: string; readonly bidders: readonly Bidder[] }> {
  const periods = { enquiryPeriod: { endDate: soon(2) }, tenderPeriod: { endDate: soon(12) } };
  const { body } = expectStatus(201, await api().post("/tenders", { ...fullTender(Date.now() * 1000), ...periods }));
  const path = `/tenders/${body.data.id}`;
  const statusOf = async () => (await api().get(path)).body.data.status;
  await waitUntil(
    async () => (await statusOf()) === "active.tendering",
    () => "tendering does not begin",
  );
  const bidders: Bidder[] = [];
  for (const amount of [480000, 490000]) {
    const placed = expectStatus(201, await api().post(`${path}/bids`, bidOf(amount), { key: "broker2" }));
    bidders.push({ id: placed.body.data.id, token: placed.body.access.token });
  }
  await waitUntil(
    async () => (await statusOf()) === "active.auction",
    () => "the tender period does not end",
  );
  const planned = { auctionPeriod: { startDate: soon(2) } };
  expectStatus(200, await api().patch(path, planned, { key: "chronograph" }));
  return { id: body.data.id, bidders };
}

/** Lowers the price again and again while the auction runs; returns what was acknowledged. */
async function bid(
  { api }: Servers,
  auction: string,
  { id, token }: Bidder,
  onAcknowledged: () => void,
): Promise<readonly AcknowledgedPrice[]> {
  const acknowledged: AcknowledgedPrice[] = [];
  const path = `/auctions/${auction}`;
  for (;;) {
    const options = { key: "broker2", token };
    const view = await untilAnswered(() => api().get(`${path}?bid=${id}`, options));
    if (view.status === 200 && view.body.data.status === "ended") return acknowledged;
    const highest = view.body?.data?.own?.isOwnTurn ? view.body.data.own.highestAllowed : undefined;
    if (highest === undefined) {
      await waitForNextPoll();
      continue;
    }
    const amount = Math.round(highest * 100 - randomInt(1000)) / 100;
    const placed = await api()
      .post(`${path}/bids?bid=${id}`, { amount }, options)
      .catch((error: unknown) => assert.ok(error instanceof TypeError, String(error)));
    if (placed?.status !== 201) continue;
    acknowledged.push({ bid: id, amount });
    onAcknowledged();
  }
}

describe("an auction whose servers are killed at random", () => {
  it("loses no acknowledged price, and carries out each stage once", { timeout: 240_000 }, async () => {
    const servers = await startServers();
    const { id, bidders } = await tenderWithBids(servers);
    let [prices, kills] = [0, 0];
    let killing = Promise.resolve();
    const onAcknowledged = () => {
      prices += 1;
      // Not more often: a server that is never there for a whole turn would never end the auction.
      if (prices % PRICES_PER_KILL !== 0 || kills >= KILLS) return;
      kills += 1;
      killing = killing.then(() => servers.killOne());
    };
    const acknowledged = (await Promise.all(bidders.map((bidder) => bid(servers, id, bidder, onAcknowledged)))).flat();
    await killing;
    assert.ok(kills > 0, "no server was killed");
    const { text } = await untilAnswered(() => servers.api().get(`/auctions/${id}/record`, { key: null }));
    assert.deepEqual(replayText(text).differences, []);
    const record = JSON.parse(text);
    const accepted = new Set(
      record.inputs
        .filter(
          ({ command, refused }: { command: { kind: string }; refused?: string }) =>
            command.kind === "place price" && !refused,
        )
        .map(({ command }: { command: { bid: string; amount: string } }) => `${command.bid} ${Number(command.amount)}`),
    );
    assert.deepEqual(
      acknowledged.filter(({ bid: by, amount }) => !accepted.has(`${by} ${amount}`)),
      [],
    );
    const { body } = await untilAnswered(() => servers.api().get(`/tenders/${id}`));
    assert.equal(body.data.status, "active.qualification");
    assert.equal(
      body.data.awards[0].value.amount,
      Math.min(...record.outcome.offers.map(({ amount }: { amount: string }) => Number(amount))),
    );
  });
});
