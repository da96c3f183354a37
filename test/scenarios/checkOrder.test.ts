import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { cook, DAY, plainTender, publish } from "../support/examples.ts";
import {
  expectStatus,
  type RequestOptions,
  sharedWorld,
  type TestResponse,
  type World,
  withoutRule,
} from "../support/world.ts";

/** Requests that fail several checks at once get the error of the first check. */

const CHECKS = ["version", "object", "method", "type", "key", "size", "json", "right", "field", "rule"] as const;
type Check = (typeof CHECKS)[number];

type Target = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The same path below an unknown object, and the name of that object. */
  readonly lost: string;
  readonly lostName: string;
  /** The same request where the procedure no longer accepts it. */
  readonly closed: string;
  readonly good: object;
  readonly bad: object;
  readonly badName: string;
  readonly wrongMethod: string;
  readonly sent: RequestOptions;
  readonly closedSent?: RequestOptions;
  readonly withoutRight: RequestOptions;
};

const JSON_BYTES_MAX = 4096;
const NOBODY = "0".repeat(32);

const expectedError = (check: Check, target: Target): readonly [number, string] =>
  ({
    version: [404, "url/version"] as const,
    object: [404, `url/${target.lostName}`] as const,
    method: [405, "url/method"] as const,
    type: [415, "header/Content-Type"] as const,
    size: [413, "body/data"] as const,
    json: [422, "body/data"] as const,
    key: [401, "header/Authorization"] as const,
    right: [403, "url/permission"] as const,
    field: [422, `body/${target.badName}`] as const,
    rule: [403, "body/data"] as const,
  })[check];

function bodyWith(failing: ReadonlySet<Check>, { good, bad }: Target): string {
  const json = JSON.stringify({ data: failing.has("field") ? bad : good });
  const decodable = failing.has("json") ? json.slice(0, -1) : json;
  return failing.has("size") ? decodable + " ".repeat(JSON_BYTES_MAX) : decodable;
}

function ask(world: World, target: Target, failing: ReadonlySet<Check>): Promise<TestResponse> {
  const sent = failing.has("rule") ? { ...target.sent, ...target.closedSent } : target.sent;
  const path = failing.has("rule") ? target.closed : target.path;
  return world
    .api(failing.has("version") ? "9.9" : "2.3")
    .request(failing.has("method") ? target.wrongMethod : target.method, failing.has("object") ? target.lost : path, {
      ...(failing.has("right") ? target.withoutRight : sent),
      ...(failing.has("key") && { key: null }),
      headers: { "Content-Type": failing.has("type") ? "text/plain" : "application/json" },
      raw: bodyWith(failing, target),
    });
}

function assertErrorForm(response: TestResponse): void {
  assert.deepEqual(Object.keys(response.body).sort(), ["errors", "status"]);
  assert.equal(response.body.status, "error");
  assert.ok(response.body.errors.length > 0);
  for (const entry of response.body.errors) {
    assert.deepEqual(Object.keys(withoutRule(entry)).sort(), ["description", "location", "name"]);
    assert.ok(["header", "body", "url", "params"].includes(entry.location), entry.location);
    assert.ok(Object.values(entry).every((part) => typeof part === "string" && part !== ""));
  }
  assert.equal(response.headers.get("content-type"), "application/json; charset=UTF-8");
}

const firstError = ({ body }: TestResponse): string => `${body.errors[0].location}/${body.errors[0].name}`;

/** A tender in its tender period with one bid, document and question, and `closed`, the same but cancelled. */
async function openScene(world: World) {
  const api = world.api("2.3");
  const openTender = async (cancelled: boolean) => {
    const { path, token } = await publish(api, plainTender(world.clock.now));
    const question = (await api.post(`${path}/questions`, { title: "?", author: cook })).body.data.id;
    world.clock.forward(DAY);
    const bid = expectStatus(201, await api.post(`${path}/bids`, { tenderers: [cook], value: { amount: 1 } }));
    const file = { name: "a.txt", content: "a" };
    const document = expectStatus(201, await api.upload(`${path}/documents`, file, { token })).body.data.id;
    if (cancelled) expectStatus(200, await api.patch(path, { status: "cancelled" }, { token }));
    return { path, token, question, bid: bid.body.data.id, bidToken: bid.body.access.token, document };
  };
  const closed = await openTender(true);
  return { open: await openTender(false), closed };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

function tendersAndBids({ open, closed }: Scene): Target[] {
  const lost = { lost: `/tenders/${NOBODY}`, lostName: "tender_id", wrongMethod: "PUT" };
  const wrong = { bad: { value: { amount: "much" } }, badName: "value.amount" };
  const owner = { sent: { token: open.token }, closedSent: { token: closed.token }, withoutRight: {} };
  const bidder = { sent: { token: open.bidToken }, closedSent: { token: closed.bidToken } };
  const inBoth = (rest: string) => ({ path: open.path + rest, closed: closed.path + rest });
  return [
    { ...lost, ...wrong, ...owner, ...inBoth(""), name: "a change of a tender", method: "PATCH", good: {} },
    {
      ...lost,
      ...wrong,
      ...inBoth("/bids"),
      name: "a new bid",
      method: "POST",
      lost: `/tenders/${NOBODY}/bids`,
      good: { tenderers: [cook], value: { amount: 2 } },
      bad: { tenderers: [cook], ...wrong.bad },
      sent: {},
      withoutRight: { key: "broker05" },
    },
    {
      ...lost,
      ...wrong,
      ...bidder,
      name: "a change of a bid",
      method: "PATCH",
      path: `${open.path}/bids/${open.bid}`,
      closed: `${closed.path}/bids/${closed.bid}`,
      lost: `${open.path}/bids/${NOBODY}`,
      lostName: "bid_id",
      good: { value: { amount: 3 } },
      withoutRight: { token: open.token },
    },
  ];
}

function childrenOfTender({ open, closed }: Scene): Target[] {
  const owner = { sent: { token: open.token }, closedSent: { token: closed.token }, withoutRight: {} };
  return [
    {
      ...owner,
      name: "a change of a document",
      method: "PATCH",
      path: `${open.path}/documents/${open.document}`,
      closed: `${closed.path}/documents/${closed.document}`,
      lost: `${open.path}/documents/${NOBODY}`,
      lostName: "document_id",
      good: { description: "b" },
      bad: { description: [] },
      badName: "description",
      wrongMethod: "DELETE",
    },
    {
      ...owner,
      name: "an answer",
      method: "PATCH",
      path: `${open.path}/questions/${open.question}`,
      closed: `${closed.path}/questions/${closed.question}`,
      lost: `${open.path}/questions/${NOBODY}`,
      lostName: "question_id",
      good: { answer: "!" },
      bad: { answer: {} },
      badName: "answer",
      wrongMethod: "DELETE",
    },
    {
      ...owner,
      name: "a new award",
      method: "POST",
      path: `${open.path}/awards`,
      closed: `${closed.path}/awards`,
      lost: `/tenders/${NOBODY}/awards`,
      lostName: "tender_id",
      good: { awardStatus: "pending" },
      bad: { awardStatus: "nice" },
      badName: "awardStatus",
      wrongMethod: "PATCH",
    },
  ];
}

describe("the order of checks", async () => {
  const world = await sharedWorld({ JSON_BYTES_MAX: String(JSON_BYTES_MAX), FILE_BYTES_MAX: "1000" });
  let scene: Scene;
  before(async () => {
    scene = await openScene(world);
  });

  it("is the same for tenders, bids and their children, for each pair of consecutive checks", async () => {
    for (const target of [...tendersAndBids(scene), ...childrenOfTender(scene)])
      for (const [i, check] of CHECKS.entries()) {
        const next = CHECKS[i + 1];
        const response = await ask(world, target, new Set(next ? [check, next] : [check]));
        const [status, error] = expectedError(check, target);
        const message = `${target.name} that fails ${check} and ${next}: ${response.text}`;
        assert.equal(response.status, status, message);
        assert.equal(firstError(response), error, message);
        assertErrorForm(response);
      }
  });

  it("holds for a request that fails every check from a given one on", async () => {
    for (const target of [...tendersAndBids(scene), ...childrenOfTender(scene)])
      for (const [i, check] of CHECKS.entries()) {
        const response = await ask(world, target, new Set(CHECKS.slice(i)));
        const [status, error] = expectedError(check, target);
        assert.deepEqual([response.status, firstError(response)], [status, error], `${target.name}, ${check}`);
      }
  });

  it("looks for the outermost object first", async () => {
    const api = world.api("2.3");
    const lost = `/tenders/${NOBODY}/bids/${NOBODY}/documents/${NOBODY}`;
    assert.equal(firstError(expectStatus(404, await api.get(lost))), "url/tender_id");
    const { path, bid } = scene.open;
    const lostBid = await api.get(`${path}/bids/${NOBODY}/documents/${NOBODY}`);
    assert.equal(firstError(expectStatus(404, lostBid)), "url/bid_id");
    const lostDocument = await api.get(`${path}/bids/${bid}/documents/${NOBODY}`);
    assert.equal(firstError(expectStatus(404, lostDocument)), "url/document_id");
  });

  it("is the same for an upload", async () => {
    const { open, closed } = scene;
    const form = "--b\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\na\r\n--b--\r\n";
    const upload = { path: open.path, type: "multipart/form-data; boundary=b", key: "broker", token: open.token };
    const big = form.padEnd(80 * 1024, " ");
    const noBoundary = "multipart/form-data";
    const cases = [
      [404, "url/version", { version: "9", path: `/tenders/${NOBODY}` }],
      [404, "url/tender_id", { path: `/tenders/${NOBODY}`, method: "DELETE" }],
      [405, "url/method", { method: "DELETE", type: "text/plain" }],
      [415, "header/Content-Type", { type: "text/plain", body: big }],
      [401, "header/Authorization", { key: null, token: "", body: big, type: noBoundary }],
      [401, "header/Authorization", { key: null, token: "" }],
      [413, "body/file", { body: big, type: noBoundary }],
      [422, "body/data", { type: noBoundary, token: "" }],
      [403, "url/permission", { path: closed.path, token: "" }],
      [403, "body/data", { path: closed.path, token: closed.token }],
      [201, undefined, {}],
    ] as const;
    for (const [status, error, flaws] of cases) {
      const request = { method: "POST", version: "2.3", body: form, ...upload, ...flaws };
      const response = await world.api(request.version).request(request.method, `${request.path}/documents`, {
        key: request.key,
        token: request.token,
        headers: { "Content-Type": request.type },
        raw: request.body,
      });
      assert.equal(response.status, status, response.text);
      if (error) assert.equal(firstError(response), error);
    }
  });

  it("responds with 401 and WWW-Authenticate, for an unknown key as for a missing one", async () => {
    for (const key of [null, "nobody", "", "broker "]) {
      const response = expectStatus(401, await world.api("0.1").post("/tenders", {}, { key }));
      assert.match(response.headers.get("www-authenticate") ?? "", /^Basic/);
      assertErrorForm(response);
    }
  });

  it("names every invalid field by its path", async () => {
    const data = {
      title: {},
      value: { amount: "much", currency: [] },
      items: [{}, { quantity: "x", rogue: 1 }],
      no: 1,
    };
    const response = expectStatus(422, await world.api("2.3").post("/tenders", data));
    assertErrorForm(response);
    const names = response.body.errors.map(({ name }: { name: string }) => name).sort();
    const wrong = ["items.1.quantity", "items.1.rogue", "no", "title", "value.amount", "value.currency"];
    assert.deepEqual(names, wrong);
  });
});
