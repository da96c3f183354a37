import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cook, DAY, formatTime, publish } from "../support/examples.ts";
import {
  bidIn,
  EARLIEST,
  NEWEST,
  OLD_VERSIONS,
  publishForBidsIn,
  tenderIn,
  type VersionNames,
} from "../support/versionNames.ts";
import { errorsOf, expectStatus, sharedWorld } from "../support/world.ts";
import { bidAs, tenderAs, type Wire } from "./older.ts";

/** Answers are in the words of the segment, whatever words the client used. */
describe("0.x accepts every 0.x name in every 0.x version", async () => {
  const world = await sharedWorld();
  const newest = world.api("2.3");

  const canonical = async (path: string): Promise<Wire> => expectStatus(200, await newest.get(path)).body.data;

  for (const { version } of OLD_VERSIONS)
    for (const names of OLD_VERSIONS) {
      const api = world.api(version);
      const inWords = `under ${version} in the terms of ${names.version}`;

      it(`a tender is published ${inWords}`, async () => {
        world.clock.forward(1_000_000);
        const { path, response } = await publish(api, tenderIn(names, world.clock.now));
        const tender = await canonical(path);
        assert.deepEqual(response.body.data, tenderAs(version, tender));
        assert.equal(tender.value.amount, 500);
        assert.equal(tender.procuringEntity.identifier.id, "21725150");
        const { quantity, unit, classification, additionalClassifications } = tender.items[0];
        assert.deepEqual([quantity, unit, classification.id], [5, { name: "item" }, "55523100-3"]);
        assert.equal(additionalClassifications[0].id, "55.51.10.300");
      });

      it(`a tender is changed ${inWords}`, async () => {
        world.clock.forward(1_000_000);
        const { path, token } = await publish(newest, tenderIn(NEWEST, world.clock.now));
        const before = await canonical(path);
        const changes = {
          [names.total]: { amount: 600 },
          [names.items]: [{ quantity: 7 }],
          [names.stamp]: before.date,
        };
        const { data } = expectStatus(200, await api.patch(path, changes, { token })).body;
        const tender = await canonical(path);
        assert.deepEqual(data, tenderAs(version, tender));
        assert.deepEqual(tender, {
          ...before,
          dateModified: tender.dateModified,
          value: { ...before.value, amount: 600 },
          items: [{ ...before.items[0], quantity: 7 }],
        });
      });

      it(`a question is asked and an award recorded ${inWords}`, async () => {
        world.clock.forward(1_000_000);
        const { path, token } = await publish(api, tenderIn(names, world.clock.now));
        const question = { title: "?", description: "?", author: names.party(cook) };
        expectStatus(201, await api.post(`${path}/questions`, question));
        const award = { awardStatus: "pending", suppliers: [names.party(cook)], awardValue: { amount: 1 } };
        expectStatus(201, await api.post(`${path}/awards`, award, { token }));
        const [{ suppliers }] = await canonical(`${path}/awards`);
        assert.equal(suppliers[0].identifier.id, cook.identifier.id);
        world.clock.forward(2 * DAY);
        const [{ author }] = await canonical(`${path}/questions`);
        assert.equal(author.name, cook.name);
      });

      it(`an auction is reported ${inWords}`, async () => {
        const tender = await publishForBidsIn(world, NEWEST);
        expectStatus(201, await newest.post(`${tender.path}/bids`, bidIn(NEWEST, 475)));
        const report = { [names.stamp]: formatTime(world.clock.now), bids: [{ [names.total]: { amount: 450 } }] };
        expectStatus(200, await api.patch(`${tender.path}/auction`, report, { token: tender.token }));
        assert.equal((await canonical(`${tender.path}/bids`))[0].value.amount, 450);
      });

      for (const bids of ["bids", "bidders"])
        it(`a bid is placed at /${bids} ${inWords}`, async () => {
          const { path } = await publishForBidsIn(world, NEWEST);
          const shape = bids === "bidders" ? EARLIEST.version : version;
          const placed = expectStatus(201, await api.post(`${path}/${bids}`, bidIn(names, 475)));
          const { data, access } = placed.body;
          const [bid] = await canonical(`${path}/bids`);
          assert.equal(bid.tenderers[0].name, cook.name);
          assert.equal(bid.value.amount, 475);
          assert.deepEqual(data, bidAs(shape, bid));
          const bidPath = `${path}/${bids}/${data.id}`;
          assert.equal(placed.headers.get("location"), `${api.root}${bidPath}`);
          const price = { [names.price]: { amount: 460 } };
          const changed = expectStatus(200, await api.patch(bidPath, price, { token: access.token })).body;
          assert.deepEqual(changed.data, bidAs(shape, (await canonical(`${path}/bids`))[0]));
          assert.deepEqual((await api.get(bidPath)).body, changed);
          assert.deepEqual((await api.get(`${path}/${bids}`)).body, { data: [changed.data] });
          assert.deepEqual(expectStatus(200, await api.delete(bidPath, { token: access.token })).body, changed);
        });
    }

  it("a bid that is refused at /bidders gets its errors in the oldest terms", async () => {
    const { path } = await publishForBidsIn(world, NEWEST);
    for (const { version } of OLD_VERSIONS) {
      const refused = await world.api(version).post(`${path}/bidders`, { totalValue: { amount: -1 } });
      const names = refused.body.errors.map(({ name }: { name: string }) => name).sort();
      assert.deepEqual([refused.status, names], [422, ["bidders", "totalValue.amount"]]);
    }
  });

  it("the documents of a bid are at /bids and /bidders", async () => {
    for (const { version } of OLD_VERSIONS) {
      const api = world.api(version);
      const { path } = await publishForBidsIn(world, NEWEST);
      const { data, access } = (await newest.post(`${path}/bids`, bidIn(NEWEST, 475))).body;
      for (const bids of ["bids", "bidders"]) {
        const documents = `${path}/${bids}/${data.id}/documents`;
        const uploaded = await api.upload(documents, { name: "a.txt", content: "a" }, { token: access.token });
        assert.equal(
          expectStatus(201, uploaded).headers.get("location"),
          `${api.root}${documents}/${uploaded.body.data.id}`,
        );
        expectStatus(200, await api.get(uploaded.headers.get("location")!));
      }
      assert.equal((await api.get(`${path}/bidders/${data.id}/documents`)).body.data.length, 2);
    }
  });

  const mixtures: readonly (readonly [string, (names: VersionNames) => object])[] = [
    [
      "the old organisation in a newer tender",
      () => ({ ...tenderIn(NEWEST, world.clock.now), procuringEntity: EARLIEST.party(cook) }),
    ],
    [
      "old and new names of items side by side",
      () => ({ items: [{ ...NEWEST.item(1), unit: undefined, unitOfMeasure: "kg" }] }),
    ],
    [
      "the periods of the oldest variant",
      () => ({ awardPeriod: { endDate: "2030-01-01" }, deliveryDate: { endDate: "2030-02-01" } }),
    ],
  ];

  for (const [name, mixture] of mixtures)
    it(`${name} is accepted`, async () => {
      for (const names of OLD_VERSIONS)
        expectStatus(201, await world.api(names.version).post("/tenders", mixture(names)));
    });

  it("two names of one field at once are refused, and both are named", async () => {
    for (const { version } of OLD_VERSIONS) {
      const twice = { value: { amount: 1 }, totalValue: { amount: 2 } };
      const refused = expectStatus(422, await world.api(version).post("/tenders", twice));
      assert.match(errorsOf(refused).join(), /value.*totalValue|totalValue.*value/);
    }
  });

  it("2.3 rejects the old names", async () => {
    const old = tenderIn(EARLIEST, world.clock.now);
    const refused = expectStatus(422, await newest.post("/tenders", old));
    const names = refused.body.errors.map(({ name }: { name: string }) => name).sort();
    assert.deepEqual(names, ["itemsToBeProcured", "procuringEntity.id", "totalValue"]);
  });
});
