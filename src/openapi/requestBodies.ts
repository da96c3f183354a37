import type { Dialect } from "../dialects/dialects.ts";
import { EXAMPLE_IDS } from "../dialects/shapes/exampleIds.ts";
import { PROCEDURES } from "../domain/procedures/index.ts";
import type { ProcedureName } from "../domain/procedures/names.ts";
import { requiredToBid, requiredToPublish } from "../domain/tender/requiredFields.ts";
import type { Operation } from "../http/route.ts";
import { formExamples, type RecordedExample, sentExamples } from "./examples.ts";
import { form, jsonContent, listFieldNames, objectSchema, schemaRef } from "./openapiBuilders.ts";
import { requestSchemaName } from "./openapiSchemas.ts";

/** What an operation of a version takes. */

/** A file may also come by the document service, and be registered by JSON. */
export const registersFiles = (body: Operation["body"], { behaviour }: Dialect): boolean =>
  body === "file" && !behaviour.plain;

export function requestBodyOf(
  method: string,
  path: string,
  { body }: Operation,
  dialect: Dialect,
  examples: readonly RecordedExample[],
): object | undefined {
  if (!body) return undefined;
  return {
    ...requiredFields(method, path, dialect),
    required: true,
    content: contentOf(method, body, dialect, examples),
  };
}

function contentOf(
  method: string,
  body: NonNullable<Operation["body"]>,
  dialect: Dialect,
  examples: readonly RecordedExample[],
): object {
  if (typeof body === "string") {
    const registered = registersFiles(body, dialect) && jsonContent(envelope("Registration"), sentExamples(examples));
    return { ...form(formExamples(examples)), ...registered };
  }
  const name = "data" in body ? body.data : requestSchemaName(dialect, body.json, method);
  return jsonContent(envelope(name), sentExamples(examples));
}

function envelope(name: string): object {
  return {
    type: "object",
    properties: {
      data: { ...schemaRef(name), description: "The payload." },
      access: {
        ...schemaRef("Access"),
        description: "The owner token, if neither the query nor a header has it.",
        examples: [{ token: EXAMPLE_IDS.token }],
      },
      options: {
        ...objectSchema({
          pretty: { type: "boolean", description: "`true` indents the response.", examples: [true] },
        }),
        description: "How the response is written.",
        examples: [{ pretty: true }],
      },
    },
    required: ["data"],
  };
}

/** What must be sent, where a schema cannot say so, because it depends on the procedure. */
function requiredFields(method: string, path: string, dialect: Dialect): { readonly description?: string } {
  if (method !== "POST" || !["/tenders", "/tenders/{tender_id}/bids"].includes(path)) return {};
  const { behaviour } = dialect;
  const isBid = path !== "/tenders";
  const listOf = (name: ProcedureName) => {
    const needed = isBid ? requiredToBid(PROCEDURES[name]) : requiredToPublish(PROCEDURES[name]);
    const named = dialect.renameProblems(isBid ? "Bid" : "Tender", needed);
    return listFieldNames(named.map((one) => one.path));
  };
  const unnamed = isBid
    ? `Required for a tender without \`procurementMethodType\`: ${listOf("basic")}.`
    : `A tender without \`procurementMethodType\` follows the basic procedure: required is ${listOf("basic")}.`;
  const perLot = isBid
    ? " With lots, `lotValues` instead of `value`."
    : " With lots, `minimalStep` of each lot; the tender's own may be left out.";
  const below = `Required ${isBid ? "for" : "to publish under"} \`belowThreshold\`: ${listOf("belowThreshold")}.${perLot}`;
  if (behaviour.plain) return { description: `Required: ${listOf("basic")}.` };
  return { description: behaviour.defaultProcedure === "basic" ? `${below} ${unnamed}` : below };
}
