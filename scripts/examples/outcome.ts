import { EXAMPLE_IDS } from "../../src/dialects/shapes/exampleIds.ts";
import { create, idOf, type OwnedObject, type Story, SUPPLIER, TENDER } from "./actors.ts";
import * as bodies from "./bodies.ts";
import type { Bids } from "./competition.ts";
import { recordDocuments } from "./documents.ts";

/** The winner is chosen, a claim is filed and withdrawn, and the contract is signed. */

export async function recordAwards(story: Story, meals: OwnedObject, bids: Bids): Promise<void> {
  const { recorder, registry } = story;
  const { send, show } = recorder;
  const path = `${TENDER}/awards/{award_id}`;
  const { ids: tender } = meals;
  const { body } = await send(`GET ${TENDER}/awards`, { ids: tender });
  const award = { ...meals, ids: { ...tender, award_id: idOf({ data: body.data[0] }) } };
  show(EXAMPLE_IDS.award, award.ids.award_id);
  await send(`GET ${TENDER}/bids`, { ids: tender, name: "list", summary: "The bids, once they are opened" });
  await send(`GET ${TENDER}/bids/{bid_id}`, { ids: bids.tasty.ids, name: "opened", summary: "A bid that is opened" });
  await send(`POST ${TENDER}/awards`, {
    ids: tender,
    key: "token",
    query: { dry_run: "1" },
    name: "repair",
    summary: "An administrator records an award by hand",
    data: ["Award", { bid_id: bids.lunchBox.ids.bid_id!, suppliers: [bodies.LUNCH_BOX], value: { amount: 472000 } }],
  });
  await recordDocuments(recorder, { path, file: "award", registers: true, ...award });
  registry.moveTo("2026-12-02T09:40:00.420000+02:00");
  await recordAwardComplaint(story, award, bids.lunchBox);
  registry.moveTo("2026-12-03T10:15:00.500000+02:00");
  await send(`PATCH ${path}`, {
    ...award,
    name: "accept",
    summary: "Accept the bid",
    data: ["Award", { status: "active", description: "Lowest price, and all documents are in order" }],
  });
  await send(`GET ${TENDER}/awards`, { ids: tender, name: "list", summary: "The awards" });
  await send(`GET ${path}`, { ids: award.ids, name: "award", summary: "The award" });
  await recordContract(story, meals, award.ids.award_id);
}

async function recordAwardComplaint({ recorder }: Story, award: OwnedObject, { token }: OwnedObject): Promise<void> {
  const { send } = recorder;
  const list = `${TENDER}/awards/{award_id}/complaints`;
  const path = `${list}/{complaint_id}`;
  const claim = await create(recorder, `POST ${list}`, "complaint_id", undefined, {
    ids: award.ids,
    key: SUPPLIER,
    token,
    name: "draft",
    summary: "A claim against the award as a draft",
    data: ["Complaint", bodies.AWARD_CLAIM],
  });
  await recordDocuments(recorder, { path, file: "complaint", registers: true, ...claim });
  await send(`GET ${list}`, { ids: award.ids, name: "list", summary: "The claims against the award" });
  await send(`GET ${path}`, { ids: claim.ids, name: "claim", summary: "The claim" });
  const withdrawal = { status: "cancelled", cancellationReason: "The certificate was renewed" };
  await send(`PATCH ${path}`, {
    ...claim,
    name: "withdraw",
    summary: "The complainant takes the claim back",
    data: ["Complaint", withdrawal],
  });
}

async function recordContract({ recorder, registry }: Story, meals: OwnedObject, awardID: string): Promise<void> {
  const { send, show } = recorder;
  const path = `${TENDER}/contracts/{contract_id}`;
  const { ids: tender } = meals;
  const { body } = await send(`GET ${TENDER}/contracts`, { ids: tender });
  const contract = { ...meals, ids: { ...tender, contract_id: body.data[0].id as string } };
  show(EXAMPLE_IDS.contract, contract.ids.contract_id);
  await send(`POST ${TENDER}/contracts`, {
    ids: tender,
    key: "token",
    query: { dry_run: "1" },
    name: "repair",
    summary: "An administrator adds a contract by hand",
    data: ["Contract", { awardID }],
  });
  await recordDocuments(recorder, { path, file: "contract", registers: true, ...contract });
  await send(`GET ${path}`, { ids: contract.ids, name: "pending", summary: "The contract before it is signed" });
  registry.moveTo("2026-12-08T12:00:00.250000+02:00");
  const signed = {
    status: "active",
    contractNumber: "14/2026",
    title: "School meals 2027",
    period: { startDate: "2027-01-11T00:00:00+02:00", endDate: "2027-05-28T00:00:00+03:00" },
    dateSigned: "2026-12-08T11:30:00+02:00",
  };
  await send(`PATCH ${path}`, { ...contract, name: "sign", summary: "Sign the contract", data: ["Contract", signed] });
  await send(`GET ${TENDER}/contracts`, { ids: tender, name: "list", summary: "The contracts" });
}
