import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { bidOf, DAY, fullTender, publish } from "../support/examples.ts";
import { ENTRIES } from "../support/storedEntries.ts";
import { expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

const world = await sharedWorld();
const api = world.api("2.3");
const newest = world.api("2.5");
const withKey = (key: string) => ({ headers: { "Idempotency-Key": key } });

function assertReplayed(first: TestResponse, second: TestResponse): void {
  assert.equal(second.status, first.status, second.text);
  assert.equal(second.text, first.text);
  assert.equal(second.headers.get("location"), first.headers.get("location"));
  assert.equal(first.headers.get("idempotency-replayed"), null);
  assert.equal(second.headers.get("idempotency-replayed"), "true");
}

function assertKeyReused(response: TestResponse): void {
  assert.equal(expectStatus(422, response).body.errors[0].rule, "idempotency-key-reused");
}

/** A registered file that is not uploaded yet. */
async function registered(content: string): Promise<{ readonly upload_url: string }> {
  const hash = `md5:${createHash("md5").update(content).digest("hex")}`;
  return expectStatus(201, await api.post(`${world.url}/register`, { hash })).body;
}

const total = async () => {
  let found = 0;
  for (let path = "/tenders?limit=1000&mode=_all_"; ; ) {
    const { data, next_page } = expectStatus(200, await api.get(path)).body;
    if (data.length === 0) return found;
    found += data.length;
    path = next_page.uri;
  }
};

describe("a request with an Idempotency-Key", () => {
  test("runs once and gets the same response again, including the token that is shown once", async () => {
    const key = randomUUID();
    const before = await total();
    const first = expectStatus(201, await api.post("/tenders", { title: "Once" }, withKey(key)));
    const second = await api.post("/tenders", { title: "Once" }, withKey(key));
    assertReplayed(first, second);
    assert.equal(second.body.access.token, first.body.access.token);
    assert.equal((await total()) - before, 1);
    expectStatus(
      200,
      await api.patch(`/tenders/${first.body.data.id}`, { title: "Mine" }, { token: second.body.access.token }),
    );
  });

  test("gets the same response after a restart, for a day", async () => {
    const key = randomUUID();
    const first = expectStatus(201, await api.post("/tenders", { title: "Long" }, withKey(key)));
    await world.restart();
    assertReplayed(first, await api.post("/tenders", { title: "Long" }, withKey(key)));
    world.clock.forward(DAY - 1_000_000);
    assertReplayed(first, await api.post("/tenders", { title: "Long" }, withKey(key)));
    world.clock.forward(2_000_000);
    const later = expectStatus(201, await api.post("/tenders", { title: "Long" }, withKey(key)));
    assert.notEqual(later.body.data.id, first.body.data.id);
  });

  test("is refused if the key was used with another body, path, query or method", async () => {
    const key = randomUUID();
    const { path, token } = await publish(api, { title: "A" });
    expectStatus(200, await api.patch(path, { title: "B" }, { token, ...withKey(key) }));
    const others = [
      api.patch(path, { title: "C" }, { token, ...withKey(key) }),
      api.patch(`${path}?opt_pretty=1`, { title: "B" }, { token, ...withKey(key) }),
      api.post("/tenders", { title: "B" }, withKey(key)),
    ];
    for (const other of await Promise.all(others)) {
      expectStatus(422, other);
      const { location, name } = other.body.errors[0];
      assert.deepEqual([location, name], ["header", "Idempotency-Key"]);
    }
    assert.equal(expectStatus(200, await api.get(path)).body.data.title, "B");
  });

  test("belongs to the account that sent it", async () => {
    const key = randomUUID();
    const first = expectStatus(201, await api.post("/tenders", { title: "X" }, withKey(key)));
    const other = expectStatus(201, await api.post("/tenders", { title: "X" }, { key: "broker1", ...withKey(key) }));
    assert.notEqual(other.body.data.id, first.body.data.id);
  });

  test("that is sent many times at once runs once, and all copies get its response", async () => {
    const key = randomUUID();
    const before = await total();
    const all = await Promise.all(
      Array.from({ length: 20 }, () => api.post("/tenders", { title: "All" }, withKey(key))),
    );
    for (const response of all) assert.equal(response.text, all[0]!.text);
    assert.equal(all.filter(({ headers }) => headers.get("idempotency-replayed") === null).length, 1);
    assert.equal((await total()) - before, 1);
  });

  test("gets the same refusal again, whatever has changed since", async () => {
    const at = (hours: number) => new Date(world.clock.now / 1000 + hours * 3_600_000).toISOString();
    const { path } = await publish(api, { tenderPeriod: { startDate: at(1), endDate: at(20) } });
    const key = randomUUID();
    const bid = bidOf(1);
    const first = expectStatus(403, await api.post(`${path}/bids`, bid, withKey(key)));
    world.clock.forward(DAY / 12);
    expectStatus(201, await api.post(`${path}/bids`, bid));
    assertReplayed(first, await api.post(`${path}/bids`, bid, withKey(key)));
    const wrong = expectStatus(422, await api.post("/tenders", { nonsense: 1 }, withKey(`${key}2`)));
    assertReplayed(wrong, await api.post("/tenders", { nonsense: 1 }, withKey(`${key}2`)));
  });

  test("uploads a file once, however its form is encoded", async () => {
    const { path, token } = await publish(api, { title: "Files" });
    const key = randomUUID();
    const file = { name: "a.txt", content: "content" };
    const sent = { token, ...withKey(key) };
    const first = expectStatus(201, await api.upload(`${path}/documents`, file, sent));
    assertReplayed(first, await api.upload(`${path}/documents`, file, sent));
    expectStatus(422, await api.upload(`${path}/documents`, { ...file, content: "other" }, sent));
    expectStatus(422, await api.upload(`${path}/documents`, { ...file, name: "b.txt" }, sent));
    const listed = expectStatus(200, await api.get(`${path}/documents`)).body.data;
    assert.equal(listed.length, 1);
    assert.equal(await (await fetch(listed[0].url)).text(), "content");
    const id = first.body.data.id;
    const put = { ...sent, ...withKey(randomUUID()), method: "PUT" };
    const replaced = expectStatus(200, await api.upload(`${path}/documents/${id}`, { name: "c", content: "c" }, put));
    assertReplayed(replaced, await api.upload(`${path}/documents/${id}`, { name: "c", content: "c" }, put));
    assert.equal(expectStatus(200, await api.get(`${path}/documents/${id}`)).body.data.previousVersions.length, 1);
  });

  test("is not replayed with another owner token in the form", async () => {
    const { path, token } = await publish(api, { title: "Forms" });
    const sent = withKey(randomUUID());
    const upload = (acc_token: string) => {
      const form = new FormData();
      form.append("acc_token", acc_token);
      form.append("file", new Blob(["content"]), "a.txt");
      return api.request("POST", `${path}/documents`, { raw: form, ...sent });
    };
    assertReplayed(expectStatus(201, await upload(token)), await upload(token));
    expectStatus(422, await upload("0".repeat(32)));
  });

  test("sends a file to the document service once", async () => {
    const sent = withKey(randomUUID());
    const hash = `md5:${"0".repeat(32)}`;
    const register = () => api.post(`${world.url}/register`, { hash }, sent);
    assertReplayed(expectStatus(201, await register()), await register());
    const upload = (content: string) => api.upload(`${world.url}/upload`, { name: "a", content }, withKey("upload-1"));
    const first = expectStatus(200, await upload("a"));
    assertReplayed(first, await upload("a"));
    expectStatus(422, await upload("b"));
    assert.equal(await (await fetch(first.body.get_url)).text(), "a");
  });

  test("gets the same refusal from the document service again", async () => {
    const key = withKey(randomUUID());
    const register = (hash: string) => api.post(`${world.url}/register`, { hash }, key);
    assertReplayed(expectStatus(422, await register("md5:nonsense")), await register("md5:nonsense"));
    assertKeyReused(await register(`md5:${"0".repeat(32)}`));
    const { upload_url } = await registered("right");
    const send = (content: string, sent: object) => api.upload(upload_url, { name: "a", content }, sent);
    const wrong = withKey(randomUUID());
    assertReplayed(expectStatus(403, await send("wrong", wrong)), await send("wrong", wrong));
    assertKeyReused(await send("right", wrong));
    expectStatus(200, await send("right", withKey(randomUUID())));
    const late = withKey(randomUUID());
    assertReplayed(expectStatus(403, await send("right", late)), await send("right", late));
    assertKeyReused(await send("wrong", late));
  });

  test("for an upload is replayed even if it would now be refused", async () => {
    const { path, token } = await publish(api, { title: "Files" });
    const sent = { token, ...withKey(randomUUID()) };
    const file = { name: "a.txt", content: "content" };
    const first = expectStatus(201, await api.upload(`${path}/documents`, file, sent));
    expectStatus(200, await api.patch(path, { status: "cancelled" }, { token }));
    expectStatus(403, await api.upload(`${path}/documents`, file, { token }));
    assertReplayed(first, await api.upload(`${path}/documents`, file, sent));
    const { upload_url } = await registered("b");
    const upload = () => api.upload(upload_url, { name: "b", content: "b" }, withKey("upload-2"));
    assertReplayed(expectStatus(200, await upload()), await upload());
  });

  test("is not replayed for a caller without the owner token", async () => {
    const { path, token } = await publish(api, { title: "Owned" });
    const key = withKey(randomUUID());
    expectStatus(200, await api.patch(path, { title: "Mine" }, { token, ...key }));
    expectStatus(422, await api.patch(path, { title: "Mine" }, key));
  });

  test("creates and advances a test clock once", async () => {
    const key = randomUUID();
    const make = () => api.post(`${world.url}/sandbox/clocks`, {}, withKey(key));
    const first = expectStatus(201, await make());
    assertReplayed(first, await make());
    const move = () =>
      api.post(`${world.url}/sandbox/clocks/${first.body.data.id}/advance`, { by: "PT1H" }, withKey(`${key}2`));
    assertReplayed(expectStatus(200, await move()), await move());
  });

  test("creates and moves one clock, however many requests arrive at once or in sequence", async () => {
    for (let round = 0; round < 5; round++) {
      const key = randomUUID();
      const postAll = async (path: string, data: object, name: string) => {
        const post = () => api.post(`${world.url}/sandbox/clocks${path}`, data, withKey(`${key}${name}`));
        const concurrent = await Promise.all(Array.from({ length: 6 }, post));
        return [...concurrent, await post(), await post()];
      };
      const made = await postAll("", {}, "make");
      assert.equal(new Set(made.map(({ text }) => text)).size, 1);
      const { id, now } = made[0]!.body.data;
      expectStatus(
        201,
        await api.post("/tenders", { tenderPeriod: { startDate: now } }, { headers: { "X-Test-Clock": id } }),
      );
      const moved = await postAll(`/${id}/advance`, { by: "P10D" }, "move");
      assert.equal(new Set(moved.map(({ text }) => text)).size, 1);
      const shown = expectStatus(200, await api.get(`${world.url}/sandbox/clocks/${id}`)).body.data;
      assert.equal(Date.parse(shown.now) - Date.parse(now), (10 * DAY) / 1000);
    }
  });

  test("creates a webhook once, with the secret that is shown once", async () => {
    const key = randomUUID();
    const make = () => api.post(`${world.url}/webhooks`, { url: "http://127.0.0.1:9/" }, withKey(key));
    const first = expectStatus(201, await make());
    assertReplayed(first, await make());
    const { id } = first.body.data;
    const edit = () => api.patch(`${world.url}/webhooks/${id}`, { status: "paused" }, withKey(`${key}2`));
    assertReplayed(expectStatus(200, await edit()), await edit());
    assert.equal(expectStatus(200, await api.get(`${world.url}/webhooks`)).body.data.length, 1);
  });

  test("is replayed even if its object is gone", async () => {
    const { path, token } = await publish(newest, {
      ...fullTender(world.clock.now),
      lots: [{ title: "Лот", value: { amount: 1 }, minimalStep: { amount: 0.1 } }],
    });
    const lot = expectStatus(200, await newest.get(`${path}/lots`)).body.data[0].id;
    const sent = { token, ...withKey(randomUUID()) };
    const patch = () => newest.patch(`${path}/lots/${lot}`, { title: "Інша назва" }, sent);
    const first = expectStatus(200, await patch());
    expectStatus(200, await newest.delete(`${path}/lots/${lot}`, { token }));
    assertReplayed(first, await patch());
  });

  test("is refused if the key is invalid, and an empty key is ignored", async () => {
    for (const key of ["x\ty", "x".repeat(256), "ключ"].map((key) => Buffer.from(key).toString("latin1"))) {
      const { body } = expectStatus(422, await api.post("/tenders", {}, withKey(key)));
      assert.equal(body.errors[0].name, "Idempotency-Key");
    }
    const [a, b] = [await api.post("/tenders", {}, withKey("")), await api.post("/tenders", {}, withKey(""))];
    assert.notEqual(expectStatus(201, a).body.data.id, expectStatus(201, b).body.data.id);
  });

  test("without an API key is a 401 as usual, and nothing is recorded", async () => {
    const key = randomUUID();
    expectStatus(401, await api.post("/tenders", {}, { key: null, ...withKey(key) }));
    expectStatus(201, await api.post("/tenders", {}, withKey(key)));
  });

  test("leaves no readable owner token in the database", async () => {
    const key = randomUUID();
    const { access } = expectStatus(201, await api.post("/tenders", { title: "Sealed" }, withKey(key))).body;
    const entries = await world.database.query(`select id, value from ${ENTRIES}`);
    assert.ok(entries.length > 0);
    assert.equal(JSON.stringify(entries).includes(access.token), false);
    assert.equal(JSON.stringify(entries).includes(key), false);
  });
});
