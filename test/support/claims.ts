import { cook, type PublishedTender } from "./examples.ts";
import { type CreatedObject, expectCreated } from "./stages.ts";
import { type Api, expectStatus, type RequestOptions } from "./world.ts";

// Helpers that file and answer complaints.

export const TEXT = "Умови тендеру буде змінено.";
export const claim = (more: object = {}) => ({
  author: cook,
  title: "Умови",
  description: "-",
  status: "claim",
  ...more,
});
export const answer = (more: object = {}) => ({
  status: "answered",
  resolution: TEXT,
  resolutionType: "resolved",
  ...more,
});

export type FiledComplaint = PublishedTender & { readonly complaint: CreatedObject; readonly at: string };

export async function fileComplaint(api: Api, tender: PublishedTender, more: object = {}): Promise<FiledComplaint> {
  const complaint = await expectCreated(api.post(`${tender.path}/complaints`, claim(more)));
  return { ...tender, complaint, at: `${tender.path}/complaints/${complaint.id}` };
}

export type ComplaintRole = "complainant" | "buyer" | "reviewer" | "admin" | "stranger";

export const sentBy = ({ complaint, token }: FiledComplaint, who: ComplaintRole): RequestOptions =>
  ({
    complainant: { token: complaint.token },
    buyer: { token },
    reviewer: { key: "reviewer" },
    admin: { key: "token" },
    stranger: {},
  })[who];

/** Files a complaint and takes it to a status by requests of its parties. */
export async function fileComplaintAs(api: Api, tender: PublishedTender, status: string): Promise<FiledComplaint> {
  const filed = await fileComplaint(api, tender, status === "draft" ? { status: "draft" } : {});
  if (status === "answered" || status === "resolved")
    expectStatus(200, await api.patch(filed.at, answer(), sentBy(filed, "buyer")));
  if (status === "resolved")
    expectStatus(200, await api.patch(filed.at, { satisfied: true, status }, sentBy(filed, "complainant")));
  if (status === "cancelled")
    expectStatus(200, await api.patch(filed.at, { status, cancellationReason: "-" }, sentBy(filed, "complainant")));
  return filed;
}

export const cancel = { status: "cancelled", cancellationReason: "-" };
export const closedRefusal = (status: string) => `403 body/data: Can't update complaint in current (${status}) status`;
