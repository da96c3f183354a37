import { MATCHED } from "./matching.ts";
import { ERROR_SCHEMA, FORM, idOf, json, object, operationId, PARAMETERS, parameter, ref } from "./openapiWords.ts";
import type { Operation } from "./route.ts";
import { SITE_SHAPES } from "./siteShapes.ts";
import { SITE_ROUTES } from "./siteTable.ts";

/** What is beside the versions, in OpenAPI 3.1: made from the routes and shapes of the site, and what operators ask. */
export function describeSite(): unknown {
  return {
    openapi: "3.1.0",
    info: {
      title: "Tenderhall, beside the versions",
      version: "site",
      summary: "Test clocks of the sandbox, webhooks, the document service",
      description:
        "Payloads are wrapped in `data`, and errors are as in every version. Test clocks are there in the sandbox only. " +
        "Deliveries of webhooks are signed: `Tenderhall-Signature: t=<seconds>,v1=<hex>`, the HMAC-SHA256 with the webhook's " +
        "secret over `<seconds>.<body>`. For a while after a webhook was given another secret there are several `v1`, one for each.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{}],
    paths: {
      ...pathsOfTable(),
      ...HEALTH_PATHS,
    },
    components: {
      schemas: { ...SITE_SHAPES, Error: ERROR_SCHEMA("flat") },
      responses: { Error: { description: "Why not", content: json(ref("Error")) } },
      securitySchemes: {
        key: { type: "http", scheme: "basic", description: "The API key is the user name; the password is ignored" },
        bearer: { type: "http", scheme: "bearer", description: "The API key" },
      },
    },
  };
}

const pathsOfTable = () =>
  Object.fromEntries(
    SITE_ROUTES.map(({ path, methods }) => [
      path,
      {
        parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
          ...parameter(name!, name === "key" ? "Of the address that was given" : idOf(name!), "path"),
          required: true,
        })),
        ...Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [
            method.toLowerCase(),
            operationOf(path, method, operation, "GET" in methods && MATCHED.includes(method)),
          ]),
        ),
      },
    ]),
  );

const ERROR = { $ref: "#/components/responses/Error" };
const KEY = { security: [{ key: [] }, { bearer: [] }] };

/** No rows of the table: they only show, and to whoever asks. */
const HEALTH_PATHS = {
  "/health/live": {
    get: {
      operationId: "get_health_live",
      summary: "Whether the process runs",
      responses: { 200: { description: "It does", content: json(ref("Health")) }, default: ERROR },
    },
  },
  "/health/ready": {
    get: {
      operationId: "get_health_ready",
      summary: "Whether requests can be served: the store and the files are asked",
      responses: {
        200: { description: "They can", content: json(ref("Health")) },
        503: { description: "Not now", content: json(ref("Health")) },
      },
    },
  },
};

function operationOf(
  path: string,
  method: string,
  { summary, body, needsNoKey, answers }: Operation,
  isConditional: boolean,
): object {
  const writes = method !== "GET";
  const isKept = writes && method !== "DELETE";
  const sent = contentOf(body);
  const mayBeAbsent = typeof body === "object" && "mayBeAbsent" in body;
  return {
    operationId: operationId(method, path),
    summary,
    parameters: [
      ...(answers.file ? [] : [parameter("opt_pretty", "Anything but empty or 0 indents the answer")]),
      ...(writes
        ? [parameter("dry_run", "Anything but empty or 0: the answer that it would give, nothing stored")]
        : []),
      ...(isKept
        ? [parameter("Idempotency-Key", "The same key and request get the same answer for a day", "header")]
        : []),
      ...(writes ? [] : [PARAMETERS["If-None-Match"]]),
      ...(isConditional ? [PARAMETERS["If-Match"]] : []),
      ...(path.endsWith("/deliveries")
        ? [
            parameter("status", "`pending`, `delivered` or `failed`"),
            parameter("limit", "1 to 1000"),
            parameter("offset", "`next_page.offset` of the page before"),
          ]
        : []),
    ],
    ...((writes && !needsNoKey) || path.startsWith("/webhooks") ? KEY : {}),
    ...(sent && { requestBody: { required: !mayBeAbsent, content: sent } }),
    responses: {
      [answers.status]: {
        description: answers.file ? "The file" : answers.status === 201 ? "Created" : "Found",
        content: answers.file ? { "*/*": {} } : json(answerOf(answers)),
      },
      ...(isConditional && { 412: ERROR }),
      default: ERROR,
    },
  };
}

function contentOf(body: Operation["body"]): object | undefined {
  if (body === "form") return FORM;
  return typeof body === "object" && "data" in body ? json(object({ data: ref(body.data) }, ["data"])) : undefined;
}

const ADDRESSES = {
  upload_url: "Where the file is to be sent",
  get_url: "Where it can be read for some minutes",
};

function answerOf({ data, many, secret, pages, address }: Operation["answers"]): object {
  const one = data ? ref(data) : {};
  const page = object(
    { offset: { type: "string" }, path: { type: "string" }, uri: { type: "string", format: "uri" } },
    ["offset", "path", "uri"],
  );
  return object(
    {
      data: many ? { type: "array", items: one } : one,
      ...(secret && { access: ref("Secret") }),
      ...(pages && { next_page: page }),
      ...(address && { [address]: { type: "string", format: "uri", description: ADDRESSES[address] } }),
    },
    ["data", ...(secret ? ["access"] : []), ...(pages ? ["next_page"] : []), ...(address ? [address] : [])],
  );
}
