import { cook, type PublishedTender } from "./examples.ts";
import { created, type Owned } from "./stages.ts";
import { type Api, expectStatus, type RequestOptions } from "./world.ts";

/** Claims as those concerned file and answer them. */

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

export type Filed = PublishedTender & { readonly complaint: Owned; readonly at: string };

export async function file(api: Api, tender: PublishedTender, more: object = {}): Promise<Filed> {
  const complaint = await created(api.post(`${tender.path}/complaints`, claim(more)));
  return { ...tender, complaint, at: `${tender.path}/complaints/${complaint.id}` };
}

export type Who = "complainant" | "buyer" | "reviewer" | "admin" | "stranger";

export const sentBy = ({ complaint, token }: Filed, who: Who): RequestOptions =>
  ({
    complainant: { token: complaint.token },
    buyer: { token },
    reviewer: { key: "reviewer" },
    admin: { key: "token" },
    stranger: {},
  })[who];

/** A complaint in a status, brought there by those who may. */
export async function filedAs(api: Api, tender: PublishedTender, status: string): Promise<Filed> {
  const filed = await file(api, tender, status === "draft" ? { status: "draft" } : {});
  if (status === "answered" || status === "resolved")
    expectStatus(200, await api.patch(filed.at, answer(), sentBy(filed, "buyer")));
  if (status === "resolved")
    expectStatus(200, await api.patch(filed.at, { satisfied: true, status }, sentBy(filed, "complainant")));
  if (status === "cancelled")
    expectStatus(200, await api.patch(filed.at, { status, cancellationReason: "-" }, sentBy(filed, "complainant")));
  return filed;
}

export const cancel = { status: "cancelled", cancellationReason: "-" };
export const over = (status: string) => `403 body/data: Can't update complaint in current (${status}) status`;
