import { UNVERSIONED_ROUTES } from "../api/unversionedRoutes.ts";
import { IF_MATCH_METHODS } from "../http/ifMatch.ts";
import type { Operation } from "../http/route.ts";
import { UNVERSIONED_SCHEMAS } from "../http/unversionedSchemas.ts";
import {
  errorSchema,
  FORM_CONTENT,
  idDescription,
  jsonContent,
  objectSchema,
  operationId,
  PARAMETERS,
  parameter,
  schemaRef,
} from "./openapiBuilders.ts";

/** What is beside the versions, in OpenAPI 3.1: made from the routes and shapes of the site, and what operators ask. */
export function describeUnversionedApi(): unknown {
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
      ...routePaths(),
      ...HEALTH_PATHS,
    },
    components: {
      schemas: { ...UNVERSIONED_SCHEMAS, Error: errorSchema("flat") },
      responses: { Error: { description: "Why not", content: jsonContent(schemaRef("Error")) } },
      securitySchemes: {
        key: { type: "http", scheme: "basic", description: "The API key is the user name; the password is ignored" },
        bearer: { type: "http", scheme: "bearer", description: "The API key" },
      },
    },
  };
}

const routePaths = () =>
  Object.fromEntries(
    UNVERSIONED_ROUTES.map(({ path, methods }) => [
      path,
      {
        parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
          ...parameter(name!, name === "key" ? "Of the address that was given" : idDescription(name!), "path"),
          required: true,
        })),
        ...Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [
            method.toLowerCase(),
            operationOf(path, method, operation, "GET" in methods && IF_MATCH_METHODS.includes(method)),
          ]),
        ),
      },
    ]),
  );

const ERROR = { $ref: "#/components/responses/Error" };
const KEY_SECURITY = { security: [{ key: [] }, { bearer: [] }] };

/** No rows of the table: they only show, and to whoever asks. */
const HEALTH_PATHS = {
  "/health/live": {
    get: {
      operationId: "get_health_live",
      summary: "Whether the process runs",
      responses: { 200: { description: "It does", content: jsonContent(schemaRef("Health")) }, default: ERROR },
    },
  },
  "/health/ready": {
    get: {
      operationId: "get_health_ready",
      summary: "Whether requests can be served: the store and the files are asked",
      responses: {
        200: { description: "They can", content: jsonContent(schemaRef("Health")) },
        503: { description: "Not now", content: jsonContent(schemaRef("Health")) },
      },
    },
  },
};

function operationOf(
  path: string,
  method: string,
  { summary, body, needsNoKey, response: answers }: Operation,
  isConditional: boolean,
): object {
  const writes = method !== "GET";
  const isIdempotent = writes && method !== "DELETE";
  const requestContent = requestContentOf(body);
  const mayBeAbsent = typeof body === "object" && "mayBeAbsent" in body;
  return {
    operationId: operationId(method, path),
    summary,
    parameters: [
      ...(answers.file ? [] : [parameter("opt_pretty", "Anything but empty or 0 indents the answer")]),
      ...(writes
        ? [parameter("dry_run", "Anything but empty or 0: the answer that it would give, nothing stored")]
        : []),
      ...(isIdempotent
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
    ...((writes && !needsNoKey) || path.startsWith("/webhooks") ? KEY_SECURITY : {}),
    ...(requestContent && { requestBody: { required: !mayBeAbsent, content: requestContent } }),
    responses: {
      [answers.status]: {
        description: answers.file ? "The file" : answers.status === 201 ? "Created" : "Found",
        content: answers.file ? { "*/*": {} } : jsonContent(responseOf(answers)),
      },
      ...(isConditional && { 412: ERROR }),
      default: ERROR,
    },
  };
}

function requestContentOf(body: Operation["body"]): object | undefined {
  if (body === "form") return FORM_CONTENT;
  return typeof body === "object" && "data" in body
    ? jsonContent(objectSchema({ data: schemaRef(body.data) }, ["data"]))
    : undefined;
}

const ADDRESS_DESCRIPTIONS = {
  upload_url: "Where the file is to be sent",
  get_url: "Where it can be read for some minutes",
};

function responseOf({ data, many, secret, pages, address }: Operation["response"]): object {
  const item = data ? schemaRef(data) : {};
  const page = objectSchema(
    { offset: { type: "string" }, path: { type: "string" }, uri: { type: "string", format: "uri" } },
    ["offset", "path", "uri"],
  );
  return objectSchema(
    {
      data: many ? { type: "array", items: item } : item,
      ...(secret && { access: schemaRef("Secret") }),
      ...(pages && { next_page: page }),
      ...(address && { [address]: { type: "string", format: "uri", description: ADDRESS_DESCRIPTIONS[address] } }),
    },
    ["data", ...(secret ? ["access"] : []), ...(pages ? ["next_page"] : []), ...(address ? [address] : [])],
  );
}
