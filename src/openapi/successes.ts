import { required } from "../base/required.ts";
import { EXAMPLE_IDS } from "../dialects/shapes/exampleIds.ts";
import type { Operation } from "../http/route.ts";
import { bodyExamples, type RecordedExample, textExamples } from "./examples.ts";
import { jsonContent, objectSchema, schemaRef } from "./openapiBuilders.ts";
import { pageLink } from "./openapiSchemas.ts";
import { locationHeader, useHeaders } from "./responses.ts";

/** What an operation of a version returns when it succeeds. */

type Success = {
  readonly method: string;
  readonly path: string;
  readonly answers: Operation["response"];
  /** Of schemas in the oldest form. */
  readonly suffix: string;
  /** The schema of the whole page, for the feed and the search. */
  readonly pageSchema: "FeedPage" | "SearchPage" | undefined;
  /** The same address may return a file. */
  readonly mayBeFile: boolean;
  /** The same address may return the releases of a tender. */
  readonly mayBeReleases: boolean;
  readonly examples: readonly RecordedExample[];
};

/** As the summary says it: what was created, or what the response contains. */
const DESCRIPTIONS: { readonly [method: string]: string } = {
  GET: "The object as it is now.",
  PUT: "The new version.",
  PATCH: "The object after the change.",
  DELETE: "The object as it was before it was removed.",
  POST: "The state after the request.",
};

const PAGE_DESCRIPTIONS = { FeedPage: "A page of the feed.", SearchPage: "A page of the results." };

export function successOf(success: Success): object {
  const { method, path, answers, pageSchema, mayBeFile, mayBeReleases, examples } = success;
  if (answers.file) return recordSuccess(examples);
  const { status, many } = answers;
  const created = status === 201;
  const recorded = examples.find((example) => example.status === status && example.location);
  const description = created
    ? "Created."
    : pageSchema
      ? PAGE_DESCRIPTIONS[pageSchema]
      : many
        ? "The list."
        : required(DESCRIPTIONS[method], `the description of ${method}`);
  const body = pageSchema ? schemaRef(pageSchema) : bodyOf(success);
  return {
    description: mayBeReleases ? `${description} With \`opt_schema\`, a release package.` : description,
    headers: {
      ...useHeaders("X-Request-ID", ...(method === "GET" ? (["ETag"] as const) : [])),
      ...(path.startsWith("/auctions") && useHeaders("X-Server-Time")),
      ...(recorded &&
        locationHeader(
          created ? "Address of the new object." : "Address of the award that the request led to, if it led to one.",
          recorded.location,
        )),
    },
    content: {
      ...jsonContent(
        mayBeReleases ? { anyOf: [body, schemaRef("ReleasePackage")] } : body,
        bodyExamples(examples, status),
      ),
      ...(mayBeFile && { "*/*": { schema: { type: "string", format: "binary" }, examples: textExamples(examples) } }),
    },
  };
}

/** A JSON file that is to be taken byte for byte, so that its parts are described in the guide and not here. */
const recordSuccess = (examples: readonly RecordedExample[]): object => ({
  description: "The record. Keep every byte: a replay shows any difference.",
  headers: useHeaders("X-Request-ID", "ETag", "X-Server-Time"),
  content: jsonContent({ type: "object" }, bodyExamples(examples, 200)),
});

function bodyOf({ path, answers, suffix }: Success): object {
  const { shape, orShape, many, access, pages } = answers;
  const named = shape ? schemaRef(shape + suffix) : {};
  const one = orShape ? { anyOf: [named, schemaRef(orShape)] } : named;
  const data = { ...(many ? { type: "array", items: one } : one), description: "The payload." };
  const token = {
    ...schemaRef("Access"),
    description: "The owner token of the object, shown only this once.",
    examples: [{ token: EXAMPLE_IDS.token }],
  };
  const exampleOffset = path.endsWith("/history") ? "2" : `11806110820000000/${EXAMPLE_IDS.tender}`;
  const next = pageLink("Where to go on.", `/api/…${path}`, exampleOffset);
  return objectSchema({ data, ...(access && { access: token }), ...(pages && { next_page: next }) }, [
    "data",
    ...(access ? ["access"] : []),
    ...(pages ? ["next_page"] : []),
  ]);
}

/** With `download`, where the newest versions send the reader on. */
export function fileRedirect(examples: readonly RecordedExample[]): object {
  const recorded = examples.find(({ status }) => status === 302);
  return {
    description: "With `download`: where the file can be read for the next 5 minutes, without a key.",
    headers: {
      ...useHeaders("X-Request-ID"),
      ...locationHeader("Signed address of the document service.", recorded?.location),
    },
  };
}
