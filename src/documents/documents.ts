import { setImmediate } from "node:timers/promises";
import { newId } from "../base/secrets.ts";
import {
  checkUpload,
  documentsOfParent,
  latestVersion,
  latestVersions,
  previousVersions,
} from "../domain/documents.ts";
import type { Actor } from "../domain/model/actors.ts";
import type {
  DocumentInput,
  DocumentParent,
  RegistrationInput,
  SubmittedFile,
  TenderCommand,
} from "../domain/model/commands.ts";
import type { Tender } from "../domain/model/tender.ts";
import { actorOf } from "../http/auth.ts";
import { createdResponse, listResponse, okResponse } from "../http/dataResponses.ts";
import type { Exchange } from "../http/exchange.ts";
import { refusalResponse } from "../http/refusalResponse.ts";
import { type HttpResponse, NOT_FOUND } from "../http/responses.ts";
import { attemptWrite, changeTender } from "../http/runCommand.ts";
import type { Committed, WriteOptions } from "../registry/registry.ts";
import { DiskFullError } from "../store/store.ts";
import { documentsWithLinks, documentWithLink } from "../views/documentLinks.ts";
import { keepFile, type RegistrationPorts, uploadedFileOf, withUploads } from "./documentRegistration.ts";
import { type DownloadPorts, download } from "./downloads.ts";
import { type ReceivingPorts, receiveFile } from "./fileUpload.ts";
import type { FormFields } from "./multipart.ts";
import { redirectToDownload, type SignedAddressPorts } from "./signedDownloads.ts";

type DocumentExchange = Exchange<RegistrationPorts & SignedAddressPorts & DownloadPorts & ReceivingPorts>;

/** Whose documents a path speaks of. */
export function holderOf({ params }: Pick<Exchange, "params">): DocumentParent {
  const { bid_id: bid, award_id: award, contract_id: contract, complaint_id: complaint, cancellation_id } = params;
  return { bid, award, contract, complaint, cancellation: cancellation_id };
}

function holderPath({ id }: Tender, { bid, award, contract, complaint, cancellation }: DocumentParent): string {
  const steps = { bids: bid, awards: award, contracts: contract, complaints: complaint, cancellations: cancellation };
  const path = Object.entries(steps).map(([name, step]) => (step === undefined ? "" : `/${name}/${step}`));
  return `/tenders/${id}${path.join("")}`;
}

export async function listDocuments(exchange: DocumentExchange): Promise<HttpResponse> {
  const tender = exchange.tender!;
  const holder = holderOf(exchange);
  const documents = documentsOfParent(tender, holder);
  const listedVersions = exchange.query.get("all") ? documents : latestVersions(documents);
  return listResponse(exchange, "Document", documentsWithLinks(listedVersions, holderPath(tender, holder)));
}

export async function showDocument(exchange: DocumentExchange): Promise<HttpResponse> {
  const { query, params } = exchange;
  const tender = exchange.tender!;
  const holder = holderOf(exchange);
  const documents = documentsOfParent(tender, holder);
  const key = query.get("download");
  if (key) {
    const version = documents.find((document) => document.id === params.document_id && document.key === key);
    if (!version) return NOT_FOUND("download");
    return shouldRedirect(exchange) ? redirectToDownload(exchange, tender.id, version) : download(exchange, version);
  }
  return latestResponse(exchange, tender, holder, params.document_id!, true);
}

/** Where downloads are sent to S3 anyway, one redirect is enough. */
const shouldRedirect = ({ dialect, ports }: DocumentExchange): boolean =>
  dialect.behaviour.downloads === "redirected" && !ports.config.documents?.redirects;

function latestResponse(
  exchange: DocumentExchange,
  tender: Tender,
  holder: DocumentParent,
  id: string,
  withPrevious = false,
): HttpResponse {
  return okResponse(exchange, "Document", latestWithLinks(tender, holder, id, withPrevious));
}

function latestWithLinks(tender: Tender, holder: DocumentParent, id: string, withPrevious = false): unknown {
  const documents = documentsOfParent(tender, holder);
  const latest = latestVersion(documents, id)!;
  const path = holderPath(tender, holder);
  const previous = withPrevious && { previousVersions: documentsWithLinks(previousVersions(documents, latest), path) };
  return { ...documentWithLink(latest, path), ...previous };
}

export async function postDocument(exchange: DocumentExchange): Promise<HttpResponse> {
  const holder = holderOf(exchange);
  return addVersion(exchange, {
    command: (filed) => ({ kind: "add document", of: holder, ...filed }),
    show: ({ tender, id }) => createdResponse(exchange, "Document", latestWithLinks(tender, holder, id!), id!),
  });
}

export async function putDocument(exchange: DocumentExchange): Promise<HttpResponse> {
  const holder = holderOf(exchange);
  const document = exchange.params.document_id!;
  return addVersion(exchange, {
    replaced: document,
    command: (filed) => ({ kind: "replace document", of: holder, document, ...filed }),
    show: ({ tender }) => latestResponse(exchange, tender, holder, document),
  });
}

export async function patchDocument(exchange: DocumentExchange): Promise<HttpResponse> {
  const holder = holderOf(exchange);
  const document = exchange.params.document_id!;
  const current = latestVersion(documentsOfParent(exchange.tender!, holder), document);
  const sent = exchange.dialect.readPatch<DocumentInput>("Document", exchange.body!.data, current);
  return changeTender(exchange, "Document", { kind: "edit document", of: holder, document, sent }, ({ tender }) =>
    latestResponse(exchange, tender, holder, document),
  );
}

/** A new version: what makes it of a file, and how it is shown. */
type NewVersion = {
  readonly replaced?: string;
  readonly command: (filed: SubmittedFile) => TenderCommand;
  readonly show: (done: Committed) => HttpResponse;
};

const addVersion = (exchange: DocumentExchange, newVersion: NewVersion): Promise<HttpResponse> =>
  exchange.body ? addFromUpload(exchange, newVersion) : addFromForm(exchange, newVersion);

/** Whoever may not upload is told before a byte of the file is taken. */
function rejectUploader(
  exchange: DocumentExchange,
  { replaced }: NewVersion,
  uploader: Actor,
  registration?: SubmittedFile["registration"],
): HttpResponse | undefined {
  const allowed = checkUpload(exchange.tender!, holderOf(exchange), replaced, uploader, registration);
  return allowed.ok
    ? undefined
    : refusalResponse(allowed.refused, exchange.dialect, registration ? "Registration" : "Document");
}

/** A file whose record is refused leaves nothing behind. The owner token may also come as a field of the form, ahead of the file. */
async function addFromForm(exchange: DocumentExchange, newVersion: NewVersion): Promise<HttpResponse> {
  const { request, ports, actor, idempotency } = exchange;
  // What was done before is told again, whether or not it could be done now.
  const rejectionFor = (uploader: Actor) =>
    idempotency?.hasEarlierResponse ? undefined : rejectUploader(exchange, newVersion, uploader);
  const unreadable = rejectionFor(actor);
  if (unreadable && actor.tokenHash) return unreadable;
  const received = await receiveFile<Actor>(ports, request, {
    key: newId(),
    admit: async (fields) => {
      const uploader = actor.tokenHash ? actor : await withFormToken(actor, fields);
      const rejection = rejectionFor(uploader);
      return rejection ? { refused: rejection } : { who: uploader };
    },
    malformedResponse: unreadable,
  });
  if ("refused" in received) return received.refused;
  const { who: uploader, upload, record } = received;
  const { key, sha256 } = record;
  const idempotencyWithBody = exchange.idempotency?.withBody(
    [upload.title, upload.format, sha256, uploader.tokenHash].join("\n"),
  );
  const command = newVersion.command({ file: uploadedFileOf(upload, record) });
  const write = (options: WriteOptions) => ports.registry.change(exchange.tender!.id, command, uploader, options);
  // If this throws, nobody knows whether the record is durable: the file stays where the sweep at the next start finds it,
  // unless there was no room for the record, when whoever sends it again must not take more and more.
  const { response, isDone } = await attemptWrite(
    { ...exchange, idempotency: idempotencyWithBody },
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

async function withFormToken({ account }: Actor, fields: FormFields): Promise<Actor> {
  await setImmediate();
  return actorOf(account, fields.get("acc_token"));
}

/** What is said, and by whom, is looked at first; then whether the address is one of ours; then the file itself. */
async function addFromUpload(exchange: DocumentExchange, newVersion: NewVersion): Promise<HttpResponse> {
  const { ports, dialect, actor, body } = exchange;
  const registration = dialect.readNew<RegistrationInput>("Registration", body!.data);
  const rejection = rejectUploader(exchange, newVersion, actor, registration);
  if (rejection) return rejection;
  return withUploads(exchange, [registration.fields], ([file], newKeys) => {
    const command = newVersion.command({ file: file!, registration });
    const write = (options: WriteOptions) =>
      ports.registry.change(exchange.tender!.id, command, actor, { ...options, files: newKeys });
    return attemptWrite(exchange, "Registration", write, newVersion.show);
  });
}
