import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hashOf } from "../../src/base/secrets.ts";
import { fullTender, publish } from "../support/examples.ts";
import { waitUntil } from "../support/processes.ts";
import { openWebhookApi, openWebhookReceiver } from "../support/webhookReceiver.ts";
import { errorsOf, expectStatus, openWorld } from "../support/world.ts";

/** A sandbox whose data are then served in production, so that it has webhooks that production would refuse. */

const sandbox = await openWorld();
const KEY = "a key of our own";
const ACCOUNTS_FILE = join(sandbox.dataDir, "accounts.json");
writeFileSync(
  ACCOUNTS_FILE,
  JSON.stringify([{ name: "broker", group: "brokers", levels: "1234", keyHash: hashOf(KEY) }]),
);
const receiver = await openWebhookReceiver();
const ids: string[] = [];
for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])
  ids.push(
    expectStatus(201, await openWebhookApi(sandbox).create({ url: `http://${host}:${receiver.port}/` })).body.data.id,
  );
await sandbox.halt();
const world = await openWorld({
  ...{ MODE: "production", ACCOUNTS_FILE, DATA_DIR: sandbox.dataDir, ...sandbox.database.environment },
});
after(async () => {
  await world.stop();
  await sandbox.stop();
});
const hooks = openWebhookApi(world, KEY);

describe("a public sandbox", () => {
  it("delivers to public addresses only, because its keys are public", async () => {
    const open = await openWorld({ SANDBOX_PUBLIC: "1" });
    try {
      for (const host of ["127.0.0.1", "169.254.169.254", "10.0.0.1"]) {
        const refused = expectStatus(
          422,
          await openWebhookApi(open).create({ url: `http://${host}:${receiver.port}/` }),
        );
        assert.equal(refused.body.errors[0].rule, "webhook-address-refused");
      }
    } finally {
      await open.stop();
    }
  });
});

describe("production", () => {
  it("delivers to public addresses only, whatever a name resolves to at delivery", async () => {
    const api = world.api("2.3");
    const post: typeof api.post = (path, data) => api.request("POST", path, { key: KEY, body: { data } });
    await publish({ ...api, post }, fullTender(world.clock.now));
    for (const id of ids) {
      await waitUntil(
        async () => (await hooks.deliveries(id))[0]?.attempts > 0,
        () => "an attempt",
      );
      const [{ status, error }] = await hooks.deliveries(id);
      assert.deepEqual([status, error], ["pending", "the address is not public"]);
    }
    assert.equal(receiver.received.length, 0);
  });

  it("refuses a webhook with any other address, in every notation", async () => {
    for (const host of [
      ...[
        "127.0.0.1",
        "127.0.0.1.",
        "2130706433",
        "0x7f.1",
        "0177.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
      ],
      ...["localhost", "localhost.", "10.0.0.1", "192.168.0.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0"],
      ...["[fe80::1]", "[fd00::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "224.0.0.1", "255.255.255.255"],
    ])
      for (const url of [`http://${host}/`, `https://${host}:8443/x`]) {
        const refused = expectStatus(422, await hooks.create({ url }));
        assert.match(errorsOf(refused).join(), /^body\/url: The URL cannot be used: the (address|host) is not/, url);
        expectStatus(422, await hooks.patch(ids[0]!, { url }));
      }
    const nobody = await hooks.create({ url: "http://nobody.invalid/" });
    assert.deepEqual(errorsOf(expectStatus(422, nobody)), ["body/url: The URL cannot be used: the host is not known"]);
    expectStatus(201, await hooks.create({ url: "https://1.1.1.1/" }, "?dry_run=1"));
  });

  it("refuses names that resolve to such addresses", async () => {
    const refused = expectStatus(422, await hooks.create({ url: `http://LocalHost:${receiver.port}/` }));
    assert.deepEqual(errorsOf(refused), ["body/url: The URL cannot be used: the address is not public"]);
  });
});
