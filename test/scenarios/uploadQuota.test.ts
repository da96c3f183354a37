import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { md5Of, openDocumentServiceClient, storedFiles } from "../support/documentService.ts";
import { DAY, fullTender, publish } from "../support/examples.ts";
import { errorsOf, expectStatus, sharedWorld, type TestResponse } from "../support/world.ts";

/** Who may send files to the document service, and how many may be pending. */

const REFUSED = "body/file: Too many uploads are waiting for their documents";

describe("the document service", async () => {
  const world = await sharedWorld();
  const client = openDocumentServiceClient(world);
  const hash = `md5:${md5Of("a")}`;

  for (const key of ["broker", "broker1t", "auction", "bot", "reviewer", "token", "administrator"])
    it(`accepts files from ${key}, whose group may add documents somewhere`, async () => {
      expectStatus(200, await client.upload("a", "/upload", { key }));
      expectStatus(201, await client.register(hash, { key }));
    });

  for (const key of ["chronograph", "chrisr", "contracting"])
    it(`refuses files from ${key}, whose group may add documents nowhere`, async () => {
      const files = storedFiles(world);
      for (const response of [await client.upload("a", "/upload", { key }), await client.register(hash, { key })])
        assert.deepEqual(errorsOf(expectStatus(403, response)), ["url/permission: Forbidden"]);
      assert.deepEqual(storedFiles(world), files);
    });
});

describe("the pending uploads of an account", async () => {
  const world = await sharedWorld({ PENDING_UPLOADS_MAX: "3", PENDING_UPLOAD_BYTES_MAX: "10000" });
  const client = openDocumentServiceClient(world);
  const api = world.api("2.5");

  async function assertRefused(response: TestResponse, before: readonly string[]): Promise<void> {
    assert.deepEqual(errorsOf(expectStatus(403, response)), [REFUSED]);
    assert.equal(response.body.errors[0].rule, "too-many-uploads");
    assert.deepEqual(storedFiles(world), before);
  }
  const later = (): void => world.clock.forward(DAY);

  it("are limited in number, even concurrently, and no longer count once attached", async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, (_, i) => client.upload(`${i}`)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [...Array(3).fill(200), ...Array(5).fill(403)]);
    const files = storedFiles(world);
    await assertRefused(await client.upload("more"), files);
    expectStatus(200, await client.upload("another's", "/upload", { key: "auction" }));
    const { path, token } = await publish(api, fullTender(world.clock.now));
    const { data } = responses.find(({ status }) => status === 200)!.body;
    expectStatus(201, await api.post(`${path}/documents`, data, { token }));
    expectStatus(200, await client.upload("more"));
    await assertRefused(await client.upload("and more"), storedFiles(world));
    // A document that is uploaded to its tender directly is never pending.
    expectStatus(201, await api.upload(`${path}/documents`, { name: "a", content: "a" }, { token }));
    later();
  });

  it("no longer count after a day", async () => {
    for (const content of ["1", "2", "3"]) expectStatus(200, await client.upload(content));
    await assertRefused(await client.upload("4"), storedFiles(world));
    later();
    expectStatus(200, await client.upload("4"));
    later();
  });

  it("are limited in bytes too", async () => {
    expectStatus(200, await client.upload("x".repeat(6000)));
    await assertRefused(await client.upload("x".repeat(6000)), storedFiles(world));
    expectStatus(200, await client.upload("x".repeat(1000)));
    later();
  });

  it("count for the account that registered them, whoever sends them", async () => {
    const announced = async (content: string) => expectStatus(201, await client.register(`md5:${md5Of(content)}`)).body;
    for (const content of ["1", "2", "3"])
      expectStatus(200, await client.upload(content, (await announced(content)).upload_url, { key: null }));
    const { upload_url } = await announced("4");
    await assertRefused(await client.upload("4", upload_url, { key: "auction" }), storedFiles(world));
    const stripped = new URL(upload_url);
    stripped.searchParams.delete("Owner");
    assert.deepEqual(errorsOf(expectStatus(403, await client.upload("4", stripped.href))), [
      "url/Signature: Signature does not match",
    ]);
    later();
    expectStatus(200, await client.upload("4", upload_url, { key: null }));
    later();
  });

  it("do not include refused, dry-run and repeated ones", async () => {
    const { upload_url } = expectStatus(201, await client.register(`md5:${md5Of("right")}`)).body;
    for (let i = 0; i < 5; i++) {
      expectStatus(403, await client.upload("wrong", upload_url));
      expectStatus(200, await client.upload("tried", "/upload?dry_run=1"));
      const headers = { "Idempotency-Key": "again" };
      expectStatus(200, await client.upload("repeated", "/upload", { headers }));
    }
    for (const content of ["1", "2"]) expectStatus(200, await client.upload(content));
    await assertRefused(await client.upload("3"), storedFiles(world));
    await assertRefused(await client.upload("3", "/upload?dry_run=1"), storedFiles(world));
    const headers = { "Idempotency-Key": "again" };
    expectStatus(200, await client.upload("repeated", "/upload", { headers }));
  });
});
