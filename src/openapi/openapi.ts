import { ROUTES } from "../api/routes.ts";
import { type Dialect, OLDEST_BIDS } from "../dialects/dialects.ts";
import type { Shapes } from "../dialects/fields.ts";
import type { ProcedureName } from "../domain/model/tender.ts";
import { PROCEDURES } from "../domain/procedures/index.ts";
import { requiredToBid, requiredToPublish } from "../domain/requiredFields.ts";
import { FILTER_PARAMETERS } from "../feed/filterParameters.ts";
import { IF_MATCH_METHODS } from "../http/ifMatch.ts";
import {
  type Method,
  type Operation,
  type OperationsByMethod,
  operationsOfVersion,
  type Route,
} from "../http/route.ts";
import {
  errorSchema,
  FORM_CONTENT,
  idDescription,
  jsonContent,
  listFieldNames,
  objectSchema,
  operationId,
  PARAMETERS,
  parameter,
  schemaRef,
} from "./openapiBuilders.ts";
import { creationShapes, feedPageSchema, requestSchemaName, schemasOf, withSuffix } from "./openapiSchemas.ts";

/** The API of one version in OpenAPI 3.1, made from the shapes that read requests and write answers, and from the routes. */
export function describeApi(dialect: Dialect, oldest: Dialect): unknown {
  const sentShapes = dialect.inputShapes === dialect.shapes ? {} : withSuffix(dialect.inputShapes, "Sent");
  const oldestShapes = hasNewerBids(dialect) ? withSuffix(oldest.shapes, "Oldest") : {};
  return {
    openapi: "3.1.0",
    info: {
      title: "Tenderhall",
      version: dialect.segment,
      summary: "A public electronic procurement registry",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `/api/${dialect.segment}` }],
    security: [{}],
    paths: { ...SERVICE_PATHS, ...Object.fromEntries(routesIn(dialect).flatMap((route) => pathsOf(route, dialect))) },
    components: {
      schemas: {
        ...schemasOf(
          usedShapes({ ...dialect.shapes, ...creationShapes(dialect.shapes), ...sentShapes, ...oldestShapes }, dialect),
        ),
        FeedPage: feedPageSchema(dialect.shapes),
        ...commonSchemas(dialect),
      },
      responses: { Error: { description: "Why not", content: jsonContent(schemaRef("Error")) } },
      parameters: PARAMETERS,
      securitySchemes: {
        key: { type: "http", scheme: "basic", description: "The API key is the user name; the password is ignored" },
        bearer: { type: "http", scheme: "bearer", description: "The API key" },
      },
    },
  };
}

const DESCRIPTION =
  "Payloads are wrapped in `data`. Fields marked read-only belong to the service: they are ignored when sent, so that what " +
  "was read may be sent back. A PATCH merges: objects by key, lists by position, `null` clears. Numbers and booleans are " +
  "also understood as text. Errors are always `{status, errors: [{location, name, description, rule, docs}]}`, and where " +
  "time decides `allowedFrom` and `allowedUntil` say when it is allowed.";

const routesIn = (dialect: Dialect): readonly Route[] =>
  ROUTES.filter((route) => Object.keys(operationsOfVersion(route, dialect)).length > 0);

/** The shapes that some operation takes or answers, and those inside them: an old version does not know the newer ones. */
function usedShapes(shapes: Shapes, dialect: Dialect): Shapes {
  const operations = ROUTES.flatMap((route) => Object.values(operationsOfVersion(route, dialect)));
  const pending = operations.flatMap(({ body, response: answers }): string[] => {
    const requestShapes =
      typeof body === "object" && "json" in body
        ? [body.json, requestSchemaName(dialect.shapes, body.json, "POST"), `${body.json}Sent`]
        : acceptsRegistration(body, dialect)
          ? ["Registration"]
          : [];
    const { shape = "Entry", orShape = shape } = responsesIn({ response: answers } as Operation, dialect);
    return [...requestShapes, shape, orShape, "BidOldest", "DocumentOldest"];
  });
  const usedNames = new Set<string>();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (usedNames.has(name) || !shapes[name]) continue;
    usedNames.add(name);
    pending.push(...Object.values(shapes[name]!).flatMap(({ of }) => (of ? [of] : [])));
  }
  return Object.fromEntries(Object.entries(shapes).filter(([name]) => usedNames.has(name)));
}

/** Its own bids are newer than those that it shows under the oldest path. */
const hasNewerBids = ({ bidPaths }: Dialect): boolean => bidPaths[0] === "bids" && bidPaths.includes(OLDEST_BIDS);

const commonSchemas = ({ behaviour }: Dialect) => ({
  Access: objectSchema({ token: { type: "string" } }, ["token"]),
  Error: errorSchema(behaviour.errors),
});

const parameterRefs = (...names: readonly ParameterName[]) =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));

function pathsOf(route: Route, dialect: Dialect): readonly (readonly [string, object])[] {
  const params = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...parameter(name!, idDescription(name!), "path"),
    required: true,
  }));
  const names = route.path.includes("/bids") ? dialect.bidPaths : ["bids"];
  return names.map((name) => {
    const path = route.path.replace("/bids", `/${name}`);
    const suffix = name === OLDEST_BIDS && hasNewerBids(dialect) ? "Oldest" : "";
    const operations = operationsOfVersion(route, dialect);
    const describedOperations = Object.entries(operations).map(([method, operation]) => [
      method.toLowerCase(),
      operationOf(path, method, operation, dialect, suffix, conditionsOf(method as Method, operations)),
    ]);
    return [path, { parameters: params, ...Object.fromEntries(describedOperations) }];
  });
}

function operationOf(
  path: string,
  method: string,
  operation: Operation,
  dialect: Dialect,
  suffix: string,
  conditions: Conditions,
): object {
  const writes = method !== "GET";
  const isFeed = path === "/tenders" && !writes;
  if (operation.response.events) return streamOf(path, operation);
  return {
    operationId: operationId(method, path),
    summary: operation.summary,
    parameters: parameterRefs(
      "opt_pretty",
      "opt_jsonp",
      ...(isFeed ? FEED_PARAMETERS : []),
      ...(path.endsWith("/documents") && !writes ? (["all"] as const) : []),
      ...(path.endsWith("{document_id}") && !writes ? (["download"] as const) : []),
      ...(path === "/tenders" ? [] : (["acc_token", "X-Access-Token"] as const)),
      ...conditions,
      ...(path === "/tenders" && writes ? (["X-Test-Clock"] as const) : []),
    ),
    ...((writes || operation.needsKey) && { security: [{ key: [] }, { bearer: [] }] }),
    ...(operation.body && {
      requestBody: { ...requiredFieldsFor(method, path, dialect), ...requestBodyOf(operation.body, dialect, method) },
    }),
    responses: {
      [operation.response.status]: responseOf(
        responsesIn(operation, dialect),
        suffix,
        isFeed,
        path.endsWith("{document_id}") && !writes,
      ),
      ...(path.endsWith("{document_id}") &&
        !writes &&
        dialect.behaviour.downloads === "redirected" && { 302: REDIRECT }),
      ...Object.fromEntries(
        errorStatusesOf(path, operation, writes || operation.needsKey === true, conditions).map((status) => [
          status,
          ERROR,
        ]),
      ),
      default: ERROR,
    },
  };
}

/** What must be sent, where a schema cannot say so, as it depends on the procedure. */
function requiredFieldsFor(method: string, path: string, dialect: Dialect): { readonly description?: string } {
  if (method !== "POST" || !["/tenders", "/tenders/{tender_id}/bids"].includes(path)) return {};
  const { behaviour } = dialect;
  const isBid = path !== "/tenders";
  const requiredList = (name: ProcedureName) => {
    const required = isBid ? requiredToBid(PROCEDURES[name]) : requiredToPublish(PROCEDURES[name]);
    const named = dialect.renameProblems(isBid ? "Bid" : "Tender", required);
    return listFieldNames(named.map((field) => field.path));
  };
  const withoutType = isBid
    ? `Needed for a tender that names no \`procurementMethodType\`: ${requiredList("basic")}.`
    : `A tender that names no \`procurementMethodType\` is a plain one: needed is ${requiredList("basic")}.`;
  const perLot = isBid
    ? " Where there are lots, `lotValues` instead of `value`."
    : " Where there are lots, `minimalStep` in each of them; the tender's own may be left out.";
  const belowThreshold = `Needed ${isBid ? "for" : "to publish by"} \`belowThreshold\`: ${requiredList("belowThreshold")}.${perLot}`;
  if (behaviour.plain) return { description: `Needed: ${requiredList("basic")}.` };
  return { description: behaviour.defaultProcedure === "basic" ? `${belowThreshold} ${withoutType}` : belowThreshold };
}

type ParameterName = keyof typeof PARAMETERS;
type Conditions = readonly ParameterName[];

/** What a request may say beside what it asks for; only what can be read can be what it was when it was. */
function conditionsOf(method: Method, operations: OperationsByMethod): Conditions {
  if (method === "GET") return ["If-None-Match"];
  return [
    "dry_run",
    ...(method === "DELETE" ? [] : (["Idempotency-Key"] as const)),
    ...(operations.GET && IF_MATCH_METHODS.includes(method) ? (["If-Match"] as const) : []),
  ];
}

const FILTERS = Object.keys(FILTER_PARAMETERS) as (keyof typeof FILTER_PARAMETERS)[];
const FEED_PARAMETERS = ["offset", "limit", "descending", "mode", "feed", "opt_fields", ...FILTERS] as const;

/** Each event has an offset for its `id` and an entry of the feed for its `data`. */
function streamOf(path: string, { summary }: Operation): object {
  const text = { type: "string", contentMediaType: "text/event-stream" };
  return {
    operationId: operationId("GET", path),
    summary,
    description:
      "First what has changed after `offset` or `Last-Event-ID`, or ever, and then every change as it comes, each once and in " +
      "its order. `id` of an event is the offset to go on from, `data` an entry of the feed. A comment comes at least every " +
      "15 seconds. Whoever takes nothing for 30 seconds is cut off, and goes on with `Last-Event-ID`.",
    parameters: parameterRefs("offset", "Last-Event-ID", "mode", "opt_fields", ...FILTERS),
    responses: {
      200: { description: "Events", content: { "text/event-stream": { schema: text } } },
      ...Object.fromEntries([404, 422, 429, 503].map((status) => [status, ERROR])),
      default: ERROR,
    },
  };
}

const REDIRECT = {
  description: "With `download`: where the file is to be had for the next 300 seconds, without a key",
  headers: {
    Location: { description: "A signed address of the document service", schema: { type: "string", format: "uri" } },
  },
};

const ERROR = { $ref: "#/components/responses/Error" };

/** There is no 409: what is decided is decided in the order of commit, so nobody loses a race. */
const errorStatusesOf = (
  path: string,
  { body }: Operation,
  writes: boolean,
  conditions: Conditions,
): readonly number[] => [
  ...(writes ? [401, 403] : []),
  404,
  ...(body ? [413, 415, 422] : path === "/tenders" ? [422] : []),
  ...(conditions.includes("If-Match") ? [412] : []),
];

function requestBodyOf(body: NonNullable<Operation["body"]>, dialect: Dialect, method: string): object {
  if (typeof body === "string") {
    const registration = acceptsRegistration(body, dialect) && jsonContent(dataEnvelope("Registration"));
    return { required: true, content: { ...FORM_CONTENT, ...registration } };
  }
  if ("data" in body)
    return { required: true, content: jsonContent(objectSchema({ data: schemaRef(body.data) }, ["data"])) };
  const hasSameShapes = dialect.inputShapes === dialect.shapes;
  const name = hasSameShapes ? requestSchemaName(dialect.shapes, body.json, method) : `${body.json}Sent`;
  return { required: true, content: jsonContent(dataEnvelope(name)) };
}

/** A file may also come by the document service, and be registered by JSON. */
const acceptsRegistration = (body: Operation["body"], { behaviour }: Dialect): boolean =>
  body === "file" && !behaviour.plain;

function dataEnvelope(name: string): object {
  const access = {
    ...schemaRef("Access"),
    description: "The owner token may come here, if neither the query nor a header has it",
  };
  const properties = { data: schemaRef(name), access, options: objectSchema({ pretty: { type: "boolean" } }) };
  return { type: "object", properties, required: ["data"] };
}

/** The scheduler's view is known to the newer versions only. */
const responsesIn = ({ response: answers }: Operation, { behaviour }: Dialect): Operation["response"] =>
  behaviour.plain ? { ...answers, orShape: undefined } : answers;

function responseOf(answers: Operation["response"], suffix: string, isFeed: boolean, mayBeFile: boolean): object {
  const { status, shape, orShape, many, access } = answers;
  const shapeRef = shape ? schemaRef(shape + suffix) : {};
  const item = orShape ? { anyOf: [shapeRef, schemaRef(orShape)] } : shapeRef;
  const data = many ? { type: "array", items: item } : item;
  const body = objectSchema(
    { data, ...(access && { access: schemaRef("Access") }) },
    access ? ["data", "access"] : ["data"],
  );
  const locationHeader = {
    Location: { description: "Where the new object is", schema: { type: "string", format: "uri" } },
  };
  return {
    description: status === 201 ? "Created" : "Found",
    ...(status === 201 && { headers: locationHeader }),
    content: { ...jsonContent(isFeed ? schemaRef("FeedPage") : body), ...(mayBeFile && { "*/*": {} }) },
  };
}

const SERVICE_PATHS = {
  "/health": {
    get: {
      operationId: "get_health",
      summary: "Whether tenders can be read and written",
      responses: {
        200: { description: "Yes", content: jsonContent(objectSchema({ status: { const: "ok" } }, ["status"])) },
        503: ERROR,
      },
    },
  },
  "/spore": {
    get: {
      operationId: "get_spore",
      summary: "The methods in SPORE form, for old clients",
      responses: { 200: { description: "The description", content: jsonContent({ type: "object" }) } },
    },
  },
};
