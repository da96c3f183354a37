import { newId } from "../base/secrets.ts";
import { mayUploadAnywhere } from "../domain/tender/documents.ts";
import type { Files, UploadRecord } from "../files/files.ts";
import { FORBIDDEN, UNAVAILABLE } from "../http/errorResponses.ts";
import type { ErrorRuleId } from "../http/errorRules.ts";
import { type Exchange, requireAccount, requireData, requireParam } from "../http/exchange.ts";
import { findRecordedResponse, recordResponse } from "../http/idempotency.ts";
import { errorResponse, type HttpResponse, singleErrorResponse } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { FORM_BYTES_MAX, type ReceivingPorts, receiveFile } from "./fileUpload.ts";
import { checkSignature, type SignedDownloadPorts, serveContent, signedDownloadUrl } from "./signedDownloads.ts";
import { uploadOwner } from "./uploadQuota.ts";

type DocumentServicePorts = SignedDownloadPorts & ReceivingPorts & { readonly files: Files };
type DocumentServiceExchange = Exchange<DocumentServicePorts>;

/**
 * The document service: clients upload files here first, and then attach them to a tender by their signed URLs. An announced upload is
 * not stored: its signed URL contains everything that is checked later.
 */
export const DOCUMENT_SERVICE_ROUTES: readonly Route<DocumentServicePorts>[] = [
  {
    path: "/register",
    methods: {
      POST: {
        summary: "Announce a file",
        body: { data: "AnnouncementSent", noData: "No JSON object could be decoded" },
        response: { status: 201, data: "AnnouncedFile", address: "upload_url" },
        run: announceUpload,
      },
    },
  },
  {
    path: "/upload",
    methods: {
      POST: {
        summary: "Upload a file before its document exists",
        body: "form",
        response: { status: 200, data: "UploadedFile", address: "get_url" },
        run: uploadFile,
      },
    },
  },
  {
    path: "/upload/{key}",
    methods: {
      POST: {
        summary: "Upload an announced file",
        body: "form",
        needsNoKey: true,
        response: { status: 200, data: "UploadedFile", address: "get_url" },
        run: uploadAnnounced,
      },
    },
  },
  {
    path: "/get/{key}",
    methods: {
      GET: {
        summary: "Get a file by its signed address",
        response: { status: 200, file: true, ranges: "by ETag" },
        run: serveContent,
      },
    },
  },
];

const fileUrl = ({ root }: DocumentServiceExchange, action: "get" | "upload", key: string): string =>
  `${root}/${action}/${key}`;

/** The signed URL by which a document is attached to a tender. It proves the hash of the content, but gives no access to it. */
const documentUrl = (exchange: DocumentServiceExchange, key: string, md5: string): string =>
  exchange.ports.documentKeys.signUrl(fileUrl(exchange, "get", key), { for: "document", key, hash: md5 });

function announceUpload(exchange: DocumentServiceExchange): HttpResponse {
  if (!mayUploadAnywhere(exchange.actor)) return FORBIDDEN;
  const { hash: sentHash, ...rest } = requireData(exchange);
  const unknown = Object.keys(rest).map(
    (name) => ({ location: "body", name, description: "Rogue field", rule: "unknown-field" }) as const,
  );
  if (unknown.length > 0) return errorResponse(422, unknown);
  const md5 = md5Of(sentHash);
  if (typeof md5 !== "string") return singleErrorResponse(422, "body", "hash", md5.error, md5.rule);
  const key = newId();
  const hash = `md5:${md5}`;
  const owner = uploadOwner(requireAccount(exchange));
  const address = fileUrl(exchange, "upload", key);
  const upload_url = exchange.ports.documentKeys.signUrl(
    address,
    { for: "upload", key, hash, owner },
    { Hash: hash, Owner: owner },
  );
  return { status: 201, json: JSON.stringify({ data: { url: documentUrl(exchange, key, md5), hash }, upload_url }) };
}

/** The digits of a hash that was sent as `md5:` and 32 hex digits, or what is wrong with it. */
function md5Of(hash: unknown): string | { readonly error: string; readonly rule: ErrorRuleId } {
  if (hash === undefined || hash === null) return { error: "This field is required.", rule: "field-required" };
  const rule = "hash-format";
  const [, algorithm, value = ""] = /^([^:]*):(.*)$/s.exec(String(hash)) ?? [];
  if (typeof hash !== "string" || algorithm !== "md5") return { error: "Hash type is not supported.", rule };
  if (value.length !== 32) return { error: "Hash value is wrong length.", rule };
  return /^[0-9a-f]+$/i.test(value) ? value.toLowerCase() : { error: "Hash value is not hexadecimal.", rule };
}

function uploadFile(exchange: DocumentServiceExchange): Promise<HttpResponse> | HttpResponse {
  if (!mayUploadAnywhere(exchange.actor)) return FORBIDDEN;
  return receiveUpload(exchange, { key: newId(), owner: uploadOwner(requireAccount(exchange)) }, () => undefined);
}

const ALREADY_UPLOADED = singleErrorResponse(403, "url", "key", "Content already uploaded", "already-uploaded");
const WRONG_CHECKSUM = singleErrorResponse(403, "body", "file", "Invalid checksum", "wrong-checksum");

/** Receives an announced file. Anyone with the signed URL may upload to it, but only once and only the file with the announced hash. */
async function uploadAnnounced(exchange: DocumentServiceExchange): Promise<HttpResponse> {
  const { ports, query, idempotency } = exchange;
  const key = requireParam(exchange, "key");
  const hash = query.get("Hash") ?? "";
  const owner = query.get("Owner") ?? "";
  const rejection = checkSignature(exchange, { for: "upload", key, hash, owner });
  if (rejection) return rejection;
  const response = await ports.uploads.receiveExclusively(key, async () => {
    const exists = (await ports.uploads.find(key)) !== undefined;
    if (!exists)
      return receiveUpload(exchange, { key, owner }, ({ md5 }) => (hash === `md5:${md5}` ? undefined : WRONG_CHECKSUM));
    // This may be a retry of the upload that succeeded. Whether it is can only be decided by its content, so it is received anyway.
    return idempotency ? receiveUpload(exchange, { key: newId(), owner }, () => ALREADY_UPLOADED) : ALREADY_UPLOADED;
  });
  return response === "taken" ? UNAVAILABLE : response;
}

const TOO_MANY_UPLOADS = singleErrorResponse(
  403,
  "body",
  "file",
  "Too many uploads are waiting for their documents",
  "too-many-uploads",
);

/** The upload's key, and the account whose quota it counts against. */
type UploadTarget = { readonly key: string; readonly owner: string };

/** Returns an error response if the received file is not accepted. */
type UploadCheck = (uploaded: UploadRecord) => HttpResponse | undefined;

/**
 * Receives a file and stores it under this key until it is attached. Nothing is stored if the quota is used up, if `checkUpload` refuses
 * the file, in a dry run, or if the request is a retry.
 */
async function receiveUpload(
  exchange: DocumentServiceExchange,
  { key, owner }: UploadTarget,
  checkUpload: UploadCheck,
): Promise<HttpResponse> {
  const { ports, request, isDry } = exchange;
  const { quota } = ports.uploads;
  const reserved = reservedBytes(exchange);
  // A retry stores nothing, so it needs no quota.
  const isAdmitted = async () =>
    exchange.idempotency?.hasEarlierResponse ||
    (isDry ? quota.hasRoom(owner, reserved) : quota.reserve(owner, key, reserved));
  const admit = async () => ((await isAdmitted()) ? { uploader: undefined } : { refused: TOO_MANY_UPLOADS });
  const release = () => quota.release(owner, key).catch(() => {});
  const received = await receiveFile(ports, request, { key, admit }).catch(async (error) => {
    await release();
    throw error;
  });
  if ("refused" in received) {
    await release();
    return received.refused;
  }
  const uploaded: UploadRecord = { ...received.record, ...received.upload, at: ports.clock() };
  let sentResponse: HttpResponse | undefined;
  let storedResponse: HttpResponse | undefined;
  try {
    sentResponse = await withIdempotency(exchange, uploaded, async () => {
      const rejection = checkUpload(uploaded);
      if (rejection) return rejection;
      const response = { status: 200, json: JSON.stringify(uploadBody(exchange, key, uploaded)) };
      if (isDry) return response;
      await ports.files.wait(uploaded);
      if (reserved - uploaded.size > FORM_BYTES_MAX) await quota.settle(owner, key, uploaded.size);
      storedResponse = response;
      return response;
    });
    return sentResponse;
  } finally {
    // Removes the file after a failure, so that a retry is not refused as already uploaded; and if a concurrent request with the same
    // idempotency key was first, because the response then names the file of that request.
    if (!storedResponse || sentResponse !== storedResponse) {
      await ports.files.discard(key).catch(() => {});
      await release();
    }
  }
}

/** The quota to reserve: the Content-Length, which includes the form around the file; without one, the maximum size of a file. */
function reservedBytes({ request, ports }: DocumentServiceExchange): number {
  const announced = Number(request.headers["content-length"] ?? Number.NaN);
  return announced >= 0 ? announced : ports.config.limits.fileBytesMax;
}

/** Replays or records the response. This happens here because the content of a form is known only after it has been received. */
async function withIdempotency(
  { ports, idempotency }: DocumentServiceExchange,
  { title, format, sha256 }: UploadRecord,
  make: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  if (!idempotency) return make();
  const idempotencyWithBody = idempotency.withBody([title, format, sha256].join("\n"));
  const recordedResponse = await findRecordedResponse(idempotencyWithBody, ports.registry.keyValues, ports.clock());
  return recordedResponse ?? recordResponse(idempotencyWithBody, ports.registry, await make());
}

function uploadBody(exchange: DocumentServiceExchange, key: string, { md5, title, format }: UploadRecord) {
  const get_url = signedDownloadUrl(exchange.ports, exchange.root, key);
  return { data: { url: documentUrl(exchange, key, md5), hash: `md5:${md5}`, format, title }, get_url };
}
