import { required } from "../base/required.ts";
import type { ShapeName } from "../dialects/newestShapes.ts";
import { bidsToView } from "../domain/bids/bidSelection.ts";
import type { TenderCommand } from "../domain/model/commands.ts";
import type { DomainResult } from "../domain/model/refusals.ts";
import type { Tender } from "../domain/model/tender.ts";
import { isSameJson } from "../domain/values/merge.ts";
import type { DeferredCommand, Registry } from "../registry/registry.ts";
import type { CommittedCommand, WriteOptions, WriteResult } from "../registry/tenderWrites.ts";
import { IDEMPOTENCY_QUOTA_EXCEEDED, PRECONDITION_FAILED } from "./errorResponses.ts";
import { bidOnPath, type Exchange, requireTender } from "./exchange.ts";
import { refusalResponse } from "./refusalResponse.ts";
import type { HttpResponse } from "./responses.ts";

/** Runs commands in the registry and turns the results into responses. */

export type RegistryPort = { readonly registry: Registry };

export type AttemptResult = {
  readonly response: HttpResponse;
  /** Whether this very attempt has made the change: not for a refusal, a dry run or a replayed response. */
  readonly isDone: boolean;
};

/**
 * Runs `write` in the registry, with the precondition and the idempotency record of the request. The response is what `show` returns
 * for the committed change, the refusal in the shape's terms, 412 if the precondition fails, or the recorded response to a retry.
 */
export async function attemptWrite(
  exchange: Exchange<RegistryPort>,
  shape: ShapeName,
  write: (options: WriteOptions) => Promise<WriteResult>,
  show: (committed: CommittedCommand) => HttpResponse,
): Promise<AttemptResult> {
  const { dialect, idempotency, isDry, tender } = exchange;
  const responseOf = (decided: DomainResult<CommittedCommand>): HttpResponse =>
    decided.ok ? show(decided.value) : refusalResponse(decided.refused, dialect, shape);
  let recordedResponse: HttpResponse | undefined;
  const options: WriteOptions = {
    testClock: tender?.testClock,
    isDryRun: isDry,
    idempotency: idempotency && {
      ...idempotency,
      record: (decided, at) => {
        recordedResponse = responseOf(decided);
        return idempotency.record(recordedResponse, at);
      },
    },
  };
  const result = await writeIfMatched(exchange, (precondition) => write({ ...options, precondition }));
  if (result === "moved") return { response: PRECONDITION_FAILED, isDone: false };
  if ("overQuota" in result) return { response: IDEMPOTENCY_QUOTA_EXCEEDED, isDone: false };
  // The registry replays only what was written with an idempotency record.
  if ("storedResponse" in result) return { response: idempotency!.replay(result.storedResponse), isDone: false };
  return { response: recordedResponse ?? responseOf(result), isDone: result.ok && !isDry };
}

/** The id of what a command has created. Other commands have no such id. */
export const createdId = ({ id }: CommittedCommand): string => required(id, "the id of the created object");

/**
 * Retries the write while other requests change the tender without changing what the client has read of it. It ends, because each
 * retry means that another request has made progress.
 */
async function writeIfMatched(
  exchange: Exchange<RegistryPort>,
  write: (precondition: WriteOptions["precondition"]) => Promise<WriteResult>,
): Promise<WriteResult> {
  const { preconditionHolds, ports } = exchange;
  if (!preconditionHolds || !exchange.tender) return write(undefined);
  for (let latest: Tender | undefined = exchange.tender; ; ) {
    const expected: Tender = latest;
    const result = await write((current) => isSameState(current, expected, exchange.params.bid_id));
    if (result !== "moved") return result;
    latest = await ports.registry.tender(expected.id, bidOnPath(exchange.params));
    if (!latest || !(await preconditionHolds(latest))) return "moved";
  }
}

/**
 * Whether the client has read the current state: the same tender with the same bids, as far as its representation is made of them.
 * Without a bid on the path, that is all bids or none. A decision may have been given fewer, so only those are compared: every change
 * of a bid also changes the tender, except while bids are sealed, and in an auction commands are given all of them.
 */
function isSameState(current: Tender, expected: Tender, bidId: string | undefined): boolean {
  if (!isSameJson({ ...current, bids: [] }, { ...expected, bids: [] })) return false;
  const bidIn = ({ bids }: Tender) => bids.find(({ id }) => id === bidId);
  if (bidId !== undefined) return isSameJson(bidIn(current), bidIn(expected));
  if (bidsToView(expected) === "none") return true;
  const expectedBids = new Map(expected.bids.map((bid) => [bid.id, bid]));
  return current.bids.every((bid) => isSameJson(bid, expectedBids.get(bid.id)));
}

/** Runs a command on the tender of the path; see `attemptWrite` for the response. */
export async function changeTender(
  exchange: Exchange<RegistryPort>,
  shape: ShapeName,
  command: TenderCommand | DeferredCommand,
  show: (committed: CommittedCommand) => HttpResponse,
): Promise<HttpResponse> {
  const { ports, actor } = exchange;
  const { id } = requireTender(exchange);
  const write = (options: WriteOptions) => ports.registry.change(id, command, actor, options);
  return (await attemptWrite(exchange, shape, write, show)).response;
}

/** Adds `Location` if the change has created an award. */
export function withAwardLocation(
  exchange: Pick<Exchange, "root" | "tender">,
  { tender }: CommittedCommand,
  response: HttpResponse,
): HttpResponse {
  const lastAward = tender.awards.at(-1);
  if (!lastAward || tender.awards.length <= requireTender(exchange).awards.length) return response;
  const Location = `${exchange.root}/tenders/${tender.id}/awards/${lastAward.id}`;
  return { ...response, headers: { ...response.headers, Location } };
}
