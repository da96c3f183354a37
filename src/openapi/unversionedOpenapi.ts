import { UNVERSIONED_ROUTES } from "../api/unversionedRoutes.ts";
import { EXAMPLE_IDS } from "../dialects/shapes/exampleIds.ts";
import { IF_MATCH_METHODS } from "../http/ifMatch.ts";
import type { Operation } from "../http/route.ts";
import {
  bodyExamples,
  formExamples,
  type NamedExamples,
  type RecordedExample,
  readExamples,
  sentExamples,
  textExamples,
} from "./examples.ts";
import { fileHeaders, rangeParameters, rangeResponses } from "./fileRanges.ts";
import {
  EXAMPLE_ORIGIN,
  errorSchema,
  form,
  jsonContent,
  objectSchema,
  operationId,
  schemaRef,
} from "./openapiBuilders.ts";
import { pageLink } from "./openapiSchemas.ts";
import { describeOperation } from "./operationTexts.ts";
import {
  DELIVERY_PARAMETERS,
  OCDS_PARAMETERS,
  PARAMETERS,
  type Parameter,
  pathParameters,
  SIGNED_PARAMETERS,
} from "./parameters.ts";
import { errorStatusesOf, HEADERS, locationHeader, refusalResponses, useHeaders } from "./responses.ts";
import { SECURITY_SCHEMES } from "./security.ts";
import { tagOf, tagsOf } from "./tags.ts";
import { UNVERSIONED_SCHEMAS } from "./unversionedSchemas.ts";

/** What is beside the versions, in OpenAPI 3.1: made from the routes and shapes of the site, and what operators ask. */
export function describeUnversionedApi(): unknown {
  const { operations: examples, refusals } = readExamples("site");
  const paths = { ...routePaths(examples), ...healthPaths(examples) };
  return {
    openapi: "3.1.0",
    info: {
      title: "Tenderhall, beside the versions",
      version: "site",
      summary: "Test clocks of the sandbox, webhooks, the document service, open data",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{}],
    tags: tagsOf(paths),
    paths,
    components: {
      schemas: { ...UNVERSIONED_SCHEMAS, Error: errorSchema("flat") },
      responses: refusalResponses(refusals),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const DESCRIPTION =
  "Payloads are wrapped in `data`, except for open data, which has the form of its standard; errors are as in every version. Test clocks exist in the sandbox only. " +
  "Deliveries of webhooks are signed: `Tenderhall-Signature: t=<seconds>,v1=<hex>`, the HMAC-SHA256 with the webhook's " +
  "secret over `<seconds>.<body>`. For a while after the secret was rotated there are several `v1`, one for each secret.";

type Examples = { readonly [operation: string]: readonly RecordedExample[] };

const routePaths = (examples: Examples): object =>
  Object.fromEntries(
    UNVERSIONED_ROUTES.map(({ path, methods }) => [
      path,
      {
        parameters: pathParameters(path),
        ...Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [
            method.toLowerCase(),
            operationOf(operation, {
              path,
              method,
              isConditional: "GET" in methods && IF_MATCH_METHODS.includes(method),
              examples: examples[`${method} ${path}`] ?? [],
            }),
          ]),
        ),
      },
    ]),
  );

const KEY_SECURITY = { security: [{ key: [] }, { bearer: [] }] };

const headOf = (method: string, path: string, summary: string) => ({
  operationId: operationId(method, path),
  tags: [tagOf(method, path)],
  summary,
  description: describeOperation(method, path),
});

/** No rows of the table: they only show, and to whoever asks. */
function healthPaths(examples: Examples): object {
  const health = (description: string, named?: NamedExamples) => ({
    description,
    headers: useHeaders("X-Request-ID"),
    content: jsonContent(schemaRef("Health"), named),
  });
  const recorded = (path: string) => bodyExamples(examples[`GET ${path}`] ?? [], 200);
  return {
    "/health/live": {
      get: {
        ...headOf("GET", "/health/live", "Check that the process runs"),
        responses: { 200: health("It runs.", recorded("/health/live")), ...errorStatusesOf([]) },
      },
    },
    "/health/ready": {
      get: {
        ...headOf("GET", "/health/ready", "Check that requests can be served"),
        responses: { 200: health("They can.", recorded("/health/ready")), 503: health("Not now.", NOT_READY) },
      },
    },
  };
}

const NOT_READY: NamedExamples = {
  stopping: {
    summary: "The process was told to stop",
    value: { status: "stopping", checks: { store: "ok", files: "ok" } },
  },
};

type Place = {
  readonly path: string;
  readonly method: string;
  /** The request may depend on what GET returns. */
  readonly isConditional: boolean;
  readonly examples: readonly RecordedExample[];
};

function operationOf({ summary, body, needsNoKey, response: answers }: Operation, place: Place): object {
  const { path, method, isConditional, examples } = place;
  const writes = method !== "GET";
  const content = requestContentOf(body, examples);
  const mayBeAbsent = typeof body === "object" && "mayBeAbsent" in body;
  const isOpenData = path.startsWith("/ocds/");
  const needsKey = (writes && !needsNoKey) || path.startsWith("/webhooks");
  return {
    ...headOf(method, path, summary),
    parameters: parametersOf(place, answers),
    ...(needsKey && KEY_SECURITY),
    ...(content && { requestBody: { required: !mayBeAbsent, content } }),
    responses: {
      [answers.status]: successOf(answers, examples, writes),
      ...(answers.ranges && rangeResponses(answers.ranges)),
      ...errorStatusesOf([
        ...(needsKey ? [401] : []),
        ...(needsKey || SIGNED_PARAMETERS[path] ? [403] : []),
        ...(path.includes("{") || isOpenData ? [404] : []),
        ...(body ? [413, 415, 422] : isOpenData ? [422] : []),
        ...(isConditional ? [412] : []),
      ]),
    },
  };
}

function parametersOf(
  { path, method, isConditional }: Place,
  { file: isFile, ranges }: Operation["response"],
): readonly Parameter[] {
  const writes = method !== "GET";
  return [
    ...(isFile ? [] : [PARAMETERS.opt_pretty]),
    ...(writes ? [PARAMETERS.dry_run] : [PARAMETERS["If-None-Match"]]),
    ...(ranges ? rangeParameters(ranges) : []),
    ...(writes && method !== "DELETE" ? [PARAMETERS["Idempotency-Key"]] : []),
    ...(isConditional ? [PARAMETERS["If-Match"]] : []),
    ...(path.endsWith("/deliveries") ? DELIVERY_PARAMETERS : []),
    ...(SIGNED_PARAMETERS[path] ?? []),
    ...(OCDS_PARAMETERS[path] ?? []),
  ];
}

function requestContentOf(body: Operation["body"], examples: readonly RecordedExample[]): object | undefined {
  if (body === "form") return form(formExamples(examples));
  if (typeof body !== "object" || !("data" in body)) return undefined;
  const data = { ...schemaRef(body.data), description: "The payload." };
  return jsonContent(objectSchema({ data }, ["data"]), sentExamples(examples));
}

function successOf(answers: Operation["response"], examples: readonly RecordedExample[], writes: boolean): object {
  const { status, many, file, ranges } = answers;
  const location = examples.find((example) => example.location)?.location;
  const description = file ? "The file." : status === 201 ? "Created." : many ? "The list." : "The object.";
  return {
    description,
    headers: {
      ...useHeaders("X-Request-ID", ...(writes ? [] : (["ETag"] as const))),
      ...(ranges && fileHeaders(ranges)),
      ...(location && locationHeader("Address of the new object.", location)),
    },
    content: file
      ? { "*/*": { schema: { type: "string", format: "binary" }, examples: textExamples(examples) } }
      : jsonContent(bodyOf(answers), bodyExamples(examples, status)),
  };
}

const ADDRESS_DESCRIPTIONS = {
  upload_url: {
    description: "Signed address to send the file to, by POST, without a key. It works once.",
    example: `${EXAMPLE_ORIGIN}/upload/${EXAMPLE_IDS.documentKey}?Signature=…&KeyID=a8968c46`,
  },
  get_url: {
    description: "Signed address at which the file can be read for 5 minutes, without a key.",
    example: `${EXAMPLE_ORIGIN}/get/${EXAMPLE_IDS.documentKey}?Signature=…&KeyID=a8968c46&Expires=1794817200`,
  },
};

function bodyOf({ data, many, secret, pages, address, isBare }: Operation["response"]): object {
  if (data && isBare) return schemaRef(data);
  const one = data ? schemaRef(data) : {};
  const payload = { ...(many ? { type: "array", items: one } : one), description: "The payload." };
  const page = pageLink(
    "Where to go on.",
    `/webhooks/${EXAMPLE_IDS.webhook}/deliveries`,
    `1794816000123456-${EXAMPLE_IDS.tender}`,
  );
  const shown = address && ADDRESS_DESCRIPTIONS[address];
  return objectSchema(
    {
      data: payload,
      ...(secret && { access: ACCESS_SECRET }),
      ...(pages && { next_page: page }),
      ...(shown && {
        [address]: { type: "string", format: "uri", description: shown.description, examples: [shown.example] },
      }),
    },
    ["data", ...(secret ? ["access"] : []), ...(pages ? ["next_page"] : []), ...(address ? [address] : [])],
  );
}

const ACCESS_SECRET = {
  ...schemaRef("Secret"),
  description: "The secret of the webhook, shown only this once.",
  examples: [{ secret: "2f7c1e9b8a6d4c3f5e0b1a2d3c4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60" }],
};
