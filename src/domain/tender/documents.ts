import { complaintRoleOf, complaintRulesFor, complaintsOf } from "../awards/complaints.ts";
import { findWritableBid } from "../bids/bidding.ts";
import { type AccountGroup, type Actor, isInGroup, owns } from "../model/actors.ts";
import type {
  CommandOutcome,
  DocumentParent,
  ParsedObject,
  RegistrationInput,
  TenderCommand,
} from "../model/commands.ts";
import type { DomainResult, Refusal, TimeWindow } from "../model/refusals.ts";
import { forbidden, invalidInput, notFound, ruleRefusal, wrongStatus } from "../model/refusals.ts";
import { ok, refuse } from "../model/result.ts";
import type { Complaint, Document, Tender } from "../model/tender.ts";
import { accepts, isFinal, type Procedure, type RuleContext, type TenderAction } from "../procedures/procedure.ts";
import { actionWindow, endedWindow, lotActionWindow } from "../timeWindows.ts";
import { merge } from "../values/merge.ts";
import { checkDocument, checkRegistration, newDocument, newVersion } from "./documentVersions.ts";
import { isLotActive } from "./lotRules.ts";

/**
 * Documents of a tender and of its bids, awards, contracts, complaints and cancellations. Versions are only ever added; the last
 * one with an id is the current one.
 */

/** The current version of the document with this id, if there is one. */
export const latestVersion = (documents: readonly Document[], id: string): Document | undefined =>
  documents.findLast((document) => document.id === id);

/** The current version of each document, in the order of their first upload. */
export function latestVersions(documents: readonly Document[]): readonly Document[] {
  const latest = new Map<string, Document>();
  for (const document of documents) latest.set(document.id, document);
  return [...latest.values()];
}

/** All versions of a document before the current one, oldest first. */
export const previousVersions = (documents: readonly Document[], latest: Document): readonly Document[] =>
  documents.filter((document) => document.id === latest.id && document !== latest);

type DocumentContainer = { readonly id: string; readonly documents: readonly Document[] };

/** Applies a change to the object that the documents belong to. */
function updateParent(
  tender: Tender,
  parent: DocumentParent,
  change: <Container extends DocumentContainer>(container: Container) => Container,
): Tender {
  const updateIn = <Container extends DocumentContainer>(
    list: readonly Container[],
    id: string | undefined,
  ): readonly Container[] => list.map((existing) => (existing.id === id ? change(existing) : existing));
  if (parent.bid !== undefined) return { ...tender, bids: updateIn(tender.bids, parent.bid) };
  if (parent.contract !== undefined) return { ...tender, contracts: updateIn(tender.contracts, parent.contract) };
  if (parent.cancellation !== undefined)
    return { ...tender, cancellations: updateIn(tender.cancellations, parent.cancellation) };
  if (parent.complaint === undefined)
    return parent.award === undefined ? change(tender) : { ...tender, awards: updateIn(tender.awards, parent.award) };
  if (parent.award === undefined) return { ...tender, complaints: updateIn(tender.complaints, parent.complaint) };
  return {
    ...tender,
    awards: tender.awards.map((award) =>
      award.id === parent.award ? { ...award, complaints: updateIn(award.complaints, parent.complaint) } : award,
    ),
  };
}

/** All versions of all documents of this object; none if the object does not exist. */
export function documentsOfParent(tender: Tender, parent: DocumentParent): readonly Document[] {
  let found: readonly Document[] = [];
  updateParent(tender, parent, (container) => {
    found = container.documents;
    return container;
  });
  return found;
}

const withDocuments = (tender: Tender, parent: DocumentParent, documents: readonly Document[]): Tender =>
  updateParent(tender, parent, (container) => ({ ...container, documents }));

/** The role under which the actor uploads. Only the same role may replace the document later. */
function roleOf(actor: Actor, tender: Tender, complaint?: Complaint): string {
  if (complaint && owns(actor, complaint)) return "complaint_owner";
  return owns(actor, tender) ? "tender_owner" : (actor.account?.group ?? "anonymous");
}

const parentComplaint = (tender: Tender, { award, complaint }: DocumentParent): Complaint | undefined =>
  complaintsOf(tender, { award }).find(({ id }) => id === complaint);

const isTenderItself = ({ bid, award, contract, complaint, cancellation }: DocumentParent): boolean =>
  (bid ?? award ?? contract ?? complaint ?? cancellation) === undefined;

/** Why this actor may not write documents of this object at any time, if it may not. */
function accessRefusal(procedure: Procedure, tender: Tender, parent: DocumentParent, actor: Actor, replaces: boolean) {
  if (parent.bid !== undefined) {
    const found = findWritableBid(procedure, tender, parent.bid, actor);
    return found.ok ? undefined : found;
  }
  const isOwner = owns(actor, tender) || isInGroup(actor, "admins");
  if (parent.complaint !== undefined) {
    const complaint = parentComplaint(tender, parent);
    const rules = complaintRulesFor(procedure, parent);
    if (!complaint || !rules) return notFound("complaint");
    return isOwner || owns(actor, complaint) || isInGroup(actor, rules.reviewers) ? undefined : forbidden();
  }
  return isOwner || isInGroup(actor, ...uploadersOf(procedure, parent, replaces)) ? undefined : forbidden();
}

/** The groups that may write documents of this object, besides the owner. */
function uploadersOf({ documents }: Procedure, parent: DocumentParent, replaces: boolean): readonly AccountGroup[] {
  if (isTenderItself(parent)) return ["auction", "bots"];
  return parent.award !== undefined && !replaces ? documents.awardUploaders : [];
}

/** The groups that may add documents to some object. */
const UPLOADER_GROUPS: readonly AccountGroup[] = [
  "brokers",
  "competitive_dialogue",
  "auction",
  "bots",
  "reviewers",
  "aboveThresholdReviewers",
  "admins",
  "Administrator",
];

/** Whether there can be any object that this actor may add documents to. */
export const mayUploadAnywhere = (actor: Actor): boolean => isInGroup(actor, ...UPLOADER_GROUPS);

/** Why documents of this object cannot be written in the current state of the tender, if they cannot. */
function stageRefusal(
  procedure: Procedure,
  tender: Tender,
  parent: DocumentParent,
  replaced: Document | undefined,
  actor: Actor,
) {
  const action = replaced ? "update" : "add";
  const late = (window?: TimeWindow) => wrongStatus(`${action} document`, "tender", tender, window);
  const lateForAction = (stageAction: TenderAction) =>
    accepts(procedure, tender, stageAction) ? undefined : late(actionWindow(procedure, tender, stageAction));
  const isByAuthor = parent.complaint !== undefined || procedure.documents.replacedByAuthor;
  const authorRefusal = () =>
    isByAuthor && replaced && replaced.author !== roleOf(actor, tender, parentComplaint(tender, parent))
      ? NOT_AUTHOR_REFUSAL
      : undefined;
  if (parent.bid !== undefined) return bidDocumentRefusal(procedure, tender, parent.bid, action);
  if (parent.cancellation !== undefined) return isFinal(tender) ? late(endedWindow(tender)) : undefined;
  const lotID = lotOfParent(tender, parent);
  const lotRefusal = (stageAction: TenderAction) =>
    isLotActive(tender, lotID)
      ? undefined
      : ruleRefusal("lot-not-active", `Can ${action} document only in active lot status`, {
          window: lotActionWindow(procedure, tender, stageAction, lotID),
        });
  if (parent.complaint !== undefined) {
    const stageAction = parent.award === undefined ? "edit complaint" : "edit award complaint";
    const complaint = parentComplaint(tender, parent);
    const rules = complaintRulesFor(procedure, parent);
    if (!complaint || !rules) return notFound("complaint");
    const role = complaintRoleOf(actor, complaint, tender, rules);
    return (
      authorRefusal() ??
      lateForAction(stageAction) ??
      (parent.award !== undefined && rules.followsLot ? lotRefusal(stageAction) : undefined) ??
      (rules.documentStatuses[role]?.includes(complaint.status)
        ? undefined
        : wrongStatus(`${action} document`, "complaint", complaint, rules.writingWindow(role, complaint)))
    );
  }
  if (parent.award !== undefined)
    return (
      lateForAction("add award document") ??
      lotRefusal("add award document") ??
      awardRefusal(procedure, tender, parent.award, replaced) ??
      authorRefusal()
    );
  if (parent.contract !== undefined) {
    const { status } = tender.contracts.find(({ id }) => id === parent.contract)!;
    const isOpen = status === "pending" || status === "active";
    return (
      lateForAction("add contract document") ??
      lotRefusal("add contract document") ??
      (isOpen ? undefined : ruleRefusal("contract-status", `Can't ${action} document in current contract status`))
    );
  }
  if (isInGroup(actor, "auction")) return lateForAction("add auction document") ?? authorRefusal();
  const isLate = !accepts(procedure, tender, "add tender document");
  return isLate ? late(actionWindow(procedure, tender, "add tender document", sinceCreation(tender))) : authorRefusal();
}

function awardRefusal({ documents }: Procedure, tender: Tender, award: string, replaced: Document | undefined) {
  const found = tender.awards.find(({ id }) => id === award);
  if (replaced || !documents.onlyToPendingAwards || !found || found.status === "pending") return undefined;
  return wrongStatus("add document", "award", found);
}

/** A draft accepts documents too but has no period: the enquiry period starts when the tender is created. */
const sinceCreation = ({ enquiryPeriod }: Tender): TimeWindow => ({ from: enquiryPeriod?.startDate });

const NOT_AUTHOR_REFUSAL = refuse<Refusal>({ kind: "not the author" });

/** Bidders may add documents during the tender period, and again while the award of their bid is pending. */
function bidDocumentRefusal(procedure: Procedure, tender: Tender, bid: string, action: "add" | "update") {
  if (accepts(procedure, tender, "add bid document")) return undefined;
  if (!accepts(procedure, tender, "add pending bid document"))
    return wrongStatus(`${action} document`, "tender", tender, actionWindow(procedure, tender, "add bid document"));
  const pending = tender.awards.some(({ bid_id, status }) => bid_id === bid && status === "pending");
  return pending
    ? undefined
    : ruleRefusal("award-not-pending", `Can't ${action} document because award of bid is not in pending state`);
}

function lotOfParent(tender: Tender, parent: DocumentParent): string | undefined {
  const award = parent.contract ? tender.contracts.find(({ id }) => id === parent.contract)?.awardID : parent.award;
  return tender.awards.find(({ id }) => id === award)?.lotID;
}

/**
 * Checks an upload before its body is read: may this actor add documents to the object, or replace `document`, with this metadata?
 * Returns the documents of the object.
 */
export function checkUpload(
  tender: Tender,
  parent: DocumentParent,
  document: string | undefined,
  { actor, procedure }: Pick<RuleContext, "actor" | "procedure">,
  registration?: ParsedObject<RegistrationInput>,
): DomainResult<readonly Document[]> {
  const documents = documentsOfParent(tender, parent);
  const replaced = document === undefined ? undefined : latestVersion(documents, document);
  const refusal = accessRefusal(procedure, tender, parent, actor, document !== undefined);
  if (refusal) return refusal;
  if (document !== undefined && !replaced) return notFound("document");
  const badInput =
    registration && invalidInput(registration.problems, checkRegistration(registration.fields, replaced, tender));
  if (badInput) return badInput;
  return stageRefusal(procedure, tender, parent, replaced, actor) ?? ok(documents);
}

const recordsAuthor = (parent: DocumentParent): boolean =>
  isTenderItself(parent) || parent.award !== undefined || parent.complaint !== undefined;

/** Adds a document with its first version. */
export function addDocument(
  tender: Tender,
  { of: parent, file, registration }: Extract<TenderCommand, { kind: "add document" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { actor, at, newId } = context;
  const found = checkUpload(tender, parent, undefined, context, registration);
  if (!found.ok) return found;
  const author = recordsAuthor(parent) ? { author: roleOf(actor, tender, parentComplaint(tender, parent)) } : {};
  const added: Document = { ...newDocument({ file, registration }, at, newId), ...author };
  return ok({ tender: withDocuments(tender, parent, [...found.value, added]), id: added.id });
}

/** Adds a new version of a document. */
export function replaceDocument(
  tender: Tender,
  { of: parent, document: id, file, registration }: Extract<TenderCommand, { kind: "replace document" }>,
  context: RuleContext,
): DomainResult<CommandOutcome> {
  const { at } = context;
  const found = checkUpload(tender, parent, id, context, registration);
  if (!found.ok) return found;
  const latest = latestVersion(found.value, id);
  if (!latest) return notFound("document");
  const version: Document = { ...latest, ...newVersion({ file, registration }, at) };
  return ok({ tender: withDocuments(tender, parent, [...found.value, version]), id });
}

/** Edits the metadata of the current version. */
export function editDocument(
  tender: Tender,
  { of: parent, document: id, sent }: Extract<TenderCommand, { kind: "edit document" }>,
  { actor, procedure }: RuleContext,
): DomainResult<CommandOutcome> {
  const refusal = accessRefusal(procedure, tender, parent, actor, true);
  if (refusal) return refusal;
  const documents = documentsOfParent(tender, parent);
  const latest = latestVersion(documents, id);
  if (!latest) return notFound("document");
  const edited = merge<Document>(latest, sent.fields);
  const badInput = invalidInput(sent.problems, checkDocument(edited, tender));
  if (badInput) return badInput;
  const tooLate = stageRefusal(procedure, tender, parent, latest, actor);
  if (tooLate) return tooLate;
  const changed = documents.map((document) => (document === latest ? edited : document));
  return ok({ tender: withDocuments(tender, parent, changed), id });
}
