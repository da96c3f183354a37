import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { type Identity, openAuthority } from "../support/certificates.ts";
import { openProcesses, urlOf } from "../support/processes.ts";
import { openProduction, PUBLIC_ADDRESSES, SECOND } from "../support/production.ts";
import { checkSignature, openWebhookApi, openWebhookReceiver } from "../support/webhookReceiver.ts";
import { expectStatus, openApi } from "../support/world.ts";

/** HTTPS receivers with certificates of a trusted authority, and others. */

const authority = openAuthority("An authority for tests");
const stranger = openAuthority("An authority that nobody trusts");
setDefaultCACertificates([...getCACertificates(), authority.certificate]);

const {
  world,
  names,
  hooks,
  publishTender: publishOne,
  createWebhook: madeTo,
  waitForAttempts: attempted,
} = await openProduction();
const [HERE] = PUBLIC_ADDRESSES;
const NAME = "receiver.example";
names.setAddresses(NAME, [HERE]);
const good = authority.issue(NAME);

describe("an HTTPS receiver", () => {
  it("gets a delivery with its host name at the address that was checked", async () => {
    const receiver = await openWebhookReceiver(0, HERE, good);
    const url = `https://${NAME}:${receiver.port}/told?by=us`;
    const { data, access } = expectStatus(201, await hooks.create({ url })).body;
    await publishOne();
    assert.equal((await attempted(data.id, 1)).status, "delivered");
    const [delivery] = await receiver.waitForDeliveries(1);
    assert.equal(delivery!.servername, NAME);
    assert.equal(delivery!.headers.host, `${NAME}:${receiver.port}`);
    checkSignature(delivery!, access.secret);
    await hooks.delete(data.id);
  });

  it("is verified without the trailing dot of its host name", async () => {
    const receiver = await openWebhookReceiver(0, HERE, good);
    const id = await madeTo(`https://${NAME}.:${receiver.port}/`);
    await publishOne();
    assert.equal((await attempted(id, 1)).status, "delivered");
    assert.equal(receiver.received[0]!.servername, NAME);
    await hooks.delete(id);
  });

  const BAD: { readonly [how: string]: readonly [Identity, string] } = {
    "from an untrusted authority": [stranger.issue(NAME), "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    "that has expired": [authority.issue(NAME, "over"), "CERT_HAS_EXPIRED"],
    "for another name": [authority.issue("other.example"), "ERR_TLS_CERT_ALTNAME_INVALID"],
    "for a subdomain of its name": [authority.issue(`a.${NAME}`), "ERR_TLS_CERT_ALTNAME_INVALID"],
  };
  for (const [how, [identity, reason]] of Object.entries(BAD))
    it(`with a certificate ${how} receives nothing until it has a valid one`, async () => {
      const receiver = await openWebhookReceiver(0, HERE, identity);
      const id = await madeTo(`https://${NAME}:${receiver.port}/`);
      await publishOne();
      const { status, error, response, nextAttempt } = await attempted(id, 1);
      assert.deepEqual([status, error, response], ["pending", reason, undefined]);
      assert.ok(nextAttempt);
      world.clock.forward(5 * SECOND);
      assert.equal((await attempted(id, 2)).error, reason);
      assert.equal(receiver.received.length, 0);
      receiver.useIdentity(good);
      world.clock.forward(10 * SECOND);
      const delivered = await attempted(id, 3);
      assert.deepEqual([delivered.status, delivered.error, receiver.received.length], ["delivered", undefined, 1]);
      await hooks.delete(id);
    });

  it("that speaks only HTTP receives nothing in plain text", async () => {
    const receiver = await openWebhookReceiver(0, HERE);
    const id = await madeTo(`https://${NAME}:${receiver.port}/`);
    await publishOne();
    const { status, error } = await attempted(id, 1);
    assert.equal(status, "pending");
    assert.match(error, /^(EPROTO|ERR_SSL_\w+|ECONNRESET)$/);
    assert.equal(receiver.received.length, 0);
    await hooks.delete(id);
  });

  it("addressed by IP needs a certificate for that address", async () => {
    const receiver = await openWebhookReceiver(0, HERE, good);
    const id = await madeTo(`https://${HERE}:${receiver.port}/`);
    await publishOne();
    assert.equal((await attempted(id, 1)).error, "ERR_TLS_CERT_ALTNAME_INVALID");
    assert.equal(receiver.received.length, 0);
    await hooks.delete(id);
  });
});

describe("a private certificate authority", () => {
  it("is trusted by a server that is started with NODE_EXTRA_CA_CERTS", async () => {
    const { folder, run } = openProcesses("authority");
    const [DATA_DIR, NODE_EXTRA_CA_CERTS] = [join(folder, "data"), join(folder, "ca.pem")];
    mkdirSync(DATA_DIR);
    writeFileSync(NODE_EXTRA_CA_CERTS, authority.certificate);
    const server = run([process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"], {
      ...{ DATA_DIR, NODE_EXTRA_CA_CERTS, LOG: "off" },
    });
    const url = await urlOf(server);
    const api = (version: string) => openApi(() => url, version);
    const receiver = await openWebhookReceiver(0, "127.0.0.1", authority.issue("localhost"));
    expectStatus(201, await openWebhookApi({ url, api }).create({ url: `https://localhost:${receiver.port}/` }));
    expectStatus(201, await api("2.3").post("/tenders", { title: "x" }));
    const [delivery] = await receiver.waitForDeliveries(1);
    assert.equal(delivery!.servername, "localhost");
    server.child.kill("SIGTERM");
    await server.ended;
  });
});
