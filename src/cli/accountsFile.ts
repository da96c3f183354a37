import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { AccountEntry } from "../accounts/accountEntries.ts";

/** The file of accounts, as entries: new ones readable for their owner only, and there whole or as it was. */

const OWNER_ONLY_MODE = 0o600;
const WAIT_MS = 50;
const WAIT_MS_MAX = 5000;
/** Whoever writes takes milliseconds: what is older was left by somebody who was killed. */
const ABANDONED_MS = 10_000;

export function readEntries(file: string): readonly AccountEntry[] {
  if (!existsSync(file)) return [];
  let entries: unknown;
  try {
    entries = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (!Array.isArray(entries)) throw new Error(`${file} does not hold a list of accounts`);
  return entries;
}

/** One at a time: the new file beside the old one, which nobody else can make meanwhile, is the lock too. */
export async function updateEntries(
  file: string,
  change: (entries: readonly AccountEntry[]) => readonly AccountEntry[],
): Promise<void> {
  // What a link leads to is what others read.
  const target = existsSync(file) ? realpathSync(file) : file;
  const lockFile = `${target}.new`;
  const handle = await acquireLockFile(lockFile);
  let isClosed = false;
  try {
    writeFileSync(handle, `${JSON.stringify(change(readEntries(file)), null, 2)}\n`);
    copyOwnership(file, handle);
    fsyncSync(handle);
    closeSync(handle);
    isClosed = true;
    renameSync(lockFile, target);
  } catch (error) {
    if (!isClosed) closeSync(handle);
    rmSync(lockFile, { force: true });
    throw error;
  }
}

/** To whom the file was given before: a server of another user than the operator's may read it by its group. */
function copyOwnership(file: string, handle: number): void {
  const before = statSync(file, { throwIfNoEntry: false });
  if (!before) return;
  try {
    fchownSync(handle, before.uid, before.gid);
  } catch (error) {
    // Only root gives to others; then it stays for its owner alone.
    if ((error as NodeJS.ErrnoException).code === "EPERM") return;
    throw error;
  }
  fchmodSync(handle, before.mode & 0o777);
}

async function acquireLockFile(path: string): Promise<number> {
  const deadline = performance.now() + WAIT_MS_MAX;
  for (;;) {
    try {
      return openSync(path, "wx", OWNER_ONLY_MODE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (isAbandoned(path)) rmSync(path, { force: true });
      else if (performance.now() > deadline)
        throw new Error(`${path} is there: another command is changing the accounts`);
      else await pause(WAIT_MS);
    }
  }
}

function isAbandoned(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS;
}
