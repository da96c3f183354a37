import { hasCollection } from "../../src/domain/procedures/collections.ts";
import { PROCEDURES } from "../../src/domain/procedures/index.ts";
import { PROCUREMENT_METHOD_TYPES, type ProcurementMethodType } from "../../src/domain/procedures/names.ts";
import { openDocumentServiceClient } from "./documentService.ts";
import { cook, directTender, MINUTE, type PublishedTender, publish } from "./examples.ts";
import { expectStatus, type World } from "./world.ts";
import type { WriteRequest } from "./writeRequests.ts";

/** Valid writes to tenders of every procedure without competing bids, with the objects that the procedure has. */

type DirectRequest = Omit<WriteRequest, "version" | "procedure">;

const LOT = "a".repeat(32);
const REVIEWERS = { key: "aboveThresholdReviewers" };
const change = { method: "PATCH", data: {} } as const;
const complaint = { title: "Скарга", author: cook };

/** A valid request for every operation of every procedure without competing bids. */
export async function openDirectRequests(world: World): Promise<readonly WriteRequest[]> {
  const written: WriteRequest[] = [];
  for (const procedure of PROCUREMENT_METHOD_TYPES.filter((name) => !PROCEDURES[name].bids)) {
    const requests = await requestsOf(world, procedure);
    for (const version of ["2.3", "2.5"])
      written.push(...requests.map((request) => ({ ...request, version, procedure })));
  }
  return written;
}

async function requestsOf(world: World, procedure: ProcurementMethodType): Promise<readonly DirectRequest[]> {
  const uploaded = await openDocumentServiceClient(world).uploadFile("a");
  const register = (parent: string, token: string): DirectRequest => ({
    ...{ method: "POST", shape: "Registration", why: "direct", at: `${parent}/documents`, data: uploaded, token },
  });
  const { awards } = PROCEDURES[procedure];
  const why = awards.mustBeQualified ? "direct" : "direct, without qualification";
  const open = await publishDirect(world, procedure);
  const decided = await openAward(world, procedure);
  const pending = await openAward(world, procedure);
  await decided.change({ status: "active", qualified: true });
  const [contract] = (await world.api("2.5").get(`${decided.path}/contracts`)).body.data;
  const cancellation = await create(world, `${open.path}/cancellations`, { reason: "так" }, open.token);
  const token = open.token;
  const lotID = hasCollection(PROCEDURES[procedure], "lots") ? { lotID: LOT } : {};
  // The tender with a cancellation of its own is still open: only a cancellation of a lot fixes anything.
  return [
    { method: "POST", shape: "Tender", why, at: "/tenders", data: directTender(procedure, world.clock.now) },
    { ...change, shape: "Tender", why, at: open.path, token },
    { method: "POST", shape: "Award", why, at: `${open.path}/awards`, data: { suppliers: [cook], ...lotID }, token },
    { ...change, shape: "Award", why, at: pending.award, token: pending.token },
    { ...change, shape: "Contract", why, at: `${decided.path}/contracts/${contract.id}`, token: decided.token },
    { method: "POST", shape: "Cancellation", why, at: `${open.path}/cancellations`, data: { reason: "так" }, token },
    { ...change, shape: "Cancellation", why, at: `${open.path}/cancellations/${cancellation.id}`, token },
    register(open.path, token),
    register(pending.award, pending.token),
    register(`${decided.path}/contracts/${contract.id}`, decided.token),
    ...lotRequests(procedure, open),
    ...(await complaintRequests(world, procedure)),
  ];
}

const create = async (world: World, at: string, data: object, token?: string) =>
  expectStatus(201, await world.api("2.5").post(at, data, { ...(token !== undefined && { token }) })).body.data;

/** A published tender, with a lot if the procedure has lots. */
function publishDirect(world: World, procedure: ProcurementMethodType): Promise<PublishedTender> {
  const tender = directTender(procedure, world.clock.now);
  if (!hasCollection(PROCEDURES[procedure], "lots")) return publish(world.api("2.5"), tender);
  const items = tender.items.map((item) => ({ ...item, relatedLot: LOT }));
  const lots = [{ id: LOT, title: "Лот", value: { amount: 500000 } }];
  return publish(world.api("2.5"), { ...tender, items, lots });
}

/** A tender without lots whose owner has recorded a supplier. */
async function openAward(world: World, procedure: ProcurementMethodType) {
  const api = world.api("2.5");
  const { path, token } = await publish(api, directTender(procedure, world.clock.now));
  const sent = { suppliers: [cook], value: { amount: 400000 } };
  const award = `${path}/awards/${(await create(world, `${path}/awards`, sent, token)).id}`;
  return {
    ...{ path, token, award },
    change: async (data: object) => void expectStatus(200, await api.patch(award, data, { token })),
  };
}

function lotRequests(procedure: ProcurementMethodType, { path, token }: PublishedTender): readonly DirectRequest[] {
  if (!hasCollection(PROCEDURES[procedure], "lots")) return [];
  const data = { title: "Лот", value: { amount: 1 } };
  return [
    { method: "POST", shape: "Lot", why: "direct", at: `${path}/lots`, data, token },
    { ...change, shape: "Lot", why: "direct", at: `${path}/lots/${LOT}`, token },
  ];
}

/** The fields of a complaint that can be changed depend on its status and on the actor. */
async function complaintRequests(world: World, procedure: ProcurementMethodType): Promise<readonly DirectRequest[]> {
  if (!hasCollection(PROCEDURES[procedure], "award complaints")) return [];
  const api = world.api("2.5");
  const { award, token: buyer } = await openAward(world, procedure);
  const at = `${award}/complaints`;
  const file = async (...moves: readonly string[]) => {
    const { data, access } = expectStatus(201, await api.post(at, complaint)).body;
    const own = { at: `${at}/${data.id}`, token: access.token as string };
    world.clock.forward(MINUTE);
    for (const status of moves)
      expectStatus(200, await api.patch(own.at, { status }, status === "pending" ? own : REVIEWERS));
    return own;
  };
  const [draft, pending] = [await file(), await file("pending")];
  const [accepted, satisfied] = [await file("pending", "accepted"), await file("pending", "accepted", "satisfied")];
  const edit = { ...change, shape: "Complaint" } as const;
  const withdrawn = { status: "stopping", cancellationReason: "так" };
  return [
    { method: "POST", shape: "Complaint", why: "of a direct award", at, data: complaint },
    { ...edit, why: "a draft for the reviewers, by its author", ...draft },
    { ...edit, why: "pending, by the reviewers", at: pending.at, ...REVIEWERS },
    { ...edit, why: "accepted, by the reviewers", at: accepted.at, ...REVIEWERS },
    { ...edit, why: "before the reviewers, by the buyer", at: pending.at, token: buyer },
    { ...edit, why: "satisfied, by the buyer", at: satisfied.at, token: buyer },
    { ...edit, why: "taken back from the reviewers", ...pending, data: withdrawn },
  ];
}
