import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatTime } from "../support/examples.ts";
import { ENTRIES } from "../support/storedEntries.ts";
import { openWebhookApi } from "../support/webhookReceiver.ts";
import { errorsOf, expectStatus, START, sharedWorld } from "../support/world.ts";

/** How accounts manage their webhooks. The scenarios cover deliveries. */

const world = await sharedWorld();
const hooks = openWebhookApi(world);
const URL_OF_SOMEBODY = "http://127.0.0.1:9/somebody";

describe("a webhook", () => {
  it("is created, shown, listed, changed and deleted", async () => {
    const made = expectStatus(
      201,
      await hooks.create({
        ...{ url: URL_OF_SOMEBODY, version: "2.3", mode: "_all_", opt_fields: "title,status" },
        filter: { status: "complete" },
      }),
    );
    const { data, access } = made.body;
    assert.match(data.id, /^[0-9a-f]{32}$/);
    assert.match(access.secret, /^[0-9a-f]{64}$/);
    assert.equal(made.headers.get("location"), `${world.url}/webhooks/${data.id}`);
    assert.deepEqual(data, {
      ...{ id: data.id, url: URL_OF_SOMEBODY, version: "2.3", mode: "_all_", opt_fields: "title,status" },
      ...{ filter: { status: "complete" }, status: "active", offset: data.offset, dateCreated: formatTime(START) },
    });
    assert.deepEqual((await hooks.get(`/${data.id}`)).body, { data });
    assert.deepEqual((await hooks.get()).body.data, [data]);

    const patched = await hooks.patch(data.id, { url: `${URL_OF_SOMEBODY}2`, status: "paused", filter: null });
    const { filter: _gone, ...rest } = data;
    assert.deepEqual(expectStatus(200, patched).body.data, { ...rest, url: `${URL_OF_SOMEBODY}2`, status: "paused" });
    assert.deepEqual((await hooks.get(`/${data.id}`)).body, patched.body);

    assert.deepEqual(expectStatus(200, await hooks.delete(data.id)).body, patched.body);
    assert.deepEqual(errorsOf(expectStatus(404, await hooks.get(`/${data.id}`))), ["url/webhook_id: Not Found"]);
    assert.deepEqual((await hooks.get()).body.data, []);
  });

  it("uses the newest version and starts now by default", async () => {
    const { data } = expectStatus(201, await hooks.create({ url: URL_OF_SOMEBODY })).body;
    assert.deepEqual(Object.keys(data).sort(), ["dateCreated", "id", "offset", "status", "url", "version"]);
    assert.equal(data.version, "2.5");
    assert.match(data.offset, /^\d+\.\d{6}$/);
    await hooks.delete(data.id);
  });

  it("shows its secret only once", async () => {
    const { body } = expectStatus(201, await hooks.create({ url: URL_OF_SOMEBODY }));
    const { secret } = body.access;
    const shown = await Promise.all([
      hooks.get(),
      hooks.get(`/${body.data.id}`),
      hooks.patch(body.data.id, { status: "active" }),
    ]);
    for (const { text } of shown) assert.ok(!text.includes(secret));
    assert.ok(!world.logText().includes(secret));
    const entries = await world.database.query(`select value from ${ENTRIES}`);
    assert.ok(JSON.stringify(entries).includes(body.data.id));
    assert.ok(!JSON.stringify(entries).includes(secret));
    await hooks.delete(body.data.id);
  });

  it("is not found by other accounts", async () => {
    const { id } = (await hooks.create({ url: URL_OF_SOMEBODY })).body.data;
    const others = openWebhookApi(world, "broker1");
    assert.deepEqual((await others.get()).body.data, []);
    for (const request of [
      others.get(`/${id}`),
      others.patch(id, { status: "paused" }),
      others.delete(id),
      others.get(`/${id}/deliveries`),
      others.get(`/${id}/deliveries/x`),
      others.resend(id, "x"),
    ])
      assert.deepEqual(errorsOf(expectStatus(404, await request)), ["url/webhook_id: Not Found"]);
    assert.equal((await hooks.get(`/${id}`)).body.data.status, "active");
    const missing = expectStatus(404, await hooks.get(`/${id}/deliveries/x`));
    assert.deepEqual(errorsOf(missing), ["url/delivery_id: Not Found"]);
    await hooks.delete(id);
  });

  it("needs a key, and to be created one of a broker that may create objects", async () => {
    const nobody = openWebhookApi(world, null);
    for (const request of [nobody.create({ url: URL_OF_SOMEBODY }), nobody.get(), nobody.get("/x"), nobody.delete("x")])
      expectStatus(401, await request);
    for (const key of ["auction", "chronograph", "reviewer", "broker05"])
      expectStatus(403, await openWebhookApi(world, key).create({ url: URL_OF_SOMEBODY }));
  });

  it("is refused with an error for every invalid field", async () => {
    const wrong = await hooks.create({
      ...{ url: "ftp://example.com/", version: "9", mode: "real", opt_fields: 7, offset: "yesterday" },
      ...{ filter: { colour: "red", status: 7 }, status: "active", x: 1 },
    });
    assert.deepEqual(
      errorsOf(expectStatus(422, wrong))
        .map((error) => error.split(":")[0])
        .sort(),
      [
        "body/filter.status",
        "body/mode",
        "body/offset",
        "body/opt_fields",
        "body/status",
        "body/url",
        "body/version",
        "body/x",
      ],
    );
    const unknown = await hooks.create({ url: URL_OF_SOMEBODY, filter: { colour: "red" } });
    assert.match(errorsOf(expectStatus(422, unknown)).join(), /^body\/filter\.colour: /);
    for (const url of [
      ...[undefined, null, 7, "", "x", "//example.com/", "file:///etc/passwd", "http://", "javascript:alert(1)"],
      ...["http://user@127.0.0.1/", "http://:secret@127.0.0.1/", `http://127.0.0.1/${"x".repeat(2048)}`],
      ...["http://127.0.0.1/\n", " http://127.0.0.1/"],
    ])
      assert.match(errorsOf(expectStatus(422, await hooks.create({ url }))).join(), /^body\/url: [^,]+$/);
    assert.deepEqual((await hooks.get()).body.data, []);
  });

  it("cannot change its version or offset, nor get invalid values", async () => {
    const { data } = (await hooks.create({ url: URL_OF_SOMEBODY })).body;
    const wrong = await hooks.patch(data.id, { version: "2.3", offset: "1", status: "off", url: "x", id: "y", z: 1 });
    assert.deepEqual(
      errorsOf(expectStatus(422, wrong))
        .map((error) => error.split(":")[0])
        .sort(),
      [...["body/id", "body/offset", "body/status", "body/url", "body/version", "body/z"]],
    );
    assert.deepEqual((await hooks.get(`/${data.id}`)).body.data, data);
    await hooks.delete(data.id);
  });

  it("is limited to a hundred per account, even when they are created at once", async () => {
    const made = await Promise.all(Array.from({ length: 110 }, () => hooks.create({ url: URL_OF_SOMEBODY })));
    assert.equal(made.filter(({ status }) => status === 201).length, 100);
    assert.deepEqual(errorsOf(made.find(({ status }) => status === 403)!), [
      "url/webhooks: An account can have at most 100 webhooks",
    ]);
    expectStatus(201, await openWebhookApi(world, "broker2").create({ url: URL_OF_SOMEBODY }));
    await Promise.all((await hooks.get()).body.data.map(({ id }: { id: string }) => hooks.delete(id)));
    assert.deepEqual((await hooks.get()).body.data, []);
  });

  it("is returned but not stored in a dry run", async () => {
    const dry = expectStatus(201, await hooks.create({ url: URL_OF_SOMEBODY }, "?dry_run=1"));
    assert.equal(dry.body.data.status, "active");
    assert.deepEqual((await hooks.get()).body.data, []);
    const { data } = (await hooks.create({ url: URL_OF_SOMEBODY }, "?dry_run=0")).body;
    assert.equal((await hooks.patch(data.id, { status: "paused" }, "?dry_run=1")).body.data.status, "paused");
    expectStatus(200, await hooks.delete(data.id, "?dry_run=1"));
    assert.deepEqual((await hooks.get(`/${data.id}`)).body.data, data);
    expectStatus(422, await hooks.create({ url: "x" }, "?dry_run=1"));
    await hooks.delete(data.id);
  });

  it("has the usual 405, 415 and 422 responses", async () => {
    expectStatus(405, await hooks.request("PUT", ""));
    expectStatus(415, await hooks.request("POST", "", undefined, { headers: { "Content-Type": "text/plain" } }));
    expectStatus(422, await hooks.request("POST", "", undefined, { body: [] }));
  });
});
