import type { IncomingMessage } from "node:http";
import { checkFormHeaders, FORM_REQUIRED, isForm, mediaTypeOf } from "../documents/fileUpload.ts";
import type { BodyLease } from "../http/bodyBudget.ts";
import type { Exchange } from "../http/exchange.ts";
import { type JsonBody, readJsonBody } from "../http/jsonBody.ts";
import { type HttpResponse, UNSUPPORTED_MEDIA_TYPE } from "../http/responses.ts";
import type { BodyKind, Operation } from "../http/route.ts";
import type { ServicePorts } from "./servicePorts.ts";

/** The body of a request: whether its type is taken, and reading it. Forms with files are read later, by their handlers. */

export const takesForm = ({ body }: Operation<ServicePorts>): boolean => body === "file" || body === "form";

const JSON_MEDIA_TYPE = "application/json";

export type BodyResult = { readonly body?: JsonBody } | { readonly refused: HttpResponse };
export const NO_BODY: BodyResult = {};
export const bodyOf = (received: BodyResult | undefined): JsonBody | undefined =>
  received && "body" in received ? received.body : undefined;

const isJson = ({ headers }: IncomingMessage): boolean =>
  headers["content-type"] === JSON_MEDIA_TYPE || mediaTypeOf(headers["content-type"]) === JSON_MEDIA_TYPE;

/** A file that is with the document service already is registered by JSON; the old versions know no such thing. */
const takesJson = (kind: BodyKind, { dialect }: Exchange<ServicePorts>): boolean =>
  typeof kind === "object" || (kind === "file" && !dialect.behaviour.plain);

const isAbsent = (kind: BodyKind, { request }: Exchange<ServicePorts>): boolean =>
  typeof kind === "object" && "mayBeAbsent" in kind && !announcesBody(request);

/** 415 unless the operation takes a body of this type. */
export function checkContentType(kind: BodyKind, exchange: Exchange<ServicePorts>): HttpResponse | undefined {
  const { request } = exchange;
  if (isAbsent(kind, exchange) || (takesJson(kind, exchange) && isJson(request))) return undefined;
  if (typeof kind === "object") return UNSUPPORTED_MEDIA_TYPE(JSON_MEDIA_TYPE);
  return isForm(request) ? undefined : FORM_REQUIRED;
}

/** Reads a JSON body; of a form, only the headers are checked here. */
export function receiveBody(
  kind: BodyKind,
  exchange: Exchange<ServicePorts>,
  lease: BodyLease,
): Promise<BodyResult> | BodyResult {
  const { request, dialect, ports: service } = exchange;
  if (isAbsent(kind, exchange)) return NO_BODY;
  if (takesJson(kind, exchange) && isJson(request)) {
    const { jsonBytesMax: bytesMax, jsonValuesMax: valuesMax } = service.config.limits;
    const noData = (typeof kind === "object" && "noData" in kind && kind.noData) || dialect.behaviour.noDataMessage;
    return readJsonBody(request, {
      lease,
      bytesMax,
      valuesMax,
      noData,
      ...(kind === "file" && { ifForm: FORM_REQUIRED }),
    });
  }
  const formError = checkFormHeaders(request, service);
  return formError ? { refused: formError } : NO_BODY;
}

const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
