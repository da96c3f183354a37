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
import type { AccountEntry } from "../registry/accountEntries.ts";

/** The file of accounts, as entries: new ones readable for their owner only, and there whole or as it was. */

const OWN_FILE = 0o600;
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
export async function changeEntries(
  file: string,
  change: (entries: readonly AccountEntry[]) => readonly AccountEntry[],
): Promise<void> {
  // What a link leads to is what others read.
  const place = existsSync(file) ? realpathSync(file) : file;
  const fresh = `${place}.new`;
  const handle = await takeFile(fresh);
  let isClosed = false;
  try {
    writeFileSync(handle, `${JSON.stringify(change(readEntries(file)), null, 2)}\n`);
    giveAs(file, handle);
    fsyncSync(handle);
    closeSync(handle);
    isClosed = true;
    renameSync(fresh, place);
  } catch (error) {
    if (!isClosed) closeSync(handle);
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** To whom the file was given before: a server of another user than the operator's may read it by its group. */
function giveAs(file: string, handle: number): void {
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

async function takeFile(path: string): Promise<number> {
  const end = performance.now() + WAIT_MS_MAX;
  for (;;) {
    try {
      return openSync(path, "wx", OWN_FILE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (isAbandoned(path)) rmSync(path, { force: true });
      else if (performance.now() > end) throw new Error(`${path} is there: another command is changing the accounts`);
      else await pause(WAIT_MS);
    }
  }
}

function isAbandoned(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS;
}
