import type { ShapeName } from "../dialects/newestShapes.ts";
import type { TenderCommand } from "../domain/model/commands.ts";
import type { DomainResult } from "../domain/model/refusals.ts";
import type { Tender } from "../domain/model/tender.ts";
import { isSameJson } from "../domain/values/merge.ts";
import type { Committed, DeferredCommand, Registry, WriteOptions, WriteResult } from "../registry/registry.ts";
import type { Exchange } from "./exchange.ts";
import { type HttpResponse, IDEMPOTENCY_QUOTA_EXCEEDED, PRECONDITION_FAILED, refusalResponse } from "./responses.ts";

/** How a request becomes a command: the registry decides, and the result becomes the response. */

export type RegistryPort = { readonly registry: Registry };

export type AttemptResult = {
  readonly response: HttpResponse;
  /** What was asked for is done, now and by this. */
  readonly isDone: boolean;
};

/** Lets the registry decide, and answers: as `show` presents what was done, or why it was not. */
export async function attemptWrite(
  exchange: Exchange<RegistryPort>,
  shape: ShapeName,
  write: (options: WriteOptions) => Promise<WriteResult>,
  show: (done: Committed) => HttpResponse,
): Promise<AttemptResult> {
  const { dialect, idempotency, isDry, tender } = exchange;
  const responseOf = (decided: DomainResult<Committed>): HttpResponse =>
    decided.ok ? show(decided.value) : refusalResponse(decided.refused, dialect, shape);
  let recordedResponse: HttpResponse | undefined;
  const record: NonNullable<WriteOptions["idempotency"]>["record"] = (decided, at) => {
    recordedResponse = responseOf(decided);
    return idempotency!.record(recordedResponse, at);
  };
  const options: WriteOptions = {
    testClock: tender?.testClock,
    isDryRun: isDry,
    idempotency: idempotency && { ...idempotency, record },
  };
  const result = await writeIfMatched(exchange, (onlyIf) => write({ ...options, precondition: onlyIf }));
  if (result === "moved") return { response: PRECONDITION_FAILED, isDone: false };
  if ("overQuota" in result) return { response: IDEMPOTENCY_QUOTA_EXCEEDED, isDone: false };
  if ("storedResponse" in result) return { response: idempotency!.replay(result.storedResponse), isDone: false };
  return { response: recordedResponse ?? responseOf(result), isDone: result.ok && !isDry };
}

/** As long as others change the tender and not what the client has seen of it, it is asked again: each time somebody has got on. */
async function writeIfMatched(
  exchange: Exchange<RegistryPort>,
  write: (onlyIf: WriteOptions["precondition"]) => Promise<WriteResult>,
): Promise<WriteResult> {
  const { preconditionHolds, ports } = exchange;
  if (!preconditionHolds || !exchange.tender) return write(undefined);
  for (let latest: Tender | undefined = exchange.tender; ; ) {
    const expected: Tender = latest;
    const result = await write((current) => isSameJson(current, expected));
    if (result !== "moved") return result;
    latest = await ports.registry.tender(expected.id);
    if (!latest || !(await preconditionHolds(latest))) return "moved";
  }
}

/** Whatever a request changes, it changes by a command to the tender of its path. */
export async function changeTender(
  exchange: Exchange<RegistryPort>,
  shape: ShapeName,
  command: TenderCommand | DeferredCommand,
  show: (done: Committed) => HttpResponse,
): Promise<HttpResponse> {
  const { ports, tender, actor } = exchange;
  const write = (options: WriteOptions) => ports.registry.change(tender!.id, command, actor, options);
  return (await attemptWrite(exchange, shape, write, show)).response;
}

/** Where the award is that a decision led to, if it led to one. */
export function withAwardLocation(
  { root, tender: before }: Pick<Exchange, "root" | "tender">,
  { tender }: Committed,
  response: HttpResponse,
): HttpResponse {
  const lastAward = tender.awards.at(-1);
  if (!lastAward || tender.awards.length <= before!.awards.length) return response;
  return {
    ...response,
    headers: { ...response.headers, Location: `${root}/tenders/${tender.id}/awards/${lastAward.id}` },
  };
}
