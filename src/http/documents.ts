import { setImmediate } from "node:timers/promises";
import type { Actor } from "../domain/actors.ts";
import type { DocumentSent, Holder, UploadedFile } from "../domain/commands.ts";
import { documentsOf, latestOf, latestVersions, mayUpload, previousVersions } from "../domain/documents.ts";
import type { Document, Tender } from "../domain/tender.ts";
import type { FileRecord } from "../files/files.ts";
import { newId } from "../registry/secrets.ts";
import { type Answer, answerTo, BAD_UPLOAD, NO_FILE, NOT_FOUND, TOO_LARGE } from "./answers.ts";
import { actorOf } from "./auth.ts";
import { download } from "./downloads.ts";
import { change, created, decidedAnswer, type Exchange, found, foundAll } from "./exchange.ts";
import { type Fields, readUpload, type Upload, type UploadProblem } from "./multipart.ts";

/** Documents with the addresses of their files. */
export const withLinks = (documents: readonly Document[], holderPath: string): readonly unknown[] =>
  documents.map((document) => withLink(document, holderPath));

const withLink = (document: Document, holderPath: string) => ({
  ...document,
  url: `${holderPath}/documents/${document.id}?download=${document.key}`,
});

/** Whose documents a path speaks of. */
export function holderOf({ params }: Pick<Exchange, "params">): Holder {
  const { bid_id: bid, award_id: award, contract_id: contract, complaint_id: complaint, cancellation_id } = params;
  return { bid, award, contract, complaint, cancellation: cancellation_id };
}

function holderPath({ id }: Tender, { bid, award, contract, complaint, cancellation }: Holder): string {
  const steps = { bids: bid, awards: award, contracts: contract, complaints: complaint, cancellations: cancellation };
  const path = Object.entries(steps).map(([name, step]) => (step === undefined ? "" : `/${name}/${step}`));
  return `/tenders/${id}${path.join("")}`;
}

export async function listDocuments(exchange: Exchange): Promise<Answer> {
  const tender = exchange.tender!;
  const holder = holderOf(exchange);
  const documents = documentsOf(tender, holder);
  const listed = exchange.query.get("all") ? documents : latestVersions(documents);
  return foundAll(exchange, "Document", withLinks(listed, holderPath(tender, holder)));
}

export async function showDocument(exchange: Exchange): Promise<Answer> {
  const { query, params } = exchange;
  const tender = exchange.tender!;
  const holder = holderOf(exchange);
  const documents = documentsOf(tender, holder);
  const key = query.get("download");
  if (key) {
    const version = documents.find((document) => document.id === params.document_id && document.key === key);
    return version ? download(exchange, version) : NOT_FOUND("download");
  }
  return showLatest(exchange, tender, holder, params.document_id!, true);
}

function showLatest(exchange: Exchange, tender: Tender, holder: Holder, id: string, withPrevious = false): Answer {
  return found(exchange, "Document", latestShown(tender, holder, id, withPrevious));
}

function latestShown(tender: Tender, holder: Holder, id: string, withPrevious = false): unknown {
  const documents = documentsOf(tender, holder);
  const latest = latestOf(documents, id)!;
  const path = holderPath(tender, holder);
  const previous = withPrevious && { previousVersions: withLinks(previousVersions(documents, latest), path) };
  return { ...withLink(latest, path), ...previous };
}

export async function addDocument(exchange: Exchange): Promise<Answer> {
  const holder = holderOf(exchange);
  return upload(exchange, undefined, async (owned, file) => {
    const decided = await change(owned, { kind: "add document", of: holder, file });
    const answer = decidedAnswer(exchange, "Document", decided, ({ tender, id }) =>
      created(exchange, "Document", latestShown(tender, holder, id!), id!),
    );
    return { answer, kept: decided.ok };
  });
}

export async function replaceDocument(exchange: Exchange): Promise<Answer> {
  const holder = holderOf(exchange);
  const document = exchange.params.document_id!;
  return upload(exchange, document, async (owned, file) => {
    const decided = await change(owned, { kind: "replace document", of: holder, document, file });
    const answer = decidedAnswer(exchange, "Document", decided, ({ tender }) =>
      showLatest(exchange, tender, holder, document),
    );
    return { answer, kept: decided.ok };
  });
}

export async function editDocument(exchange: Exchange): Promise<Answer> {
  const holder = holderOf(exchange);
  const document = exchange.params.document_id!;
  const current = latestOf(documentsOf(exchange.tender!, holder), document);
  const sent = exchange.dialect.readPatch<DocumentSent>("Document", exchange.body!.data, current);
  const decided = await change(exchange, { kind: "edit document", of: holder, document, sent });
  return decidedAnswer(exchange, "Document", decided, ({ tender }) => showLatest(exchange, tender, holder, document));
}

type Recorded = { readonly answer: Answer; readonly kept: boolean };
type Record = (exchange: Exchange, file: UploadedFile) => Promise<Recorded>;

/**
 * Whoever may not upload is told before a byte of the file is taken; a file whose record is refused leaves nothing
 * behind. The owner token may also come as a field of the form, ahead of the file.
 */
async function upload(exchange: Exchange, replaced: string | undefined, record: Record): Promise<Answer> {
  const { request, service, dialect, tender, actor } = exchange;
  const refusedTo = (who: Actor) => {
    const allowed = mayUpload(tender!, holderOf(exchange), replaced, who);
    return allowed.ok ? undefined : answerTo(allowed.refused, dialect, "Document");
  };
  const refused = refusedTo(actor);
  if (refused && actor.tokenHash) return refused;
  const { fileBytesMax } = service.config.limits;
  const key = newId();
  const read = await readUpload(request.headers, request, async (_upload, content, fields) => {
    const who = actor.tokenHash ? actor : await withTokenOfForm(actor, fields);
    const answer = refusedTo(who);
    return answer ? { answer } : { who, file: await service.files.receive(key, content, fileBytesMax) };
  });
  const taken = read.taken;
  if (taken?.answer) return taken.answer;
  if (taken?.file === "too large") return TOO_LARGE("file", fileBytesMax);
  if (read.ok) return recorded({ ...exchange, actor: taken!.who! }, fileOf(read.upload, taken!.file!), record);
  if (taken) await service.files.discard(key);
  return refused ?? UPLOAD_ANSWERS[read.problem];
}

async function withTokenOfForm({ account }: Actor, fields: Fields): Promise<Actor> {
  await setImmediate();
  return actorOf(account, fields.get("acc_token"));
}

async function recorded(exchange: Exchange, file: UploadedFile, record: Record): Promise<Answer> {
  const { files } = exchange.service;
  // If this throws, nobody knows whether the record is durable: the file stays where the sweep at the next start finds it.
  const result = await record(exchange, file);
  // A recorded file that could not be moved is readable where it is, and the sweep at the next start moves it.
  await (result.kept ? files.keep(file.key).catch(() => {}) : files.discard(file.key));
  return result.answer;
}

const fileOf = ({ title, format }: Upload, { key, size, sha256, md5 }: FileRecord): UploadedFile => ({
  title,
  format,
  key,
  size,
  sha256,
  hash: `md5:${md5}`,
});

const UPLOAD_ANSWERS: { readonly [problem in UploadProblem]: Answer } = {
  "no boundary": BAD_UPLOAD("data", "could not decode params: the multipart boundary is missing"),
  malformed: BAD_UPLOAD("data", "could not decode params: the multipart body is cut off or malformed"),
  "no file": NO_FILE,
  "two files": BAD_UPLOAD("file", "Please provide no more than 1 item."),
};
