import { setImmediate } from "node:timers/promises";
import { required } from "../base/required.ts";
import { newId } from "../base/secrets.ts";
import type { Actor } from "../domain/model/actors.ts";
import type {
  DocumentInput,
  DocumentParent,
  RegistrationInput,
  SubmittedFile,
  TenderCommand,
} from "../domain/model/commands.ts";
import type { Tender } from "../domain/model/tender.ts";
import { procedureOf } from "../domain/procedures/index.ts";
import {
  checkUpload,
  documentsOfParent,
  latestVersion,
  latestVersions,
  previousVersions,
} from "../domain/tender/documents.ts";
import { actorOf } from "../http/auth.ts";
import { createdResponse, listResponse, okResponse } from "../http/dataResponses.ts";
import { NOT_FOUND } from "../http/errorResponses.ts";
import { type Exchange, requireData, requireParam, requireTender } from "../http/exchange.ts";
import { refusalResponse } from "../http/refusalResponse.ts";
import type { HttpResponse } from "../http/responses.ts";
import { attemptWrite, changeTender, createdId } from "../http/runCommand.ts";
import type { CommittedCommand, WriteOptions } from "../registry/tenderWrites.ts";
import { DiskFullError } from "../store/store.ts";
import { documentsWithLinks, documentWithLink } from "../views/documentLinks.ts";
import { keepFile, type RegistrationPorts, uploadedFileOf, withUploads } from "./documentRegistration.ts";
import { type DownloadPorts, download } from "./downloads.ts";
import { type FileUploadResult, type ReceivingPorts, receiveFile } from "./fileUpload.ts";
import type { FormFields } from "./multipart.ts";
import { redirectToDownload, type SignedUrlPorts } from "./signedDownloads.ts";

type DocumentExchange = Exchange<RegistrationPorts & SignedUrlPorts & DownloadPorts & ReceivingPorts>;

/** The parent whose documents the path is about. */
export function documentParentOf({ params }: Pick<Exchange, "params">): DocumentParent {
  const { bid_id: bid, award_id: award, contract_id: contract, complaint_id: complaint, cancellation_id } = params;
  return { bid, award, contract, complaint, cancellation: cancellation_id };
}

function pathOfParent({ id }: Tender, { bid, award, contract, complaint, cancellation }: DocumentParent): string {
  const steps = { bids: bid, awards: award, contracts: contract, complaints: complaint, cancellations: cancellation };
  const path = Object.entries(steps).map(([name, step]) => (step === undefined ? "" : `/${name}/${step}`));
  return `/tenders/${id}${path.join("")}`;
}

export async function listDocuments(exchange: DocumentExchange): Promise<HttpResponse> {
  const tender = requireTender(exchange);
  const parent = documentParentOf(exchange);
  const documents = documentsOfParent(tender, parent);
  const listedVersions = exchange.query.get("all") ? documents : latestVersions(documents);
  return listResponse(exchange, "Document", documentsWithLinks(listedVersions, pathOfParent(tender, parent)));
}

/** The document with its previous versions; with `download`, the file of the version with that key. */
export async function showDocument(exchange: DocumentExchange): Promise<HttpResponse> {
  const { query } = exchange;
  const id = requireParam(exchange, "document_id");
  const tender = requireTender(exchange);
  const parent = documentParentOf(exchange);
  const documents = documentsOfParent(tender, parent);
  const key = query.get("download");
  if (key) {
    const version = documents.find((document) => document.id === id && document.key === key);
    if (!version) return NOT_FOUND("download");
    return shouldRedirect(exchange) ? redirectToDownload(exchange, tender.id, version) : download(exchange, version);
  }
  return latestResponse(exchange, tender, parent, id, true);
}

/** Not if downloads are redirected to S3 anyway: one redirect is enough. */
const shouldRedirect = ({ dialect, ports }: DocumentExchange): boolean =>
  dialect.behaviour.downloads === "redirected" && !ports.config.documents?.redirects;

function latestResponse(
  exchange: DocumentExchange,
  tender: Tender,
  parent: DocumentParent,
  id: string,
  withPrevious = false,
): HttpResponse {
  return okResponse(exchange, "Document", latestWithLinks(tender, parent, id, withPrevious));
}

function latestWithLinks(tender: Tender, parent: DocumentParent, id: string, withPrevious = false): object {
  const documents = documentsOfParent(tender, parent);
  // The path was checked before the handler ran, and documents are never removed.
  const latest = required(latestVersion(documents, id), "the document");
  const path = pathOfParent(tender, parent);
  const previous = withPrevious && { previousVersions: documentsWithLinks(previousVersions(documents, latest), path) };
  return { ...documentWithLink(latest, path), ...previous };
}

export async function postDocument(exchange: DocumentExchange): Promise<HttpResponse> {
  const parent = documentParentOf(exchange);
  return addVersion(exchange, {
    command: (submitted) => ({ kind: "add document", of: parent, ...submitted }),
    show: (committed) => {
      const id = createdId(committed);
      return createdResponse(exchange, "Document", latestWithLinks(committed.tender, parent, id), id);
    },
  });
}

export async function putDocument(exchange: DocumentExchange): Promise<HttpResponse> {
  const parent = documentParentOf(exchange);
  const document = requireParam(exchange, "document_id");
  return addVersion(exchange, {
    replaced: document,
    command: (submitted) => ({ kind: "replace document", of: parent, document, ...submitted }),
    show: ({ tender }) => latestResponse(exchange, tender, parent, document),
  });
}

export async function patchDocument(exchange: DocumentExchange): Promise<HttpResponse> {
  const parent = documentParentOf(exchange);
  const document = requireParam(exchange, "document_id");
  const current = latestVersion(documentsOfParent(requireTender(exchange), parent), document);
  const sent = exchange.dialect.readPatch<DocumentInput>("Document", requireData(exchange), current);
  return changeTender(exchange, "Document", { kind: "edit document", of: parent, document, sent }, ({ tender }) =>
    latestResponse(exchange, tender, parent, document),
  );
}

/** How a new document or a new version is added and shown. */
type NewVersion = {
  /** The id of the document that gets a new version. */
  readonly replaced?: string;
  readonly command: (submitted: SubmittedFile) => TenderCommand;
  readonly show: (committed: CommittedCommand) => HttpResponse;
};

const addVersion = (exchange: DocumentExchange, newVersion: NewVersion): Promise<HttpResponse> =>
  exchange.body ? addFromUpload(exchange, newVersion) : addFromForm(exchange, newVersion);

/** The error response if this uploader may not add the version. It is checked before any of the file is stored. */
function rejectUploader(
  exchange: DocumentExchange,
  { replaced }: NewVersion,
  uploader: Actor,
  registration?: SubmittedFile["registration"],
): HttpResponse | undefined {
  const tender = requireTender(exchange);
  const context = { actor: uploader, procedure: procedureOf(tender) };
  const allowed = checkUpload(tender, documentParentOf(exchange), replaced, context, registration);
  return allowed.ok
    ? undefined
    : refusalResponse(allowed.refused, exchange.dialect, registration ? "Registration" : "Document");
}

/** Adds a version from a form. The owner token may also be a field of the form, before the file. */
async function addFromForm(exchange: DocumentExchange, newVersion: NewVersion): Promise<HttpResponse> {
  const { ports } = exchange;
  const received = await receiveVersion(exchange, newVersion);
  if ("refused" in received) return received.refused;
  const { uploader, upload, record } = received;
  const { key, sha256 } = record;
  const idempotency = exchange.idempotency?.withBody(
    [upload.title, upload.format, sha256, uploader.tokenHash].join("\n"),
  );
  const command = newVersion.command({ file: uploadedFileOf(upload, record) });
  const { id } = requireTender(exchange);
  const write = (options: WriteOptions) => ports.registry.change(id, command, uploader, options);
  // If this throws, the commit may or may not be durable, so the file stays until the sweep at the next start decides. But if the disk
  // is full, nothing was written, and retries must not fill it further.
  const { response, isDone } = await attemptWrite(
    { ...exchange, idempotency },
    "Document",
    write,
    newVersion.show,
  ).catch(async (error) => {
    if (error instanceof DiskFullError) await ports.files.discard(key).catch(() => {});
    throw error;
  });
  await (isDone ? keepFile(ports, key) : ports.files.discard(key));
  return response;
}

/** Receives the file, unless the caller may not upload it. */
async function receiveVersion(exchange: DocumentExchange, newVersion: NewVersion): Promise<FileUploadResult<Actor>> {
  const { request, ports, actor, idempotency } = exchange;
  // A retry gets the recorded response, even if the upload would no longer be allowed.
  const rejectionFor = (uploader: Actor) =>
    idempotency?.hasEarlierResponse ? undefined : rejectUploader(exchange, newVersion, uploader);
  // Without a token it is not final, because the form may contain the token; but it is the response to a form that cannot be read.
  const rejectionWithoutForm = rejectionFor(actor);
  if (rejectionWithoutForm && actor.tokenHash) return { refused: rejectionWithoutForm };
  return receiveFile<Actor>(ports, request, {
    key: newId(),
    admit: async (fields) => {
      const uploader = actor.tokenHash ? actor : await withFormToken(actor, fields);
      const rejection = rejectionFor(uploader);
      return rejection ? { refused: rejection } : { uploader };
    },
    malformedResponse: rejectionWithoutForm,
  });
}

/** Waits one turn of the event loop, after which the fields before the file are complete. */
async function withFormToken({ account }: Actor, fields: FormFields): Promise<Actor> {
  await setImmediate();
  return actorOf(account, fields.get("acc_token"));
}

/** Adds a version from an upload of the document service. Checks the fields and the caller first, then the URL, then the upload. */
async function addFromUpload(exchange: DocumentExchange, newVersion: NewVersion): Promise<HttpResponse> {
  const { ports, dialect, actor } = exchange;
  const { id } = requireTender(exchange);
  const registration = dialect.readNew<RegistrationInput>("Registration", requireData(exchange));
  const rejection = rejectUploader(exchange, newVersion, actor, registration);
  if (rejection) return rejection;
  return withUploads(exchange, [registration.fields], ([file], newKeys) => {
    // One registration gives one file.
    const command = newVersion.command({ file: file!, registration });
    const write = (options: WriteOptions) => ports.registry.change(id, command, actor, { ...options, files: newKeys });
    return attemptWrite(exchange, "Registration", write, newVersion.show);
  });
}
