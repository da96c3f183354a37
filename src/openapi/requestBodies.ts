import type { Dialect } from "../dialects/dialects.ts";
import { EXAMPLE_IDS } from "../dialects/shapes/exampleIds.ts";
import type { Problem } from "../domain/model/refusals.ts";
import { PROCEDURES } from "../domain/procedures/index.ts";
import { UNTYPED_PROCEDURE } from "../domain/procedures/names.ts";
import type { Procedure } from "../domain/procedures/procedure.ts";
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
  const isBid = path !== "/tenders";
  const procedures = dialect.procedures.map((name) => PROCEDURES[name]).filter(({ bids }) => !isBid || bids);
  if (dialect.behaviour.plain)
    return { description: procedures.map((procedure) => `Required: ${listRequired(procedure)}.`).join(" ") };
  const [untyped, typed] = [true, false].map((isUntyped) =>
    procedures.filter(({ name }) => (name === UNTYPED_PROCEDURE) === isUntyped),
  );
  const sentences = [...(typed ?? []).map(sentenceFor), ...(untyped ?? []).map(sentenceForUntyped)];
  return { description: sentences.join(" ") };

  function requiredOf(procedure: Procedure): readonly Problem[] {
    const required = isBid ? requiredToBid(procedure) : requiredToPublish(procedure);
    return dialect.renameProblems(isBid ? "Bid" : "Tender", required);
  }

  function listRequired(procedure: Procedure): string {
    return listFieldNames(requiredOf(procedure).map((required) => required.path));
  }

  function sentenceFor(procedure: Procedure): string {
    const isRequired = (name: string) => requiredOf(procedure).some((required) => required.path[0] === name);
    const perLotBid = isBid && isRequired("value") ? " With lots, `lotValues` instead of `value`." : "";
    const perLot = isRequired("minimalStep")
      ? " With lots, `minimalStep` of each lot; the tender's own may be left out."
      : "";
    const purpose = isBid ? "for" : "to publish under";
    return `Required ${purpose} \`${procedure.name}\`: ${listRequired(procedure)}.${perLotBid}${perLot}`;
  }

  function sentenceForUntyped(procedure: Procedure): string {
    return isBid
      ? `Required for a tender without \`procurementMethodType\`: ${listRequired(procedure)}.`
      : `A tender without \`procurementMethodType\` follows the ${procedure.name} procedure: required is ${listRequired(procedure)}.`;
  }
}
