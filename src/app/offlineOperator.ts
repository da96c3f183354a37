import type { Config } from "../config/config.ts";
import { openDialects } from "../dialects/dialects.ts";
import type { Instant } from "../domain/values/time.ts";
import { openAudit } from "../ops/audit.ts";
import { type OperatorHandler, openOperatorHandler } from "../registry/operatorAccess.ts";
import { openRegistry } from "../registry/registry.ts";
import { openConfiguredStore } from "./adapters.ts";
import { operatorFormatOf, withAudit } from "./operatorSocket.ts";

export type OfflineOperator = { readonly operate: OperatorHandler; readonly close: () => Promise<void> };

/** The operator's handler without a server, for commands while no server runs. */
export async function openOfflineOperator(config: Config, ownClock: () => Instant): Promise<OfflineOperator> {
  const store = await openConfiguredStore(config, { clock: ownClock });
  const { zone, sandbox, sizes: limits, host, port, auctions } = config;
  const registry = openRegistry({
    ...{ store, zone, sandbox, limits, auctions, isServer: false },
    // Only what the operator asks for is changed: servers carry out the rest, and know best when bidders could not reach them.
    runsTimer: false,
    // Failing deadlines are reported by the server; here the operator may be about to repair them.
    onTickFailure: () => {},
  });
  const dialects = openDialects({ zone, sandbox, ...config.limits });
  const format = operatorFormatOf(config, dialects, `http://${host}:${port}`);
  const operate = withAudit(openOperatorHandler({ registry, store, format }), openAudit(config.dataDir));
  const close = async () => {
    await registry.stop();
    await store.close();
  };
  return { operate, close };
}
