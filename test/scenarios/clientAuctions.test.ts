import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type AuctionMessage, openClient, TenderhallError } from "../../src/client/index.ts";
import { replayText } from "../../src/domain/auctions/replay.ts";
import { reachAuction } from "../support/liveAuctions.ts";
import { sharedWorld } from "../support/world.ts";

describe("the typed client", async () => {
  const world = await sharedWorld({ AUCTIONS: "builtin" });

  it("takes a bidder through a whole auction, by its link and by its token, and replays the record", async () => {
    const story = await reachAuction(world);
    const [low, high] = story.bidders;
    const { auctions } = openClient({ url: world.url });
    const owner = openClient({ url: world.url, key: "broker", tokens: [{ id: low!.id, token: low!.token }] });
    const link = { link: (await high!.link()).href };
    const listed = await auctions.list({ tender: story.tender });
    assert.deepEqual(
      listed.data.map(({ id, status }) => [id, status]),
      [[story.tender, "planned"]],
    );
    const messages: AuctionMessage[] = [];
    const following = (async () => {
      for await (const message of auctions.follow(story.tender, { bidder: link })) messages.push(message);
    })();
    await story.nextStage();
    await story.nextStage();
    const { data: placed } = await auctions.placePrice(story.tender, link, { amount: 470000 });
    assert.equal(placed.unpublished?.amount, 470000);
    await assert.rejects(
      auctions.placePrice(story.tender, link, { amount: 499999 }),
      (error) => error instanceof TenderhallError && error.status === 422,
    );
    await story.nextStage();
    await owner.auctions.placePrice(story.tender, { bid: low!.id }, { amount: 465000 });
    assert.equal((await owner.auctions.takeBackPrice(story.tender, { bid: low!.id })).data.unpublished, undefined);
    const replaced = await owner.auctions.replaceLink(story.tender, low!.id);
    const seen = await auctions.get(story.tender, { bidder: { link: replaced.data.participationUrl } });
    assert.equal(seen.data.own?.bidder, 2);
    assert.equal((await auctions.get(story.tender)).data.own, undefined);
    while ((await story.fetchAuction()).phase !== "announcement") await story.nextStage();
    await following;
    const kinds = messages.map((message) => ("event" in message ? message.event.kind : "snapshot"));
    assert.deepEqual([kinds[0], kinds.at(-1)], ["snapshot", "names"]);
    assert.ok(kinds.includes("price placed"));
    const replayed = replayText(await auctions.record(story.tender));
    assert.deepEqual(replayed.differences, []);
  });
});
