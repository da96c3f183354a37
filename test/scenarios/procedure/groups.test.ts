import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { claim } from "../../support/claims.ts";
import { bidOf, cook, fullTender } from "../../support/examples.ts";
import {
  expectCreated,
  FORBIDDEN,
  LOT_A,
  lotOf,
  outcomeOf,
  reachStage,
  type StagedTender,
  type StageName,
  WRONG_ROLE,
} from "../../support/stages.ts";
import { type Api, type RequestOptions, sharedWorld, type TestResponse } from "../../support/world.ts";

/** The permissions of each group: a table of operations with the expected response for each. */

const KEYS = {
  admins: "token",
  Administrator: "administrator",
  auction: "auction",
  chronograph: "chronograph",
  reviewers: "reviewer",
  aboveThresholdReviewers: "aboveThresholdReviewers",
  bots: "bot",
  brokers: "broker1",
} as const;
type GroupName = keyof typeof KEYS;

type Scene = StagedTender & { readonly ids: { readonly [name: string]: string } };
type Operation = {
  readonly name: string;
  readonly in: StageName;
  readonly run: (api: Api, scene: Scene, by: RequestOptions) => Promise<TestResponse>;
  /** Groups that are not listed are forbidden the operation. */
  readonly expected: { readonly [group in GroupName]?: string };
};

const paper = { name: "папір.txt", content: "Папір" };
const upload = (at: (scene: Scene) => string) => (api: Api, scene: Scene, by: RequestOptions) =>
  api.upload(`${at(scene)}/documents`, paper, by);
const patch = (at: (scene: Scene) => string, sent: object) => (api: Api, scene: Scene, by: RequestOptions) =>
  api.patch(at(scene), sent, by);
const post = (at: (scene: Scene) => string, sent: object) => (api: Api, scene: Scene, by: RequestOptions) =>
  api.post(at(scene), sent, by);

const tender = ({ path }: Scene) => path;
const award = ({ path, award }: Scene) => `${path}/awards/${award}`;
const below = (name: string) => (scene: Scene) => `${scene.path}/${name}`;
const childPath = (name: string) => (scene: Scene) => `${scene.path}/${name}/${scene.ids[name]}`;
const bid = ({ path, bids }: Scene) => `${path}/bids/${bids[0]!.id}`;
const late = (doing: string, status: string, subject = "tender") =>
  `403 body/data: Can't ${doing} in current (${status}) ${subject} status`;

const question = { author: cook, title: "Питання" };
const OPERATIONS: readonly Operation[] = [
  {
    name: "POST /tenders",
    in: "active.enquiries",
    run: (api, { response }, by) => api.post("/tenders", fullTender(Date.parse(response.body.data.date) * 1000), by),
    expected: { admins: "201", brokers: "201" },
  },
  {
    name: "PATCH the tender",
    in: "active.enquiries",
    run: patch(tender, { description: "нове" }),
    expected: { admins: "200", Administrator: "200", chronograph: "200" },
  },
  {
    name: "POST a document in enquiries",
    in: "active.enquiries",
    run: upload(tender),
    expected: { admins: "201", bots: "201", auction: late("add document", "active.enquiries") },
  },
  {
    name: "POST a document in the auction",
    in: "active.auction",
    run: upload(tender),
    expected: {
      auction: "201",
      admins: late("add document", "active.auction"),
      bots: late("add document", "active.auction"),
    },
  },
  {
    name: "POST a document in qualification",
    in: "active.qualification",
    run: upload(tender),
    expected: {
      auction: "201",
      admins: late("add document", "active.qualification"),
      bots: late("add document", "active.qualification"),
    },
  },
  {
    name: "POST a question",
    in: "active.enquiries",
    run: post(below("questions"), question),
    expected: {
      admins: "201",
      brokers: "403 url/accreditation: Broker Accreditation level does not permit question creation",
    },
  },
  {
    name: "PATCH a question",
    in: "active.enquiries",
    run: patch(childPath("questions"), { answer: "так" }),
    expected: { admins: "200", Administrator: WRONG_ROLE },
  },
  {
    name: "POST a lot",
    in: "active.enquiries",
    run: post(below("lots"), lotOf("c".repeat(32), 100)),
    expected: { admins: "201" },
  },
  {
    name: "PATCH a lot",
    in: "active.enquiries",
    run: patch(childPath("lots"), { title: "Інший" }),
    expected: { admins: "200", Administrator: "200" },
  },
  {
    name: "DELETE a lot",
    in: "active.enquiries",
    run: (api, scene, by) => api.delete(childPath("lots")(scene), by),
    expected: { admins: "200" },
  },
  {
    name: "POST a cancellation",
    in: "active.enquiries",
    run: post(below("cancellations"), { reason: "-" }),
    expected: { admins: "201" },
  },
  {
    name: "PATCH a cancellation",
    in: "active.enquiries",
    run: patch(childPath("cancellations"), { status: "active" }),
    expected: { admins: "200", Administrator: WRONG_ROLE },
  },
  {
    name: "POST a complaint",
    in: "active.enquiries",
    run: post(below("complaints"), claim()),
    expected: {
      admins: "201",
      brokers: "403 url/accreditation: Broker Accreditation level does not permit complaint creation",
    },
  },
  {
    name: "PATCH a complaint",
    in: "active.enquiries",
    run: patch(childPath("complaints"), { title: "Інше" }),
    expected: { admins: WRONG_ROLE, reviewers: WRONG_ROLE },
  },
  {
    name: "POST a complaint's document",
    in: "active.enquiries",
    run: upload(childPath("complaints")),
    expected: {
      admins: late("add document", "claim", "complaint"),
      reviewers: late("add document", "claim", "complaint"),
    },
  },
  {
    name: "POST a bid",
    in: "active.tendering",
    run: post(below("bids"), bidOf(1000)),
    expected: {
      admins: "201",
      brokers: "403 url/accreditation: Broker Accreditation level does not permit bid creation",
    },
  },
  {
    name: "PATCH a sealed bid",
    in: "active.tendering",
    run: patch(bid, { tenderers: [{ name: "ТОВ Інше" }] }),
    expected: {},
  },
  {
    name: "DELETE a sealed bid",
    in: "active.tendering",
    run: (api, scene, by) => api.delete(bid(scene), by),
    expected: {},
  },
  {
    name: "GET the auction",
    in: "active.auction",
    run: (api, { path }, by) => api.get(`${path}/auction`, by),
    expected: { admins: "200", auction: "200" },
  },
  {
    name: "PATCH the auction",
    in: "active.auction",
    run: patch(below("auction"), { auctionUrl: "http://auction.example/tenders/1" }),
    expected: { admins: "200", auction: "200" },
  },
  {
    name: "POST the auction",
    in: "active.auction",
    run: post(below("auction"), {}),
    expected: { admins: "200", auction: "200" },
  },
  {
    name: "POST an award",
    in: "active.qualification",
    run: (api, scene, by) => api.post(`${scene.path}/awards`, { suppliers: [cook], bid_id: scene.bids[0]!.id }, by),
    expected: { admins: "201" },
  },
  {
    name: "PATCH an award",
    in: "active.qualification",
    run: patch(award, { status: "active" }),
    expected: { admins: "200", Administrator: "200" },
  },
  {
    name: "POST an award's document",
    in: "active.qualification",
    run: upload(award),
    expected: { admins: "201", auction: "201", bots: "201" },
  },
  {
    name: "POST a complaint about an award",
    in: "active.qualification",
    run: post((scene) => `${award(scene)}/complaints`, claim()),
    expected: { admins: "201" },
  },
  {
    name: "POST a contract",
    in: "active.awarded",
    run: (api, scene, by) => api.post(`${scene.path}/contracts`, { awardID: scene.award }, by),
    expected: { admins: "201" },
  },
  {
    name: "PATCH a contract",
    in: "active.awarded",
    run: patch(({ path, contract }) => `${path}/contracts/${contract}`, { title: "Договір" }),
    expected: { admins: "200", Administrator: WRONG_ROLE },
  },
  {
    name: "GET the schedule",
    in: "active.enquiries",
    run: (api, { path }, by) => api.get(`${path}/chronograph`, by),
    expected: { admins: "200", chronograph: "200" },
  },
  {
    name: "PATCH the schedule",
    in: "active.enquiries",
    run: patch(below("chronograph"), { id: "-" }),
    expected: { admins: "200", Administrator: "200", chronograph: "200" },
  },
];

describe("by group,", async () => {
  const world = await sharedWorld();
  const api = world.api("2.5");

  /** A tender with one object of each kind that its status allows. */
  async function setScene(status: StageName): Promise<Scene> {
    const ids: { [name: string]: string } = {};
    const add = async (path: string, name: string, sent: object, by?: RequestOptions) => {
      ids[name] = (await expectCreated(api.post(`${path}/${name}`, sent, by))).id;
    };
    const first = async ({ path, token }: { path: string; token: string }) => {
      if (status !== "active.enquiries") return;
      await add(path, "questions", question);
      await add(path, "lots", lotOf(LOT_A, 1000), { token });
      await add(path, "cancellations", { reason: "-" }, { token });
      await add(path, "complaints", claim());
    };
    const bids = status === "active.tendering" ? { bids: [bidOf(400000)] } : {};
    return { ...(await reachStage(world, status, { duringEnquiries: first, ...bids })), ids };
  }

  for (const { name, in: status, run, expected: expectedByGroup } of OPERATIONS)
    for (const [group, key] of Object.entries(KEYS) as [GroupName, string][]) {
      const expected = expectedByGroup[group] ?? FORBIDDEN;
      it(`${group} that ${name} get ${expected.slice(0, 3)}`, async () => {
        assert.equal(outcomeOf(await run(api, await setScene(status), { key })), expected);
      });
    }

  it("nobody may write without a key", async () => {
    const scene = await setScene("active.enquiries");
    for (const { run, name } of OPERATIONS.filter((operation) => operation.in === "active.enquiries"))
      if (!name.startsWith("GET"))
        assert.match(outcomeOf(await run(api, scene, { key: null })), /^401 header\/Authorization/);
  });

  it("broker05 may not create anything", async () => {
    const by = { key: "broker05" };
    const { path } = await setScene("active.enquiries");
    assert.equal(outcomeOf(await api.post("/tenders", fullTender(world.clock.now), by)), FORBIDDEN);
    assert.equal(outcomeOf(await api.post(`${path}/questions`, question, by)), FORBIDDEN);
    const { path: open } = await setScene("active.tendering");
    assert.equal(outcomeOf(await api.post(`${open}/bids`, bidOf(1), by)), FORBIDDEN);
  });
});
