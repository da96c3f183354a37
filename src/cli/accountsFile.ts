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
import { errorCode, errorMessage } from "../base/errors.ts";

const OWNER_ONLY_MODE = 0o600;
const WAIT_MS = 50;
const WAIT_MS_MAX = 5000;
/** Writing takes milliseconds, so an older lock file was left by a process that was killed. */
const ABANDONED_MS = 10_000;

/** The accounts in a file; none if it does not exist. Throws if it is not a JSON list. */
export function readEntries(file: string): readonly AccountEntry[] {
  if (!existsSync(file)) return [];
  let entries: unknown;
  try {
    entries = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} cannot be read: ${errorMessage(error)}`);
  }
  if (!Array.isArray(entries)) throw new Error(`${file} is not a list of accounts`);
  return entries;
}

/**
 * Replaces the accounts in a file atomically. The new file is created exclusively and serves as the lock too, so that
 * concurrent changes wait for each other. A file that did not exist becomes readable only by its owner.
 */
export async function updateEntries(
  file: string,
  change: (entries: readonly AccountEntry[]) => readonly AccountEntry[],
): Promise<void> {
  // A symbolic link stays, and its target is replaced.
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

/** Keeps owner, group and mode: a server that runs as another user may read the file by its group. */
function copyOwnership(file: string, handle: number): void {
  const current = statSync(file, { throwIfNoEntry: false });
  if (!current) return;
  try {
    fchownSync(handle, current.uid, current.gid);
  } catch (error) {
    // Only root can change the owner. The file then stays readable only by its new owner.
    if (errorCode(error) === "EPERM") return;
    throw error;
  }
  fchmodSync(handle, current.mode & 0o777);
}

async function acquireLockFile(path: string): Promise<number> {
  const deadline = performance.now() + WAIT_MS_MAX;
  for (;;) {
    try {
      return openSync(path, "wx", OWNER_ONLY_MODE);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
      if (isAbandoned(path)) rmSync(path, { force: true });
      else if (performance.now() > deadline)
        throw new Error(`another command is changing the accounts: ${path} exists`);
      else await pause(WAIT_MS);
    }
  }
}

function isAbandoned(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS;
}
