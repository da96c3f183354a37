import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { DAY, publish } from "../support/examples.ts";
import { ENTRIES } from "../support/storedEntries.ts";
import { openWebhookApi } from "../support/webhookReceiver.ts";
import { expectStatus, sharedWorld, type TestResponse, type World } from "../support/world.ts";

/** The quota for recorded responses, and what happens beyond it. */

const withKey = (key: string = randomUUID()) => ({ headers: { "Idempotency-Key": key } });
const ruleOf = ({ body }: TestResponse): string => body.errors[0].rule;
const isReplayed = ({ headers }: TestResponse): boolean => headers.get("idempotency-replayed") === "true";

/** The size of all entries whose kind has this prefix, in characters. */
async function storedIn({ database }: World, kind: string): Promise<number> {
  const [row] = await database.query(
    `select coalesce(sum(length(value) + length(id)), 0) as stored from ${ENTRIES} where kind like $1`,
    `${kind}%`,
  );
  return Number(row!.stored);
}

const named = (count: number, nameOf: (i: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [nameOf(i), 1]));

/** Bodies whose errors are much longer than the body, or repeat much of it. */
const ATTACKS: { readonly [name: string]: object } = {
  "a thousand short names": named(1000, (i) => i.toString(36)),
  "one long name": named(1, () => "n".repeat(100_000)),
  "many long names": named(100, (i) => `${i}${"n".repeat(1000)}`),
  "long names inside a list": {
    items: Array.from({ length: 100 }, (_, i) => named(3, (n) => `${i}${n}${"i".repeat(300)}`)),
  },
};

describe("a refusal under an Idempotency-Key", async () => {
  const world = await sharedWorld();

  for (const [name, data] of Object.entries(ATTACKS))
    for (const version of ["2.3", "2.5"])
      test(`stores a fraction of what was sent, under ${version}: ${name}`, async () => {
        const before = await storedIn(world, "");
        let received = 0;
        for (let i = 0; i < 10; i++) {
          expectStatus(422, await world.api(version).post("/tenders", data, withKey()));
          received += JSON.stringify({ data }).length;
        }
        const written = (await storedIn(world, "")) - before;
        assert.ok(written < received / 10, `${written} bytes written for ${received} received`);
      });

  test("stores a fraction of what was sent to create a webhook", async () => {
    const hooks = openWebhookApi(world);
    const before = await storedIn(world, "");
    const data = named(1000, (i) => i.toString(36));
    for (let i = 0; i < 10; i++) expectStatus(422, await hooks.request("POST", "", data, withKey()));
    const written = (await storedIn(world, "")) - before;
    assert.ok(written < JSON.stringify({ data }).length, `${written} bytes written`);
  });

  test("that is long is evaluated again on a retry, and its key still belongs to that request", async () => {
    const api = world.api("2.3");
    const key = randomUUID();
    const data = named(1000, (i) => i.toString(36));
    const first = expectStatus(422, await api.post("/tenders", data, withKey(key)));
    const again = expectStatus(422, await api.post("/tenders", data, withKey(key)));
    assert.equal(again.text, first.text);
    assert.equal(isReplayed(again), false);
    assert.equal(
      ruleOf(expectStatus(422, await api.post("/tenders", { title: "Another" }, withKey(key)))),
      "idempotency-key-reused",
    );
  });
});

describe("an error", async () => {
  const world = await sharedWorld();

  test("truncates a long name, in every version", async () => {
    for (const version of ["0", "2.3", "2.5"]) {
      const refused = await world.api(version).post("/tenders", { [`x${"y".repeat(100_000)}`]: 1 });
      expectStatus(422, refused);
      assert.ok(refused.text.length < 2000, `${version}: ${refused.text.length}`);
      assert.match(refused.body.errors[0].name, /^xy{50,}.*…$/);
    }
    const inside = await world.api("2.5").post("/tenders", { value: { ["z".repeat(100_000)]: 1 } });
    assert.ok(expectStatus(422, inside).text.length < 5000);
    const twice = `{"data": {"${"k".repeat(90_000)}": 1, "${"k".repeat(90_000)}": 2}}`;
    const headers = { "Content-Type": "application/json" };
    const doubled = await world.api("2.5").request("POST", "/tenders", { raw: twice, headers });
    assert.ok(expectStatus(422, doubled).text.length < 2000);
  });
});

const QUOTA = 64 * 1024;

describe("an account whose recorded responses use up its quota", async () => {
  const world = await sharedWorld({ IDEMPOTENCY_BYTES_MAX: String(QUOTA) });
  const api = world.api("2.3");
  const total = async () => expectStatus(200, await api.get("/tenders?limit=1000&mode=_all_")).body.data.length;

  test("can still write, and its refusals are not recorded once they take half of the quota", async () => {
    for (let i = 0; i < 150; i++) expectStatus(422, await api.post("/tenders", { nonsense: i }, withKey()));
    assert.ok((await storedIn(world, "answer")) <= QUOTA);
    const key = randomUUID();
    const refused = expectStatus(422, await api.post("/tenders", { nonsense: "last" }, withKey(key)));
    const again = expectStatus(422, await api.post("/tenders", { nonsense: "last" }, withKey(key)));
    assert.deepEqual([again.text, isReplayed(again)], [refused.text, false]);
    const made = expectStatus(201, await api.post("/tenders", { title: "Still" }, withKey(key)));
    const replayed = expectStatus(201, await api.post("/tenders", { title: "Still" }, withKey(key)));
    assert.deepEqual([replayed.text, isReplayed(replayed)], [made.text, true]);
  });

  test("is refused if the response could not be recorded, and the request has no effect", async () => {
    const known = randomUUID();
    const first = expectStatus(201, await api.post("/tenders", { title: "Known" }, withKey(known)));
    let refused: TestResponse | undefined;
    const { path, token } = await publish(api, { title: "Before" });
    while (!refused) {
      const response = await api.post("/tenders", { title: "More", description: "d".repeat(500) }, withKey());
      if (response.status !== 201) refused = response;
    }
    assert.equal(ruleOf(expectStatus(403, refused)), "idempotency-quota");
    const before = await total();
    const stored = await storedIn(world, "answer");
    assert.ok(stored <= QUOTA, `${stored}`);
    const sent = { title: "Beyond" };
    const beyond = [
      () => api.post("/tenders", sent, withKey("beyond")),
      () => api.patch(path, sent, { token, ...withKey() }),
      () => api.upload(`${path}/documents`, { name: "a.txt", content: "a" }, { token, ...withKey() }),
      () => openWebhookApi(world).request("POST", "", { url: "http://127.0.0.1:9/" }, withKey()),
      () => api.post(`${world.url}/sandbox/clocks`, {}, withKey()),
    ];
    for (const send of beyond) assert.equal(ruleOf(expectStatus(403, await send())), "idempotency-quota");
    assert.equal(await total(), before);
    assert.equal(expectStatus(200, await api.get(path)).body.data.title, "Before");
    assert.deepEqual(expectStatus(200, await api.get(`${path}/documents`)).body.data, []);
    assert.deepEqual(expectStatus(200, await openWebhookApi(world).get()).body.data, []);
    assert.equal(await storedIn(world, "answer"), stored);
    // Recorded responses are replayed, requests without a key work, and other accounts have their own quotas.
    const replayed = expectStatus(201, await api.post("/tenders", { title: "Known" }, withKey(known)));
    assert.deepEqual([replayed.text, isReplayed(replayed)], [first.text, true]);
    expectStatus(200, await api.patch(path, sent, { token }));
    expectStatus(201, await api.post("/tenders", sent, { key: "broker1", ...withKey() }));
  });

  test("is refused requests that are recorded only after they ran, once the quota is used up", async () => {
    const register = () => api.post(`${world.url}/register`, { hash: `md5:${"0".repeat(32)}` }, withKey());
    const statuses = [];
    do statuses.push((await register()).status);
    while (statuses.at(-1) === 201);
    // The last successful request may exceed the quota by itself.
    assert.ok(statuses.length <= 3, String(statuses));
    assert.equal(ruleOf(expectStatus(403, await register())), "idempotency-quota");
  });

  test("that sends many requests at once stays within its quota, and each key runs at most once", async () => {
    world.clock.forward(2 * DAY);
    const before = await total();
    const keys = Array.from({ length: 100 }, () => randomUUID());
    const sends = [...keys, ...keys].map((key) =>
      api.post("/tenders", { title: key, description: "d".repeat(3000) }, withKey(key)),
    );
    const responses = await Promise.all(sends);
    const made = new Set(responses.filter(({ status }) => status === 201).map(({ body }) => body.data.id));
    for (const response of responses) if (response.status !== 201) assert.equal(ruleOf(response), "idempotency-quota");
    assert.ok(made.size > 0 && made.size < 100, `${made.size}`);
    assert.equal((await total()) - before, made.size);
  });

  test("may write again after a day", async () => {
    assert.equal(
      (await api.post("/tenders", { title: "Not yet", description: "d".repeat(30_000) }, withKey())).status,
      403,
    );
    world.clock.forward(DAY + DAY / 24);
    expectStatus(201, await api.post("/tenders", { title: "Again" }, withKey()));
  });
});
