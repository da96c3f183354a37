import { statSync } from "node:fs";
import type { Audit } from "../audit.ts";
import type { Config } from "../config.ts";
import type { Account } from "../domain/actors.ts";
import { fingerprintOf } from "../registry/accountEntries.ts";
import { type Accounts, ownAccounts } from "./accountsFile.ts";
import type { Log } from "./log.ts";

/** The settings whose accounts are always those of the file: who is revoked is nobody a moment later. */
export type LiveConfig = {
  readonly config: Config;
  /** Whether somebody has this name now. */
  readonly isAccount: (name: string) => boolean;
  /** Calls back after the accounts have changed. */
  readonly onChange: (listener: () => void) => void;
  readonly close: () => void;
};

const LOOKED_AT_MS = 1000;

/**
 * Looks at the file rather than being told of changes, which works in every file system. What cannot be understood changes
 * nothing, as half a file must not lock everybody out. Whoever changed the file, and by whatever means, it goes on record
 * here, where the change has its effect; of several processes, one has the `audit`.
 */
export function openLiveAccounts(config: Config, log: Log, audit: Audit | undefined): LiveConfig {
  const { accountsFile: file, sandbox } = config;
  let current: Accounts = config;
  let names = namesOf(current);
  const isAccount = (name: string) => names.has(name);
  const listeners: (() => void)[] = [];
  const onChange = (listener: () => void) => void listeners.push(listener);
  if (!file) return { config, isAccount, onChange, close: () => {} };
  // The first look reads again, as the file may have changed since the settings were read.
  let seen = "";
  let complained = "";

  function look(path: string): void {
    const stamp = stampOf(path);
    if (stamp === seen) return;
    const problems: string[] = [];
    const accounts = ownAccounts(path, sandbox, problems, true);
    if (problems.length > 0) {
      complain(problems.join("; "), stamp);
      return;
    }
    // Only what was read was seen: what failed for a moment is read at the next look.
    seen = stamp;
    complained = "";
    const difference = differenceOf(current, accounts);
    // Other maps: what was found out about keys is kept beside the map that it was found in.
    current = accounts;
    names = namesOf(accounts);
    for (const listener of listeners) listener();
    if (!difference) return;
    log.info("accounts changed", difference);
    record(difference);
  }

  function complain(problem: string, stamp: string): void {
    if (complained === problem + stamp) return;
    complained = problem + stamp;
    log.error("the accounts stay as they were", new Error(problem));
  }

  function record(difference: Difference): void {
    const act = { via: "accounts file" as const, actor: "accounts file", act: "accounts changed", outcome: "done" };
    audit
      ?.record({ ...act, ...difference })
      .catch((error) => log.error("a change of accounts could not be recorded", error, difference));
  }

  const timer = setInterval(() => look(file), LOOKED_AT_MS).unref();
  return {
    config: {
      ...config,
      get accounts() {
        return current.accounts;
      },
      get keyHashes() {
        return current.keyHashes;
      },
    },
    isAccount,
    onChange,
    close: () => clearInterval(timer),
  };
}

/** What cannot be looked at is read, which says why. */
function stampOf(file: string): string {
  try {
    const { mtimeMs, ctimeMs, ino, size } = statSync(file);
    return `${mtimeMs} ${ctimeMs} ${ino} ${size}`;
  } catch {
    return "none";
  }
}

const namesOf = ({ accounts }: Accounts): ReadonlySet<string> => new Set(accounts.values().map(({ name }) => name));

type Difference = {
  readonly added: readonly string[];
  readonly revoked: readonly string[];
  /** Accounts with another group or other levels than before. */
  readonly changed?: readonly string[];
  /** Keys of accounts that stay: the account's name and the key's fingerprint. */
  readonly keysAdded?: readonly string[];
  readonly keysRetired?: readonly string[];
  readonly accounts: number;
};

function differenceOf(before: Accounts, after: Accounts): Difference | undefined {
  const [old, now] = [byNameIn(before), byNameIn(after)];
  const lacks = (from: typeof now, to: typeof now) => [...from.keys()].filter((name) => !to.has(name));
  const changed = [...now].flatMap(([name, account]) => (isSame(old.get(name) ?? account, account) ? [] : [name]));
  const keysIn = (from: Accounts, to: Accounts, others: typeof now) =>
    [...from.accounts].flatMap(([hash, { name }]) =>
      others.has(name) && !to.accounts.has(hash) ? [`${name} ${fingerprintOf(hash)}`] : [],
    );
  const keysAdded = keysIn(after, before, old);
  const keysRetired = keysIn(before, after, now);
  const difference = {
    added: lacks(now, old),
    revoked: lacks(old, now),
    ...(changed.length > 0 && { changed }),
    ...(keysAdded.length > 0 && { keysAdded }),
    ...(keysRetired.length > 0 && { keysRetired }),
    accounts: now.size,
  };
  const { added, revoked } = difference;
  return [added, revoked, changed, keysAdded, keysRetired].some(({ length }) => length > 0) ? difference : undefined;
}

const byNameIn = ({ accounts }: Accounts): ReadonlyMap<string, Account> =>
  new Map(accounts.values().map((account) => [account.name, account]));

const isSame = (one: Account, other: Account): boolean => one.group === other.group && one.levels === other.levels;
