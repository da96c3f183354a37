import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, fullTender } from "../support/examples.ts";
import { type AuctionStory, reachAuction, reachFirstTurn, secretIn } from "../support/liveAuctions.ts";
import { LOT_A, LOT_B, onBoth, withLots } from "../support/procedure.ts";
import { expectStatus, START, sharedWorld, type TestResponse } from "../support/world.ts";

const rulesIn = ({ body }: TestResponse): string[] => body.errors.map(({ rule }: { rule: string }) => rule);
const bearer = (secret: string) => ({ key: null, headers: { Authorization: `Bearer ${secret}` } });

describe("a price in an auction", async () => {
  const world = await sharedWorld({ AUCTIONS: "builtin" });
  const api = world.api("2.5");

  const refusedWith = async (story: AuctionStory, data: object, status: number, rule: string, name = "amount") => {
    const [, bidder] = story.bidders;
    const response = await api.post(`${story.path()}/bids`, data, await bidder!.bearer());
    expectStatus(status, response);
    assert.deepEqual([response.body.errors[0].name, rulesIn(response)[0]], [name, rule]);
    return response.body.errors[0];
  };

  it("is refused if it is too high, and the error has the highest price that is allowed", async () => {
    const story = await reachFirstTurn(world);
    const error = await refusedWith(story, { amount: 485000.01 }, 422, "price-step");
    assert.equal(error.highestAllowed, 485000);
    expectStatus(201, await story.place(story.bidders[1]!, 485000));
  });

  it("is refused if it is zero, negative, too exact, enormous, a text, missing, or no number at all", async () => {
    const story = await reachFirstTurn(world);
    await refusedWith(story, { amount: 0 }, 422, "price-not-positive");
    await refusedWith(story, { amount: -5 }, 422, "price-not-positive");
    await refusedWith(story, { amount: 470000.001 }, 422, "price-decimals");
    for (const amount of ["470000", "a lot", [470000], {}, true])
      await refusedWith(story, { amount }, 422, "wrong-type");
    await refusedWith(story, {}, 422, "field-required");
    await refusedWith(story, { amount: null }, 422, "field-required");
    await refusedWith(story, { amount: 470000, bid: "x" }, 422, "unknown-field", "bid");
    const { headers } = await story.bidders[1]!.bearer();
    for (const [number, rule] of [
      ["1e999", "wrong-type"],
      ["1e30", "price-step"],
      ["1e-30", "price-decimals"],
      ["-0", "price-not-positive"],
      ["470000.00000000000000000001", "price-decimals"],
    ] as const) {
      const raw = `{"data":{"amount":${number}}}`;
      const json = { ...headers, "Content-Type": "application/json" };
      const response = await api.request("POST", `${story.path()}/bids`, { key: null, headers: json, raw });
      expectStatus(422, response);
      assert.deepEqual(rulesIn(response), [rule], number);
    }
    assert.equal((await story.fetchAuction(await story.bidders[1]!.bearer())).own.unpublished, undefined);
  });

  it("far below the previous one must be confirmed", async () => {
    const story = await reachFirstTurn(world);
    await refusedWith(story, { amount: 342999.99 }, 422, "price-unconfirmed", "confirmed");
    await refusedWith(story, { amount: 342999.99, confirmed: false }, 422, "price-unconfirmed", "confirmed");
    expectStatus(201, await story.place(story.bidders[1]!, 342999.99, { confirmed: true }));
  });

  it("is refused before the auction, in the turn of another, and after the own turn, with the time of the next one", async () => {
    const story = await reachAuction(world);
    const [low, high] = story.bidders;
    const { plannedStart } = await story.fetchAuction();
    const early = expectStatus(403, await story.place(high!, 470000));
    assert.deepEqual([rulesIn(early), early.body.errors[0].allowedFrom], [["auction-stage"], plannedStart]);
    await story.nextStage();
    await story.nextStage();
    const { stages, current } = await story.fetchAuction();
    const others = expectStatus(403, await story.place(low!, 470000));
    assert.deepEqual(rulesIn(others), ["not-your-turn"]);
    assert.equal(others.body.errors[0].allowedFrom, stages[current + 1].start);
    assert.equal(others.body.errors[0].allowedUntil, stages[current + 1].end);
    await story.nextStage();
    assert.deepEqual(rulesIn(expectStatus(403, await story.place(high!, 470000))), ["turn-ended"]);
    assert.deepEqual(rulesIn(expectStatus(403, await story.takeBack(low!))), ["no-price-to-take-back"]);
  });

  it("is late at the very microsecond in which the turn ends, and in time one microsecond before", async () => {
    for (const [isLate, status] of [
      [false, 201],
      [true, 403],
    ] as const) {
      const story = await reachFirstTurn(world);
      const { nextChange } = await story.fetchAuction();
      const end = nextChange as string;
      const before = new Date(Date.parse(end) - 1).toISOString().replace("Z", "999Z");
      await story.advance({ to: isLate ? end : before });
      const response = expectStatus(status, await story.place(story.bidders[1]!, 470000));
      if (isLate) assert.deepEqual(rulesIn(response), ["turn-ended"]);
    }
  });

  it("is not accepted with the link of another bid, lot, auction or tender, with none, or with a forged one", async () => {
    const bids = [onBoth(900, 800), onBoth(850, 750)];
    const story = await reachAuction(world, bids, withLots(START));
    const other = await reachFirstTurn(world);
    const [auctionA, auctionB] = [LOT_A, LOT_B].map((lot) => `${story.tender}_${lot}`);
    const [first, second] = story.bidders;
    // When an auction starts depends on its id, so that of B may be over when that of A has its first turn.
    const secretOfB = secretIn(await first!.link(auctionB));
    for (let phase = ""; phase !== "turn"; phase = (await story.fetchAuction(undefined, auctionA)).phase)
      await story.nextStage();
    const send = async (options: object) => api.post(`${story.path(auctionA)}/bids`, { amount: 700 }, options);
    const strangers = [secretOfB, secretIn(await other.bidders[1]!.link()), "0".repeat(43), "short", `${secretOfB}A`];
    for (const secret of strangers)
      assert.deepEqual(rulesIn(expectStatus(403, await send(bearer(secret)))), ["auction-link"]);
    assert.deepEqual(rulesIn(expectStatus(401, await send({ key: null }))), ["bidder-needed"]);
    assert.deepEqual(rulesIn(expectStatus(401, await send({ key: "broker" }))), ["bidder-needed"]);
    assert.deepEqual(rulesIn(expectStatus(401, await send({ key: "broker2", token: first!.token }))), [
      "bidder-needed",
    ]);
    expectStatus(
      403,
      await api.post(`${story.path(auctionA)}/bids?bid=${second!.id}`, { amount: 700 }, { token: first!.token }),
    );
    const rival = expectStatus(403, await send(await second!.bearer(auctionA)));
    assert.deepEqual(rulesIn(rival), ["not-your-turn"]);
    expectStatus(201, await send(await first!.bearer(auctionA)));
    assert.deepEqual(rulesIn(expectStatus(404, await api.post(`${story.path("0".repeat(32))}/bids`, { amount: 1 }))), [
      "not-found",
    ]);
  });

  it("is not accepted with a link that was replaced, which only the owner of the bid can do", async () => {
    const story = await reachFirstTurn(world);
    const [low, high] = story.bidders;
    const old = await high!.bearer();
    const links = `${story.path()}/links`;
    expectStatus(401, await api.request("POST", links, { key: null }));
    expectStatus(401, await api.request("POST", links, old));
    for (const options of [{}, { token: story.token }, { key: "token" }, { key: "broker2", token: high!.token }])
      assert.deepEqual(rulesIn(expectStatus(403, await api.request("POST", links, options))), ["forbidden"]);
    const foreign = await api.request("POST", `${links}?bid=${low!.id}`, { token: high!.token });
    assert.deepEqual(rulesIn(expectStatus(403, foreign)), ["forbidden"]);
    const { data } = expectStatus(201, await api.request("POST", links, { token: high!.token })).body;
    assert.deepEqual([data.bid, data.auction], [high!.id, story.tender]);
    assert.equal(data.participationUrl, (await high!.link()).href);
    const refused = await api.post(`${story.path()}/bids`, { amount: 470000 }, old);
    assert.deepEqual(rulesIn(expectStatus(403, refused)), ["auction-link"]);
    expectStatus(403, await api.get(story.path(), old));
    expectStatus(201, await story.place(high!, 470000));
    expectStatus(200, await api.get(story.path(), await low!.bearer()));
  });

  it("is not accepted after the tender or the lot was cancelled, which everyone sees at once", async () => {
    const story = await reachFirstTurn(world);
    const bidder = story.bidders[1]!;
    const access = await bidder.bearer();
    const cancellation = { reason: "Немає грошей", status: "active" };
    expectStatus(201, await api.post(`/tenders/${story.tender}/cancellations`, cancellation, { token: story.token }));
    assert.equal((await story.fetchAuction()).status, "cancelled");
    const refused = await api.post(`${story.path()}/bids`, { amount: 470000 }, access);
    assert.deepEqual(rulesIn(expectStatus(403, refused)), ["auction-stage"]);
    assert.deepEqual((await api.get(story.path(), access)).status, 200);
    const lots = await reachAuction(world, [onBoth(900, 800), onBoth(850, 750)], withLots(START));
    const [auctionA, auctionB] = [LOT_A, LOT_B].map((lot) => `${lots.tender}_${lot}`);
    const bidderOfA = await lots.bidders[0]!.bearer(auctionA);
    while ((await lots.fetchAuction(undefined, auctionA)).status !== "running") await lots.nextStage();
    const { phase } = await lots.fetchAuction(undefined, auctionB);
    const ofLot = { ...cancellation, cancellationOf: "lot", relatedLot: LOT_A };
    expectStatus(201, await api.post(`/tenders/${lots.tender}/cancellations`, ofLot, { token: lots.token }));
    assert.equal((await lots.fetchAuction(undefined, auctionA)).status, "cancelled");
    assert.equal((await lots.fetchAuction(undefined, auctionB)).phase, phase);
    const price = await api.post(`${lots.path(auctionA)}/bids`, { amount: 700 }, bidderOfA);
    assert.deepEqual(rulesIn(expectStatus(403, price)), ["auction-stage"]);
  });

  it("of ten windows at once is that of the last one, and the others see it", async () => {
    const story = await reachFirstTurn(world);
    const bidder = story.bidders[1]!;
    const access = await bidder.bearer();
    const amounts = Array.from({ length: 10 }, (_, i) => 470000 - i * 100);
    const responses = await Promise.all(amounts.map((amount) => api.post(`${story.path()}/bids`, { amount }, access)));
    for (const response of responses) expectStatus(201, response);
    const { own } = await story.fetchAuction(access);
    assert.ok(amounts.includes(own.unpublished.amount));
    await story.nextStage();
    const published = (await story.fetchAuction()).offers.find(
      ({ bidder: number }: { bidder: number }) => number === 1,
    );
    assert.equal(published.amount, own.unpublished.amount);
  });

  it("of one bidder is limited, and others are unharmed", async () => {
    const story = await reachFirstTurn(world);
    const [low, high] = story.bidders;
    const access = await high!.bearer();
    const flood = await Promise.all(
      Array.from({ length: 60 }, () => api.post(`${story.path()}/bids`, { amount: 1e9 }, access)),
    );
    const statuses = flood.map(({ status }) => status);
    // How many are refused depends on how quickly the machine sends them.
    const limited = flood.find(({ status }) => status === 429);
    assert.ok(limited, String(statuses));
    assert.deepEqual([rulesIn(limited), limited.headers.get("retry-after")], [["too-many-prices"], "1"]);
    assert.deepEqual(rulesIn(expectStatus(403, await story.place(low!, 470000))), ["not-your-turn"]);
    await story.nextStage();
    expectStatus(201, await story.place(low!, 470000));
  });

  it("is stored once for a repeated request with an idempotency key, also by link, and not at all by a dry run", async () => {
    const story = await reachFirstTurn(world);
    const { headers } = await story.bidders[1]!.bearer();
    const path = `${story.path()}/bids`;
    const keyed = { key: null, headers: { ...headers, "Idempotency-Key": "once" } };
    const dry = expectStatus(201, await api.post(`${path}?dry_run=1`, { amount: 460000 }, { key: null, headers }));
    assert.equal(dry.headers.get("x-dry-run"), "1");
    assert.equal((await story.fetchAuction({ key: null, headers })).own.unpublished, undefined);
    const first = expectStatus(201, await api.post(path, { amount: 470000 }, keyed));
    expectStatus(201, await api.post(path, { amount: 465000 }, { key: null, headers }));
    const again = expectStatus(201, await api.post(path, { amount: 470000 }, keyed));
    assert.deepEqual([again.text, again.headers.get("idempotency-replayed")], [first.text, "true"]);
    assert.equal((await story.fetchAuction({ key: null, headers })).own.unpublished.amount, 465000);
    const other = await api.post(path, { amount: 450000 }, keyed);
    assert.deepEqual(rulesIn(expectStatus(422, other)), ["idempotency-key-reused"]);
  });
});

describe("the record of an auction", async () => {
  const world = await sharedWorld({ AUCTIONS: "builtin" });
  const api = world.api("2.5");

  it("is refused until names are public, and then the same bytes for everyone; links are of no use any more", async () => {
    const story = await reachFirstTurn(world, [bidOf(480000), bidOf(490000)], fullTender(START));
    for (const options of [{ key: null }, { key: "token" }, { token: story.token }, await story.bidders[1]!.bearer()]) {
      const refused = await api.get(`${story.path()}/record`, options);
      assert.deepEqual(rulesIn(expectStatus(403, refused)), ["record-not-public"]);
    }
    const access = await story.bidders[1]!.bearer();
    while ((await story.fetchAuction()).phase !== "announcement") await story.nextStage();
    const replaced = await api.request("POST", `${story.path()}/links`, { token: story.bidders[1]!.token });
    assert.deepEqual(rulesIn(expectStatus(403, replaced)), ["no-participation-link"]);
    assert.equal((await story.bidders[1]!.fetchBid()).participationUrl, undefined);
    const record = expectStatus(200, await api.get(`${story.path()}/record?opt_pretty=1`, { key: null }));
    assert.equal((await api.get(`${story.path()}/record`, access)).text, record.text);
    assert.equal(JSON.stringify(JSON.parse(record.text), undefined, 1) + "\n", record.text);
  });
});
