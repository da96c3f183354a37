import { ROUTES } from "../api/routes.ts";
import { typedKeys } from "../base/typeGuards.ts";
import { type Dialect, OLDEST_BIDS } from "../dialects/dialects.ts";
import type { DescribedShapes } from "../dialects/fields.ts";
import { EXAMPLE_IDS } from "../dialects/shapes/exampleIds.ts";
import { formatUnix } from "../domain/values/time.ts";
import { FILTER_PARAMETERS } from "../feed/filterParameters.ts";
import { IF_MATCH_METHODS } from "../http/ifMatch.ts";
import { type Operation, type OperationsByMethod, operationsOfVersion, type Route } from "../http/route.ts";
import { SEARCH_PARAMETER_NAMES } from "../indexing/searchParameters.ts";
import { bodyExamples, type RecordedExample, type RecordedExamples, readExamples, textExamples } from "./examples.ts";
import { errorSchema, jsonContent, objectSchema, operationId, schemaRef } from "./openapiBuilders.ts";
import { feedPageSchema, requestSchemaName, requestShapes, schemasOf, withSuffix } from "./openapiSchemas.ts";
import { OPEN_DATA_SCHEMAS } from "./openDataSchemas.ts";
import { describeOperation, summarizeOperation } from "./operationTexts.ts";
import { PARAMETERS, type ParameterName, pathParameters } from "./parameters.ts";
import { registersFiles, requestBodyOf } from "./requestBodies.ts";
import { errorStatusesOf, HEADERS, refusalResponses, useHeaders } from "./responses.ts";
import { searchPageSchema } from "./searchPageSchema.ts";
import { BIDDER_SCHEMES, SECURITY_SCHEMES } from "./security.ts";
import { fileRedirect, successOf } from "./successes.ts";
import { tagOf, tagsOf } from "./tags.ts";

/** The API of one version in OpenAPI 3.1, made from the shapes that read requests and write answers, and from the routes. */
export function describeApi(dialect: Dialect, oldest: Dialect): unknown {
  const oldestShapes = hasNewerBids(dialect) ? withSuffix(oldest.shapes, "Oldest") : {};
  const shapes = { ...dialect.shapes, ...requestShapes(dialect), ...oldestShapes };
  const descriptions = { ...oldest.shapeDescriptions, ...dialect.shapeDescriptions };
  const settings = { shapes, descriptions, segment: dialect.segment };
  const examples = readExamples(dialect.segment);
  const paths = {
    ...servicePaths(dialect, examples),
    ...Object.fromEntries(routesIn(dialect).flatMap((route) => pathsOf(route, dialect, examples))),
  };
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
    tags: tagsOf(paths),
    paths,
    components: {
      schemas: {
        ...schemasOf(usedShapes(shapes, dialect), settings),
        FeedPage: feedPageSchema(settings, exampleOffset(dialect)),
        ...(dialect.behaviour.liveAuctions && { SearchPage: searchPageSchema(settings) }),
        ...(dialect.behaviour.liveAuctions && { ReleasePackage: OPEN_DATA_SCHEMAS.ReleasePackage }),
        Access: ACCESS,
        Error: errorSchema(dialect.behaviour.errors),
      },
      responses: refusalResponses(examples.refusals),
      headers: HEADERS,
      parameters: parametersIn(dialect),
      securitySchemes: { ...SECURITY_SCHEMES, ...(dialect.behaviour.liveAuctions && BIDDER_SCHEMES) },
    },
  };
}

const DESCRIPTION =
  "Payloads are wrapped in `data`. Fields marked read-only belong to the service: they are ignored when sent, so that what " +
  "was read may be sent back. A PATCH merges: objects by key, lists by position, `null` clears. Numbers and booleans are " +
  "also understood as text. Times are ISO 8601 with microseconds; input without an offset is read in the registry's time zone, " +
  "output has its offset. Empty lists and objects are left out. Errors are always " +
  "`{status, errors: [{location, name, description, rule, docs}]}`, and where time decides `allowedFrom` and `allowedUntil` " +
  "say when it is allowed. All examples belong to one story: School 10 buys meals.";

const ACCESS = {
  description: "What proves that you own an object.",
  ...objectSchema(
    {
      token: {
        type: "string",
        description:
          "Owner token, 32 hex digits. It works only together with the key of the account that created the object; the service " +
          "stores its hash, so nobody can find it out later.",
        examples: [EXAMPLE_IDS.token],
      },
    },
    ["token"],
  ),
};

/** The moment at which the tender of the examples was last changed. */
const EXAMPLE_CHANGE = Date.UTC(2026, 10, 23, 8) * 1000;

const exampleOffset = ({ behaviour }: Dialect): string =>
  behaviour.offsets === "unix" ? formatUnix(EXAMPLE_CHANGE) : "2026-11-23T10:00:00+02:00";

/** Old versions number a tender by its id. */
function parametersIn({ behaviour }: Dialect): object {
  const { bid, auction_status, auction_tender, auction_offset, history_offset, ...others } = PARAMETERS;
  const older = Object.fromEntries(Object.entries(others).filter(([name]) => !name.startsWith("search_")));
  const known = behaviour.liveAuctions ? PARAMETERS : older;
  return behaviour.numbers === "day"
    ? known
    : { ...known, tenderID: { ...PARAMETERS.tenderID, example: `UA-${EXAMPLE_IDS.tender}` } };
}

const routesIn = (dialect: Dialect): readonly Route[] =>
  ROUTES.filter((route) => Object.keys(operationsOfVersion(route, dialect)).length > 0);

/** The shapes that some operation takes or answers, and those inside them: an old version does not know the newer ones. */
function usedShapes(shapes: DescribedShapes, dialect: Dialect): ReadonlySet<string> {
  const operations = ROUTES.flatMap((route) => Object.entries(operationsOfVersion(route, dialect)));
  const pending = operations.flatMap(([method, operation]): string[] => {
    const { body } = operation;
    const isJson = typeof body === "object" && "json" in body;
    const sent = isJson
      ? [requestSchemaName(dialect, body.json, method)]
      : registersFiles(body, dialect)
        ? ["Registration"]
        : [];
    const { shape = "Entry", orShape = shape } = responsesIn(operation, dialect);
    return [...sent, shape, orShape, "BidOldest", "DocumentOldest"];
  });
  const usedNames = new Set<string>();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const shape = shapes[name];
    if (usedNames.has(name) || !shape) continue;
    usedNames.add(name);
    pending.push(...Object.values(shape).flatMap(({ of }) => (of ? [of] : [])));
  }
  return usedNames;
}

/** Its own bids are newer than those that it shows under the oldest path. */
const hasNewerBids = ({ bidPaths }: Dialect): boolean => bidPaths[0] === "bids" && bidPaths.includes(OLDEST_BIDS);

const parameterRefs = (...names: readonly ParameterName[]) =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));

function pathsOf(
  route: Route,
  dialect: Dialect,
  { operations: examples }: RecordedExamples,
): readonly (readonly [string, object])[] {
  const names = route.path.includes("/bids") ? dialect.bidPaths : ["bids"];
  return names.map((name) => {
    const path = route.path.replace("/bids", `/${name}`);
    const suffix = name === OLDEST_BIDS && hasNewerBids(dialect) ? "Oldest" : "";
    const operations = operationsOfVersion(route, dialect);
    const describedOperations = Object.entries(operations).map(([method, operation]) => {
      const conditions = conditionsOf(method, operations);
      const recorded = examples[`${method} ${path}`] ?? [];
      const place = { path, method, route: route.path, suffix, conditions, examples: recorded };
      return [method.toLowerCase(), operationOf(operation, dialect, place)];
    });
    return [path, { parameters: pathParameters(path), ...Object.fromEntries(describedOperations) }];
  });
}

type Place = {
  readonly path: string;
  readonly method: string;
  /** The path as the table of routes has it. */
  readonly route: string;
  readonly suffix: string;
  readonly conditions: Conditions;
  readonly examples: readonly RecordedExample[];
};

function operationOf(operation: Operation, dialect: Dialect, place: Place): object {
  const { path, method, route, suffix, conditions, examples } = place;
  const isRead = method === "GET";
  const head = {
    operationId: operationId(method, path),
    tags: [tagOf(method, path)],
    summary: summarizeOperation(method, route, operation.summary, dialect),
    description: describeOperation(method, route, dialect),
  };
  if (operation.response.events) return { ...head, ...streamOf(path, operation, examples) };
  const pageSchema = path === SEARCH_PATH ? "SearchPage" : path === "/tenders" && isRead ? "FeedPage" : undefined;
  const isDocument = path.endsWith("{document_id}") && isRead;
  const isRedirected = dialect.behaviour.downloads === "redirected";
  const needsKey = !isRead || operation.needsKey === true;
  const requestBody = requestBodyOf(method, route, operation, dialect, examples);
  const answers = responsesIn(operation, dialect);
  return {
    ...head,
    parameters: parameterRefs(...parametersOf(path, isRead), ...conditions),
    ...(needsKey && { security: securityOf(operation) }),
    ...(requestBody && { requestBody }),
    responses: {
      [answers.status]: successOf({
        ...{ method, path, answers, suffix, pageSchema, examples },
        mayBeFile: isDocument && !isRedirected,
        mayBeReleases: path === TENDER_PATH && isRead && dialect.behaviour.liveAuctions,
      }),
      ...(isDocument && isRedirected && { 302: fileRedirect(examples) }),
      ...errorStatusesOf(refusedStatuses(path, operation, needsKey, conditions)),
    },
  };
}

/** Bidders need no key: the secret of their link is sent as Bearer, or a browser sends its cookie. */
const securityOf = ({ byBidder }: Operation): readonly object[] => [
  { key: [] },
  { bearer: [] },
  ...(byBidder ? [{ link: [] }, { bidder: [] }] : []),
];

const TENDER_PATH = "/tenders/{tender_id}";
const HISTORY_PATH = `${TENDER_PATH}/history`;
const SEARCH_PATH = "/search";
const SEARCH_PARAMETERS = SEARCH_PARAMETER_NAMES.map((name) => `search_${name}` as const);
const AUCTION_LIST_PARAMETERS = ["auction_offset", "limit", "descending", "auction_status", "auction_tender"] as const;

function parametersOf(path: string, isRead: boolean): readonly ParameterName[] {
  if (path === "/auctions") return ["opt_pretty", "opt_jsonp", ...AUCTION_LIST_PARAMETERS, "mode"];
  if (path === SEARCH_PATH) return ["opt_pretty", "opt_jsonp", ...SEARCH_PARAMETERS, "search_limit", "opt_fields"];
  if (path === HISTORY_PATH) return ["opt_pretty", "opt_jsonp", "history_offset", "limit", "descending"];
  return [
    "opt_pretty",
    "opt_jsonp",
    ...(path === TENDER_PATH && isRead ? (["at"] as const) : []),
    ...(path === "/tenders" && isRead ? FEED_PARAMETERS : []),
    ...(path === "/tenders/{tender_id}" && isRead ? (["opt_schema"] as const) : []),
    ...(path.endsWith("/documents") && isRead ? (["all"] as const) : []),
    ...(path.endsWith("{document_id}") && isRead ? (["download"] as const) : []),
    ...(path === "/tenders" ? [] : (["acc_token", "X-Access-Token"] as const)),
    ...(path.startsWith("/auctions/") ? (["bid"] as const) : []),
    ...(path === "/tenders" && !isRead ? (["X-Test-Clock"] as const) : []),
  ];
}

type Conditions = readonly ParameterName[];

/** What a request may say beside what it asks for; only what can be read can be what it was when it was. */
function conditionsOf(method: string, operations: OperationsByMethod): Conditions {
  if (method === "GET") return ["If-None-Match"];
  return [
    "dry_run",
    ...(method === "DELETE" ? [] : (["Idempotency-Key"] as const)),
    ...(operations.GET && IF_MATCH_METHODS.includes(method) ? (["If-Match"] as const) : []),
  ];
}

const FILTERS = typedKeys(FILTER_PARAMETERS);
const FEED_PARAMETERS = ["offset", "limit", "descending", "mode", "feed", "opt_fields", ...FILTERS] as const;

/** Each event of the feed has an offset for its `id` and an entry of the feed for its `data`. */
function streamOf(path: string, { response }: Operation, examples: readonly RecordedExample[]): object {
  const { shape, orShape } = response;
  const data = [shape, orShape].flatMap((name) => (name ? [schemaRef(name)] : []));
  const schema = {
    type: "string",
    contentMediaType: "text/event-stream",
    ...(orShape && {
      description: "The `data` of each event is JSON of one of these.",
      contentSchema: { anyOf: data },
    }),
  };
  return {
    parameters: path.startsWith("/auctions")
      ? parameterRefs("Last-Event-ID", "bid", "acc_token", "X-Access-Token")
      : parameterRefs("offset", "Last-Event-ID", "mode", "opt_fields", ...FILTERS),
    responses: {
      200: {
        description: "Events, for as long as the reader listens.",
        headers: useHeaders("X-Request-ID", ...(path.startsWith("/auctions") ? (["X-Server-Time"] as const) : [])),
        content: { "text/event-stream": { schema, examples: textExamples(examples) } },
      },
      ...errorStatusesOf(path.startsWith("/auctions") ? [403, 404, 429, 503] : [404, 422, 429, 503]),
    },
  };
}

/** Reads that refuse parameters which make no sense. */
const READS_WITH_CHECKED_PARAMETERS = ["/tenders", TENDER_PATH, HISTORY_PATH, SEARCH_PATH, "/auctions"];

/** There is no 409: what is decided is decided in the order of commit, so nobody loses a race. */
const refusedStatuses = (
  path: string,
  { body, byBidder }: Operation,
  needsKey: boolean,
  conditions: Conditions,
): readonly number[] => [
  ...(needsKey ? [401, 403] : path.startsWith("/auctions/") ? [403] : []),
  404,
  ...(body ? [413, 415, 422] : READS_WITH_CHECKED_PARAMETERS.includes(path) ? [422] : []),
  ...(byBidder ? [429] : []),
  ...(conditions.includes("If-Match") ? [412] : []),
];

/** The scheduler's view is known to the newer versions only. */
const responsesIn = ({ response: answers }: Operation, { behaviour }: Dialect): Operation["response"] =>
  behaviour.plain ? { ...answers, orShape: undefined } : answers;

const HEALTHY = {
  status: { const: "ok", description: "`ok` if tenders can be read and written.", examples: ["ok"] },
};

/** No rows of the table: they only show, and to whoever asks. */
function servicePaths(dialect: Dialect, { operations: examples }: RecordedExamples): object {
  const read = (path: string, summary: string, description: string, schema: object, refused: readonly number[]) => ({
    get: {
      operationId: operationId("GET", path),
      tags: [tagOf("GET", path)],
      summary,
      description: describeOperation("GET", path, dialect),
      responses: {
        200: {
          description,
          headers: useHeaders("X-Request-ID"),
          content: jsonContent(schema, bodyExamples(examples[`GET ${path}`] ?? [], 200)),
        },
        ...errorStatusesOf(refused),
      },
    },
  });
  return {
    "/health": read(
      "/health",
      "Check that tenders can be read and written",
      "They can.",
      objectSchema(HEALTHY, ["status"]),
      [503],
    ),
    "/spore": read("/spore", "List the methods in SPORE format, for old clients", "The list.", { type: "object" }, []),
  };
}
