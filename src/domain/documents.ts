import { type Actor, type Group, isIn, owns } from "./actors.ts";
import { bidForWriting } from "./bidding.ts";
import type { Command, Context, Holder, New, RegistrationSent } from "./commands.ts";
import { complaintsOf } from "./complaints.ts";
import type { Outcome } from "./decide.ts";
import { checkDocument, checkRegistration, newDocument, versionOf } from "./documentVersions.ts";
import { merge } from "./merge.ts";
import { accepts } from "./procedures/index.ts";
import { type Act, isFinal } from "./procedures/procedure.ts";
import { isLotActive } from "./qualifying.ts";
import type { Decided, Refusal, Window } from "./refusals.ts";
import { forbidden, invalid, notFound, rule, wrongStatus } from "./refusals.ts";
import { no, ok } from "./result.ts";
import type { Complaint, Document, Tender } from "./tender.ts";
import { lifeOf, windowOf, windowOfLot, windowOfWriting } from "./windows.ts";

/** Documents, whoever they belong to. Versions are only ever added; the last one with an id is the document. */

export const latestOf = (documents: readonly Document[], id: string): Document | undefined =>
  documents.findLast((document) => document.id === id);

/** Each document once, in its latest version, in the order of first upload. */
export function latestVersions(documents: readonly Document[]): readonly Document[] {
  const latest = new Map<string, Document>();
  for (const document of documents) latest.set(document.id, document);
  return [...latest.values()];
}

export const previousVersions = (documents: readonly Document[], latest: Document): readonly Document[] =>
  documents.filter((document) => document.id === latest.id && document !== latest);

type Held = { readonly id: string; readonly documents: readonly Document[] };

/** Applies a change to what holds the documents, wherever in the tender it is. */
function withHolder(tender: Tender, of: Holder, change: <Thing extends Held>(thing: Thing) => Thing): Tender {
  const each = <Thing extends Held>(list: readonly Thing[], id: string | undefined): readonly Thing[] =>
    list.map((one) => (one.id === id ? change(one) : one));
  if (of.bid !== undefined) return { ...tender, bids: each(tender.bids, of.bid) };
  if (of.contract !== undefined) return { ...tender, contracts: each(tender.contracts, of.contract) };
  if (of.cancellation !== undefined) return { ...tender, cancellations: each(tender.cancellations, of.cancellation) };
  if (of.complaint === undefined)
    return of.award === undefined ? change(tender) : { ...tender, awards: each(tender.awards, of.award) };
  if (of.award === undefined) return { ...tender, complaints: each(tender.complaints, of.complaint) };
  return {
    ...tender,
    awards: tender.awards.map((award) =>
      award.id === of.award ? { ...award, complaints: each(award.complaints, of.complaint) } : award,
    ),
  };
}

export function documentsOf(tender: Tender, of: Holder): readonly Document[] {
  let found: readonly Document[] = [];
  withHolder(tender, of, (thing) => {
    found = thing.documents;
    return thing;
  });
  return found;
}

const withDocuments = (tender: Tender, of: Holder, documents: readonly Document[]): Tender =>
  withHolder(tender, of, (thing) => ({ ...thing, documents }));

/** As whom somebody uploads: only the same may replace it later. */
function roleOf(actor: Actor, tender: Tender, complaint?: Complaint): string {
  if (complaint && owns(actor, complaint)) return "complaint_owner";
  return owns(actor, tender) ? "tender_owner" : (actor.account?.group ?? "anonymous");
}

const complaintOf = (tender: Tender, { award, complaint }: Holder): Complaint | undefined =>
  complaintsOf(tender, { award }).find(({ id }) => id === complaint);

const isOfTender = ({ bid, award, contract, complaint, cancellation }: Holder): boolean =>
  (bid ?? award ?? contract ?? complaint ?? cancellation) === undefined;

/** Who may touch documents here at all. */
function refusedToTouch(tender: Tender, of: Holder, actor: Actor, replaces: boolean) {
  if (of.bid !== undefined) {
    const found = bidForWriting(tender, of.bid, actor);
    return found.ok ? undefined : found;
  }
  const owner = owns(actor, tender) || isIn(actor, "admins");
  if (of.complaint !== undefined) {
    const complaint = complaintOf(tender, of);
    if (!complaint) return notFound("complaint");
    return owner || owns(actor, complaint) || isIn(actor, "reviewers") ? undefined : forbidden();
  }
  const uploaders = isOfTender(of) || (of.award !== undefined && !replaces);
  return owner || (uploaders && isIn(actor, "auction", "bots")) ? undefined : forbidden();
}

/** The groups that may add a document to something: what they own, what they decide, or what they repair. */
const UPLOADERS: readonly Group[] = [
  ...(["brokers", "competitive_dialogue", "auction", "bots", "reviewers", "admins", "Administrator"] as const),
];

/** Whether there can be anything at all that this actor may add a document to. */
export const mayUploadAnywhere = (actor: Actor): boolean => isIn(actor, ...UPLOADERS);

const WRITERS: { readonly [role: string]: readonly Complaint["status"][] } = {
  complaint_owner: ["draft", "answered"],
  tender_owner: ["claim"],
  reviewers: ["pending"],
};

/** When documents may be touched here; what they are the documents of decides. */
function refusedNow(tender: Tender, of: Holder, replaced: Document | undefined, actor: Actor) {
  const doing = replaced ? "update" : "add";
  const late = (window?: Window) => wrongStatus(`${doing} document`, "tender", tender, window);
  const lateFor = (act: Act) => (accepts(tender, act) ? undefined : late(windowOf(tender, act)));
  const byAnother = () =>
    replaced && replaced.author !== roleOf(actor, tender, complaintOf(tender, of)) ? NOT_AUTHOR : undefined;
  if (of.bid !== undefined) return refusedForBid(tender, of.bid, doing);
  if (of.cancellation !== undefined) return isFinal(tender) ? late(lifeOf(tender)) : undefined;
  const lotID = lotOfHolder(tender, of);
  const lotOver = (act: Act) =>
    isLotActive(tender, lotID)
      ? undefined
      : rule("lot-not-active", `Can ${doing} document only in active lot status`, {
          window: windowOfLot(tender, act, lotID),
        });
  if (of.complaint !== undefined) {
    const act = of.award === undefined ? "edit complaint" : "edit award complaint";
    const complaint = complaintOf(tender, of)!;
    const role = roleOf(actor, tender, complaint);
    return (
      byAnother() ??
      lateFor(act) ??
      (of.award === undefined ? undefined : lotOver(act)) ??
      (WRITERS[role]?.includes(complaint.status)
        ? undefined
        : wrongStatus(`${doing} document`, "complaint", complaint, windowOfWriting(role, complaint)))
    );
  }
  if (of.award !== undefined) return lateFor("add award document") ?? lotOver("add award document") ?? byAnother();
  if (of.contract !== undefined) {
    const { status } = tender.contracts.find(({ id }) => id === of.contract)!;
    const open = status === "pending" || status === "active";
    return (
      lateFor("add contract document") ??
      lotOver("add contract document") ??
      (open ? undefined : rule("contract-status", `Can't ${doing} document in current contract status`))
    );
  }
  if (isIn(actor, "auction")) return lateFor("add auction document") ?? byAnother();
  const isLate = !accepts(tender, "add tender document");
  return isLate ? late(windowOf(tender, "add tender document", sinceMade(tender))) : byAnother();
}

/** Drafts take documents too, and have no period of their own: enquiries are dated from when a tender was made. */
const sinceMade = ({ enquiryPeriod }: Tender): Window => ({ from: enquiryPeriod?.startDate });

const NOT_AUTHOR = no<Refusal>({ kind: "not the author" });

/** Bidders add to their bids while they bid, and once more while their award is looked at. */
function refusedForBid(tender: Tender, bid: string, doing: "add" | "update") {
  if (accepts(tender, "add bid document")) return undefined;
  if (!accepts(tender, "add pending bid document"))
    return wrongStatus(`${doing} document`, "tender", tender, windowOf(tender, "add bid document"));
  const pending = tender.awards.some(({ bid_id, status }) => bid_id === bid && status === "pending");
  return pending
    ? undefined
    : rule("award-not-pending", `Can't ${doing} document because award of bid is not in pending state`);
}

function lotOfHolder(tender: Tender, of: Holder): string | undefined {
  const award = of.contract ? tender.contracts.find(({ id }) => id === of.contract)?.awardID : of.award;
  return tender.awards.find(({ id }) => id === award)?.lotID;
}

/** May this actor add or change documents here, with what is said of them, apart from what the file itself is? Asked before a byte is taken. */
export function mayUpload(
  tender: Tender,
  of: Holder,
  document: string | undefined,
  actor: Actor,
  said?: New<RegistrationSent>,
): Decided<readonly Document[]> {
  const documents = documentsOf(tender, of);
  const replaced = document === undefined ? undefined : latestOf(documents, document);
  const refused = refusedToTouch(tender, of, actor, document !== undefined);
  if (refused) return refused;
  if (document !== undefined && !replaced) return notFound("document");
  const wrong = said && invalid(said.problems, checkRegistration(said.fields, replaced, tender));
  if (wrong) return wrong;
  return refusedNow(tender, of, replaced, actor) ?? ok(documents);
}

const recordsAuthor = (of: Holder): boolean => isOfTender(of) || of.award !== undefined || of.complaint !== undefined;

export function addDocument(
  tender: Tender,
  { of, file, said }: Extract<Command, { kind: "add document" }>,
  { actor, at, newId }: Context,
): Decided<Outcome> {
  const found = mayUpload(tender, of, undefined, actor, said);
  if (!found.ok) return found;
  const author = recordsAuthor(of) ? { author: roleOf(actor, tender, complaintOf(tender, of)) } : {};
  const added: Document = { ...newDocument({ file, said }, at, newId), ...author };
  return ok({ tender: withDocuments(tender, of, [...found.value, added]), id: added.id });
}

export function replaceDocument(
  tender: Tender,
  { of, document: id, file, said }: Extract<Command, { kind: "replace document" }>,
  { actor, at }: Context,
): Decided<Outcome> {
  const found = mayUpload(tender, of, id, actor, said);
  if (!found.ok) return found;
  const version: Document = { ...latestOf(found.value, id)!, ...versionOf({ file, said }, at) };
  return ok({ tender: withDocuments(tender, of, [...found.value, version]), id });
}

export function editDocument(
  tender: Tender,
  { of, document: id, sent }: Extract<Command, { kind: "edit document" }>,
  { actor }: Context,
): Decided<Outcome> {
  const refused = refusedToTouch(tender, of, actor, true);
  if (refused) return refused;
  const documents = documentsOf(tender, of);
  const latest = latestOf(documents, id);
  if (!latest) return notFound("document");
  const edited = merge<Document>(latest, sent.fields);
  const wrong = invalid(sent.problems, checkDocument(edited, tender));
  if (wrong) return wrong;
  const late = refusedNow(tender, of, latest, actor);
  if (late) return late;
  const changed = documents.map((document) => (document === latest ? edited : document));
  return ok({ tender: withDocuments(tender, of, changed), id });
}
