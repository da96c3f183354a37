import { type Actor, isIn, owns } from "./actors.ts";
import { bidForWriting, withBid } from "./bidding.ts";
import { required } from "./checking.ts";
import type { Command, Context, Holder, UploadedFile } from "./commands.ts";
import type { Outcome } from "./decide.ts";
import { merge } from "./merge.ts";
import { accepts } from "./procedures/index.ts";
import { checkSubject } from "./questions.ts";
import type { Decided, Problem, Refusal } from "./refusals.ts";
import { forbidden, invalid, notFound, problem, wrongStatus } from "./refusals.ts";
import { no, ok } from "./result.ts";
import type { Document, Tender } from "./tender.ts";
import type { Instant } from "./time.ts";

/** Documents of a tender and of its bids. Versions are only ever added; the last one with an id is the document. */

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

/** As whom somebody uploads: only the same may replace it later. */
function roleOf(actor: Actor, tender: Tender): string {
  return owns(actor, tender) ? "tender_owner" : (actor.account?.group ?? "anonymous");
}

/** May this actor add or change documents here, apart from what the file itself is? Asked before a byte is taken. */
export function mayUpload(
  tender: Tender,
  of: Holder,
  document: string | undefined,
  actor: Actor,
): Decided<readonly Document[]> {
  const holder = of.bid === undefined ? ok(tender) : bidForWriting(tender, of.bid, actor);
  if (!holder.ok) return holder;
  const { documents } = holder.value;
  const replaced = document === undefined ? undefined : latestOf(documents, document);
  if (document !== undefined && !replaced) return notFound("document");
  if (of.bid === undefined && !owns(actor, tender) && !isIn(actor, "auction", "bots", "admins")) return forbidden();
  return mayUploadNow(tender, of, replaced, actor) ?? ok(documents);
}

function mayUploadNow(tender: Tender, of: Holder, replaced: Document | undefined, actor: Actor) {
  const act =
    of.bid !== undefined ? "add bid document" : isIn(actor, "auction") ? "add auction document" : "add tender document";
  if (!accepts(tender, act)) return wrongStatus(replaced ? "update document" : "add document", "tender", tender);
  const byAnother = of.bid === undefined && replaced && replaced.author !== roleOf(actor, tender);
  return byAnother ? no<Refusal>({ kind: "not the author" }) : undefined;
}

export function addDocument(
  tender: Tender,
  { of, file }: Extract<Command, { kind: "add document" }>,
  { actor, at, newId }: Context,
): Decided<Outcome> {
  const found = mayUpload(tender, of, undefined, actor);
  if (!found.ok) return found;
  const author = of.bid === undefined ? { author: roleOf(actor, tender) } : {};
  const added: Document = { ...versionOf(file, at), ...author, id: newId(), datePublished: at, documentOf: "tender" };
  return ok({ tender: withDocuments(tender, of, [...found.value, added]), id: added.id });
}

export function replaceDocument(
  tender: Tender,
  { of, document: id, file }: Extract<Command, { kind: "replace document" }>,
  { actor, at }: Context,
): Decided<Outcome> {
  const found = mayUpload(tender, of, id, actor);
  if (!found.ok) return found;
  const version: Document = { ...latestOf(found.value, id)!, ...versionOf(file, at) };
  return ok({ tender: withDocuments(tender, of, [...found.value, version]), id });
}

const versionOf = (file: UploadedFile, at: Instant) => ({ ...file, dateModified: at });

export function editDocument(
  tender: Tender,
  { of, document: id, sent }: Extract<Command, { kind: "edit document" }>,
  { actor }: Context,
): Decided<Outcome> {
  const holder = of.bid === undefined ? ok(tender) : bidForWriting(tender, of.bid, actor);
  if (!holder.ok) return holder;
  const latest = latestOf(holder.value.documents, id);
  if (!latest) return notFound("document");
  if (of.bid === undefined && !owns(actor, tender) && !isIn(actor, "auction", "bots", "admins")) return forbidden();
  const edited = merge<Document>(latest, sent.fields);
  const wrong = invalid(sent.problems, checkDocument(edited, tender));
  if (wrong) return wrong;
  const refused = mayUploadNow(tender, of, latest, actor);
  if (refused) return refused;
  const documents = holder.value.documents.map((document) => (document === latest ? edited : document));
  return ok({ tender: withDocuments(tender, of, documents), id });
}

function checkDocument(document: Document, tender: Tender): Problem[] {
  const badFormat = document.format !== undefined && !/^[-\w]+\/[-.+\w]+$/.test(document.format);
  return [
    ...required(document, [], "title", "format"),
    ...(badFormat ? [problem(["format"], "String value did not match validation regex.")] : []),
    ...checkSubject(document.documentOf, document.relatedItem, ["relatedItem"], tender),
  ];
}

function withDocuments(tender: Tender, of: Holder, documents: readonly Document[]): Tender {
  if (of.bid === undefined) return { ...tender, documents };
  const bid = tender.bids.find(({ id }) => id === of.bid)!;
  return withBid(tender, { ...bid, documents });
}
