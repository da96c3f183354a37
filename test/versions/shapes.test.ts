import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY, formatTime, fullTender, publish, school } from "../support/examples.ts";
import { HEX, VERSIONS } from "../support/versionNames.ts";
import { errorsOf, expectStatus, sharedWorld } from "../support/world.ts";
import { everything, type Wire } from "./older.ts";

describe("the representation of a tender", async () => {
  const world = await sharedWorld();
  const newest = world.api("2.3");

  const publishFull = async (more: object = {}) => {
    world.clock.forward(1_000_000);
    return publish(newest, { ...fullTender(world.clock.now), ...more });
  };

  /** What the texts show of the example tender; `data` tells what only the service knows. */
  function expectedOf(data: Wire, start: number) {
    const sent = fullTender(start);
    return {
      value: sent.value,
      minimalStep: sent.minimalStep,
      enquiryPeriod: { startDate: formatTime(start), endDate: formatTime(start + 7 * DAY) },
      tenderPeriod: { startDate: formatTime(start + 7 * DAY), endDate: formatTime(start + 14 * DAY) },
      id: data.id,
      status: "active.enquiries",
      items: [{ ...sent.items[0], id: data.items[0].id }],
    };
  }

  it("in 2.3 has all fields of a belowThreshold tender", async () => {
    const { response, path } = await publishFull();
    const { data } = response.body;
    const at = formatTime(world.clock.now);
    assert.match(data.id, HEX);
    assert.match(data.items[0].id, HEX);
    assert.deepEqual(data, {
      ...expectedOf(data, world.clock.now),
      tenderID: data.tenderID,
      owner: "broker",
      date: at,
      dateModified: at,
      next_check: formatTime(world.clock.now + 7 * DAY),
      procurementMethodType: "belowThreshold",
      procurementMethod: "open",
      submissionMethod: "electronicAuction",
      awardCriteria: "lowestCost",
      title: "Послуги шкільних їдалень",
      procuringEntity: { ...school, kind: "general" },
    });
    assert.deepEqual((await newest.get(path)).body, { data });
  });

  it("in 0 has the same names without the fields of newer versions", async () => {
    const { response, path } = await publishFull();
    const at = formatTime(world.clock.now);
    assert.deepEqual((await world.api("0").get(path)).body, {
      data: {
        ...expectedOf(response.body.data, world.clock.now),
        tenderID: `UA-${response.body.data.id}`,
        dateModified: at,
        procuringEntity: school,
      },
    });
  });

  const oldExpected = (data: Wire, start: number) => {
    const { items, value: _named, ...rest } = expectedOf(data, start);
    const { description, quantity, classification, additionalClassifications } = items[0]!;
    return {
      ...rest,
      tenderID: `UA-${data.id}`,
      procuringEntity: {
        id: { name: "Школа №10", scheme: "UA-EDR", uid: "21725150", uri: "http://sch10.example/" },
        address: school.address,
      },
      itemsToBeProcured: [
        {
          description,
          quantity,
          unitOfMeasure: "item",
          primaryClassification: classification,
          additionalClassification: additionalClassifications,
        },
      ],
    };
  };

  it("in 0.2 has the old names", async () => {
    const { response, path } = await publishFull();
    const { data } = response.body;
    const { dateModified, value } = data;
    const expected = { ...oldExpected(data, world.clock.now), dateModified, value };
    assert.deepEqual((await world.api("0.2").get(path)).body, { data: expected });
  });

  it("in 0.1 has the oldest names", async () => {
    const { response, path } = await publishFull();
    const { data } = response.body;
    const expected = { ...oldExpected(data, world.clock.now), modified: data.dateModified, totalValue: data.value };
    assert.deepEqual((await world.api("0.1").get(path)).body, { data: expected });
  });

  for (const { version, stamp, total } of VERSIONS) {
    const api = world.api(version);

    it(`of an empty tender is accepted under ${version} and has the defaults of the service`, async () => {
      world.clock.forward(1_000_000);
      const { body, headers } = expectStatus(201, await api.post("/tenders", {}));
      const at = formatTime(world.clock.now);
      const { id, tenderID } = body.data;
      const added = { procurementMethod: "open", submissionMethod: "electronicAuction", awardCriteria: "lowestCost" };
      assert.deepEqual(body, {
        access: { token: body.access.token },
        data: {
          id,
          tenderID,
          status: "active.enquiries",
          [stamp]: at,
          enquiryPeriod: { startDate: at },
          ...(version === "2.3" && { owner: "broker", date: at, ...added }),
        },
      });
      assert.match(body.access.token, HEX);
      assert.equal(headers.get("location"), `${api.root}/tenders/${id}`);
      assert.deepEqual((await api.get(`/tenders/${id}`)).body, { data: body.data });
    });

    it(`in a list under ${version} is the id and the date, and the offset is a timestamp`, async () => {
      const { id } = await publishFull();
      const { data, next_page } = (await api.get("/tenders")).body;
      assert.deepEqual(data.at(-1), { id, [stamp]: formatTime(world.clock.now) });
      for (const entry of data) assert.deepEqual(Object.keys(entry).sort(), ["id", stamp].sort());
      assert.equal(next_page.offset, formatTime(world.clock.now));
      assert.deepEqual(Object.keys(next_page).sort(), ["offset", "path", "uri"]);
    });

    it(`has decimal amounts, and quantities as they were sent, under ${version}`, async () => {
      const { path } = await publishFull();
      const { text } = await api.get(path);
      assert.match(text, new RegExp(`"${total}": ?\\{"amount": ?500000\\.0,`));
      assert.match(text, /"minimalStep": ?\{"amount": ?5000\.0,/);
      assert.match(text, /"quantity": ?5[,}]/);
    });

    it(`is in tendering during the tender period under ${version}`, async () => {
      const { path } = await publishFull();
      world.clock.forward(7 * DAY);
      assert.equal((await api.get(path)).body.data.status, "tendering");
      await api.get("/tenders"); // all that is due is stored, and later stamps are the clock's
    });

    it(`of a test tender and a draft is readable, but not listed, under ${version}`, async () => {
      for (const more of [{ mode: "test" }, { status: "draft" }]) {
        const { id, path } = await publishFull(more);
        assert.equal(expectStatus(200, await api.get(path)).body.data.id, id);
        const listed = (await api.get("/tenders?limit=1000")).body.data;
        assert.equal(
          listed.some((entry: Wire) => entry.id === id),
          false,
        );
      }
    });
  }

  it("has its id as its number in 0.x, and its position in its day in 2.3, without gaps", async () => {
    world.clock.forward(DAY);
    const day = formatTime(world.clock.now).slice(0, 10);
    for (const [i, { version }] of VERSIONS.entries()) {
      expectStatus(422, await newest.post("/tenders", { value: { amount: "much" } }));
      expectStatus(401, await newest.post("/tenders", {}, { key: null }));
      const { id, response } = await publish(world.api(version), {});
      const own = (segment: string) => (segment === "2.3" ? `UA-${day}-00000${i + 1}` : `UA-${id}`);
      assert.equal(response.body.data.tenderID, own(version));
      for (const other of VERSIONS)
        assert.equal((await world.api(other.version).get(`/tenders/${id}`)).body.data.tenderID, own(other.version));
    }
  });

  it("in test mode has marked titles", async () => {
    const { response, path, token } = await publishFull({ mode: "test", title_en: "Meals" });
    const { mode, title, title_en } = response.body.data;
    assert.deepEqual(
      { mode, title, title_en },
      { mode: "test", title: "[ТЕСТУВАННЯ] Послуги шкільних їдалень", title_en: "[TESTING] Meals" },
    );
    const { data } = (await newest.patch(path, { title: "Інше" }, { token })).body;
    assert.equal(data.title, "[ТЕСТУВАННЯ] Інше");
  });

  it("in 2.3 returns every field as it was sent", async () => {
    world.clock.forward(1_000_000);
    const sent = everything(world.clock.now);
    const { data } = (await publish(newest, sent)).response.body;
    for (const [name, value] of Object.entries(sent))
      if (name !== "enquiryPeriod" && name !== "tenderPeriod" && name !== "items")
        assert.deepEqual(data[name], value, name);
    assert.deepEqual(
      data.items.map(({ unit: _unit, ...rest }: Wire) => rest),
      sent.items.map(({ unit: _unit, ...rest }) => rest),
    );
    for (const [i, { unit }] of sent.items.entries()) {
      const { value: _filled, ...names } = unit;
      const { value: _shown, ...shown } = data.items[i].unit;
      assert.deepEqual(shown, names);
    }
  });

  it("in an unknown version is 404 with the error body", async () => {
    for (const version of ["1", "0.3", "0.10", "00", "2", "2.30", "3.0", "v2.3", "latest"])
      for (const path of ["/tenders", "/tenders/0", ""]) {
        const { body } = expectStatus(404, await world.api(version).get(path));
        assert.equal(body.status, "error");
        assert.equal(body.errors[0].location, "url");
      }
    expectStatus(404, await world.api("9").post("/tenders", {}));
  });

  it("in 2.3 has no bidders", async () => {
    const { path } = await publishFull();
    world.clock.forward(7 * DAY);
    for (const at of [`${path}/bidders`, `${path}/bidders/${"0".repeat(32)}`])
      assert.match(errorsOf(expectStatus(404, await newest.get(at)))[0]!, /^url\//);
    expectStatus(404, await newest.post(`${path}/bidders`, {}));
  });
});
