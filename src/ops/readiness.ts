import type { Files } from "../files/files.ts";
import type { Auctions } from "../registry/auctions.ts";
import type { Registry } from "../registry/registry.ts";
import type { Observability } from "./oversight.ts";

/** Whether requests can be served: of each part whether it works, but not why it does not. */
export type Readiness = {
  readonly status: "ok" | "stopping" | "unavailable";
  readonly store: boolean;
  readonly files: boolean;
  /** Whether stages and plans are on time; undefined if other programs hold auctions. */
  readonly areAuctionsTimely: boolean | undefined;
};

export type ReadinessPorts = {
  readonly registry: Pick<Registry, "ping"> & { readonly auctions: Pick<Auctions, "areBuiltin" | "findDelays"> };
  readonly files: Pick<Files, "ping">;
  readonly observability: Pick<Observability, "isStopping">;
};

const PING_MS_MAX = 2000;

/**
 * Checks all parts. Auctions that are behind do not make a server unavailable: without it they would be even later, and bidders could
 * not reach them.
 */
export async function checkReadiness({ registry, files: storage, observability }: ReadinessPorts): Promise<Readiness> {
  const { auctions } = registry;
  const [store, files, areAuctionsTimely] = await Promise.all([
    isReachable(registry.ping),
    isReachable(storage.ping),
    auctions.areBuiltin ? isReachable(() => checkAuctions(auctions)) : undefined,
  ]);
  const status = observability.isStopping() ? "stopping" : store && files ? "ok" : "unavailable";
  return { status, store, files, areAuctionsTimely };
}

/** Rejects if a stage or a plan is late. */
async function checkAuctions({ findDelays }: Pick<Auctions, "findDelays">): Promise<void> {
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
