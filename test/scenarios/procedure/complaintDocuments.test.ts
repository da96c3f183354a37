import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type ComplaintRole,
  type FiledComplaint,
  fileComplaint,
  fileComplaintAs,
  sentBy,
} from "../../support/claims.ts";
import { DAY } from "../../support/examples.ts";
import { FORBIDDEN, outcomeOf, reachStage } from "../../support/stages.ts";
import { expectStatus, sharedWorld } from "../../support/world.ts";

const paper = { name: "скарга.txt", content: "Скарга" };

describe("documents of a complaint are added", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const tender = await reachStage(world, "active.enquiries");
  const WRITERS: { readonly [who in ComplaintRole]: readonly string[] } = {
    complainant: ["draft", "answered"],
    buyer: ["claim"],
    reviewer: [],
    admin: [],
    stranger: [],
  };
  const AUTHORS: { readonly [who: string]: string } = { complainant: "complaint_owner", buyer: "tender_owner" };

  for (const [who, statuses] of Object.entries(WRITERS) as [ComplaintRole, readonly string[]][])
    for (const status of ["draft", "claim", "answered", "resolved", "cancelled"]) {
      const may = statuses.includes(status);
      it(`${may ? "" : "not "}by the ${who} while it is ${status}`, async () => {
        const filed = await fileComplaintAs(api, tender, status);
        const response = await api.upload(`${filed.at}/documents`, paper, sentBy(filed, who));
        const late = `403 body/data: Can't add document in current (${status}) complaint status`;
        assert.equal(outcomeOf(response), may ? "201" : who === "stranger" ? FORBIDDEN : late);
        if (!may) return;
        const { data } = response.body;
        assert.equal(data.author, AUTHORS[who]);
        assert.equal(response.headers.get("location"), `${api.root}${filed.at}/documents/${data.id}`);
        const { url } = (await api.get(`${filed.at}/documents`, { key: null })).body.data[0];
        assert.equal((await api.download(url, { key: null })).text, "Скарга");
        assert.equal((await api.get(tender.path)).body.data.complaints.at(-1).documents[0].url, url);
      });
    }
});

describe("documents of a complaint are changed", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");
  const tender = await reachStage(world, "active.enquiries");
  const added = async (filed: FiledComplaint, who: ComplaintRole): Promise<string> => {
    const response = expectStatus(201, await api.upload(`${filed.at}/documents`, paper, sentBy(filed, who)));
    return `${filed.at}/documents/${response.body.data.id}`;
  };

  it("by whoever added them, in new versions and metadata", async () => {
    const filed = await fileComplaintAs(api, tender, "draft");
    const at = await added(filed, "complainant");
    const by = sentBy(filed, "complainant");
    expectStatus(200, await api.upload(at, { ...paper, content: "Друга" }, { method: "PUT", ...by }));
    expectStatus(200, await api.patch(at, { description: "копія" }, by));
    const { data } = (await api.get(at)).body;
    assert.deepEqual([data.description, data.previousVersions.length], ["копія", 1]);
  });

  it("but not by others, in any status of the complaint", async () => {
    const filed = await fileComplaintAs(api, tender, "draft");
    const at = await added(filed, "complainant");
    const expected = "403 url/role: Can update document only author";
    for (const status of ["draft", "claim"]) {
      const by = sentBy(filed, "buyer");
      assert.equal(outcomeOf(await api.patch(at, { description: "!" }, by)), expected, status);
      assert.equal(outcomeOf(await api.upload(at, paper, { method: "PUT", ...by })), expected, status);
      await api.patch(filed.at, { status: "claim" }, sentBy(filed, "complainant"));
    }
    assert.equal(outcomeOf(await api.patch(at, { description: "!" }, {})), FORBIDDEN);
  });

  it("but not after the complaint has moved on", async () => {
    const filed = await fileComplaintAs(api, tender, "draft");
    const at = await added(filed, "complainant");
    const by = sentBy(filed, "complainant");
    expectStatus(200, await api.patch(filed.at, { status: "claim" }, by));
    const expected = "403 body/data: Can't update document in current (claim) complaint status";
    assert.equal(outcomeOf(await api.patch(at, { description: "!" }, by)), expected);
    assert.equal(outcomeOf(await api.upload(at, paper, { method: "PUT", ...by })), expected);
  });

  it("but neither added nor changed in a tender that has ended", async () => {
    const other = await reachStage(world, "active.tendering");
    const filed = await fileComplaint(api, other);
    const at = await added(filed, "buyer");
    world.clock.forward(8 * DAY);
    const expected = (doing: string) =>
      `403 body/data: Can't ${doing} document in current (unsuccessful) tender status`;
    const by = sentBy(filed, "buyer");
    assert.equal(outcomeOf(await api.patch(at, { description: "!" }, by)), expected("update"));
    assert.equal(outcomeOf(await api.upload(`${filed.at}/documents`, paper, by)), expected("add"));
  });
});
