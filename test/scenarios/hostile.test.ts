import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cook, DAY, fullTender, plainTender, publish } from "../support/examples.ts";
import { errorsOf, expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

/** Malicious request bodies. */

const VERSIONS = ["0", "0.1", "0.2", "2.3"];
const INHERITED = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

const namesOf = ({ body }: TestResponse): string[] => body.errors.map(({ name }: { name: string }) => name);

describe("a hostile body", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const send = (text: string | Uint8Array<ArrayBuffer>, version = "2.3") =>
    world.api(version).request("POST", "/tenders", { raw: text, headers: { "Content-Type": "application/json" } });

  it("that is not a JSON object with an object `data` is 422 in every version", async () => {
    const bytes = [Buffer.from([0xff, 0xfe, 0x7b]), Buffer.from('{"data": {"title": "\xe9"}}', "latin1")];
    const texts = ["", " ", "oops", "{", '{"data"', "[]", "null", "1", '"data"', "{}", '{"data": null}', '{"data": 1}'];
    const more = ['{"data": "x"}', '{"data": []}', '{"data": 1e999}', '{"Data": {}}', "{'data': {}}", '{"data": {},}'];
    const worst = [
      '{"data": {}} x',
      '{"data": {"value": {"amount": NaN}}}',
      '{"data": {"title": "\t"}}',
      '[{"data": {}}]',
    ];
    for (const version of VERSIONS)
      for (const text of [...texts, ...more, ...worst, '{"__proto__": {"data": {}}}', "\0", ...bytes]) {
        const response = expectStatus(422, await send(text as string, version));
        assert.deepEqual(errorsOf(response), ["body/data: No JSON object could be decoded"], String(text));
      }
  });

  it("with too deep nesting is refused", async () => {
    const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
    const depths = [70, 1000, 20_000, 300_000];
    for (const depth of depths)
      for (const inner of [deep("[", "]", depth), deep('{"a":', "}", depth).replace(":}", ":1}"), "[".repeat(depth)])
        expectStatus(422, await send(`{"data": {"title": ${inner}}}`));
  });

  it("with a duplicate key is 422", async () => {
    for (const text of [
      '{"data": {"title": "a", "title": "b"}}',
      '{"data": {}, "data": {}}',
      '{"data":{"a":1,"\\u0061":2}}',
    ])
      assert.deepEqual(namesOf(expectStatus(422, await send(text))), ["data"]);
  });

  it("with numbers that a double cannot hold gets them back exactly, in every version", async () => {
    const numbers = {
      "500": "500.0",
      "9007199254740993": "9007199254740993.0",
      "0.1234567890123456789": "0.1234567890123456789",
      "123456789012345678.01": "123456789012345678.01",
      "-0": "0.0",
      "0.10": "0.1",
      "1e2": "100.0",
      "5E-3": "0.005",
      '"1000.50"': "1000.5",
    };
    for (const [sent, shown] of Object.entries(numbers)) {
      const quantity = sent.replaceAll('"', "");
      const made = await send(`{"data": {"value": {"amount": ${sent}}, "items": [{"quantity": ${quantity}}]}}`);
      const { id } = expectStatus(201, made).body.data;
      for (const version of VERSIONS) {
        const { text } = await world.api(version).get(`/tenders/${id}`);
        assert.match(text, new RegExp(`"(value|totalValue)":\\{"amount":${shown.replace(".", "\\.")}[,}]`), text);
        assert.match(text, new RegExp(`"quantity":${shown.replace(/\.0$/, "").replace(".", "\\.")}[,}]`), text);
      }
    }
  });

  it("with numbers out of range is refused by field, in every version", async () => {
    for (const number of [
      "1e999",
      "-1e999",
      "1e-400",
      "-1",
      '"NaN"',
      '"Infinity"',
      '"0x10"',
      '""',
      "true",
      "[1]",
      "{}",
    ])
      for (const version of VERSIONS) {
        const response = expectStatus(422, await send(`{"data": {"minimalStep": {"amount": ${number}}}}`, version));
        assert.deepEqual(namesOf(response), ["minimalStep.amount"], `${number}: ${response.text}`);
      }
  });

  it("with an integer in place of text gets it back as digits", async () => {
    for (const number of ["5", "-7", "1234567890123456", "9007199254740993", "1000000000000000000000"]) {
      const made = expectStatus(201, await send(`{"data": {"title": ${number}}}`));
      assert.equal(made.body.data.title, number);
    }
  });

  it("with a date that does not exist is refused by field", async () => {
    const days = [
      "2026-02-31",
      "2026-02-29T00:00:00",
      "2026-13-01",
      "2026-00-10",
      "2026-11-16T25:00:00",
      "2026-11-16T10:60",
    ];
    const words = ["now", "", "16.11.2026", "2026-11-16T10:00:00+25:00", "2026-11-16T10:00:00+02:00Z", "99999-01-01"];
    const skippedByTheClock = "2026-03-29T03:30:00";
    for (const date of [...days, ...words, skippedByTheClock, "9999-12-31", 5, true, {}, ["2026-01-01"]]) {
      const response = await api.post("/tenders", { tenderPeriod: { endDate: date } });
      assert.deepEqual(namesOf(expectStatus(422, response)), ["tenderPeriod.endDate"], String(date));
    }
  });

  it("with a lone surrogate or NUL in any text is 422", async () => {
    for (const text of ["\\ud800", "a\\udc00b", "\\u0000", "\\ud800\\ud800"]) {
      const fields = `"title": "${text}", "items": [{"unit": {"name": "${text}"}}]`;
      const response = expectStatus(422, await send(`{"data": {${fields}}}`));
      assert.deepEqual(namesOf(response).sort(), ["items.0.unit.name", "title"]);
      assert.ok(response.text.isWellFormed());
      expectStatus(422, await send(`{"data": {"${text}": 1}}`));
    }
    const emoji = expectStatus(201, await send('{"data": {"title": "\\ud83d\\ude00"}}'));
    assert.equal(emoji.body.data.title, "😀");
  });

  it("with the property names that every object inherits is refused as unknown fields", async () => {
    for (const name of INHERITED)
      for (const version of VERSIONS) {
        const sent = `{"data": {"${name}": {"title": "x"}, "value": {"amount": 1, "${name}": 1}}}`;
        assert.deepEqual(namesOf(expectStatus(422, await send(sent, version))).sort(), [name, `value.${name}`].sort());
      }
    assert.equal(({} as { title?: string }).title, undefined);
    const beside =
      '{"data": {}, "__proto__": {"options": {"pretty": true}}, "constructor": 1, "access": {"__proto__": 1}}';
    assert.doesNotMatch(expectStatus(201, await send(beside)).text, /\n/);
  });

  it("with a list in place of an object, or the reverse, is refused by field", async () => {
    const { path, token } = await publish(api, { ...plainTender(world.clock.now), items: [{ description: "a" }] });
    const wrong = {
      value: [],
      procuringEntity: [{}],
      enquiryPeriod: "x",
      items: { "0": {} },
      features: 1,
      title: ["x"],
    };
    assert.deepEqual(namesOf(expectStatus(422, await api.post("/tenders", wrong))).sort(), Object.keys(wrong).sort());
    const before = (await api.get(path)).text;
    assert.deepEqual(
      namesOf(expectStatus(422, await api.patch(path, wrong, { token }))).sort(),
      Object.keys(wrong).sort(),
    );
    const elements = { items: [null, [], "x", 5] };
    const places = ["items.0", "items.1", "items.2", "items.3"];
    assert.deepEqual(namesOf(expectStatus(422, await api.post("/tenders", elements))).sort(), places);
    assert.deepEqual(namesOf(expectStatus(422, await api.patch(path, elements, { token }))).sort(), places);
    assert.equal((await api.get(path)).text, before);
  });

  it("with text over 64 KiB or a list over 1000 is 422, and is accepted up to there", async () => {
    const max = 64 * 1024;
    expectStatus(201, await api.post("/tenders", { title: "a".repeat(max), description: "я".repeat(max / 2) }));
    const long = { title: "a".repeat(max + 1), description: "я".repeat(max / 2 + 1) };
    assert.deepEqual(namesOf(expectStatus(422, await api.post("/tenders", long))).sort(), ["description", "title"]);
    expectStatus(201, await api.post("/tenders", { items: Array(1000).fill({ description: "a" }) }));
    const longer = { items: Array(1001).fill({ description: "a" }) };
    assert.deepEqual(namesOf(expectStatus(422, await api.post("/tenders", longer))), ["items"]);
  });

  it("full of mistakes gets at most a thousand errors", async () => {
    const classifications = `[${Array(200).fill("{}").join()}]`;
    const items = Array(40).fill(`{"rogue":1,"additionalClassifications":${classifications}}`);
    const rogues = Array.from({ length: 2000 }, (_, i) => `"r${i}":1`);
    const { items: _none, ...tender } = fullTender(world.clock.now);
    const text = `{"data": {${JSON.stringify(tender).slice(1, -1)}, "items": [${items.join()}], ${rogues.join()}}}`;
    assert.equal(expectStatus(422, await send(text)).body.errors.length, 1000);
  });

  it("cannot reach the children of another tender, nor with another tender's token", async () => {
    const openTender = async () => {
      const { path, token } = await publish(api, plainTender(world.clock.now));
      const question = await api.post(`${path}/questions`, { title: "?" });
      const document = await api.upload(`${path}/documents`, { name: "a", content: path }, { token });
      const award = await api.post(`${path}/awards`, { awardStatus: "pending" }, { token });
      world.clock.forward(DAY);
      const bid = await api.post(`${path}/bids`, { tenderers: [cook], value: { amount: 1 } });
      const children = [`questions/${question.body.data.id}`, `awards/${award.body.data.awardID}`];
      const documents = `documents/${document.body.data.id}`;
      return {
        path,
        token,
        bidToken: bid.body.access.token,
        children: [...children, documents, `bids/${bid.body.data.id}`],
      };
    };
    const [first, other] = [await openTender(), await openTender()];
    for (const child of first.children) {
      expectStatus(200, await api.get(`${first.path}/${child}`));
      expectStatus(404, await api.get(`${other.path}/${child}`));
      for (const token of [first.token, other.token, first.bidToken])
        expectStatus(404, await api.patch(`${other.path}/${child}`, {}, { token }));
      for (const token of [other.token, other.bidToken, ""])
        expectStatus(403, await api.patch(`${first.path}/${child}`, {}, { token }));
    }
    expectStatus(403, await api.patch(first.path, {}, { token: other.token }));
    expectStatus(403, await api.patch(first.path, {}, { token: first.token, key: "broker1" }));
  });

  it("or URL with inherited names and garbage as ids and queries finds nothing", async () => {
    const { path } = await publish(api, plainTender(world.clock.now));
    const garbage = [
      "%00",
      "%ff",
      "%",
      "%zz",
      "..%2f..",
      "%2e%2e",
      "'; drop table tender--",
      "a".repeat(4000),
      "*",
      "{id}",
    ];
    for (const id of [...INHERITED, ...garbage])
      for (const at of [`/tenders/${id}`, `${path}/bids/${id}`, `${path}/documents/${id}`, `${path}/${id}`])
        expectStatus(404, await api.get(at));
    const fields = `opt_fields=${INHERITED.join()},__defineGetter__,tokenHash,owner_token,procedure`;
    const page = await api.get(`/tenders?${INHERITED.map((name) => `${name}=1`).join("&")}&${fields}&%=%&%ff=%00`);
    for (const entry of expectStatus(200, page).body.data)
      assert.deepEqual(Object.keys(entry).sort(), ["dateModified", "id"], JSON.stringify(entry));
  });
});
