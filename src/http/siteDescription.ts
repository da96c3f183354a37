import type { Operation } from "./exchange.ts";
import { MATCHED } from "./matching.ts";
import { ERROR_SCHEMA, idOf, json, object, operationId, PARAMETERS, parameter, ref } from "./openapiWords.ts";
import { SERVICE_PATHS, SERVICE_SCHEMAS } from "./servicePaths.ts";
import { SITE_SHAPES } from "./siteShapes.ts";
import { SITE_ROUTES } from "./siteTable.ts";

/** What is beside the versions, in OpenAPI 3.1: test clocks and webhooks, made from their routes and shapes. */
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
        "secret over `<seconds>.<body>`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{}],
    paths: {
      ...pathsOfTable(),
      ...SERVICE_PATHS,
    },
    components: {
      schemas: { ...SITE_SHAPES, ...SERVICE_SCHEMAS, Error: ERROR_SCHEMA("flat") },
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
          ...parameter(name!, idOf(name!), "path"),
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

function operationOf(
  path: string,
  method: string,
  { summary, body, answers }: Operation,
  isConditional: boolean,
): object {
  const writes = method !== "GET";
  const isKept = writes && method !== "DELETE";
  const sent = typeof body === "object" && "data" in body ? body.data : undefined;
  return {
    operationId: operationId(method, path),
    summary,
    parameters: [
      parameter("opt_pretty", "Anything but empty or 0 indents the answer"),
      ...(writes
        ? [parameter("dry_run", "Anything but empty or 0: the answer that it would give, nothing stored")]
        : []),
      ...(isKept
        ? [parameter("Idempotency-Key", "The same key and request get the same answer for a day", "header")]
        : []),
      ...(isConditional ? [PARAMETERS["If-Match"]] : []),
      ...(path.endsWith("/deliveries")
        ? [
            parameter("status", "`pending`, `delivered` or `failed`"),
            parameter("limit", "1 to 1000"),
            parameter("offset", "`next_page.offset` of the page before"),
          ]
        : []),
    ],
    ...(writes || path.startsWith("/webhooks") ? KEY : {}),
    ...(sent && { requestBody: { required: true, content: json(object({ data: ref(sent) }, ["data"])) } }),
    responses: {
      [answers.status]: { description: answers.status === 201 ? "Created" : "Found", content: json(answerOf(answers)) },
      ...(isConditional && { 412: ERROR }),
      default: ERROR,
    },
  };
}

function answerOf({ data, many, secret, pages }: Operation["answers"]): object {
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
    },
    ["data", ...(secret ? ["access"] : []), ...(pages ? ["next_page"] : [])],
  );
}
