import type { Config } from "../config/config.ts";
import type { OpenDataSettings } from "../config/openDataSettings.ts";
import type { Instant } from "../domain/values/time.ts";
import type { RegistryPort } from "../http/runCommand.ts";
import { instantOfRelease, type Store } from "../store/store.ts";
import { openStateReader } from "./bulk/bulkFolder.ts";
import type { BulkState } from "./bulk/bulkState.ts";
import { releasePosition } from "./releaseBatches.ts";
import type { ReleaseMaker } from "./releaseMaker.ts";
import { templatePages } from "./releaseProgress.ts";

/** What publishing open data needs besides the registry. */
export type OpenData = Pick<ReleaseMaker, "position" | "waitFor"> & {
  readonly releases: Store["releases"];
  /** The templates of all stored releases of a tender, in order and page by page. */
  readonly templatePages: (tender: string) => AsyncIterable<readonly string[]>;
  /** The same as a whole. */
  readonly templatesOf: (tender: string) => Promise<readonly string[]>;
  /** The state of the bulk files; undefined until there are any. */
  readonly bulkState: () => Promise<BulkState | undefined>;
  /** The instant of the first release of a tender; undefined if it has none. */
  readonly firstReleaseOf: (tender: string) => Promise<Instant | undefined>;
};

/** What can be read without a server. */
export type StoredReleases = Omit<OpenData, "waitFor" | "bulkState">;

/** The ports of handlers. `openData` is undefined if the registry publishes none. */
export type OpenDataPorts = RegistryPort & { readonly config: Config; readonly openData: OpenData | undefined };

export const openOpenData = (store: Store, { position, waitFor }: ReleaseMaker, bulkFolder: string): OpenData => ({
  ...readStoredReleases(store),
  position,
  waitFor,
  bulkState: openStateReader(bulkFolder),
});

/** Reads of the releases that are stored, also without a server. */
export const readStoredReleases = ({ releases, keyValues }: Store): StoredReleases => ({
  releases,
  position: () => releasePosition(keyValues),
  templatePages: (tender) => templatePages(keyValues, tender),
  templatesOf: async (tender) => (await Array.fromAsync(templatePages(keyValues, tender))).flat(),
  firstReleaseOf: async (tender) => {
    const [first] = await keyValues.list({ kind: "release", where: { tender }, limit: 1 });
    return first && instantOfRelease(first.id);
  },
});

/**
 * A check for responses that are cached: whether the releases that are stored now are still stored, or have not all been made again. Call it
 * before you read them.
 */
export async function openGenerationCheck({ position }: Pick<OpenData, "position">): Promise<() => Promise<boolean>> {
  const { generation } = await position();
  return async () => (await position()).generation === generation;
}

/** Open data with its settings and the origin of a request; undefined if the registry publishes none. */
export type OpenDataPublication = {
  readonly openData: OpenData;
  readonly settings: OpenDataSettings;
  readonly origin: string;
};

/**
 * Waits until releases are made of everything that the feed shows, or for a short time. Returns the position of the feed, and whether
 * the releases are as far as that.
 */
export async function catchUpReleases(
  { registry }: Pick<OpenDataPorts, "registry">,
  openData: OpenData,
): Promise<{ readonly version: Instant; readonly isComplete: boolean }> {
  const version = await registry.catchUp();
  const { at } = await openData.waitFor(version);
  return { version, isComplete: at >= version };
}
