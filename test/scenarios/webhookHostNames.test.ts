import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openProduction, PUBLIC_ADDRESSES, SECOND } from "../support/production.ts";
import { openReceiversAtOnePort } from "../support/webhookReceiver.ts";
import { errorsOf, expectStatus } from "../support/world.ts";

/** Malicious host names, resolved by a real name server. */

const {
  world,
  names,
  hooks,
  publishTender: publishOne,
  createWebhook: madeTo,
  waitForAttempts: attempted,
} = await openProduction();
const [HERE, THERE] = PUBLIC_ADDRESSES;
const ATTEMPTS_MAX = 6;
const NOT_PUBLIC = "the address is not public";
/** The second receiver has a private address, which must never be reached, and the same port. */
const [receiver, behind] = await openReceiversAtOnePort(HERE, "127.0.0.1");
const urlOf = (name: string) => `http://${name}:${receiver.port}/`;

/** A webhook whose name resolved to a public address at creation, and then to another one. */
async function rebound(name: string, leads: readonly string[]) {
  names.setAddresses(name, [HERE]);
  const id = await madeTo(urlOf(name));
  names.setAddresses(name, leads);
  const before = receiver.received.length;
  await publishOne();
  const delivery = await attempted(id, 1);
  assert.equal(receiver.received.length, before);
  return { id, delivery };
}

describe("the host name of a webhook", () => {
  it("is resolved once per attempt, and the checked address is the one connected to", async () => {
    names.setAddresses("once.example", [HERE]);
    const id = await madeTo(urlOf("once.example"));
    assert.deepEqual(names.queriesFor("once.example"), ["A once.example", "AAAA once.example"]);
    await publishOne();
    await attempted(id, 1);
    const [delivery] = await receiver.waitForDeliveries(1);
    assert.equal(delivery!.headers.host, `once.example:${receiver.port}`);
    assert.equal(names.queriesFor("once.example").length, 4);
    await hooks.delete(id);
  });

  it("gets no delivery while it resolves to a private address after creation", async () => {
    const { id, delivery } = await rebound("rebound.example", ["127.0.0.1"]);
    assert.deepEqual([delivery.status, delivery.error], ["pending", NOT_PUBLIC]);
    names.setAddresses("rebound.example", [HERE]);
    world.clock.forward(5 * SECOND);
    assert.equal((await attempted(id, 2)).status, "delivered");
    assert.equal(names.queriesFor("rebound.example").length, 6);
    await hooks.delete(id);
  });

  const AMONG_OTHERS = {
    ...{ private: "10.0.0.1", loopback: "127.0.0.1", local: "169.254.169.254", six: "::1" },
    ...{ mapped: "::ffff:7f00:1", translated: "64:ff9b::7f00:1", tunnel: "2002:7f00:1::" },
  };
  for (const [kind, address] of Object.entries(AMONG_OTHERS))
    it(`gets no delivery if one of its addresses is not public: ${address}`, async () => {
      const name = `${kind}.example`;
      const { id, delivery } = await rebound(name, [HERE, address]);
      assert.deepEqual([delivery.status, delivery.error], ["pending", NOT_PUBLIC]);
      for (const refused of [await hooks.create({ url: urlOf(name) }), await hooks.patch(id, { url: urlOf(name) })])
        assert.deepEqual(errorsOf(expectStatus(422, refused)), [`body/url: The URL cannot be used: ${NOT_PUBLIC}`]);
      await hooks.delete(id);
    });

  it("gets no delivery while it does not resolve", async () => {
    const { id, delivery } = await rebound("gone.example", []);
    assert.deepEqual([delivery.status, delivery.error], ["pending", "the host is not known"]);
    names.setAddresses("gone.example", [HERE]);
    world.clock.forward(5 * SECOND);
    assert.equal((await attempted(id, 2)).status, "delivered");
    await hooks.delete(id);
  });

  it("with several public addresses gets its delivery at one that responds", async () => {
    // Nothing listens at the first of them.
    names.setAddresses("several.example", [THERE, HERE]);
    const id = await madeTo(urlOf("several.example"));
    await publishOne();
    assert.equal((await attempted(id, 1)).status, "delivered");
    await hooks.delete(id);
  });

  it("may end with a dot, which does not hide a private address either", async () => {
    names.setAddresses("dot.example", [HERE]);
    const id = await madeTo(urlOf("dot.example."));
    await publishOne();
    assert.equal((await attempted(id, 1)).status, "delivered");
    await hooks.delete(id);
    names.setAddresses("dot.example", ["127.0.0.1"]);
    expectStatus(422, await hooks.create({ url: urlOf("dot.example.") }));
  });

  it("is never resolved for localhost, even if a name server has an answer", async () => {
    for (const name of ["localhost", "localhost.", "receiver.localhost"]) {
      names.setAddresses(name.replace(/\.$/, ""), [HERE]);
      const refused = expectStatus(422, await hooks.create({ url: urlOf(name) }));
      assert.deepEqual(errorsOf(refused), [`body/url: The URL cannot be used: ${NOT_PUBLIC}`]);
      assert.deepEqual(names.queriesFor(name), []);
    }
  });

  it("with a silent name server does not delay other webhooks", async () => {
    const silent: string[] = [];
    for (let i = 0; i < 20; i++) {
      names.setAddresses(`silent${i}.example`, [HERE]);
      silent.push(await madeTo(urlOf(`silent${i}.example`)));
      names.setAddresses(`silent${i}.example`, "silent");
    }
    names.setAddresses("good.example", [HERE]);
    const good = await madeTo(urlOf("good.example"));
    await publishOne();
    assert.equal((await attempted(good, 1)).status, "delivered");
    // Their timeouts have not expired, so a server that waited for them would still wait.
    for (const id of silent) assert.equal((await hooks.deliveries(id))[0]?.attempts ?? 0, 0);
    const { status, error } = await attempted(silent[0]!, 1);
    assert.deepEqual([status, error], ["pending", "the host is not known"]);
    for (const id of [...silent, good]) await hooks.delete(id);
  });
});

describe("an attempt", () => {
  it("times out even if a name server is silent", async () => {
    const hasty = await openProduction({ webhookMsMax: 400 });
    hasty.names.setAddresses("silent.example", [HERE]);
    const id = await hasty.createWebhook(urlOf("silent.example"));
    hasty.names.setAddresses("silent.example", "silent");
    await hasty.publishTender();
    const { status, error } = await hasty.waitForAttempts(id, 1);
    assert.deepEqual([status, error], ["pending", "timeout"]);
    hasty.names.setAddresses("silent.example", [HERE]);
    // On a busy machine, a delivery itself may take longer than the time that it has here.
    let last = { status: "pending" };
    for (let attempts = 2; last.status === "pending" && attempts <= ATTEMPTS_MAX; attempts++) {
      hasty.world.clock.forward(3600 * SECOND);
      last = await hasty.waitForAttempts(id, attempts);
    }
    assert.equal(last.status, "delivered");
  });
});

describe("a private service behind the registry", () => {
  it("has received no request", () => assert.equal(behind.received.length, 0));
});

describe("the URL of a webhook", () => {
  it("has no user name and no password, which would be sent to the receiver", async () => {
    for (const user of ["a@", "a:b@", ":b@", "a%40b@"])
      assert.deepEqual(errorsOf(expectStatus(422, await hooks.create({ url: `http://${user}once.example/` }))), [
        "body/url: The URL must not contain a user name or password",
      ]);
  });

  it("has a valid port", async () => {
    for (const port of ["65536", "-1", "x", "80x"])
      expectStatus(422, await hooks.create({ url: `http://once.example:${port}/` }));
    expectStatus(201, await hooks.create({ url: "http://once.example:65535/" }, "?dry_run=1"));
  });
});
