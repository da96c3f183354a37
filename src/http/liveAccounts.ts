import { statSync } from "node:fs";
import type { Config } from "../config.ts";
import type { Account } from "../domain/actors.ts";
import { ownAccounts } from "./accountsFile.ts";
import type { Log } from "./log.ts";

/** The settings whose accounts are always those of the file: who is revoked is nobody a moment later. */
export type LiveConfig = { readonly config: Config; readonly close: () => void };

const LOOKED_AT_MS = 1000;

/**
 * Looks at the file rather than being told of changes, which works in every file system. What cannot be understood changes
 * nothing, as half a file must not lock everybody out.
 */
export function openLiveAccounts(config: Config, log: Log): LiveConfig {
  const { accountsFile: file, sandbox } = config;
  if (!file) return { config, close: () => {} };
  let current = config.accounts;
  // The first look reads again, as the file may have changed since the settings were read.
  let seen = "";

  function look(path: string): void {
    const stamp = stampOf(path);
    if (stamp === seen) return;
    seen = stamp;
    const problems: string[] = [];
    const accounts = ownAccounts(path, sandbox, problems, true);
    if (problems.length > 0) {
      log.error("the accounts stay as they were", new Error(problems.join("; ")));
      return;
    }
    const difference = differenceOf(current, accounts);
    if (!difference) return;
    log.info("accounts changed", difference);
    // Another map: what was found out about keys is kept beside the map that it was found in.
    current = accounts;
  }

  const timer = setInterval(() => look(file), LOOKED_AT_MS).unref();
  return {
    config: {
      ...config,
      get accounts() {
        return current;
      },
    },
    close: () => clearInterval(timer),
  };
}

function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.mtimeMs} ${found.ctimeMs} ${found.ino} ${found.size}` : "none";
}

type Accounts = ReadonlyMap<string, Account>;

function differenceOf(before: Accounts, after: Accounts) {
  const differs = (from: Accounts, to: Accounts) =>
    [...from].flatMap(([hash, account]) => (isSame(to.get(hash), account) ? [] : [account.name]));
  const [added, revoked] = [differs(after, before), differs(before, after)];
  return added.length + revoked.length > 0 ? { added, revoked, accounts: after.size } : undefined;
}

const isSame = (one: Account | undefined, other: Account): boolean =>
  one?.name === other.name && one.group === other.group && one.levels === other.levels;
