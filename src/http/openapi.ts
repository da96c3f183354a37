import { type Dialect, OLDEST_BIDS } from "../dialects/dialects.ts";
import type { Shapes } from "../dialects/fields.ts";
import { neededToBid, neededToPublish } from "../domain/needed.ts";
import { PROCEDURES } from "../domain/procedures/index.ts";
import type { ProcedureName } from "../domain/tender.ts";
import { FILTER_PARAMETERS } from "./filterParameters.ts";
import { MATCHED } from "./matching.ts";
import { feedPage, nameOfSent, newShapes, renamed, schemasOf } from "./openapiSchemas.ts";
import {
  ERROR_SCHEMA,
  FORM,
  fieldNames,
  idOf,
  json,
  object,
  operationId,
  PARAMETERS,
  parameter,
  ref,
} from "./openapiWords.ts";
import { type Method, type Operation, type Operations, operationsIn, type Route } from "./route.ts";
import { ROUTES } from "./routes.ts";

/** The API of one version in OpenAPI 3.1, made from the shapes that read requests and write answers, and from the routes. */
export function describeApi(dialect: Dialect, oldest: Dialect): unknown {
  const sent = dialect.sentShapes === dialect.shapes ? {} : renamed(dialect.sentShapes, "Sent");
  const old = speaksNewerBids(dialect) ? renamed(oldest.shapes, "Oldest") : {};
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
        ...schemasOf(used({ ...dialect.shapes, ...newShapes(dialect.shapes), ...sent, ...old }, dialect)),
        FeedPage: feedPage(dialect.shapes),
        ...commonSchemas(dialect),
      },
      responses: { Error: { description: "Why not", content: json(ref("Error")) } },
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
  ROUTES.filter((route) => Object.keys(operationsIn(route, dialect)).length > 0);

/** The shapes that some operation takes or answers, and those inside them: an old version does not know the newer ones. */
function used(shapes: Shapes, dialect: Dialect): Shapes {
  const operations = ROUTES.flatMap((route) => Object.values(operationsIn(route, dialect)));
  const waiting = operations.flatMap(({ body, answers }): string[] => {
    const sent =
      typeof body === "object" && "json" in body
        ? [body.json, nameOfSent(dialect.shapes, body.json, "POST"), `${body.json}Sent`]
        : registers(body, dialect)
          ? ["Registration"]
          : [];
    const { shape = "Entry", orShape = shape } = answersIn({ answers } as Operation, dialect);
    return [...sent, shape, orShape, "BidOldest", "DocumentOldest"];
  });
  const reached = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name) || !shapes[name]) continue;
    reached.add(name);
    waiting.push(...Object.values(shapes[name]!).flatMap(({ of }) => (of ? [of] : [])));
  }
  return Object.fromEntries(Object.entries(shapes).filter(([name]) => reached.has(name)));
}

/** Its own bids are newer than those that it shows under the oldest path. */
const speaksNewerBids = ({ bidPaths }: Dialect): boolean => bidPaths[0] === "bids" && bidPaths.includes(OLDEST_BIDS);

const commonSchemas = ({ manners }: Dialect) => ({
  Access: object({ token: { type: "string" } }, ["token"]),
  Error: ERROR_SCHEMA(manners.errors),
});

const use = (...names: readonly ParameterName[]) => names.map((name) => ({ $ref: `#/components/parameters/${name}` }));

function pathsOf(route: Route, dialect: Dialect): readonly (readonly [string, object])[] {
  const params = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...parameter(name!, idOf(name!), "path"),
    required: true,
  }));
  const names = route.path.includes("/bids") ? dialect.bidPaths : ["bids"];
  return names.map((name) => {
    const path = route.path.replace("/bids", `/${name}`);
    const suffix = name === OLDEST_BIDS && speaksNewerBids(dialect) ? "Oldest" : "";
    const operations = operationsIn(route, dialect);
    const described = Object.entries(operations).map(([method, operation]) => [
      method.toLowerCase(),
      operationOf(path, method, operation, dialect, suffix, conditionsOf(method as Method, operations)),
    ]);
    return [path, { parameters: params, ...Object.fromEntries(described) }];
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
  if (operation.answers.events) return streamOf(path, operation);
  return {
    operationId: operationId(method, path),
    summary: operation.summary,
    parameters: use(
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
      requestBody: { ...neededFor(method, path, dialect), ...requestBodyOf(operation.body, dialect, method) },
    }),
    responses: {
      [operation.answers.status]: answerOf(
        answersIn(operation, dialect),
        suffix,
        isFeed,
        path.endsWith("{document_id}") && !writes,
      ),
      ...(path.endsWith("{document_id}") && !writes && dialect.manners.downloads === "redirected" && { 302: REDIRECT }),
      ...Object.fromEntries(
        refusalsOf(path, operation, writes || operation.needsKey === true, conditions).map((status) => [status, ERROR]),
      ),
      default: ERROR,
    },
  };
}

/** What must be sent, where a schema cannot say so, as it depends on the procedure. */
function neededFor(method: string, path: string, dialect: Dialect): { readonly description?: string } {
  if (method !== "POST" || !["/tenders", "/tenders/{tender_id}/bids"].includes(path)) return {};
  const { manners } = dialect;
  const isBid = path !== "/tenders";
  const listOf = (name: ProcedureName) => {
    const needed = isBid ? neededToBid(PROCEDURES[name]) : neededToPublish(PROCEDURES[name]);
    const named = dialect.named(isBid ? "Bid" : "Tender", needed);
    return fieldNames(named.map((one) => one.path));
  };
  const unnamed = isBid
    ? `Needed for a tender that names no \`procurementMethodType\`: ${listOf("basic")}.`
    : `A tender that names no \`procurementMethodType\` is a plain one: needed is ${listOf("basic")}.`;
  const perLot = isBid
    ? " Where there are lots, `lotValues` instead of `value`."
    : " Where there are lots, `minimalStep` in each of them; the tender's own may be left out.";
  const below = `Needed ${isBid ? "for" : "to publish by"} \`belowThreshold\`: ${listOf("belowThreshold")}.${perLot}`;
  if (manners.plain) return { description: `Needed: ${listOf("basic")}.` };
  return { description: manners.unnamed === "basic" ? `${below} ${unnamed}` : below };
}

type ParameterName = keyof typeof PARAMETERS;
type Conditions = readonly ParameterName[];

/** What a request may say beside what it asks for; only what can be read can be what it was when it was. */
function conditionsOf(method: Method, operations: Operations): Conditions {
  if (method === "GET") return ["If-None-Match"];
  return [
    "dry_run",
    ...(method === "DELETE" ? [] : (["Idempotency-Key"] as const)),
    ...(operations.GET && MATCHED.includes(method) ? (["If-Match"] as const) : []),
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
    parameters: use("offset", "Last-Event-ID", "mode", "opt_fields", ...FILTERS),
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
const refusalsOf = (path: string, { body }: Operation, writes: boolean, conditions: Conditions): readonly number[] => [
  ...(writes ? [401, 403] : []),
  404,
  ...(body ? [413, 415, 422] : path === "/tenders" ? [422] : []),
  ...(conditions.includes("If-Match") ? [412] : []),
];

function requestBodyOf(body: NonNullable<Operation["body"]>, dialect: Dialect, method: string): object {
  if (typeof body === "string") {
    const registered = registers(body, dialect) && json(dataOf("Registration"));
    return { required: true, content: { ...FORM, ...registered } };
  }
  if ("data" in body) return { required: true, content: json(object({ data: ref(body.data) }, ["data"])) };
  const isSpokenToo = dialect.sentShapes === dialect.shapes;
  const name = isSpokenToo ? nameOfSent(dialect.shapes, body.json, method) : `${body.json}Sent`;
  return { required: true, content: json(dataOf(name)) };
}

/** A file may also come by the document service, and be registered by JSON. */
const registers = (body: Operation["body"], { manners }: Dialect): boolean => body === "file" && !manners.plain;

function dataOf(name: string): object {
  const access = {
    ...ref("Access"),
    description: "The owner token may come here, if neither the query nor a header has it",
  };
  const properties = { data: ref(name), access, options: object({ pretty: { type: "boolean" } }) };
  return { type: "object", properties, required: ["data"] };
}

/** The scheduler's view is known to the newer versions only. */
const answersIn = ({ answers }: Operation, { manners }: Dialect): Operation["answers"] =>
  manners.plain ? { ...answers, orShape: undefined } : answers;

function answerOf(answers: Operation["answers"], suffix: string, isFeed: boolean, mayBeFile: boolean): object {
  const { status, shape, orShape, many, access } = answers;
  const named = shape ? ref(shape + suffix) : {};
  const one = orShape ? { anyOf: [named, ref(orShape)] } : named;
  const data = many ? { type: "array", items: one } : one;
  const body = object({ data, ...(access && { access: ref("Access") }) }, access ? ["data", "access"] : ["data"]);
  const located = { Location: { description: "Where the new object is", schema: { type: "string", format: "uri" } } };
  return {
    description: status === 201 ? "Created" : "Found",
    ...(status === 201 && { headers: located }),
    content: { ...json(isFeed ? ref("FeedPage") : body), ...(mayBeFile && { "*/*": {} }) },
  };
}

const SERVICE_PATHS = {
  "/health": {
    get: {
      operationId: "get_health",
      summary: "Whether tenders can be read and written",
      responses: {
        200: { description: "Yes", content: json(object({ status: { const: "ok" } }, ["status"])) },
        503: ERROR,
      },
    },
  },
  "/spore": {
    get: {
      operationId: "get_spore",
      summary: "The methods in SPORE form, for old clients",
      responses: { 200: { description: "The description", content: json({ type: "object" }) } },
    },
  },
};
