import type { HttpResponse } from "../http/responses.ts";
import { checkReadiness, type ReadinessPorts } from "../ops/readiness.ts";

/** Liveness: checks nothing else, a response is enough. */
export const showLiveness = (): HttpResponse => ({ status: 200, json: '{"status":"ok"}' });

/** Readiness: whether requests can be served. Names the part that is not ready, but not the reason. */
export async function showReadiness(ports: ReadinessPorts): Promise<HttpResponse> {
  const { status, store, files, areAuctionsTimely } = await checkReadiness(ports);
  const statusOf = (isReady: boolean) => (isReady ? "ok" : "unavailable");
  const auctions = areAuctionsTimely !== undefined && { auctions: areAuctionsTimely ? "ok" : "behind" };
  const json = JSON.stringify({ status, checks: { store: statusOf(store), files: statusOf(files), ...auctions } });
  const headers = { "Cache-Control": "no-store" };
  return status === "ok"
    ? { status: 200, headers, json }
    : { status: 503, headers: { ...headers, "Retry-After": "1" }, json };
}
