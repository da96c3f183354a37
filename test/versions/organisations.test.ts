import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cook, DAY, publish, school } from "../support/examples.ts";
import { EARLIEST, NEWEST, oldForm, publishForBidsIn, publishIn, SECOND, VERSIONS } from "../support/versionNames.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";
import type { Wire } from "./older.ts";

/** Organisations in the old form, whole and in part. */
const OLD: { readonly [name: string]: Wire } = {
  whole: oldForm(school),
  "without address": { id: oldForm(school).id },
  "without uri": oldForm(cook),
  "with a name only": { id: { name: "Школа" } },
  "with a uid only": { id: { uid: "21725150" } },
  "with an address only": { address: { countryName: "Україна" } },
};

/** The same read under 0 and newer: the name is also the legal name, the uid is the identifier's id. */
function asNewer({ id = {}, address }: Wire): Wire {
  const { name, uid, scheme, uri } = id;
  const identifier = {
    ...(uid && { id: uid }),
    ...(scheme && { scheme }),
    ...(name && { legalName: name }),
    ...(uri && { uri }),
  };
  return {
    ...(name && { name }),
    ...(Object.keys(identifier).length > 0 && { identifier }),
    ...(address && { address }),
  };
}

describe("an organisation in the old form", async () => {
  const world = await sharedWorld();

  for (const { version, total, bids } of [EARLIEST, SECOND])
    for (const [name, organisation] of Object.entries(OLD)) {
      const api = world.api(version);

      it(`${name} is returned exactly as sent by ${version} under 0.1 and 0.2, and converted under 0 and 2.3`, async () => {
        const { path } = await publish(api, { procuringEntity: organisation, [total]: { amount: 1 } });
        for (const old of ["0.1", "0.2"])
          assert.deepEqual((await world.api(old).get(path)).body.data.procuringEntity, organisation);
        for (const newer of ["0", "2.3"])
          assert.deepEqual((await world.api(newer).get(path)).body.data.procuringEntity, asNewer(organisation));
      });

      it(`${name} is returned the same from a bid, an award and a question of ${version}`, async () => {
        const tender = await publishIn(world, EARLIEST);
        const asked = { title: "?", description: "?", author: organisation };
        const question = expectStatus(201, await api.post(`${tender.path}/questions`, asked)).body.data;
        assert.deepEqual(question.author, organisation);
        world.clock.forward(DAY);
        const bid = { bidders: [organisation], totalValue: { amount: 1 } };
        expectStatus(201, await api.post(`${tender.path}/${bids}`, bid));
        const award = { awardStatus: "pending", suppliers: [organisation] };
        expectStatus(201, await api.post(`${tender.path}/awards`, award, { token: tender.token }));
        world.clock.forward(DAY);
        for (const names of VERSIONS) {
          const read = async (list: string) =>
            (await world.api(names.version).get(`${tender.path}/${list}`)).body.data[0];
          const expected = names === EARLIEST || names === SECOND ? organisation : asNewer(organisation);
          assert.deepEqual((await read(names.bids))[names.parties], [expected]);
          assert.deepEqual((await read("awards")).suppliers, [expected]);
          assert.deepEqual((await read("questions")).author, expected);
        }
      });
    }

  it("is changed in the old form, the legal name together with the name", async () => {
    for (const { version } of [EARLIEST, SECOND]) {
      const { path, token } = await publish(world.api(version), { procuringEntity: OLD.whole });
      const changes = { procuringEntity: { id: { name: "Школа №11", uid: "2" } } };
      const { data } = expectStatus(200, await world.api(version).patch(path, changes, { token })).body;
      const changed = { ...OLD.whole, id: { ...OLD.whole.id, name: "Школа №11", uid: "2" } };
      assert.deepEqual(data.procuringEntity, changed);
      assert.deepEqual((await world.api("2.3").get(path)).body.data.procuringEntity, asNewer(changed));
    }
  });

  it("can be cleared field by field", async () => {
    for (const { version } of [EARLIEST, SECOND]) {
      const api = world.api(version);
      const { path, token } = await publish(api, { procuringEntity: OLD.whole });
      const { uri: _gone, ...remaining } = OLD.whole.id;
      const cleared = await api.patch(path, { procuringEntity: { id: { uri: null } } }, { token });
      assert.deepEqual(expectStatus(200, cleared).body.data.procuringEntity, { ...OLD.whole, id: remaining });
      const emptied = await api.patch(path, { procuringEntity: { id: null } }, { token });
      assert.deepEqual(expectStatus(200, emptied).body.data.procuringEntity, { address: OLD.whole.address });
    }
  });
});

describe("awardPeriod and deliveryDate of a tender", async () => {
  const world = await sharedWorld();
  const periods = {
    awardPeriod: { endDate: "2026-12-24T10:00:00+02:00" },
    deliveryDate: { endDate: "2027-01-24T10:00:00+02:00" },
  };

  for (const names of [EARLIEST, SECOND]) {
    const api = world.api(names.version);
    const periodsUnder = async (version: string, path: string) => {
      const { awardPeriod, deliveryDate } = (await world.api(version).get(path)).body.data;
      return { ...(awardPeriod && { awardPeriod }), ...(deliveryDate && { deliveryDate }) };
    };

    it(`written under ${names.version} are returned under 0.1 and 0.2`, async () => {
      const { path, response } = await publishIn(world, names, periods);
      const { awardPeriod, deliveryDate } = response.body.data;
      assert.deepEqual({ awardPeriod, deliveryDate }, periods);
      for (const version of ["0.1", "0.2"]) assert.deepEqual(await periodsUnder(version, path), periods);
    });

    it(`written under ${names.version} are visible under neither 0 nor 2.3`, async () => {
      const { path } = await publishIn(world, names, periods);
      for (const version of ["0", "2.3"]) assert.deepEqual(await periodsUnder(version, path), {});
    });

    it(`written under ${names.version} can be changed there`, async () => {
      const { path, token } = await publishIn(world, names, periods);
      const changes = { deliveryDate: { endDate: "2027-02-24T10:00:00+02:00" } };
      expectStatus(200, await api.patch(path, changes, { token }));
      assert.deepEqual(await periodsUnder("0.1", path), { ...periods, ...changes });
    });

    it(`written under ${names.version} are kept when a newer client sends back the tender it read`, async () => {
      const { path, token } = await publishForBidsIn(world, names, periods);
      for (const newer of ["0", "2.3"]) {
        const { data } = (await world.api(newer).get(path)).body;
        const changes = { ...data, value: { ...data.value, amount: data.value.amount + 1 } };
        expectStatus(200, await world.api(newer).patch(path, changes, { token }));
        assert.deepEqual(await periodsUnder("0.2", path), periods);
      }
    });
  }

  it("are absent if nobody wrote them", async () => {
    for (const names of [EARLIEST, NEWEST]) {
      const { path } = await publishIn(world, names);
      for (const { version } of VERSIONS) {
        const { data } = (await world.api(version).get(path)).body;
        assert.equal("awardPeriod" in data || "deliveryDate" in data, false);
      }
    }
  });
});
