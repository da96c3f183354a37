import { newId } from "../base/secrets.ts";
import { mayUploadAnywhere } from "../domain/documents.ts";
import type { Files, UploadRecord } from "../files/files.ts";
import type { ErrorRuleId } from "../http/errorRules.ts";
import type { Exchange } from "../http/exchange.ts";
import { findRecordedResponse, recordResponse } from "../http/idempotency.ts";
import { errorResponse, FORBIDDEN, type HttpResponse, singleErrorResponse, UNAVAILABLE } from "../http/responses.ts";
import type { Route } from "../http/route.ts";
import { FORM_BYTES_MAX, type ReceivingPorts, receiveFile } from "./fileUpload.ts";
import { checkSignature, type SignedDownloadPorts, serveContent, signedDownloadUrl } from "./signedDownloads.ts";
import { uploadOwner } from "./uploadQuota.ts";

type DocumentServicePorts = SignedDownloadPorts & ReceivingPorts & { readonly files: Files };
type DocumentServiceExchange = Exchange<DocumentServicePorts>;

/**
 * The document service: files come here first, on their own, and become documents when a signed address of theirs is
 * registered with a tender. It keeps nothing of a registration: what was promised is in the signature of its address.
 */
export const DOCUMENT_SERVICE_ROUTES: readonly Route<DocumentServicePorts>[] = [
  {
    path: "/register",
    methods: {
      POST: {
        summary: "Announces a file that will be uploaded",
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
        summary: "Uploads a file ahead of its document",
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
        summary: "Uploads a file that was announced, to the address that was given for it",
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
        summary: "A file of the document service, by an address that was signed for it",
        response: { status: 200, file: true },
        run: serveContent,
      },
    },
  },
];

const fileUrl = ({ root }: DocumentServiceExchange, action: "get" | "upload", key: string): string =>
  `${root}/${action}/${key}`;

/** A document is registered with this address: it vouches for the content, and opens nothing. */
const documentUrl = (exchange: DocumentServiceExchange, key: string, md5: string): string =>
  exchange.ports.documentKeys.signUrl(fileUrl(exchange, "get", key), { for: "document", key, hash: md5 });

function announceUpload(exchange: DocumentServiceExchange): HttpResponse {
  if (!mayUploadAnywhere(exchange.actor)) return FORBIDDEN;
  const { hash: sentHash, ...rest } = exchange.body!.data;
  const unknown = Object.keys(rest).map(
    (name) => ({ location: "body", name, description: "Rogue field", rule: "unknown-field" }) as const,
  );
  if (unknown.length > 0) return errorResponse(422, unknown);
  const md5 = md5Of(sentHash);
  if (typeof md5 !== "string") return singleErrorResponse(422, "body", "hash", md5.wrong, md5.rule);
  const key = newId();
  const hash = `md5:${md5}`;
  const owner = uploadOwner(exchange.actor.account!);
  const address = fileUrl(exchange, "upload", key);
  const upload_url = exchange.ports.documentKeys.signUrl(
    address,
    { for: "upload", key, hash, owner },
    { Hash: hash, Owner: owner },
  );
  return { status: 201, json: JSON.stringify({ data: { url: documentUrl(exchange, key, md5), hash }, upload_url }) };
}

function md5Of(hash: unknown): string | { readonly wrong: string; readonly rule: ErrorRuleId } {
  if (hash === undefined || hash === null) return { wrong: "This field is required.", rule: "field-required" };
  const rule = "hash-format";
  const [, algorithm, value] = /^([^:]*):(.*)$/s.exec(String(hash)) ?? [];
  if (typeof hash !== "string" || algorithm !== "md5") return { wrong: "Hash type is not supported.", rule };
  if (value!.length !== 32) return { wrong: "Hash value is wrong length.", rule };
  return /^[0-9a-f]+$/i.test(value!) ? value!.toLowerCase() : { wrong: "Hash value is not hexadecimal.", rule };
}

function uploadFile(exchange: DocumentServiceExchange): Promise<HttpResponse> | HttpResponse {
  if (!mayUploadAnywhere(exchange.actor)) return FORBIDDEN;
  return receiveUpload(exchange, { key: newId(), owner: uploadOwner(exchange.actor.account!) }, () => undefined);
}

const ALREADY_UPLOADED = singleErrorResponse(403, "url", "key", "Content already uploaded", "already-uploaded");
const WRONG_CHECKSUM = singleErrorResponse(403, "body", "file", "Invalid checksum", "wrong-checksum");

/** Whoever has the address may upload to it, once, and nothing but what was registered. */
async function uploadAnnounced(exchange: DocumentServiceExchange): Promise<HttpResponse> {
  const { ports, query, params, once: idempotency } = exchange;
  const key = params.key!;
  const hash = query.get("Hash") ?? "";
  const owner = query.get("Owner") ?? "";
  const rejection = checkSignature(exchange, { for: "upload", key, hash, owner });
  if (rejection) return rejection;
  const response = await ports.uploads.receiveExclusively(key, async () => {
    const exists = (await ports.uploads.find(key)) !== undefined;
    if (!exists)
      return receiveUpload(exchange, { key, owner }, ({ md5 }) => (hash === `md5:${md5}` ? undefined : WRONG_CHECKSUM));
    // The same may have been sent before by somebody who did not hear the answer: whether it is the same, its content says.
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

/** The upload's key, and whose quota it counts against. */
type UploadTarget = { readonly key: string; readonly owner: string };

type UploadCheck = (uploaded: UploadRecord) => HttpResponse | undefined;

/** Takes a file in, to wait for its document under this key, unless its content is refused or was answered before. */
async function receiveUpload(
  exchange: DocumentServiceExchange,
  { key, owner }: UploadTarget,
  checkUpload: UploadCheck,
): Promise<HttpResponse> {
  const { ports, request, isDry } = exchange;
  const { quota } = ports.uploads;
  const reserved = reservedBytes(exchange);
  // Of what was answered before, nothing more will wait.
  const isAdmitted = async () =>
    exchange.once?.hasEarlierResponse || (isDry ? quota.hasRoom(owner, reserved) : quota.reserve(owner, key, reserved));
  const admit = async () => ((await isAdmitted()) ? { who: undefined } : { refused: TOO_MANY_UPLOADS });
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
    // Whoever is told that it failed sends it again, and must not hear that it is there; and who asked the same at once has another.
    if (!storedResponse || sentResponse !== storedResponse) {
      await ports.files.discard(key).catch(() => {});
      await release();
    }
  }
}

/** The size that the headers announce, with the form around the file; the largest there is, where they say nothing. */
function reservedBytes({ request, ports }: DocumentServiceExchange): number {
  const announced = Number(request.headers["content-length"] ?? Number.NaN);
  return announced >= 0 ? announced : ports.config.limits.fileBytesMax;
}

/** What a form holds is known only now that it has come; all that went before was looked for ahead of it. */
async function withIdempotency(
  { ports, once: idempotency }: DocumentServiceExchange,
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
