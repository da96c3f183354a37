import type { Files } from "../files/files.ts";
import type { HttpResponse } from "../http/responses.ts";
import type { Observability } from "../ops/oversight.ts";
import type { Auctions } from "../registry/auctions.ts";
import type { Registry } from "../registry/registry.ts";

/** Liveness: checks nothing else, a response is enough. */
export const showLiveness = (): HttpResponse => ({ status: 200, json: '{"status":"ok"}' });

const PING_MS_MAX = 2000;

type ReadinessPorts = {
  readonly registry: Pick<Registry, "ping"> & { readonly auctions: Pick<Auctions, "areBuiltin" | "findDelays"> };
  readonly files: Pick<Files, "ping">;
  readonly observability: Pick<Observability, "isStopping">;
};

/**
 * Readiness: whether requests can be served. Names the part that is not ready, but not the reason. Auctions that are behind do not make
 * a server unavailable: without it they would be even later, and bidders could not reach them.
 */
export async function showReadiness({ registry, files, observability }: ReadinessPorts): Promise<HttpResponse> {
  const [store, documents, areAuctionsTimely] = await Promise.all([
    isReachable(registry.ping),
    isReachable(files.ping),
    isReachable(() => checkAuctions(registry.auctions)),
  ]);
  const isStopping = observability.isStopping();
  const status = isStopping ? "stopping" : store && documents ? "ok" : "unavailable";
  const statusOf = (isReady: boolean) => (isReady ? "ok" : "unavailable");
  const auctions = registry.auctions.areBuiltin && { auctions: areAuctionsTimely ? "ok" : "behind" };
  const json = JSON.stringify({ status, checks: { store: statusOf(store), files: statusOf(documents), ...auctions } });
  const headers = { "Cache-Control": "no-store" };
  return status === "ok"
    ? { status: 200, headers, json }
    : { status: 503, headers: { ...headers, "Retry-After": "1" }, json };
}

/** Rejects if a stage or a plan is late. */
async function checkAuctions({ areBuiltin, findDelays }: Pick<Auctions, "areBuiltin" | "findDelays">): Promise<void> {
  if (!areBuiltin) return;
  const { areStagesLate, isPlannerLate } = await findDelays();
  if (areStagesLate || isPlannerLate) throw new Error("auctions are behind");
}

async function isReachable(ping: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, PING_MS_MAX, false);
  });
  const reply = ping().then(
    () => true,
    () => false,
  );
  const isUp = await Promise.race([reply, timeout]);
  clearTimeout(timer);
  return isUp;
}
