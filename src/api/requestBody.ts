import type { IncomingMessage } from "node:http";
import { checkFormHeaders, FORM_REQUIRED, isForm, mediaTypeOf } from "../documents/fileUpload.ts";
import type { BodyLease } from "../http/bodyBudget.ts";
import { UNSUPPORTED_MEDIA_TYPE } from "../http/errorResponses.ts";
import type { Exchange } from "../http/exchange.ts";
import { type JsonBody, readJsonBody } from "../http/jsonBody.ts";
import type { HttpResponse } from "../http/responses.ts";
import type { BodyKind, Operation } from "../http/route.ts";
import type { ServicePorts } from "./servicePorts.ts";

/** Checks the type of request bodies and reads JSON bodies. Forms with files are read later, by their handlers. */

/** Whether the operation takes a form with a file. */
export const takesForm = ({ body }: Operation<ServicePorts>): boolean => body === "file" || body === "form";

const JSON_MEDIA_TYPE = "application/json";

/** A JSON body, no body (also for a form), or the error response. */
export type BodyResult = { readonly body?: JsonBody } | { readonly refused: HttpResponse };
export const NO_BODY: BodyResult = {};
/** The JSON body, if one was received. */
export const bodyOf = (received: BodyResult | undefined): JsonBody | undefined =>
  received && "body" in received ? received.body : undefined;

const isJson = ({ headers }: IncomingMessage): boolean =>
  headers["content-type"] === JSON_MEDIA_TYPE || mediaTypeOf(headers["content-type"]) === JSON_MEDIA_TYPE;

/** A file that was uploaded to the document service is attached by JSON, except in the old versions. */
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

/** Reads a JSON body within the budget of the lease; of a form, only the headers are checked here. Reads have no lease and no body. */
export function receiveBody(
  kind: BodyKind,
  exchange: Exchange<ServicePorts>,
  lease: BodyLease | undefined,
): Promise<BodyResult> | BodyResult {
  const { request, dialect, ports: service } = exchange;
  if (isAbsent(kind, exchange) || !lease) return NO_BODY;
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
