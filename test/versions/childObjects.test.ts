import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, cook, DAY } from "../support/examples.ts";
import { NEWEST, publishForBidsIn, publishIn, VERSIONS } from "../support/versionNames.ts";
import { expectStatus, sharedWorld } from "../support/world.ts";
import { awardAs, bidAs, documentAs, fullOrganisation, questionAs, type Wire } from "./older.ts";

const keysOf = (object: Wire): string[] => Object.keys(object).sort();
const money = { currency: "UAH", valueAddedTaxIncluded: true };

describe("the children of a tender", async () => {
  const world = await sharedWorld();
  const newest = world.api("2.3");

  for (const { version, total } of VERSIONS) {
    const api = world.api(version);
    const isOld = version === "0.1" || version === "0.2";
    const isNewest = version === "2.3";

    it(`a bid of 2.3 has exactly the fields of ${version}`, async () => {
      const { path } = await publishForBidsIn(world, NEWEST);
      const sent = bidOf(475, { tenderers: [fullOrganisation] });
      const bid = expectStatus(201, await newest.post(`${path}/bids`, sent)).body.data;
      assert.deepEqual(bid, {
        id: bid.id,
        date: bid.date,
        status: "active",
        tenderers: [fullOrganisation],
        value: { amount: 475, ...money },
      });
      const collection = `${path}/${isOld ? "bidders" : "bids"}`;
      const seen = expectStatus(200, await api.get(`${collection}/${bid.id}`)).body.data;
      const names = isOld ? ["bidders", "totalValue"] : ["tenderers", "value"];
      assert.deepEqual(keysOf(seen), ["id", "date", "status", ...names].sort());
      assert.deepEqual(seen, bidAs(version, bid));
      assert.equal(seen.status, isNewest ? "active" : "registration");
      assert.deepEqual((await api.get(collection)).body, { data: [seen] });
    });

    it(`an award of 2.3 has exactly the fields of ${version}`, async () => {
      const { path, token } = await publishForBidsIn(world, NEWEST);
      const sent = { awardStatus: "active", suppliers: [fullOrganisation], awardValue: { amount: 400 } };
      const award = expectStatus(201, await newest.post(`${path}/awards`, sent, { token })).body.data;
      const seen = expectStatus(200, await api.get(`${path}/awards/${award.awardID}`)).body.data;
      assert.deepEqual(keysOf(seen), ["awardDate", "awardID", "awardStatus", "awardValue", "suppliers"]);
      assert.deepEqual(seen, awardAs(version, award));
      assert.deepEqual(award, {
        ...sent,
        awardID: award.awardID,
        awardDate: award.awardDate,
        awardValue: { amount: 400, ...money },
      });
      assert.deepEqual((await api.get(`${path}/awards`)).body, { data: [seen] });
    });

    it(`a question of 2.3 has exactly the fields of ${version}, with its author after the competition`, async () => {
      const { path, token } = await publishIn(world, NEWEST);
      const question = { title: "Калорійність", description: "Скільки?", author: fullOrganisation };
      const { id } = expectStatus(201, await newest.post(`${path}/questions`, question)).body.data;
      const questionPath = `${path}/questions/${id}`;
      const added = isNewest ? ["questionOf"] : [];
      assert.deepEqual(
        keysOf((await api.get(questionPath)).body.data),
        ["id", "date", "title", "description", ...added].sort(),
      );
      expectStatus(200, await newest.patch(questionPath, { answer: "1000 ккал" }, { token }));
      const compare = async () => {
        const seen = expectStatus(200, await api.get(questionPath)).body.data;
        assert.deepEqual(seen, questionAs(version, (await newest.get(questionPath)).body.data));
        assert.deepEqual((await api.get(`${path}/questions`)).body, { data: [seen] });
        return seen;
      };
      assert.equal((await compare()).answer, "1000 ккал");
      world.clock.forward(2 * DAY);
      const late = await compare();
      const answered = isNewest ? [...added, "dateAnswered"] : [];
      assert.deepEqual(keysOf(late), ["answer", "author", "date", "description", "id", "title", ...answered].sort());
    });

    it(`a document of 2.3 has exactly the fields of ${version}`, async () => {
      const { path, token } = await publishIn(world, NEWEST);
      const file = { name: "Умови.pdf", content: "умови", type: "application/pdf" };
      const document = expectStatus(201, await newest.upload(`${path}/documents`, file, { token })).body.data;
      const [seen] = expectStatus(200, await api.get(`${path}/documents`)).body.data;
      const added = isNewest ? ["author", "documentOf", "hash"] : [];
      assert.deepEqual(
        keysOf(seen),
        ["dateModified", "datePublished", "format", "id", "title", "url", ...added].sort(),
      );
      assert.deepEqual(seen, documentAs(version, document));
      assert.equal((await api.get(seen.url)).text, "умови");
    });

    it(`a document of a bid of 2.3 is downloaded from the URL that ${version} shows`, async () => {
      const { path } = await publishForBidsIn(world, NEWEST);
      const placed = expectStatus(201, await newest.post(`${path}/bids`, bidOf(475))).body;
      const sent = { token: placed.access.token };
      const file = { name: "ціна.txt", content: "475", type: "text/plain" };
      const upload = await newest.upload(`${path}/bids/${placed.data.id}/documents`, file, sent);
      const document = expectStatus(201, upload).body.data;
      const list = `${path}/${isOld ? "bidders" : "bids"}/${placed.data.id}/documents`;
      const [seen] = expectStatus(200, await api.get(list)).body.data;
      const { url: _own, ...expected } = documentAs(version, document);
      const { url, ...rest } = seen;
      assert.deepEqual(rest, expected);
      assert.ok(url.startsWith(`${api.root}/`));
      assert.equal((await api.get(url)).text, "475");
    });

    it(`the auction has exactly the fields of ${version}`, async () => {
      const { path } = await publishForBidsIn(world, NEWEST);
      for (const amount of [475, 480]) expectStatus(201, await newest.post(`${path}/bids`, bidOf(amount)));
      const tender = (await newest.get(path)).body.data;
      const seen = expectStatus(200, await api.get(`${path}/auction`)).body;
      assert.deepEqual(seen, {
        data: {
          [version === "0.1" ? "modified" : "dateModified"]: tender.dateModified,
          bids: [475, 480].map((amount) => ({ [total]: { amount, ...money } })),
          minimalStep: { amount: 35, currency: "UAH" },
          tenderPeriod: { startDate: tender.tenderPeriod.startDate },
        },
      });
    });

    it(`the auction of an empty tender is readable under ${version}`, async () => {
      const { path, response } = await publishIn(world, NEWEST, {});
      const { data } = expectStatus(200, await api.get(`${path}/auction`)).body;
      assert.deepEqual(data.bids, []);
      assert.equal(data[version === "0.1" ? "modified" : "dateModified"], response.body.data.dateModified);
    });

    it(`every other version reads what ${version} writes`, async () => {
      const names = VERSIONS.find((candidate) => candidate.version === version)!;
      const tender = await publishForBidsIn(world, names);
      const bid = { [names.parties]: [names.party(cook)], [names.price]: { amount: 475 } };
      expectStatus(201, await api.post(`${tender.path}/${names.bids}`, bid));
      const [canonical] = (await newest.get(`${tender.path}/bids`)).body.data;
      for (const other of VERSIONS) {
        const [seen] = expectStatus(200, await world.api(other.version).get(`${tender.path}/${other.bids}`)).body.data;
        assert.deepEqual(seen, bidAs(other.version, canonical));
        const { data } = expectStatus(200, await world.api(other.version).get(tender.path)).body;
        assert.equal(data[other.total].amount, 500);
        assert.equal(data[other.items][0].quantity, 5);
      }
    });
  }
});
