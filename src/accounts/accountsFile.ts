import { readFileSync } from "node:fs";
import { errorMessage } from "../base/errors.ts";
import { hashOf } from "../base/secrets.ts";
import { ACCOUNT_GROUPS, type Account, type AccountGroup } from "../domain/model/actors.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import { type AccountEntry, type KeyEntry, keysOf } from "./accountEntries.ts";
import { SANDBOX_ACCOUNTS, sandboxKeyHashes } from "./sandboxAccounts.ts";

/** The accounts that a server accepts. */
export type Accounts = {
  /** Accounts by the hash of each active key. */
  readonly accounts: ReadonlyMap<string, Account>;
  /** The hashes of all keys of an account, including retired ones, by the name of the account. */
  readonly keyHashes: ReadonlyMap<string, readonly string[]>;
};

/** Reads the accounts at startup: those of the file, or the well-known ones of the sandbox if `file` is empty. Adds to `problems`. */
export function loadAccounts(file: string, sandbox: boolean, problems: string[]): Accounts {
  if (file === "") {
    if (!sandbox)
      problems.push("ACCOUNTS_FILE must name an accounts file in production (tenderhall account add creates entries)");
    return {
      accounts: new Map(SANDBOX_ACCOUNTS.map(({ key, ...account }) => [hashOf(key), account])),
      keyHashes: new Map(SANDBOX_ACCOUNTS.map(({ key, name }) => [name, [hashOf(key)]])),
    };
  }
  return loadAccountsFile(file, sandbox, problems, false);
}

/**
 * Reads an accounts file and adds what is wrong with it to `problems`. `mayBeEmpty` is true for a running server, whose last account
 * may be revoked; a server that starts without any account is misconfigured.
 */
export function loadAccountsFile(file: string, sandbox: boolean, problems: string[], mayBeEmpty: boolean): Accounts {
  const loaded = readAccounts(file, problems, mayBeEmpty);
  if (!sandbox && loaded.accounts.keys().some((hash) => sandboxKeyHashes().has(hash)))
    problems.push(`ACCOUNTS_FILE ${file} contains a well-known key of the sandbox: create a new key`);
  return loaded;
}

function readAccounts(file: string, problems: string[], mayBeEmpty: boolean): Accounts {
  let entries: unknown;
  try {
    entries = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    problems.push(`ACCOUNTS_FILE ${file} cannot be read: ${errorMessage(error)}`);
    return { accounts: new Map(), keyHashes: new Map() };
  }
  if (Array.isArray(entries) && (entries.length > 0 || mayBeEmpty)) return collectAccounts(entries, file, problems);
  problems.push(`ACCOUNTS_FILE ${file} must contain a list of at least one account`);
  return { accounts: new Map(), keyHashes: new Map() };
}

function collectAccounts(entries: readonly unknown[], file: string, problems: string[]): Accounts {
  const accounts = new Map<string, Account>();
  const keyHashes = new Map<string, readonly string[]>();
  const byName = new Map<string, Account>();
  entries.forEach((entry, i) => {
    const parsed = parseEntry(entry);
    const problem =
      typeof parsed === "string"
        ? parsed
        : conflictOf(parsed, byName.get(parsed.account.name), (hash) => accounts.has(hash));
    if (typeof parsed === "string" || problem) {
      const { name } = fieldsOf(entry);
      const label = typeof name === "string" && name !== "" ? ` (${name})` : "";
      problems.push(`ACCOUNTS_FILE ${file}, account ${i + 1}${label}: ${problem}`);
      return;
    }
    const { account, keys } = parsed;
    byName.set(account.name, account);
    for (const { hash, retiredAt } of keys) if (retiredAt === undefined) accounts.set(hash, account);
    keyHashes.set(account.name, [...(keyHashes.get(account.name) ?? []), ...keys.map(({ hash }) => hash)]);
  });
  return { accounts, keyHashes };
}

/** Describes a conflict with earlier entries. The same account may occur several times, since each key once had its own entry. */
function conflictOf(
  { account, keys }: ParsedAccount,
  sameName: Account | undefined,
  isKnown: (hash: string) => boolean,
): string | undefined {
  if (keys.some(({ hash }) => isKnown(hash))) return "its key is not unique";
  if (!sameName || (sameName.group === account.group && sameName.levels === account.levels)) return undefined;
  return "another account has this name, with another group or other levels";
}

type ParsedAccount = { readonly account: Account; readonly keys: readonly KeyEntry[] };

/** The properties of a JSON value; none if it is not an object. */
const fieldsOf = (value: unknown): { readonly [name: string]: unknown } => (isPlainObject(value) ? value : {});

/** Returns the account, or what is wrong with the entry. */
function parseEntry(entry: unknown): ParsedAccount | string {
  const { name, group: groupName, levels, keyHash, keys } = fieldsOf(entry);
  if (typeof name !== "string" || name === "") return "name is missing";
  const group = ACCOUNT_GROUPS.find((candidate) => candidate === groupName);
  if (!group) return `group must be one of ${ACCOUNT_GROUPS.join(", ")}`;
  const problem = problemWithLevels(group, levels) ?? problemWithKeys(keyHash, keys);
  if (problem) return problem;
  const account = { name, group, ...(group === "brokers" && { levels: String(levels) }) };
  // `problemWithKeys` has checked both properties.
  return { account, keys: keysOf({ keyHash, keys } as Pick<AccountEntry, "keyHash" | "keys">) };
}

/** The levels that earlier releases assumed for entries without levels, and wrote for every group. */
const FORMER_LEVELS = "1234";

/**
 * Brokers must state their levels, so that nobody is accredited by omission. Other groups must not have levels, except those that
 * earlier releases wrote for every group, which never had an effect.
 */
function problemWithLevels(group: AccountGroup, levels: unknown): string | undefined {
  if (group === "brokers") {
    if (levels === undefined)
      return `a broker must state its levels: add "levels": "${FORMER_LEVELS}" to keep all permissions, or fewer (1: publish tenders, 2: bid and ask questions)`;
    return typeof levels === "string" && levels !== "" ? undefined : 'levels must be a string, such as "levels": "12"';
  }
  if (levels === undefined || levels === FORMER_LEVELS) return undefined;
  return `only brokers have levels: remove "levels": ${JSON.stringify(levels)}`;
}

const isHash = (hash: unknown): boolean => typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash);
const isTime = (time: unknown): boolean =>
  time === undefined || (typeof time === "string" && !Number.isNaN(Date.parse(time)));

function problemWithKeys(keyHash: unknown, keys: unknown): string | undefined {
  if (keys === undefined) return isHash(keyHash) ? undefined : "keyHash must be 64 hex digits (SHA-256)";
  if (keyHash !== undefined) return "an account has either keyHash or keys, not both";
  if (!Array.isArray(keys)) return "keys must be a list";
  const keyFields = keys.map(fieldsOf);
  for (const { hash, addedAt, retiredAt } of keyFields) {
    if (!isHash(hash)) return "keys: hash must be 64 hex digits (SHA-256)";
    if (!isTime(addedAt) || !isTime(retiredAt)) return "keys: addedAt and retiredAt must be times";
  }
  if (new Set(keyFields.map(({ hash }) => hash)).size < keyFields.length) return "its key is not unique";
  return keyFields.some(({ retiredAt }) => retiredAt === undefined)
    ? undefined
    : "all its keys are retired: add one, or remove the account";
}
