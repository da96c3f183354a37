import * as platform from "node:fs/promises";
import type { FileSystem } from "../../src/files/disk.ts";

/** How an operation of the file system fails. */
export type Fault = {
  readonly code: "EIO" | "ENOSPC";
  /** A failing write writes half of its bytes first. */
  readonly short?: true;
  /** All later operations fail too, including cleanup. */
  readonly forGood?: true;
};

/** The faults that tests inject, by the end of a test title. */
export const FAULTS: { readonly [name: string]: Fault } = {
  "that fails": { code: "EIO" },
  "that is done by half": { code: "ENOSPC", short: true },
  "with which the disk is gone": { code: "EIO", short: true, forGood: true },
};

/** A file system in which the n-th modifying operation fails. */
export type FaultyFileSystem = {
  readonly fileSystem: FileSystem;
  /** Makes the n-th modifying operation from now on fail. */
  readonly arm: (n: number, fault: Fault) => void;
  /** Makes every file look as if it had been changed this much earlier. */
  readonly age: (ms: number) => void;
  /** Ends the fault. Returns the operation that failed, or undefined if it was not reached. */
  readonly disarm: () => string | undefined;
};

/** Wraps node:fs/promises. */
export function openFaultyFileSystem(): FaultyFileSystem {
  let remaining = Number.POSITIVE_INFINITY;
  let fault: Fault = { code: "EIO" };
  let failed: string | undefined;
  let agedMs = 0;

  const isDue = (): boolean => {
    remaining -= 1;
    return remaining === 0 || (remaining < 0 && fault.forGood === true);
  };
  const fail = (operation: string): never => {
    failed ??= operation;
    throw Object.assign(new Error(`${fault.code}: injected fault, ${operation}`), { code: fault.code });
  };
  const failing =
    <Args extends unknown[], Result>(operation: string, real: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> =>
      isDue() ? fail(operation) : real(...args);
  const writing =
    <Result>(real: (bytes: Uint8Array, ...rest: readonly number[]) => Promise<Result>) =>
    async (content: Uint8Array | string, ...rest: readonly number[]): Promise<Result> => {
      const bytes = Buffer.from(content as string);
      if (!isDue()) return real(bytes, ...rest);
      if (fault.short) await real(bytes.subarray(0, Math.ceil(bytes.length / 2)), ...rest);
      return fail("write");
    };

  function handleOf(real: platform.FileHandle): platform.FileHandle {
    const overrides: { readonly [name: PropertyKey]: unknown } = {
      write: writing((bytes, offset) => real.write(bytes, Math.min(offset ?? 0, bytes.length))),
      writeFile: writing((bytes) => real.writeFile(bytes)),
      sync: failing("fsync", () => real.sync()),
    };
    return new Proxy(real, {
      get(target, name) {
        const found = overrides[name] ?? Reflect.get(target, name);
        return typeof found === "function" && !(name in overrides) ? found.bind(target) : found;
      },
    });
  }

  const open: FileSystem["open"] = async (path, flags, mode) => {
    if (flags !== "r" && isDue()) fail("open");
    return handleOf(await platform.open(path, flags, mode));
  };
  const fileSystem: FileSystem = {
    ...platform,
    open,
    mkdir: failing("mkdir", platform.mkdir as never) as FileSystem["mkdir"],
    rename: failing("rename", platform.rename),
    rm: failing("rm", platform.rm),
    stat: (async (path: string) => {
      const stats = await platform.stat(path);
      return Object.assign(stats, { ctimeMs: stats.ctimeMs - agedMs });
    }) as FileSystem["stat"],
  };
  return {
    fileSystem,
    arm: (n, armedFault) => {
      [remaining, fault, failed] = [n, armedFault, undefined];
    },
    age: (ms) => {
      agedMs = ms;
    },
    disarm: () => {
      remaining = Number.POSITIVE_INFINITY;
      return failed;
    },
  };
}
