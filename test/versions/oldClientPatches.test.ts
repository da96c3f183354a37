import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY, MINUTE, type PublishedTender, publish } from "../support/examples.ts";
import { OLD_VERSIONS, VERSIONS } from "../support/versionNames.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";
import { everything, fullOrganisation, parameters, tenderAs, type Wire } from "./older.ts";

const BASIC = { procurementMethodType: undefined };

describe("an old client's PATCH", async () => {
  const world = await sharedWorld();
  const newest = world.api("2.3");

  async function publishEverything(more: object = {}): Promise<PublishedTender> {
    world.clock.forward(MINUTE);
    return publish(newest, { ...everything(world.clock.now), ...more });
  }

  const wholeOf = async (path: string, sent = {}): Promise<Wire> =>
    expectStatus(200, await newest.get(path, sent)).body.data;

  /** The PATCH is taken, and all that 2.3 sees of it is what `change` makes of the tender before. */
  async function assertChangesOnly(
    version: string,
    { path, token }: PublishedTender,
    patch: Wire,
    change: (before: Wire) => Wire,
  ): Promise<void> {
    const before = await wholeOf(path);
    world.clock.forward(MINUTE);
    const response = expectStatus(200, await world.api(version).patch(path, patch, { token })).body;
    const after = await wholeOf(path);
    assert.deepEqual(after, { ...change(before), dateModified: after.dateModified });
    assert.ok(after.dateModified > before.dateModified);
    assert.deepEqual(response.data, tenderAs(version, after));
  }

  for (const { version } of VERSIONS)
    for (const [description, more] of [
      ["of belowThreshold", {}],
      ["without a type", BASIC],
    ] as const)
      it(`that sends back the whole tender ${description} as read under ${version} changes nothing`, async () => {
        const { path, token } = await publishEverything(more);
        for (let stage = 0; stage < 3; stage++) {
          const before = await wholeOf(path);
          const { data } = (await world.api(version).get(path)).body;
          world.clock.forward(MINUTE);
          const response = expectStatus(200, await world.api(version).patch(path, data, { token }));
          assert.deepEqual(response.body, { data });
          assert.deepEqual(await wholeOf(path), before);
          world.clock.forward(7 * DAY);
          if ((await wholeOf(path)).status === "unsuccessful") break;
        }
      });

  for (const { version, total, items } of OLD_VERSIONS) {
    const api = world.api(version);
    const isOld = version !== "0";

    it(`that sends back the whole tender under ${version} with another value changes only the value`, async () => {
      for (const more of [{}, BASIC]) {
        const tender = await publishEverything(more);
        const { data } = (await api.get(tender.path)).body;
        const sent = { ...data, [total]: { ...data[total], amount: 600000 } };
        await assertChangesOnly(version, tender, sent, (before) => ({
          ...before,
          value: { ...before.value, amount: 600000 },
        }));
      }
    });

    it(`that sends back the whole tender under ${version} with another quantity keeps the items' ids, codes and positions`, async () => {
      const tender = await publishEverything();
      const { data } = (await api.get(tender.path)).body;
      const sent = { ...data, [items]: [data[items][0], { ...data[items][1], quantity: 7 }] };
      await assertChangesOnly(version, tender, sent, (before) => ({
        ...before,
        items: [before.items[0], { ...before.items[1], quantity: 7 }],
      }));
    });

    it(`under ${version} of a unit's name keeps its code, translations and price`, async () => {
      const tender = await publishEverything();
      const renamed = isOld ? { unitOfMeasure: "порція" } : { unit: { name: "порція" } };
      await assertChangesOnly(version, tender, { [items]: [renamed, {}] }, (before) => {
        const [first, second] = before.items;
        return { ...before, items: [{ ...first, unit: { ...first.unit, name: "порція" } }, second] };
      });
    });

    it(`under ${version} that clears a unit's name leaves the rest of the unit`, async () => {
      const tender = await publishEverything();
      const cleared = isOld ? { unitOfMeasure: null } : { unit: { name: null } };
      const before = await wholeOf(tender.path);
      expectStatus(200, await api.patch(tender.path, { [items]: [cleared, {}] }, { token: tender.token }));
      const { name: _gone, ...unit } = before.items[0].unit;
      assert.deepEqual((await wholeOf(tender.path)).items, [{ ...before.items[0], unit }, before.items[1]]);
    });

    it(`under ${version} of a classification keeps its translations and address`, async () => {
      const tender = await publishEverything();
      const name = isOld ? "primaryClassification" : "classification";
      const sent = { [items]: [{ [name]: { description: "Обіди" } }, {}] };
      await assertChangesOnly(version, tender, sent, (before) => {
        const [first, second] = before.items;
        const classification = { ...first.classification, description: "Обіди" };
        return { ...before, items: [{ ...first, classification }, second] };
      });
    });

    it(`under ${version} of an organisation keeps its legal name, contacts, kind and translations`, async () => {
      const tender = await publishEverything();
      const uri = "http://new.example/";
      const sent = isOld ? { id: { uri } } : { identifier: { uri } };
      await assertChangesOnly(version, tender, { procuringEntity: sent }, (before) => ({
        ...before,
        procuringEntity: { ...before.procuringEntity, identifier: { ...before.procuringEntity.identifier, uri } },
      }));
    });

    it(`under ${version} of an organisation's name keeps the legal name that it cannot see`, async () => {
      const tender = await publishEverything();
      const sent = isOld ? { id: { name: "Школа №11" } } : { name: "Школа №11" };
      await assertChangesOnly(version, tender, { procuringEntity: sent }, (before) => ({
        ...before,
        procuringEntity: { ...before.procuringEntity, name: "Школа №11" },
      }));
    });

    it(`under ${version} of an address keeps its other fields`, async () => {
      const tender = await publishEverything();
      const sent = { procuringEntity: { address: { locality: "Київ" } } };
      await assertChangesOnly(version, tender, sent, (before) => {
        const { procuringEntity } = before;
        const address = { ...procuringEntity.address, locality: "Київ" };
        return { ...before, procuringEntity: { ...procuringEntity, address } };
      });
    });

    it(`under ${version} in the terms of another 0.x version changes nothing else`, async () => {
      const tender = await publishEverything();
      const { name, identifier } = fullOrganisation;
      const sent = isOld
        ? { items: [{ unit: { name: "порція" } }, {}], procuringEntity: { name } }
        : {
            itemsToBeProcured: [{ unitOfMeasure: "порція" }, {}],
            procuringEntity: { id: { name, uid: identifier.id } },
          };
      await assertChangesOnly(version, tender, sent, (before) => {
        const [first, second] = before.items;
        return { ...before, items: [{ ...first, unit: { ...first.unit, name: "порція" } }, second] };
      });
    });

    it(`under ${version} that adds an item gives it an id and keeps the others`, async () => {
      const tender = await publishEverything(BASIC);
      const before = await wholeOf(tender.path);
      const sent = { [items]: [{}, {}, { description: "Сніданки", quantity: 1 }] };
      expectStatus(200, await api.patch(tender.path, sent, { token: tender.token }));
      const after = await wholeOf(tender.path);
      assert.deepEqual(after.items.slice(0, 2), before.items);
      assert.deepEqual(after.items[2], { id: after.items[2].id, description: "Сніданки", quantity: 1 });
      assert.match(after.items[2].id, /^[0-9a-f]{32}$/);
    });
  }
});

describe("an old client's PATCH of a child of a tender", async () => {
  const world = await sharedWorld();
  const newest = world.api("2.3");

  for (const { version, bids, price } of OLD_VERSIONS)
    for (const [description, more] of [
      ["a sealed bid", {}],
      ["an open bid", BASIC],
    ] as const)
      it(`of ${description} under ${version} keeps its fields that the version cannot see`, async () => {
        const { path } = await publish(newest, { ...everything(world.clock.now), ...more });
        world.clock.forward(7 * DAY);
        const sent = { tenderers: [fullOrganisation], value: { amount: 475000 }, parameters };
        const placed = expectStatus(201, await newest.post(`${path}/bids`, sent)).body;
        const token = placed.access.token;
        const bidPath = `${path}/${bids}/${placed.data.id}`;
        const api = world.api(version);
        const { data } = expectStatus(200, await api.get(bidPath, { token })).body;
        assert.deepEqual(expectStatus(200, await api.patch(bidPath, data, { token })).body, { data });
        const read = async () => (await newest.get(`${path}/bids/${placed.data.id}`, { token })).body.data;
        assert.deepEqual(await read(), placed.data);
        const cheaper = { ...data, [price]: { ...data[price], amount: 470000 } };
        expectStatus(200, await api.patch(bidPath, cheaper, { token }));
        const after = await read();
        const value = { ...placed.data.value, amount: 470000 };
        assert.deepEqual(after, { ...placed.data, value, date: after.date });
      });

  for (const { version } of OLD_VERSIONS)
    it(`of an answer under ${version} keeps the question's fields that the version cannot see`, async () => {
      const { path, token } = await publish(newest, everything(world.clock.now));
      const question = { title: "?", description: "?", author: fullOrganisation, questionOf: "item" };
      const sent = { ...question, relatedItem: everything(0).items[1]!.id };
      const { id } = expectStatus(201, await newest.post(`${path}/questions`, sent)).body.data;
      const questionPath = `${path}/questions/${id}`;
      const { data } = (await world.api(version).get(questionPath)).body;
      expectStatus(200, await world.api(version).patch(questionPath, { ...data, answer: "!" }, { token }));
      world.clock.forward(14 * DAY);
      const { answer, questionOf, relatedItem, author } = (await newest.get(questionPath)).body.data;
      assert.deepEqual(
        { answer, questionOf, relatedItem, author },
        {
          answer: "!",
          questionOf: "item",
          relatedItem: sent.relatedItem,
          author: fullOrganisation,
        },
      );
    });

  for (const { version } of OLD_VERSIONS)
    it(`of an award under ${version} keeps the supplier's fields that the version cannot see`, async () => {
      const { path, token } = await publish(newest, { ...everything(world.clock.now), ...BASIC });
      const sent = { awardStatus: "pending", suppliers: [fullOrganisation], awardValue: { amount: 1 } };
      const award = expectStatus(201, await newest.post(`${path}/awards`, sent, { token })).body.data;
      const awardPath = `${path}/awards/${award.awardID}`;
      const { data } = (await world.api(version).get(awardPath)).body;
      expectStatus(200, await world.api(version).patch(awardPath, { ...data, awardStatus: "active" }, { token }));
      const after = (await newest.get(awardPath)).body.data;
      assert.deepEqual(after, { ...award, awardStatus: "active", awardDate: after.awardDate });
    });

  for (const { version } of OLD_VERSIONS)
    it(`of a document under ${version} keeps its fields that the version cannot see`, async () => {
      const { path, token } = await publish(newest, everything(world.clock.now));
      const uploaded = await newest.upload(`${path}/documents`, { name: "a.txt", content: "a" }, { token });
      const documentPath = `${path}/documents/${uploaded.body.data.id}`;
      const metadata = { description: "Умови", title_en: "Terms", documentType: "biddingDocuments", language: "uk" };
      const before = expectStatus(200, await newest.patch(documentPath, metadata, { token })).body.data;
      const { data } = (await world.api(version).get(documentPath)).body;
      expectStatus(200, await world.api(version).patch(documentPath, { ...data, title: "умови.txt" }, { token }));
      const [after] = (await newest.get(`${path}/documents`)).body.data;
      assert.deepEqual(after, { ...before, title: "умови.txt" });
    });
});
