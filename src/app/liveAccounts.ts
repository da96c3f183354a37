import { statSync } from "node:fs";
import { fingerprintOf } from "../accounts/accountEntries.ts";
import { type Accounts, loadAccountsFile } from "../accounts/accountsFile.ts";
import type { Config } from "../config/config.ts";
import type { Account } from "../domain/model/actors.ts";
import type { Audit } from "../ops/audit.ts";
import type { Log } from "../ops/log.ts";

/** The settings with the current accounts of the accounts file, so that a revoked key stops working within seconds. */
export type LiveAccounts = {
  readonly config: Config;
  /** Whether there is an account of this name now. */
  readonly isAccount: (name: string) => boolean;
  /** Registers a listener that is called after the file was reloaded. */
  readonly onChange: (listener: () => void) => void;
  readonly close: () => void;
};

const POLL_MS = 1000;

/**
 * Reloads the accounts file when it changes. It polls, because notifications do not work in every file system. An invalid file changes
 * nothing, so that a half-written one does not lock everyone out. All changes of accounts are recorded in the audit trail here, whoever
 * has edited the file; of several processes, only one has `audit`.
 */
export function openLiveAccounts(config: Config, log: Log, audit: Audit | undefined): LiveAccounts {
  const { accountsFile: file, sandbox } = config;
  let current: Accounts = config;
  let names = namesOf(current);
  const isAccount = (name: string) => names.has(name);
  const listeners: (() => void)[] = [];
  const onChange = (listener: () => void) => void listeners.push(listener);
  if (!file) return { config, isAccount, onChange, close: () => {} };
  // Empty, so that the first poll reads the file: it may have changed since the settings were read.
  let lastStamp = "";
  let lastProblem = "";

  function reloadIfChanged(path: string): void {
    const stamp = fileStampOf(path);
    if (stamp === lastStamp) return;
    const problems: string[] = [];
    const accounts = loadAccountsFile(path, sandbox, problems, true);
    if (problems.length > 0) {
      reportProblem(problems.join("; "), stamp);
      return;
    }
    // Set only after a successful read, so that the next poll retries after a failure.
    lastStamp = stamp;
    lastProblem = "";
    const difference = accountChangesBetween(current, accounts);
    // A new map, which also invalidates the cache of `accountOf`.
    current = accounts;
    names = namesOf(accounts);
    for (const listener of listeners) listener();
    if (!difference) return;
    log.info("accounts changed", difference);
    record(difference);
  }

  function reportProblem(problem: string, stamp: string): void {
    if (lastProblem === problem + stamp) return;
    lastProblem = problem + stamp;
    log.error("the accounts stay as they were", new Error(problem));
  }

  function record(difference: AccountChanges): void {
    const auditEntry = {
      via: "accounts file" as const,
      actor: "accounts file",
      act: "accounts changed",
      outcome: "done",
    };
    audit
      ?.record({ ...auditEntry, ...difference })
      .catch((error) => log.error("an audit entry could not be recorded", error, difference));
  }

  const timer = setInterval(() => reloadIfChanged(file), POLL_MS).unref();
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

/** Changes whenever the file changes. If the file cannot be accessed, reading it then reports why. */
function fileStampOf(file: string): string {
  try {
    const { mtimeMs, ctimeMs, ino, size } = statSync(file);
    return `${mtimeMs} ${ctimeMs} ${ino} ${size}`;
  } catch {
    return "none";
  }
}

const namesOf = ({ accounts }: Accounts): ReadonlySet<string> => new Set(accounts.values().map(({ name }) => name));

type AccountChanges = {
  readonly added: readonly string[];
  readonly revoked: readonly string[];
  /** Accounts with another group or other levels than before. */
  readonly changed?: readonly string[];
  /** Keys of accounts that stay: the account's name and the key's fingerprint. */
  readonly keysAdded?: readonly string[];
  readonly keysRetired?: readonly string[];
  readonly accounts: number;
};

function accountChangesBetween(before: Accounts, after: Accounts): AccountChanges | undefined {
  const [oldAccounts, newAccounts] = [accountsByName(before), accountsByName(after)];
  const namesMissingIn = (from: typeof newAccounts, to: typeof newAccounts) =>
    [...from.keys()].filter((name) => !to.has(name));
  const changed = [...newAccounts].flatMap(([name, account]) =>
    hasSameRights(oldAccounts.get(name) ?? account, account) ? [] : [name],
  );
  const keysIn = (from: Accounts, to: Accounts, remaining: typeof newAccounts) =>
    [...from.accounts].flatMap(([hash, { name }]) =>
      remaining.has(name) && !to.accounts.has(hash) ? [`${name} ${fingerprintOf(hash)}`] : [],
    );
  const keysAdded = keysIn(after, before, oldAccounts);
  const keysRetired = keysIn(before, after, newAccounts);
  const difference = {
    added: namesMissingIn(newAccounts, oldAccounts),
    revoked: namesMissingIn(oldAccounts, newAccounts),
    ...(changed.length > 0 && { changed }),
    ...(keysAdded.length > 0 && { keysAdded }),
    ...(keysRetired.length > 0 && { keysRetired }),
    accounts: newAccounts.size,
  };
  const { added, revoked } = difference;
  return [added, revoked, changed, keysAdded, keysRetired].some(({ length }) => length > 0) ? difference : undefined;
}

const accountsByName = ({ accounts }: Accounts): ReadonlyMap<string, Account> =>
  new Map(accounts.values().map((account) => [account.name, account]));

const hasSameRights = (before: Account, after: Account): boolean =>
  before.group === after.group && before.levels === after.levels;
