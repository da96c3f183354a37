import type { DocumentSent, Holder, UploadedFile } from "../domain/commands.ts";
import { latestOf, latestVersions, mayUpload, previousVersions } from "../domain/documents.ts";
import type { Document, Tender } from "../domain/tender.ts";
import type { FileRecord } from "../files/files.ts";
import { newId } from "../registry/secrets.ts";
import { type Answer, answerTo, BAD_UPLOAD, NO_FILE, NOT_FOUND, TOO_LARGE } from "./answers.ts";
import { download } from "./downloads.ts";
import { change, created, decidedAnswer, type Exchange, found, foundAll } from "./exchange.ts";
import { readUpload, type Upload, type UploadProblem } from "./multipart.ts";

/** Documents with the addresses of their files. */
export const withLinks = (documents: readonly Document[], holderPath: string): readonly unknown[] =>
  documents.map((document) => withLink(document, holderPath));

const withLink = (document: Document, holderPath: string) => ({
  ...document,
  url: `${holderPath}/documents/${document.id}?download=${document.key}`,
});

const holderOf = ({ params }: Exchange): Holder => (params.bid_id === undefined ? {} : { bid: params.bid_id });

export function documentsOf(tender: Tender, holder: Holder): readonly Document[] {
  return holder.bid === undefined
    ? tender.documents
    : (tender.bids.find(({ id }) => id === holder.bid)?.documents ?? []);
}

const holderPath = (tender: Tender, { bid }: Holder): string =>
  bid === undefined ? `/tenders/${tender.id}` : `/tenders/${tender.id}/bids/${bid}`;

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
  return upload(exchange, undefined, async (file) => {
    const decided = await change(exchange, { kind: "add document", of: holder, file });
    const answer = decidedAnswer(exchange, "Document", decided, ({ tender, id }) =>
      created(exchange, "Document", latestShown(tender, holder, id!), id!),
    );
    return { answer, kept: decided.ok };
  });
}

export async function replaceDocument(exchange: Exchange): Promise<Answer> {
  const holder = holderOf(exchange);
  const document = exchange.params.document_id!;
  return upload(exchange, document, async (file) => {
    const decided = await change(exchange, { kind: "replace document", of: holder, document, file });
    const answer = decidedAnswer(exchange, "Document", decided, ({ tender }) =>
      showLatest(exchange, tender, holder, document),
    );
    return { answer, kept: decided.ok };
  });
}

export async function editDocument(exchange: Exchange): Promise<Answer> {
  const holder = holderOf(exchange);
  const document = exchange.params.document_id!;
  const sent = exchange.dialect.read<DocumentSent>("Document", exchange.body!.data);
  const decided = await change(exchange, { kind: "edit document", of: holder, document, sent });
  return decidedAnswer(exchange, "Document", decided, ({ tender }) => showLatest(exchange, tender, holder, document));
}

type Recorded = { readonly answer: Answer; readonly kept: boolean };

/** Whoever may not upload is told before a byte is taken; a file whose record is refused leaves nothing behind. */
async function upload(
  exchange: Exchange,
  replaced: string | undefined,
  record: (file: UploadedFile) => Promise<Recorded>,
): Promise<Answer> {
  const { request, service, dialect, tender, actor } = exchange;
  const allowed = mayUpload(tender!, holderOf(exchange), replaced, actor);
  if (!allowed.ok) return answerTo(allowed.refused, dialect, "Document");
  const { fileBytesMax } = service.config.limits;
  const key = newId();
  const read = await readUpload(request.headers, request, (_upload, content) =>
    service.files.receive(key, content, fileBytesMax),
  );
  if (read.taken === "too large") return TOO_LARGE("file", fileBytesMax);
  if (!read.ok) {
    if (read.taken) await service.files.discard(key);
    return UPLOAD_ANSWERS[read.problem];
  }
  return recorded(exchange, key, fileOf(read.upload, read.taken), record);
}

async function recorded(
  { service: { files } }: Exchange,
  key: string,
  file: UploadedFile,
  record: (file: UploadedFile) => Promise<Recorded>,
): Promise<Answer> {
  let result: Recorded;
  try {
    result = await record(file);
  } catch (error) {
    await files.discard(key);
    throw error;
  }
  // A recorded file that could not be moved is readable where it is, and the sweep at the next start moves it.
  await (result.kept ? files.keep(key).catch(() => {}) : files.discard(key));
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
