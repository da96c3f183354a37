import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cook, DAY, MINUTE, school } from "../support/examples.ts";
import { assertNow, HEX, placeIn, publishForBidsIn, publishIn, VERSIONS } from "../support/versionNames.ts";
import { errorsOf, expectStatus, sharedWorld } from "../support/world.ts";

for (const names of VERSIONS) {
  const { version, stamp, total, items, party, item } = names;

  describe(`under ${version}`, async () => {
    const world = await sharedWorld();
    const api = world.api(version);

    it("an empty registry has a page without entries and a next offset", async () => {
      const { body, headers } = expectStatus(200, await api.get("/tenders", { key: null }));
      assert.deepEqual(body.data, []);
      assert.equal(headers.get("content-type"), "application/json; charset=UTF-8");
      const { offset, path, uri } = body.next_page;
      assert.match(offset, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?[+-]\d\d:\d\d$/);
      assert.equal(path, `/api/${version}/tenders?offset=${encodeURIComponent(offset)}`);
      assert.equal(uri, `${world.url}${path}`);
    });

    it("4.1: a tender is published, read by anyone and changed by its owner", async () => {
      const { id, path, token, response } = await publishIn(world, names);
      const { data, access } = response.body;
      assert.match(id, HEX);
      assert.equal(response.headers.get("location"), `${api.root}/tenders/${id}`);
      assert.deepEqual(Object.keys(access), ["token"]);
      assert.equal(data.status, "active.enquiries");
      assertNow(world, data.enquiryPeriod.startDate, data[stamp]);
      assert.deepEqual(data[items].length, 1);
      assert.deepEqual(expectStatus(200, await api.get(path, { key: null })).body, { data });
      world.clock.forward(MINUTE);
      const changes = { [total]: { amount: 600.5 }, [items]: [{ quantity: 7.5 }] };
      const changed = expectStatus(200, await api.patch(path, changes, { token })).body;
      assertNow(world, changed.data[stamp]);
      assert.deepEqual(changed, {
        data: {
          ...data,
          [stamp]: changed.data[stamp],
          [total]: { ...data[total], amount: 600.5 },
          [items]: [{ ...data[items][0], quantity: 7.5 }],
        },
      });
      assert.deepEqual((await api.get(path)).body, changed);
    });

    it("4.1: opt_pretty indents the response to a creation", async () => {
      const plain = await api.post("/tenders", {});
      const pretty = expectStatus(201, await api.post("/tenders?opt_pretty=1", {}));
      assert.doesNotMatch(plain.text, /\n/);
      assert.match(pretty.text, /^\{\n +"/);
    });

    it("4.1: the list shows a modified tender with its new date, after all others", async () => {
      const [first, second] = [await publishIn(world, names), await publishIn(world, names)];
      const start = (await api.get("/tenders")).body;
      assert.deepEqual(
        start.data.slice(-2).map((entry: { id: string }) => entry.id),
        [first.id, second.id],
      );
      assert.equal(start.next_page.offset, start.data.at(-1)[stamp]);
      assert.deepEqual((await api.get(start.next_page.uri)).body.data, []);
      world.clock.forward(MINUTE);
      const { data } = (await api.patch(first.path, { [total]: { amount: 400 } }, { token: first.token })).body;
      const entry = { id: first.id, [stamp]: data[stamp] };
      const later = expectStatus(200, await api.get(`${world.url}${start.next_page.path}`, { key: null })).body;
      assert.deepEqual(later.data, [entry]);
      const entries = (await api.get("/tenders")).body.data;
      assert.deepEqual(entries.at(-1), entry);
      assert.equal(entries.filter((entry: { id: string }) => entry.id === first.id).length, 1);
    });

    it("3: a tender is in tendering once its tender period starts, and its date changes", async () => {
      const { id, path, response } = await publishIn(world, names);
      world.clock.forward(DAY - 1);
      assert.equal((await api.get(path)).body.data.status, "active.enquiries");
      world.clock.forward(1);
      const { data } = (await api.get(path)).body;
      assert.equal(data.status, "tendering");
      assert.ok(data[stamp] > response.body.data[stamp]);
      const listed = (await api.get("/tenders")).body.data;
      assert.deepEqual(
        listed.filter((entry: { id: string }) => entry.id === id),
        [{ id, [stamp]: data[stamp] }],
      );
    });

    it("4.3: a question is asked by a broker, answered by the owner and read by anyone", async () => {
      const { path, token } = await publishIn(world, names);
      const asked = { title: "Калорійність", description: "Скільки?", author: party(cook) };
      const created = expectStatus(201, await api.post(`${path}/questions`, asked, { key: "broker2" }));
      const question = created.body.data;
      assert.match(question.id, HEX);
      assert.equal(created.headers.get("location"), `${api.root}${path}/questions/${question.id}`);
      assertNow(world, question.date);
      const { title, description, author } = question;
      assert.deepEqual({ title, description, author }, asked);
      assert.equal("access" in created.body, false);
      const questionPath = `${path}/questions/${question.id}`;
      expectStatus(403, await api.patch(questionPath, { answer: "1000" }, { key: "broker2" }));
      const response = expectStatus(200, await api.patch(questionPath, { answer: "1000 ккал" }, { token })).body.data;
      assert.equal(response.answer, "1000 ккал");
      assert.equal(response.id, question.id);
      assert.equal("author" in response, false);
      assert.deepEqual(expectStatus(200, await api.get(questionPath, { key: null })).body, { data: response });
      assert.deepEqual((await api.get(`${path}/questions`, { key: null })).body, { data: [response] });
    });

    it("3: questions are asked in enquiries only", async () => {
      const { path } = await publishForBidsIn(world, names);
      const question = await api.post(`${path}/questions`, { title: "Чи", description: "?", author: party(cook) });
      assert.deepEqual(errorsOf(expectStatus(403, question)), ["body/data: Can add question only in enquiryPeriod"]);
    });

    it("4.6: an award needs only its status, and is found at its Location", async () => {
      const { path, token } = await publishForBidsIn(world, names);
      assert.deepEqual((await api.get(`${path}/awards`, { key: null })).body, { data: [] });
      const pending = expectStatus(201, await api.post(`${path}/awards`, { awardStatus: "pending" }, { token }));
      const { awardID, awardDate } = pending.body.data;
      assert.match(awardID, HEX);
      assertNow(world, awardDate);
      const first = { awardID, awardDate, awardStatus: "pending" };
      assert.deepEqual(pending.body, { data: first });
      assert.equal(pending.headers.get("location"), `${api.root}${path}/awards/${awardID}`);
      assert.deepEqual((await api.get(pending.headers.get("location")!, { key: null })).body, { data: first });
      const full = { awardStatus: "unsuccessful", suppliers: [party(cook)], awardValue: { amount: 400 } };
      const second = expectStatus(201, await api.post(`${path}/awards`, full, { token })).body.data;
      assert.deepEqual(second, {
        ...full,
        awardID: second.awardID,
        awardDate: second.awardDate,
        awardValue: { amount: 400, currency: "UAH", valueAddedTaxIncluded: true },
      });
      assert.deepEqual((await api.get(`${path}/awards`, { key: null })).body, { data: [first, second] });
    });

    it("4.6: awards are recorded by the owner only, in every status that is not final", async () => {
      const { path, token } = await publishIn(world, names);
      for (const status of ["active.enquiries", "tendering", "active.qualification"]) {
        assert.equal((await api.get(path)).body.data.status, status);
        expectStatus(403, await api.post(`${path}/awards`, { awardStatus: "active" }));
        expectStatus(201, await api.post(`${path}/awards`, { awardStatus: "active" }, { token }));
        world.clock.forward(DAY);
      }
      expectStatus(200, await api.patch(path, { status: "complete" }, { token }));
      expectStatus(403, await api.post(`${path}/awards`, { awardStatus: "active" }, { token }));
      expectStatus(200, await api.get(`${path}/awards`));
    });

    it("4.7: the auction shows the values of the bids and accepts the reported ones", async () => {
      const tender = await publishForBidsIn(world, names);
      const placed = [await placeIn(world, names, tender, 475), await placeIn(world, names, tender, 480.25)];
      const valued = (amount: number) => ({ [total]: { amount, currency: "UAH", valueAddedTaxIncluded: true } });
      const before = expectStatus(200, await api.get(`${tender.path}/auction`, { key: null })).body.data;
      assert.deepEqual(before, {
        [stamp]: (await api.get(tender.path)).body.data[stamp],
        bids: [valued(475), valued(480.25)],
        minimalStep: { amount: 35, currency: "UAH" },
        tenderPeriod: { startDate: (await api.get(tender.path)).body.data.tenderPeriod.startDate },
      });
      world.clock.forward(MINUTE);
      const sold = (amount: number) => ({ [total]: { amount, currency: "UAH" } });
      const report = { [stamp]: before[stamp], bids: [sold(450), sold(440)] };
      expectStatus(403, await api.patch(`${tender.path}/auction`, report));
      const after = expectStatus(200, await api.patch(`${tender.path}/auction`, report, { token: tender.token })).body;
      assertNow(world, after.data[stamp]);
      assert.deepEqual(after.data, { ...before, [stamp]: after.data[stamp], bids: [valued(450), valued(440)] });
      assert.deepEqual((await api.get(`${tender.path}/auction`)).body, after);
      assert.equal((await api.get(placed[1]!.path)).body.data[names.price].amount, 440);
      expectStatus(200, await api.patch(`${tender.path}/auction`, report, { key: "auction" }));
    });

    it("4.9: the complaints of a tender can be read", async () => {
      const { path } = await publishIn(world, names);
      assert.deepEqual(expectStatus(200, await api.get(`${path}/complaints`, { key: null })).body, { data: [] });
    });

    it("1: an amount is sent as an integer or a decimal and returned as a decimal, a time is returned with its offset", async () => {
      const more = { [total]: { amount: 500 }, minimalStep: { amount: 0.1 }, [items]: [item(5), { quantity: 2.5 }] };
      const tenderPeriod = { startDate: "2027-07-01T10:00:00", endDate: "2027-12-01T10:00:00.5" };
      const { response, path } = await publishIn(world, names, { ...more, tenderPeriod });
      assert.match(response.text, /"amount": ?500\.0[,}]/);
      assert.match(response.text, /"amount": ?0\.1[,}]/);
      assert.match(response.text, /"quantity": ?5[,}]/);
      assert.match(response.text, /"quantity": ?2\.5[,}]/);
      assert.deepEqual((await api.get(path)).body.data.tenderPeriod, {
        startDate: "2027-07-01T10:00:00+03:00",
        endDate: "2027-12-01T10:00:00.500000+02:00",
      });
    });

    it("2.6: every member of an organisation is returned as it was sent", async () => {
      const { response } = await publishIn(world, names);
      assert.deepEqual(response.body.data.procuringEntity, party(school));
    });
  });
}
