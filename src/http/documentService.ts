import type { IncomingMessage } from "node:http";
import type { Window } from "../domain/refusals.ts";
import { SECOND } from "../domain/time.ts";
import type { UploadRecord } from "../files/files.ts";
import { newId } from "../registry/secrets.ts";
import {
  type Answer,
  dry,
  failure,
  type Location,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  UNAUTHORIZED,
  UNSUPPORTED,
} from "./answers.ts";
import { accountOf, keyOf } from "./auth.ts";
import { readJsonBody } from "./body.ts";
import type { SignatureProblem } from "./documentKeys.ts";
import { download } from "./downloads.ts";
import type { ErrorRuleId } from "./errorRules.ts";
import type { Service } from "./exchange.ts";
import { isDryRun } from "./exchange.ts";
import { keyIn, type Once, openOnce, recordedAnswer, rememberedAnswer } from "./once.ts";
import { mediaTypeOf, receiveFile, refusedForm } from "./receiving.ts";

/**
 * The document service: files come here first, on their own, and become documents when a signed address of theirs is
 * registered with a tender. It keeps nothing of a registration: what was promised is in the signature of its address.
 */

type Asked = {
  readonly service: Service;
  readonly request: IncomingMessage;
  readonly origin: string;
  readonly query: URLSearchParams;
  readonly key: string;
};

type Route = {
  readonly path: RegExp;
  readonly method: "GET" | "POST";
  readonly run: (asked: Asked) => Promise<Answer>;
};

const ROUTES: readonly Route[] = [
  { path: /^\/register$/, method: "POST", run: register },
  { path: /^\/upload$/, method: "POST", run: upload },
  { path: /^\/upload\/([0-9a-f]{32})$/, method: "POST", run: uploadRegistered },
  { path: /^\/get\/([0-9a-f]{32})$/, method: "GET", run: serveContent },
];

/** The answer of the document service, if the path is one of its own. */
export function askDocumentService(
  service: Service,
  request: IncomingMessage,
  origin: string,
  { path, query }: { readonly path: string; readonly query: string },
): Promise<Answer> | undefined {
  for (const route of ROUTES) {
    const matched = route.path.exec(path);
    if (!matched) continue;
    const method = request.method === "HEAD" ? "GET" : request.method;
    if (method !== route.method)
      return Promise.resolve(METHOD_NOT_ALLOWED(route.method === "GET" ? "GET, HEAD" : "POST"));
    return route.run({ service, request, origin, query: new URLSearchParams(query), key: matched[1] ?? newId() });
  }
  return undefined;
}

const refuse = (
  status: 403 | 422,
  location: Location,
  name: string,
  description: string,
  rule: ErrorRuleId,
  window?: Window,
): Answer => failure(status, [{ location, name, description, rule, ...(window && { window }) }]);

const refusedCaller = ({ service, request }: Asked): Answer | undefined =>
  accountOf(request.headers.authorization, service.config.accounts) ? undefined : UNAUTHORIZED;

const addressOf = ({ origin, key }: Asked, what: "get" | "upload"): string => `${origin}/${what}/${key}`;

/** A document is registered with this address: it vouches for the content, and opens nothing. */
const documentUrl = (asked: Asked, md5: string): string =>
  asked.service.documentKeys.signed(addressOf(asked, "get"), [asked.key, md5]);

const NO_DATA = "No JSON object could be decoded";

async function register(asked: Asked): Promise<Answer> {
  const { service, request, key } = asked;
  if (mediaTypeOf(request.headers["content-type"]) !== "application/json") return UNSUPPORTED("application/json");
  const read = await readJsonBody(request, service.config.limits.jsonBytesMax, NO_DATA);
  if ("refused" in read) return read.refused;
  const refused = refusedCaller(asked);
  if (refused) return refused;
  const md5 = md5Of(read.body.data.hash);
  if (typeof md5 !== "string") return refuse(422, "body", "hash", md5.wrong, md5.rule);
  return answeredOnce(asked, read.body.text, async () => {
    const hash = `md5:${md5}`;
    const upload_url = service.documentKeys.signed(addressOf(asked, "upload"), ["upload", key, hash], { Hash: hash });
    return { status: 201, json: JSON.stringify({ data: { url: documentUrl(asked, md5), hash }, upload_url }) };
  });
}

/** Of requests that say by their key that they are the same, the first is carried out and all are given its answer. */
async function answeredOnce(asked: Asked, body: string, make: () => Promise<Answer>): Promise<Answer> {
  const { service, query } = asked;
  const once = onceOf(asked, body);
  if (once && "status" in once) return once;
  if (isDryRun(query)) return dry(await make());
  if (!once) return make();
  const { notes } = service.registry;
  const earlier = await recordedAnswer(once, notes, service.clock());
  return earlier ?? rememberedAnswer(once, notes, service.clock(), await make());
}

/** What makes this request the same as another; an answer, where its key cannot be one. */
function onceOf({ service, request, origin }: Asked, body: string): Once | Answer | undefined {
  const { authorization, "idempotency-key": header } = request.headers;
  const account = accountOf(authorization, service.config.accounts);
  const key = keyIn(header);
  if (typeof key === "object") return key;
  if (!key || !account) return undefined;
  const telling = { origin, zone: service.config.zone };
  const asked = `POST\n${request.url}`;
  return openOnce({ account, apiKey: keyOf(authorization!)!, key, asked, telling }).withBody(body);
}

function md5Of(hash: unknown): string | { readonly wrong: string; readonly rule: ErrorRuleId } {
  if (hash === undefined || hash === null) return { wrong: "This field is required.", rule: "field-required" };
  const rule = "hash-format";
  const [, algorithm, value] = /^([^:]*):(.*)$/s.exec(String(hash)) ?? [];
  if (typeof hash !== "string" || algorithm !== "md5") return { wrong: "Hash type is not supported.", rule };
  if (value!.length !== 32) return { wrong: "Hash value is wrong length.", rule };
  return /^[0-9a-f]+$/i.test(value!) ? value!.toLowerCase() : { wrong: "Hash value is not hexadecimal.", rule };
}

async function upload(asked: Asked): Promise<Answer> {
  return refusedForm(asked.request, asked.service) ?? refusedCaller(asked) ?? receive(asked);
}

/** Whoever has the address may upload to it, once, and nothing but what was registered. */
async function uploadRegistered(asked: Asked): Promise<Answer> {
  const { service, request, query, key } = asked;
  const hash = query.get("Hash") ?? "";
  const refused = refusedForm(request, service) ?? refusedSignature(asked, ["upload", key, hash]);
  if (refused) return refused;
  return service.uploads.inTurn(key, async () => {
    const isThere = (await service.uploads.find(key)) !== undefined;
    if (!isThere) return receive(asked, hash.slice("md5:".length));
    const again = request.headers["idempotency-key"] ? await receiveAgain(asked) : undefined;
    return again ?? refuse(403, "url", "key", "Content already uploaded", "already-uploaded");
  });
}

/** The same may have been sent before by somebody who did not hear the answer. */
async function receiveAgain(asked: Asked): Promise<Answer | undefined> {
  const { service, request } = asked;
  const key = newId();
  const received = await receiveFile(service, request, { key, admit: async () => ({ who: undefined }) });
  if ("refused" in received) return received.refused;
  await service.files.discard(key).catch(() => {});
  const once = onceOf(asked, contentOf({ ...received.record, ...received.upload }));
  return once && !("status" in once) ? recordedAnswer(once, service.registry.notes, service.clock()) : once;
}

async function receive(asked: Asked, md5?: string): Promise<Answer> {
  const { service, request, key } = asked;
  const received = await receiveFile(service, request, { key, admit: async () => ({ who: undefined }) });
  if ("refused" in received) return received.refused;
  if (md5 !== undefined && received.record.md5 !== md5) {
    await service.files.discard(key);
    return refuse(403, "body", "file", "Invalid checksum", "wrong-checksum");
  }
  const uploaded: UploadRecord = { ...received.record, ...received.upload, at: service.clock() };
  const content = contentOf(uploaded);
  let isWaiting = false;
  try {
    return await answeredOnce(asked, content, async () => {
      if (!isDryRun(asked.query)) await service.files.wait(uploaded);
      isWaiting = !isDryRun(asked.query);
      return { status: 200, json: JSON.stringify(uploadShown(asked, uploaded)) };
    });
  } finally {
    // Whoever is told that it failed sends it again, and must not hear that it is there.
    if (!isWaiting) await service.files.discard(key).catch(() => {});
  }
}

const contentOf = ({ title, format, sha256 }: Pick<UploadRecord, "title" | "format" | "sha256">): string =>
  [title, format, sha256].join("\n");

const READABLE_SECONDS = 300;

function uploadShown(asked: Asked, { md5, title, format }: UploadRecord) {
  const { service, key } = asked;
  const expires = String(Math.ceil(service.clock() / SECOND) + READABLE_SECONDS);
  const get_url = service.documentKeys.signed(addressOf(asked, "get"), [key, expires], { Expires: expires });
  return { data: { url: documentUrl(asked, md5), hash: `md5:${md5}`, format, title }, get_url };
}

const SIGNATURE_ANSWERS: { readonly [problem in SignatureProblem]: Answer } = {
  "unknown key": refuse(403, "url", "KeyID", "Key Id does not exist", "bad-signature"),
  "not base64": refuse(403, "url", "Signature", "Signature invalid", "bad-signature"),
  wrong: refuse(403, "url", "Signature", "Signature does not match", "bad-signature"),
};

function refusedSignature({ service, query }: Asked, parts: readonly string[]): Answer | undefined {
  const problem = service.documentKeys.problemWith(query, parts);
  return problem && SIGNATURE_ANSWERS[problem];
}

/** The content itself, to whoever holds an address that was signed for it; one with a time is good until then. */
async function serveContent(asked: Asked): Promise<Answer> {
  const { service, query, key } = asked;
  const expires = query.get("Expires");
  const refused = refusedSignature(asked, expires === null ? [key] : [key, expires]);
  if (refused) return refused;
  const until = expires === null ? undefined : Number(expires) * SECOND;
  if (until !== undefined && !(until >= service.clock()))
    return refuse(403, "url", "Expires", "Request has expired", "link-expired", { until });
  const uploaded = await service.uploads.find(key);
  return uploaded ? download(asked, { ...uploaded, id: key }) : NOT_FOUND("key");
}
