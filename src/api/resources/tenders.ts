import type { Config } from "../../config/config.ts";
import { isInGroup } from "../../domain/model/actors.ts";
import type { TenderCommand, TenderInput } from "../../domain/model/commands.ts";
import { forbidden } from "../../domain/model/refusals.ts";
import type { Tender } from "../../domain/model/tender.ts";
import { PROCEDURES, procedureOf } from "../../domain/procedures/index.ts";
import { absentFieldsIn } from "../../domain/procedures/optionalFields.ts";
import { createdResponse, okResponse, renderShape } from "../../http/dataResponses.ts";
import { BAD_PARAMS, UNKNOWN_TEST_CLOCK } from "../../http/errorResponses.ts";
import { type Exchange, requireData, requireTender, viewContextOf } from "../../http/exchange.ts";
import { refusalResponse } from "../../http/refusalResponse.ts";
import { cachedTenderJson } from "../../http/renderedCache.ts";
import type { HttpResponse } from "../../http/responses.ts";
import { attemptWrite, changeTender, type RegistryPort } from "../../http/runCommand.ts";
import type { OpenDataPorts } from "../../opendata/openData.ts";
import { showTenderReleases } from "../../opendata/tenderReleases.ts";
import type { TestClock } from "../../registry/testClocks.ts";
import { publicTender, scheduleWithLinks } from "../../views/publicTender.ts";
import { credentialsView, viewChangesWithTime } from "../../views/visibility.ts";
import { showTenderAt } from "./tenderHistory.ts";

type TenderExchange = Exchange<RegistryPort & { readonly config: Config }>;
type ParsedTender = TenderInput & { readonly procurementMethodType?: string };

/** The value of `opt_schema` for a tender in the Open Contracting Data Standard. */
const OCDS_SCHEMA = "ocds";
const UNKNOWN_SCHEMA = BAD_PARAMS([{ name: "opt_schema", description: `Value must be ${OCDS_SCHEMA}.` }]);

/** The public tender, or with `at` as it was then. The account of the scheduler gets the schedule of the present, except in the old versions. */
export function showTender(exchange: Exchange<OpenDataPorts>): HttpResponse | Promise<HttpResponse> {
  const tender = requireTender(exchange);
  const { query, dialect } = exchange;
  const schema = query.get("opt_schema");
  if (schema === OCDS_SCHEMA) return showTenderReleases(exchange);
  if (schema && dialect.behaviour.badParameters === "refused") return UNKNOWN_SCHEMA;
  const at = query.get("at");
  if (at !== null) return showTenderAt(exchange, at);
  if (isInGroup(exchange.actor, "chronograph") && !exchange.dialect.behaviour.plain) return showSchedule(exchange);
  const show = () => `{"data":${renderShape(exchange, "Tender", publicTender(tender, viewContextOf(exchange)))}}`;
  if (viewChangesWithTime(tender)) return { status: 200, json: show() };
  const json = cachedTenderJson(exchange.ports, tender, exchange.dialect.segment, exchange.root, show);
  // Without `isFresh`, because a test clock may be moved by another process at any time.
  if (tender.testClock) return { status: 200, json };
  return { status: 200, json, isFresh: exchange.ports.registry.freshnessCheckOf(tender) };
}

/** What a scheduler needs: the times, and how many bids compete, but neither the bidders nor their bids. */
export function showSchedule(exchange: TenderExchange): HttpResponse {
  if (!isInGroup(exchange.actor, "chronograph", "admins"))
    return refusalResponse(forbidden().refused, exchange.dialect, "Tender");
  const schedule = scheduleWithLinks(requireTender(exchange), viewContextOf(exchange));
  return okResponse(exchange, "Schedule", schedule);
}

/** The owner of a tender and the hash of the owner token, for the contracting service. The registry does not have the token itself. */
export function showCredentials(exchange: TenderExchange): HttpResponse {
  const credentials = credentialsView(requireTender(exchange), exchange.actor);
  if (!credentials.ok) return refusalResponse(credentials.refused, exchange.dialect, "Credentials");
  const headers = { "Cache-Control": "no-store" };
  return { ...okResponse(exchange, "Credentials", credentials.value), headers };
}

/** Publishes a tender, on the test clock of X-Test-Clock if the request names one. */
export async function publishTender(exchange: TenderExchange): Promise<HttpResponse> {
  const { dialect, actor, ports } = exchange;
  const data = requireData(exchange);
  const testClock = await testClockOf(exchange);
  if (testClock === "unknown") return UNKNOWN_TEST_CLOCK;
  const { procurementMethodType: procedureType } = data;
  const procedure = dialect.procedureFor(procedureType);
  const absent = procedure === "unknown" ? undefined : absentFieldsIn(PROCEDURES[procedure]);
  const { fields, problems } = dialect.readNew<ParsedTender>("Tender", data, absent);
  const { procurementMethodType: _chosen, ...rest } = fields;
  const publication = { procedure, sent: { fields: rest, problems } };
  const clockedExchange = testClock ? { ...exchange, now: testClock.now } : exchange;
  const { response } = await attemptWrite(
    clockedExchange,
    "Tender",
    (options) => ports.registry.publish(publication, actor, { ...options, testClock: testClock?.id }),
    ({ tender, token }) =>
      createdResponse(
        clockedExchange,
        "Tender",
        publicTender(tender, viewContextOf(clockedExchange)),
        tender.id,
        token,
      ),
  );
  return response;
}

/** An unknown clock is an error: a tender in real time would be a surprise for the client. */
async function testClockOf({ request, ports }: TenderExchange): Promise<TestClock | "unknown" | undefined> {
  const id = request.headers["x-test-clock"];
  if (!id) return undefined;
  const found = ports.config.sandbox ? await ports.registry.clocks.find(String(id)) : undefined;
  return found ?? "unknown";
}

export async function patchTender(exchange: TenderExchange): Promise<HttpResponse> {
  const { dialect } = exchange;
  const data = requireData(exchange);
  const read = (tender: Tender): TenderCommand => {
    const { fields, problems } = dialect.readPatch<ParsedTender>(
      "Tender",
      data,
      tender,
      absentFieldsIn(procedureOf(tender)),
    );
    const { procurementMethodType: _fixed, ...rest } = fields;
    return { kind: "edit tender", sent: { fields: rest, problems } };
  };
  return changeTender(exchange, "Tender", { read }, (committed) =>
    okResponse(exchange, "Tender", publicTender(committed.tender, viewContextOf(exchange))),
  );
}

/** Replaces the owner token; the response contains the new one. */
export async function patchCredentials(exchange: TenderExchange): Promise<HttpResponse> {
  return changeTender(exchange, "Tender", { kind: "renew token" }, ({ tender, token }) => {
    const data = renderShape(exchange, "Tender", publicTender(tender, viewContextOf(exchange)));
    return { status: 200, json: `{"data":${data},"access":{"token":"${token}"}}` };
  });
}
