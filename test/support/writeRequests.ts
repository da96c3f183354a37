import { ROUTES } from "../../src/api/routes.ts";
import type { ShapeName } from "../../src/dialects/newestShapes.ts";
import type { ProcedureName } from "../../src/domain/procedures/names.ts";
import { openDocumentServiceClient } from "./documentService.ts";
import { cook, DAY, formatTime, plainTender, publish } from "./examples.ts";
import { type Example, examplesIn } from "./operationExamples.ts";
import { claimOf } from "./procedure.ts";
import { openScene } from "./richScene.ts";
import { expectStatus, type World } from "./world.ts";

/** A write with a valid body, to which tests add further fields. */
export type WriteRequest = {
  readonly version: string;
  readonly method: string;
  readonly shape: ShapeName;
  /** The kind of request, as in the list of ignored fields. */
  readonly why: string;
  readonly procedure: ProcedureName;
  readonly at: string;
  readonly token?: string | undefined;
  readonly key?: string | undefined;
  readonly data: object;
};

/** A valid request for every operation with a JSON body, in every version. `openDirectRequests` has those without competition. */
export async function openWriteRequests(world: World): Promise<readonly WriteRequest[]> {
  const basicTender = await openBasicTenders(world);
  const written = await belowThresholdRequests(world);
  return [...written, ...(await basicRequests(world, basicTender))];
}

const ROOT = "/api/2.5";
const TWO_BIDS = { bids: [{}, {}] };

/** A minimal body: a PATCH needs no fields; the results of an auction need every bid. */
function bodyOf(method: string, shape: ShapeName, { data }: Example): object {
  if (shape === "Auction") return TWO_BIDS;
  return method === "PATCH" ? {} : data![0];
}

function kindOf(method: string, path: string): string {
  if (path.endsWith("/chronograph")) return "by the scheduler";
  if (path.includes("/auction")) return path.endsWith("}") ? `${method} of a lot` : method;
  if (path.endsWith("/complaints")) return path.includes("/awards/") ? "of an award" : "of the tender";
  return path.endsWith("/{complaint_id}") ? "a draft, by its author" : "belowThreshold";
}

async function belowThresholdRequests(world: World): Promise<readonly WriteRequest[]> {
  const scene = await openScene(world);
  const examples = examplesIn(scene);
  const uploaded = await openDocumentServiceClient(world).uploadFile("a");
  // Prices are not part of the tender: the stories of live auctions send them.
  const operations = ROUTES.filter(({ liveAuctions }) => !liveAuctions).flatMap(({ path, methods }) =>
    Object.entries(methods).flatMap(([method, { body }]): Omit<WriteRequest, "version" | "procedure">[] => {
      const example = examples[`${method} ${ROOT}${path}`]!;
      const { at, token, key } = example;
      const request = { method, why: kindOf(method, path), at: at?.slice(ROOT.length), token, key };
      if (body === "file" && method === "POST") return [{ ...request, shape: "Registration", data: uploaded }];
      if (typeof body !== "object" || !("json" in body)) return [];
      const data = bodyOf(method, body.json, example);
      return [
        {
          ...request,
          shape: body.json,
          data: body.json === "Bid" && method === "POST" ? { ...data, documents: [uploaded] } : data,
        },
      ];
    }),
  );
  const complaints = await complaintRequests(world, scene.enquiries);
  return ["2.3", "2.5"].flatMap((version) =>
    [...operations, ...complaints].map((request) => ({ ...request, version, procedure: "belowThreshold" as const })),
  );
}

/** The fields of a complaint that can be changed depend on its status and on the actor. */
async function complaintRequests(world: World, { at, token }: { readonly at: string; readonly token?: string }) {
  const api = world.api("2.5");
  const path = at.slice(ROOT.length);
  const fileClaim = async () => {
    const { data, access } = expectStatus(201, await api.post(`${path}/complaints`, claimOf({ status: "claim" }))).body;
    return { at: `${path}/complaints/${data.id}`, token: access.token as string };
  };
  const claim = await fileClaim();
  const response = await fileClaim();
  const answer = { status: "answered", resolution: "Тендер проводиться за правилами", resolutionType: "declined" };
  expectStatus(200, await api.patch(response.at, answer, { token }));
  const change = { method: "PATCH", shape: "Complaint", data: {} } as const;
  return [
    { ...change, why: "a claim, by the buyer", at: claim.at, token },
    { ...change, why: "an answered claim, by its author", ...response },
    {
      ...change,
      why: "a claim that is taken back",
      at: claim.at,
      token: claim.token,
      data: { status: "cancelled", cancellationReason: "так" },
    },
  ];
}

/** Basic tenders whose tender period lasts until the other tenders are prepared. */
async function openBasicTenders(world: World) {
  const { now } = world.clock;
  const enquiryPeriod = { endDate: formatTime(now + DAY) };
  const tenderPeriod = { startDate: formatTime(now + DAY), endDate: formatTime(now + 300 * DAY) };
  const api = world.api("2.3");
  const tender = await publish(api, { enquiryPeriod, tenderPeriod });
  const secondTender = await publish(api, { enquiryPeriod, tenderPeriod });
  const question = expectStatus(201, await api.post(`${tender.path}/questions`, { title: "Що?" })).body.data;
  // After the enquiry period no deadline changes them.
  world.clock.forward(DAY);
  for (const { path } of [tender, secondTender]) expectStatus(200, await api.get(path));
  return { tender, another: secondTender, question };
}

async function basicRequests(
  world: World,
  { tender, another: secondTender, question }: Awaited<ReturnType<typeof openBasicTenders>>,
): Promise<readonly WriteRequest[]> {
  const api = world.api("2.3");
  const { token, path } = tender;
  const later = await publish(api, plainTender(world.clock.now));
  const { data: bid, access } = expectStatus(
    201,
    await api.post(`${path}/bids`, { tenderers: [cook], value: { amount: 5 } }),
  ).body;
  const sent = { awardStatus: "pending", suppliers: [cook] };
  const { awardID } = expectStatus(201, await api.post(`${path}/awards`, sent, { token })).body.data;
  const file = { name: "a.txt", content: "a" };
  const document = expectStatus(201, await api.upload(`${path}/documents`, file, { token })).body.data;
  const own = { token };
  const requestsOf = (version: string): readonly Omit<WriteRequest, "version" | "why" | "procedure">[] => {
    const isOldest = version === "0.1" || version === "0.2";
    const bidder = isOldest ? { bidders: [{ id: { name: "ТОВ" } }] } : { tenderers: [{ name: "ТОВ" }] };
    return [
      { method: "POST", shape: "Tender", at: "/tenders", data: {} },
      { method: "PATCH", shape: "Tender", at: path, data: {}, ...own },
      { method: "POST", shape: "Question", at: `${later.path}/questions`, data: { title: "Що?" } },
      { method: "PATCH", shape: "Question", at: `${path}/questions/${question.id}`, data: {}, ...own },
      { method: "POST", shape: "Bid", at: `${secondTender.path}/bids`, data: bidder },
      { method: "PATCH", shape: "Bid", at: `${path}/bids/${bid.id}`, data: {}, token: access.token },
      { method: "POST", shape: "Award", at: `${path}/awards`, data: { awardStatus: "active" }, ...own },
      { method: "PATCH", shape: "Award", at: `${path}/awards/${awardID}`, data: {}, ...own },
      { method: "PATCH", shape: "Document", at: `${path}/documents/${document.id}`, data: {}, ...own },
      { method: "PATCH", shape: "Auction", at: `${path}/auction`, data: { bids: [{}] }, ...own },
    ];
  };
  return ["2.3", "0", "0.2", "0.1"].flatMap((version) =>
    requestsOf(version).map((request) => ({ ...request, version, why: "basic", procedure: "basic" as const })),
  );
}
