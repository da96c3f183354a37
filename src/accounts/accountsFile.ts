import { readFileSync } from "node:fs";
import { hashOf } from "../base/secrets.ts";
import { ACCOUNT_GROUPS, type Account, type AccountGroup } from "../domain/model/actors.ts";
import { type AccountEntry, type KeyEntry, keysOf } from "./accountEntries.ts";
import { SANDBOX_ACCOUNTS, sandboxKeyHashes } from "./sandboxAccounts.ts";

/** The accounts that a server knows. */
export type Accounts = {
  /** By the hash of each key that opens them. */
  readonly accounts: ReadonlyMap<string, Account>;
  /** By the name of an account: the hashes of all its keys, those included that were retired and open nothing. */
  readonly keyHashes: ReadonlyMap<string, readonly string[]>;
};

/** The accounts of the file, or those that everybody knows where there is none. */
export function loadAccounts(file: string, sandbox: boolean, problems: string[]): Accounts {
  if (file === "") {
    if (!sandbox)
      problems.push("ACCOUNTS_FILE must name a file of accounts in production (tenderhall account add makes entries)");
    return {
      accounts: new Map(SANDBOX_ACCOUNTS.map(({ key, ...account }) => [hashOf(key), account])),
      keyHashes: new Map(SANDBOX_ACCOUNTS.map(({ key, name }) => [name, [hashOf(key)]])),
    };
  }
  return loadAccountsFile(file, sandbox, problems, false);
}

/** A server that starts without any account is mistaken; one whose last account is revoked is not. */
export function loadAccountsFile(file: string, sandbox: boolean, problems: string[], mayBeEmpty: boolean): Accounts {
  const loaded = readAccounts(file, problems, mayBeEmpty);
  if (!sandbox && loaded.accounts.keys().some((hash) => sandboxKeyHashes().has(hash)))
    problems.push(`ACCOUNTS_FILE ${file} holds a key that everybody knows from the sandbox: make a new one`);
  return loaded;
}

function readAccounts(file: string, problems: string[], mayBeEmpty: boolean): Accounts {
  let entries: unknown;
  try {
    entries = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    problems.push(`ACCOUNTS_FILE ${file} cannot be read: ${(error as Error).message}`);
    return { accounts: new Map(), keyHashes: new Map() };
  }
  if (Array.isArray(entries) && (entries.length > 0 || mayBeEmpty)) return collectAccounts(entries, file, problems);
  problems.push(`ACCOUNTS_FILE ${file} must hold a list of at least one account`);
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
      const { name } = (entry ?? {}) as { readonly name?: unknown };
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

/** Before an account could have several keys, the same account was written once for each of them. */
function conflictOf(
  { account, keys }: ParsedAccount,
  sameName: Account | undefined,
  isKnown: (hash: string) => boolean,
): string | undefined {
  if (keys.some(({ hash }) => isKnown(hash))) return "its key is there twice";
  if (!sameName || (sameName.group === account.group && sameName.levels === account.levels)) return undefined;
  return "another account has this name, with another group or other levels";
}

type ParsedAccount = { readonly account: Account; readonly keys: readonly KeyEntry[] };

function parseEntry(entry: unknown): ParsedAccount | string {
  const { name, group, levels, keyHash, keys } = (entry ?? {}) as { readonly [name: string]: unknown };
  if (typeof name !== "string" || name === "") return "name is missing";
  if (!ACCOUNT_GROUPS.includes(group as AccountGroup)) return `group must be one of ${ACCOUNT_GROUPS.join(", ")}`;
  const problem = problemWithLevels(group as AccountGroup, levels) ?? problemWithKeys(keyHash, keys);
  if (problem) return problem;
  const account = { name, group: group as AccountGroup, ...(group === "brokers" && { levels: levels as string }) };
  return { account, keys: keysOf(entry as AccountEntry) };
}

/** What earlier versions took where a file named no levels, and wrote for every group. */
const FORMER_LEVELS = "1234";

/**
 * Nobody is accredited by omission. Levels of other groups never decided anything as long as they were all of them, which earlier
 * versions wrote into every entry; others did, so they are not ignored in silence.
 */
function problemWithLevels(group: AccountGroup, levels: unknown): string | undefined {
  if (group === "brokers") {
    if (levels === undefined)
      return `a broker must state its levels: add "levels": "${FORMER_LEVELS}" for what it could do until now, or fewer (1 publishes, 2 bids and asks)`;
    return typeof levels === "string" && levels !== "" ? undefined : 'levels must be text, such as "levels": "12"';
  }
  if (levels === undefined || levels === FORMER_LEVELS) return undefined;
  return `only brokers have levels: remove "levels": ${JSON.stringify(levels)}`;
}

const isHash = (hash: unknown): boolean => typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash);
const isTime = (time: unknown): boolean =>
  time === undefined || (typeof time === "string" && !Number.isNaN(Date.parse(time)));

function problemWithKeys(keyHash: unknown, keys: unknown): string | undefined {
  if (keys === undefined) return isHash(keyHash) ? undefined : "keyHash must be 64 hex digits (SHA-256)";
  if (keyHash !== undefined) return "keyHash or keys says what opens it, not both";
  if (!Array.isArray(keys)) return "keys must be a list";
  for (const key of keys) {
    const { hash, addedAt, retiredAt } = (key ?? {}) as { readonly [name: string]: unknown };
    if (!isHash(hash)) return "keys: hash must be 64 hex digits (SHA-256)";
    if (!isTime(addedAt) || !isTime(retiredAt)) return "keys: addedAt and retiredAt must be times";
  }
  const keyEntries = keys as readonly KeyEntry[];
  if (new Set(keyEntries.map(({ hash }) => hash)).size < keyEntries.length) return "its key is there twice";
  return keyEntries.some(({ retiredAt }) => retiredAt === undefined)
    ? undefined
    : "all its keys are retired: add one, or remove the account";
}
