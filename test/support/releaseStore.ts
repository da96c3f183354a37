import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tender } from "../../src/domain/model/tender.ts";
import { SECOND } from "../../src/domain/values/time.ts";
import { openReleaseMaker, type ReleaseMakerSettings } from "../../src/opendata/releaseMaker.ts";
import { changeOf } from "../../src/registry/tenderChange.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { OWNER, zone } from "./decisions.ts";
import { START } from "./domainCommands.ts";
import { published } from "./scenes.ts";

/** A store without a registry, for what is made from its ledger. */

export type ReleaseStore = {
  readonly store: Store;
  /** Writes the next state of a tender, as a public change. Resolves to the tender as it was written. */
  readonly change: (before: Tender | undefined, after: Tender) => Promise<Tender>;
  readonly close: () => Promise<void>;
};

export async function openReleaseStore(): Promise<ReleaseStore> {
  const dataDir = await mkdtemp(join(tmpdir(), "tenderhall-release-store-"));
  let now = START;
  const clock = () => {
    now += SECOND;
    return now;
  };
  const store = openSqlite({ dataDir, clock, recentBytesMax: 1 << 20 });
  return {
    store,
    change: (before, after) =>
      store.write(after.id, (_current, { at }) => {
        const tender = { ...after, dateModified: at };
        return { result: tender, change: changeOf(before, tender, OWNER, { kind: "edit tender" }, []) };
      }),
    close: async () => {
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A maker that works only when it is asked to. */
export const openTestMaker = (store: ReleaseMakerSettings["store"], settings: Partial<ReleaseMakerSettings> = {}) =>
  openReleaseMaker({
    ...{ store, registry: { onChange: () => () => {} }, viewSettings: { zone, sandbox: true } },
    ...{ isSoleProcess: true, cacheBytesMax: 32 * 1024 * 1024, runsTimer: false },
    onBadRow: (error) => {
      throw error;
    },
    onFailure: (error) => {
      throw error;
    },
    ...settings,
  });

/** A tender with so many items, whose descriptions have the number of its version in them. */
export function tenderWithItems(count: number, version: number, id?: string): Tender {
  const { tender } = published();
  const [item] = tender.items ?? [];
  const items = Array.from({ length: count }, (_, i) => ({
    ...item,
    id: `item-${i}`,
    description: `Послуги шкільних їдалень № ${i}, варіант ${version}`,
  }));
  return { ...tender, ...(id !== undefined && { id }), items };
}
