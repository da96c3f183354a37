import type { Config } from "./config.ts";
import { printTender, readTender } from "./dialects/canonical.ts";
import { type Dialect, openDialects, SEGMENTS } from "./dialects/dialects.ts";
import { parseJson } from "./dialects/json.ts";
import type { Instant } from "./domain/time.ts";
import { openDisk } from "./files/disk.ts";
import { openDocumentKeys } from "./http/documentKeys.ts";
import type { Log } from "./http/log.ts";
import { render } from "./http/rendering.ts";
import { type Listening, listen } from "./http/server.ts";
import { publicTender } from "./http/tenders.ts";
import { keepSweeping, openUploads } from "./http/uploads.ts";
import { type Control, controlPath, type Operate, openControl, openOperating, type Words } from "./registry/control.ts";
import { openRegistry } from "./registry/registry.ts";
import { openSqlite } from "./store/sqlite.ts";

export type Running = { readonly url: string; readonly stop: () => Promise<void> };

export type Parts = {
  readonly clock: () => Instant;
  readonly log: Log;
  /** One commit for each change: only for comparison. */
  readonly commitsSingly?: boolean;
};

const ANCHORED_MS = 100;
let anchor = { micros: 0, ms: Number.NEGATIVE_INFINITY };

/** The machine's clock in microseconds. Asking it takes long, so in between the time that has passed is added. */
export function systemClock(): Instant {
  const ms = performance.now();
  if (ms - anchor.ms > ANCHORED_MS) anchor = { micros: Number(Temporal.Now.instant().epochNanoseconds / 1000n), ms };
  return anchor.micros + Math.floor((ms - anchor.ms) * 1000);
}

/** Puts the parts together: the only place that chooses adapters. */
export async function start(config: Config, { clock, log, commitsSingly }: Parts): Promise<Running> {
  const store = openSqlite({ dataDir: config.dataDir, clock, recentBytesMax: config.cacheBytesMax, commitsSingly });
  const files = await openDisk(config.dataDir);
  const swept = await files.sweep(store.knownFiles);
  if (swept.kept + swept.removed > 0) log.info("swept what an earlier stop left over", swept);
  const onTickFailure = (error: unknown) => log.error("a deadline could not be carried out", error);
  const registry = openRegistry({ store, clock, zone: config.zone, sandbox: config.sandbox, onTickFailure });
  const dialects = openDialects({ zone: config.zone, sandbox: config.sandbox, ...config.limits });
  const uploads = openUploads({ files, knownFiles: store.knownFiles, clock });
  const sweeping = await keepSweeping(
    uploads,
    (removed) => log.info("swept uploads that no document named within a day", { removed }),
    (error) => log.error("uploads could not be swept", error),
  );
  let listening: Listening;
  try {
    const documentKeys = await openDocumentKeys(config.dataDir);
    listening = await listen({ config, registry, files, uploads, documentKeys, dialects, clock }, log);
  } catch (error) {
    await sweeping.stop();
    await registry.close();
    throw error;
  }
  const control = await openDoor(
    openOperating({ registry, store, words: wordsOf(config, dialects, clock, listening.url) }),
  );
  const stop = async () => {
    await control?.close();
    await listening.close();
    await sweeping.stop();
    await registry.close();
    log.flush();
  };
  return { url: listening.url, stop };

  /** The service is worth more than the repair: without this door it serves, and says what is missing. */
  async function openDoor(operate: Operate): Promise<Control | undefined> {
    const onFailure = (error: unknown) => log.error("what an operator asked could not be done", error);
    const path = controlPath(config.dataDir);
    return openControl({ path, operate, parse, onFailure }).catch((error) => {
      log.error("operators cannot reach this server by command", error);
      return undefined;
    });
  }
}

/** JSON with every number as exact as it was written. */
function parse(line: string): unknown {
  const parsed = parseJson(line);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.value;
}

export type Aside = { readonly operate: Operate; readonly close: () => Promise<void> };

/** The registry without its server: for operators, where no server runs. */
export function openAside(config: Config, clock: () => Instant): Aside {
  const store = openSqlite({ dataDir: config.dataDir, clock, recentBytesMax: config.cacheBytesMax });
  const { zone, sandbox, host, port } = config;
  // What time cannot carry out is the server's to report; here somebody has come to repair it.
  const registry = openRegistry({ store, clock, zone, sandbox, onTickFailure: () => {} });
  const dialects = openDialects({ zone, sandbox, ...config.limits });
  const words = wordsOf(config, dialects, clock, `http://${host}:${port}`);
  const operate = openOperating({ registry, store, words });
  return { operate, close: registry.close };
}

/** Operators see the newest names: as everyone sees a tender, or as it is kept. */
function wordsOf(
  { zone, sandbox, publicUrl }: Config,
  dialects: ReadonlyMap<string, Dialect>,
  clock: () => Instant,
  url: string,
): Words {
  const newest = dialects.get(SEGMENTS.at(-1)!)!;
  const root = `${publicUrl ?? url}/api/${newest.segment}`;
  return {
    print: ({ tender, revision }) => `{"revision": ${revision}, "tender": ${printTender(tender, zone)}}\n`,
    show: (tender) => {
      const seen = publicTender(tender, { now: clock(), zone, sandbox });
      const json = `{"data":${newest.write("Tender", seen, root)}}`;
      return `${render({ status: 200, json }, { pretty: true })!.content}\n`;
    },
    read: (sent) => readTender(sent, zone),
  };
}
