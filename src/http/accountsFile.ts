import { readFileSync } from "node:fs";
import { type Account, GROUPS } from "../domain/actors.ts";
import { hashOf } from "../registry/secrets.ts";
import { SANDBOX_ACCOUNTS, wellKnownHashes } from "./accounts.ts";

/** The accounts of the file, or those that everybody knows where there is none. */
export function accountsOf(file: string, sandbox: boolean, problems: string[]): ReadonlyMap<string, Account> {
  const wellKnown = new Map(SANDBOX_ACCOUNTS.map(({ key, ...account }) => [hashOf(key), account]));
  if (file === "") {
    if (!sandbox)
      problems.push("ACCOUNTS_FILE must name a file of accounts in production (tenderhall account add makes entries)");
    return wellKnown;
  }
  return ownAccounts(file, sandbox, problems, false);
}

/** A server that starts without any account is mistaken; one whose last account is revoked is not. */
export function ownAccounts(
  file: string,
  sandbox: boolean,
  problems: string[],
  mayBeEmpty: boolean,
): ReadonlyMap<string, Account> {
  const own = readAccounts(file, problems, mayBeEmpty);
  if (!sandbox && own.keys().some((hash) => wellKnownHashes().has(hash)))
    problems.push(`ACCOUNTS_FILE ${file} holds a key that everybody knows from the sandbox: make a new one`);
  return own;
}

function readAccounts(file: string, problems: string[], mayBeEmpty: boolean): ReadonlyMap<string, Account> {
  const accounts = new Map<string, Account>();
  let entries: unknown;
  try {
    entries = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    problems.push(`ACCOUNTS_FILE ${file} cannot be read: ${(error as Error).message}`);
    return accounts;
  }
  if (!Array.isArray(entries) || (entries.length === 0 && !mayBeEmpty)) {
    problems.push(`ACCOUNTS_FILE ${file} must hold a list of at least one account`);
    return accounts;
  }
  entries.forEach((entry, i) => {
    const account = accountOf(entry);
    if (typeof account === "string") problems.push(`ACCOUNTS_FILE ${file}, account ${i + 1}: ${account}`);
    else if (accounts.has(account.keyHash))
      problems.push(`ACCOUNTS_FILE ${file}, account ${i + 1}: its key is there twice`);
    else accounts.set(account.keyHash, account.account);
  });
  return accounts;
}

function accountOf(entry: unknown): { keyHash: string; account: Account } | string {
  const { name, group, levels = "1234", keyHash } = (entry ?? {}) as { readonly [name: string]: unknown };
  if (typeof name !== "string" || name === "") return "name is missing";
  if (!GROUPS.includes(group as Account["group"])) return `group must be one of ${GROUPS.join(", ")}`;
  if (typeof levels !== "string") return "levels must be text such as 12";
  if (typeof keyHash !== "string" || !/^[0-9a-f]{64}$/.test(keyHash)) return "keyHash must be 64 hex digits (SHA-256)";
  return { keyHash, account: { name, group: group as Account["group"], levels } };
}
