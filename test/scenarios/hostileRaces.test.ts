import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidOf, DAY, plainTender, publish, publishForBids } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

/** Concurrent requests: exactly the successful ones take effect. */

describe("concurrently,", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");
  const statusesOf = (response: readonly TestResponse[]) => response.map(({ status }) => status).sort();

  it("two changes of one tender both survive, or one gets a conflict", async () => {
    for (let round = 0; round < 10; round++) {
      const { path, token } = await publish(api, plainTender(world.clock.now));
      const changes = [{ title: "A" }, { description: "B" }, { value: { amount: 7 } }, { title_en: "D" }];
      const responses = await Promise.all(changes.map((data) => api.patch(path, data, { token })));
      assert.ok(responses.every(({ status }) => status === 200 || status === 409));
      const after = (await api.get(path)).body.data;
      for (const [i, change] of changes.entries())
        if (responses[i]!.status === 200)
          for (const name of Object.keys(change)) assert.ok(name in after, `${name} was lost`);
      assert.ok(statusesOf(responses).includes(200));
    }
  });

  it("two writers of one field leave one of the two values, and each sees its own", async () => {
    const { path, token } = await publish(api, plainTender(world.clock.now));
    const titles = Array.from({ length: 20 }, (_, i) => `Title ${i}`);
    const responses = await Promise.all(titles.map((title) => api.patch(path, { title }, { token })));
    for (const [i, { status, body }] of responses.entries())
      if (status === 200) assert.equal(body.data.title, titles[i]);
    const moments = new Set(responses.filter(({ status }) => status === 200).map(({ body }) => body.data.dateModified));
    assert.equal(moments.size, responses.filter(({ status }) => status === 200).length);
    assert.ok(titles.includes((await api.get(path)).body.data.title));
  });

  it("a hundred bids on one tender all survive, each with a token that works only for it", async () => {
    const sealed = await publishForBids(world);
    for (const path of [sealed.path, await openForBids()]) {
      const amounts = Array.from({ length: 100 }, (_, i) => i + 1);
      const placed = await Promise.all(amounts.map((amount) => api.post(`${path}/bids`, bidOf(amount))));
      for (const response of placed) expectStatus(201, response);
      const tokens = placed.map(({ body }) => body.access.token);
      assert.equal(new Set(tokens).size, 100);
      assert.equal(new Set(placed.map(({ body }) => body.data.id)).size, 100);
      const read = await Promise.all(
        placed.map(({ body }, i) => api.get(`${path}/bids/${body.data.id}`, { token: tokens[i] })),
      );
      assert.deepEqual(
        read.map(({ body }) => body.data.value.amount),
        amounts,
      );
      const changed = await Promise.all(
        placed.map(({ body }, i) =>
          api.patch(`${path}/bids/${body.data.id}`, { value: { amount: i + 1000 } }, { token: tokens[i] }),
        ),
      );
      for (const response of changed) expectStatus(200, response);
      const [first, second] = [placed[0]!.body, placed[1]!.body];
      const stranger = await api.patch(`${path}/bids/${first.data.id}`, {}, { token: second.access.token });
      assert.ok(stranger.status === 403 || stranger.status === 404, stranger.text);
    }
  });

  async function openForBids(): Promise<string> {
    const { path } = await publish(api, plainTender(world.clock.now));
    world.clock.forward(DAY);
    return path;
  }

  it("a change and a withdrawal of one bid end with the bid gone, in either order", async () => {
    const path = await openForBids();
    for (let round = 0; round < 10; round++) {
      const { body } = expectStatus(201, await api.post(`${path}/bids`, bidOf(1)));
      const bid = `${path}/bids/${body.data.id}`;
      const { token } = body.access;
      const change = () => api.patch(bid, { value: { amount: 2 } }, { token });
      const withdraw = () => api.delete(bid, { token });
      const [changed, withdrawn] = await Promise.all(
        round % 2 ? [change(), withdraw()] : [withdraw(), change()].reverse(),
      );
      assert.ok([200, 404, 409].includes(changed!.status), changed!.text);
      assert.equal(withdrawn!.status, 200, withdrawn!.text);
      expectStatus(404, await api.get(bid, { token }));
    }
  });

  it("twenty withdrawals of one bid withdraw it once", async () => {
    const path = await openForBids();
    const { body } = expectStatus(201, await api.post(`${path}/bids`, bidOf(1)));
    const { token } = body.access;
    const all = await Promise.all(
      Array.from({ length: 20 }, () => api.delete(`${path}/bids/${body.data.id}`, { token })),
    );
    assert.deepEqual(statusesOf(all), [200, ...Array(19).fill(404)]);
  });

  it("a cancellation and bids leave no bid after the cancellation", async () => {
    const { path, token } = await publish(api, plainTender(world.clock.now));
    world.clock.forward(DAY);
    const bids = Array.from({ length: 20 }, (_, i) => api.post(`${path}/bids`, bidOf(i)));
    const cancelled = api.patch(path, { status: "cancelled" }, { token });
    const more = Array.from({ length: 20 }, (_, i) => api.post(`${path}/bids`, bidOf(i)));
    const responses = await Promise.all([...bids, ...more]);
    expectStatus(200, await cancelled);
    const placed = responses.filter(({ status }) => status === 201).length;
    assert.ok(responses.every(({ status }) => status === 201 || status === 403));
    assert.equal((await api.get(`${path}/bids`)).body.data.length, placed);
  });

  it("refused publications leave no gap in the numbers of the day", async () => {
    const numberOf = ({ body }: TestResponse) => Number(body.data.tenderID.slice(-6));
    const first = numberOf(await api.post("/tenders", {}));
    const mixed = Array.from({ length: 40 }, (_, i) => api.post("/tenders", i % 2 ? { rogue: 1 } : {}));
    const made = (await Promise.all(mixed)).filter(({ status }) => status === 201).map(numberOf);
    assert.deepEqual(
      made.sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, i) => first + 1 + i),
    );
  });

  it("no token and no key is ever written to the log", async () => {
    const { path, token } = await publish(api, plainTender(world.clock.now));
    await api.patch(`${path}?acc_token=${token}`, { rogue: token }, { token });
    await waitUntil(() => world.logText().includes(path), world.logText);
    assert.ok(!world.logText().includes(token));
    assert.doesNotMatch(world.logText(), /"level":"error"|Basic|acc_token/);
  });
});
