import * as platform from "node:fs/promises";
import type { FileSystem } from "../../src/files/disk.ts";

/** The functions of the platform, of which the n-th that changes something fails. */

export type Fault = {
  readonly code: "EIO" | "ENOSPC";
  /** A write that fails has written half of its bytes before. */
  readonly short?: true;
  /** Whatever follows fails too, also what would tidy up. */
  readonly forGood?: true;
};

export const FAULTS: { readonly [name: string]: Fault } = {
  "that fails": { code: "EIO" },
  "that is done by half": { code: "ENOSPC", short: true },
  "with which the disk is gone": { code: "EIO", short: true, forGood: true },
};

export type FaultyFileSystem = {
  readonly fileSystem: FileSystem;
  readonly arm: (n: number, fault: Fault) => void;
  /** Everything works again. Answers what failed, if it came to that. */
  readonly disarm: () => string | undefined;
};

export function openFaultyFileSystem(): FaultyFileSystem {
  let remaining = Number.POSITIVE_INFINITY;
  let fault: Fault = { code: "EIO" };
  let failed: string | undefined;

  const isDue = (): boolean => {
    remaining -= 1;
    return remaining === 0 || (remaining < 0 && fault.forGood === true);
  };
  const fail = (operation: string): never => {
    failed ??= operation;
    throw Object.assign(new Error(`${fault.code}: made to fail, ${operation}`), { code: fault.code });
  };
  const failing =
    <Given extends unknown[], Result>(operation: string, real: (...args: Given) => Promise<Result>) =>
    async (...args: Given): Promise<Result> =>
      isDue() ? fail(operation) : real(...args);
  const writing =
    <Result>(real: (bytes: Uint8Array, ...more: readonly number[]) => Promise<Result>) =>
    async (content: Uint8Array | string, ...more: readonly number[]): Promise<Result> => {
      const bytes = Buffer.from(content as string);
      if (!isDue()) return real(bytes, ...more);
      if (fault.short) await real(bytes.subarray(0, Math.ceil(bytes.length / 2)), ...more);
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
  };
  return {
    fileSystem,
    arm: (n, armedFault) => {
      [remaining, fault, failed] = [n, armedFault, undefined];
    },
    disarm: () => {
      remaining = Number.POSITIVE_INFINITY;
      return failed;
    },
  };
}
