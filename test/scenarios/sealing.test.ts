import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { before, describe, it } from "node:test";
import { bidOf, cook, DAY, MINUTE, publishForBids } from "../support/examples.ts";
import { expectStatus, type RequestOptions, sharedWorld, type TestResponse, type World } from "../support/world.ts";

/** A response without its date and request id. */
const fullText = ({ status, headers, text }: TestResponse): string =>
  JSON.stringify([status, [...headers].filter(([name]) => name !== "date" && name !== "x-request-id"), text], null, 1);

const VERSIONS = ["2.3", "0", "0.2", "0.1"];
const newId = () => randomBytes(16).toString("hex");

type Bid = { readonly id: string; readonly token: string; readonly document: string; readonly file: string };

async function bidWithDocument(world: World, tenderPath: string, more: object = {}): Promise<Bid> {
  const api = world.api("2.3");
  const { data, access } = expectStatus(201, await api.post(`${tenderPath}/bids`, bidOf(400000, more))).body;
  const { token } = access;
  const path = `${tenderPath}/bids/${data.id}/documents`;
  const offer = { name: "offer.txt", content: "the offer" };
  const { id, url } = expectStatus(201, await api.upload(path, offer, { token })).body.data;
  return { id: data.id, token, document: id, file: new URL(url).searchParams.get("download")! };
}

async function sealedTender(world: World) {
  const tender = await publishForBids(world);
  const bid = await bidWithDocument(world, tender.path);
  const rival = await bidWithDocument(world, tender.path, { status: "draft" });
  return { ...tender, bid, rival };
}
type SealedTender = Awaited<ReturnType<typeof sealedTender>>;

/** Everyone but the owner of the bid with both its key and its token. */
const outsiders = ({ token, bid, rival }: SealedTender): readonly RequestOptions[] => [
  { key: null },
  { key: null, token: bid.token },
  { key: "broker" },
  { key: "broker", token: "0".repeat(32) },
  { key: "broker", token },
  { key: "broker", token: rival.token },
  { key: "broker2", token: bid.token },
  { key: "broker05" },
  ...["token", "auction", "administrator", "chronograph", "reviewer", "bot", "chrisr"].map((key) => ({ key })),
  { key: "token", token: bid.token },
  { key: "auction", token: bid.token },
];

type Attempt = readonly [method: string, sent?: RequestOptions & { raw?: RequestInit["body"] }];

function form(): FormData {
  const file = new FormData();
  file.append("file", new Blob(["another"]), "another.txt");
  return file;
}

const JSON_TYPE = { "Content-Type": "application/json" };
const bodies = (method: string, access?: object): Attempt[] => [
  [method],
  [method, { body: { data: { value: { amount: 1 }, title: "-" }, access } }],
  [method, { body: { data: {}, access } }],
  [method, { body: { data: { value: { amount: "much" }, colour: "red" } } }],
  [method, { body: { data: { status: "draft", value: null, tenderers: [] } } }],
  [method, { body: {} }],
  [method, { raw: "", headers: JSON_TYPE }],
  [method, { raw: "{", headers: JSON_TYPE }],
  [method, { raw: '{"data": {}}', headers: { "Content-Type": "text/plain" } }],
  [method, { raw: "--", headers: { "Content-Type": "multipart/form-data" } }],
  [method, { raw: "--x--", headers: { "Content-Type": "multipart/form-data; boundary=x" } }],
];
/** The requests that every actor tries. */
const basicAttempts = (access?: object): readonly Attempt[] => [
  ["GET"],
  ["HEAD"],
  ["DELETE"],
  ["PATCH", { body: { data: { value: { amount: 1 } }, access } }],
  ["POST", { raw: form() }],
  ["PUT", { raw: form() }],
];

/** Further requests. */
const allAttempts = (access?: object): readonly Attempt[] => [
  ...basicAttempts(access),
  ["OPTIONS"],
  ["GET", { headers: { Range: "bytes=0-1", "If-None-Match": "*", ...JSON_TYPE } }],
  ["DELETE", { body: { access } }],
  ...["PATCH", "POST", "PUT"].flatMap((method) => bodies(method, access)),
];

const pathsOf = (bids: string, bid: string, document: string, file: string): readonly string[] => [
  `${bids}/${bid}`,
  `${bids}/${bid}?opt_jsonp=show&opt_pretty=1`,
  `${bids}/${bid}/documents?all=1`,
  `${bids}/${bid}/documents/${document}`,
  `${bids}/${bid}/documents/${document}?download=${file}`,
];

/** Sends the same requests for an existing and an unknown bid, and asserts equal responses. */
async function expectIndistinguishable(
  world: World,
  tender: SealedTender,
  actor: RequestOptions,
  attempts: typeof basicAttempts,
  [version, collection] = ["2.3", "bids"],
): Promise<void> {
  const api = world.api(version);
  const bids = `${tender.path}/${collection}`;
  const { id, document, file } = tender.bid;
  const known = [pathsOf(bids, id, document, file), pathsOf(bids, id, newId(), newId())];
  for (const [method, sent] of attempts({ token: actor.token ?? tender.rival.token }))
    for (const [i, path] of pathsOf(bids, newId(), newId(), newId()).entries()) {
      const paths = [path, ...new Set(known.map((all) => all[i]!))];
      const [nothing, ...found] = await Promise.all(paths.map((at) => api.request(method, at, { ...actor, ...sent })));
      for (const response of found)
        assert.equal(fullText(response), fullText(nothing!), `${method} ${path} as ${JSON.stringify([actor, sent])}`);
      assert.ok(nothing!.status >= 400, `${method} ${path}: ${nothing!.status}`);
    }
}

for (const status of ["tendering", "active.auction"])
  describe(`a sealed bid is indistinguishable from one that does not exist, in ${status}`, async () => {
    const world = await sharedWorld();
    let tender: SealedTender;

    before(async () => {
      tender = await sealedTender(world);
      const { path, rival } = tender;
      if (status === "active.auction") {
        const sent = { token: rival.token };
        expectStatus(200, await world.api("2.3").patch(`${path}/bids/${rival.id}`, { status: "active" }, sent));
        world.clock.forward(7 * DAY);
      }
      assert.equal((await world.api("2.3").get(path)).body.data.status, status);
    });

    it("for anybody, with any key and token", async () => {
      for (const actor of outsiders(tender)) await expectIndistinguishable(world, tender, actor, basicAttempts);
    });

    if (status === "tendering")
      it("for an anonymous caller, the tender's owner, a rival and admins, by any request", async () => {
        const { token, rival } = tender;
        for (const actor of [{ key: null }, { token }, { token: rival.token }, { key: "token" }])
          await expectIndistinguishable(world, tender, actor, allAttempts);
      });

    for (const [version, collection] of [
      ["0", "bids"],
      ["0", "bidders"],
      ["0.2", "bidders"],
      ["0.1", "bidders"],
    ] as const)
      it(`under ${version} in its collection ${collection}`, async () => {
        for (const actor of [{ key: null }, { token: tender.token }, { key: "token" }])
          await expectIndistinguishable(world, tender, actor, basicAttempts, [version, collection]);
      });

    it("while its owner can read it, its documents and its file", async () => {
      const { bid, path } = tender;
      for (const version of VERSIONS) {
        const api = world.api(version);
        const own = `${path}/${version === "0.1" || version === "0.2" ? "bidders" : "bids"}`;
        const sent = { token: bid.token };
        assert.equal((await api.get(`${own}/${bid.id}`, sent)).body.data.id, bid.id);
        const { data } = (await api.get(`${own}/${bid.id}/documents`, sent)).body;
        assert.equal(data[0].id, bid.document);
        assert.equal(expectStatus(200, await api.get(data[0].url, sent)).text, "the offer");
        const listed = (await api.get(own, sent)).body.data;
        assert.deepEqual(
          listed.map(({ id }: { id: string }) => id),
          [bid.id],
          "of all bids only the own one",
        );
      }
    });
  });

/** The first page says how much time is left, which changes without a bid too. */
const TIME_LEFT = /<span class="quiet">залишилося[^<]*<\/span>/g;

/** Every public page, and responses that could reveal the number of bids, for each caller. */
async function everythingPublic(
  world: World,
  path: string,
  readers: readonly RequestOptions[],
): Promise<readonly string[]> {
  const fields = "opt_fields=status,bids,numberOfBids,next_check,lots,documents,dateModified";
  const feed = ["", "?descending=1", "?mode=_all_", "?limit=1", `?${fields}`, `?feed=changes&${fields}&descending=1`];
  const reads = ["", "/bids", "/auction", "/questions", "/documents", "/awards", "/complaints", "?opt_pretty=1"];
  const seen: Promise<TestResponse>[] = [];
  for (const version of ["2.3", "0.1"]) {
    const api = world.api(version);
    for (const sent of readers) {
      for (const query of feed) seen.push(api.get(`/tenders${query}`, sent));
      for (const read of reads) seen.push(api.get(`${path}${read}`, sent), api.request("HEAD", `${path}${read}`, sent));
      for (const bids of [[], [{}], [{ value: { amount: 1 } }, {}], [{}, {}, {}]])
        seen.push(api.patch(`${path}/auction`, { bids }, sent));
      seen.push(api.patch(path, { numberOfBids: 1 }, sent));
    }
  }
  const texts = (await Promise.all(seen)).map(fullText);
  for (const page of ["/", "/health"])
    texts.push((await (await fetch(`${world.url}${page}`)).text()).replaceAll(TIME_LEFT, ""));
  return texts;
}

describe("bids in a sealed tender", async () => {
  const world = await sharedWorld();
  const api = world.api("2.3");

  it("change nothing public when they are placed, changed, documented or withdrawn", async () => {
    const tender = await publishForBids(world);
    const readers: readonly RequestOptions[] = [
      { key: null },
      { key: "broker2" },
      { key: "broker", token: tender.token },
      ...["token", "auction"].map((key) => ({ key })),
    ];
    const seen = await everythingPublic(world, tender.path, readers);
    world.clock.forward(MINUTE);
    const unseen = async (action: string) =>
      assert.deepEqual(await everythingPublic(world, tender.path, readers), seen, action);
    const bid = await bidWithDocument(world, tender.path);
    await unseen("placed");
    const path = `${tender.path}/bids/${bid.id}`;
    const { token } = bid;
    expectStatus(200, await api.patch(path, { value: { amount: 1 } }, { token }));
    const document = `${path}/documents/${bid.document}`;
    expectStatus(200, await api.upload(document, { name: "b.txt", content: "b" }, { token, method: "PUT" }));
    expectStatus(200, await api.patch(document, { description: "new" }, { token }));
    await bidWithDocument(world, tender.path, { status: "draft" });
    await unseen("changed");
    expectStatus(200, await api.delete(path, { token }));
    await unseen("withdrawn");
  });

  it("change no feed that somebody follows", async () => {
    const { path } = await publishForBids(world);
    await api.get(path);
    const { next_page } = (await api.get("/tenders?limit=1000")).body;
    world.clock.forward(MINUTE);
    await bidWithDocument(world, path);
    const { data, next_page: after } = (await api.get(next_page.uri)).body;
    assert.deepEqual(data, []);
    assert.equal(after.offset, next_page.offset);
  });

  it("are changed and withdrawn by their owners, with the token in any of its three places", async () => {
    const { path, bid } = await sealedTender(world);
    const own = `${path}/bids/${bid.id}`;
    const access = { token: bid.token };
    const body = { data: { value: { amount: 3 } }, access };
    assert.equal(expectStatus(200, await api.request("PATCH", own, { body })).body.data.value.amount, 3);
    expectStatus(200, await api.patch(own, { value: { amount: 2 } }, access));
    const described = { body: { data: { description: "new" }, access } };
    expectStatus(200, await api.request("PATCH", `${own}/documents/${bid.document}`, described));
    expectStatus(200, await api.delete(`${own}?acc_token=${bid.token}`));
  });

  it("are independent of each other: every token works for its own bid only", async () => {
    const { path, bid, rival } = await sealedTender(world);
    const other = expectStatus(
      201,
      await api.post(`${path}/bids`, { tenderers: [cook], value: { amount: 5 } }, { key: "broker2" }),
    );
    const third = { id: other.body.data.id, token: other.body.access.token };
    for (const { id, token } of [bid, rival, third])
      for (const key of ["broker", "broker2"]) {
        const { data } = (await api.get(`${path}/bids`, { key, token })).body;
        const own = (id === third.id) === (key === "broker2") ? [id] : [];
        assert.deepEqual(
          data.map((entry: { id: string }) => entry.id),
          own,
        );
      }
  });
});
