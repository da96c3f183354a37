import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type AccountEntry, fingerprintOf, type KeyEntry, keysOf } from "../../accounts/accountEntries.ts";
import { hashOf } from "../../base/secrets.ts";
import { readEntries, updateEntries } from "../accountsFile.ts";
import { type CliCommand, type CommandResult, jsonLine, successResult, textOption } from "../command.ts";
import { formatTable } from "../output/tables.ts";
import { accountsFileOf, FILE_OPTION, missingFileMessage, newAccountKey, RELOAD_NOTE } from "./accounts.ts";

// Key rotation with an overlap: add a second key, let the holder switch to it, retire the first.

const DAY_MS = 86_400_000;

/**
 * How long the file keeps the hash of a retired key. Responses to requests with an Idempotency-Key are recorded for a day, and
 * those recorded under this key can be decrypted only with its hash.
 */
const RETIRED_KEY_RETENTION_MS = 2 * DAY_MS;

export const accountAddKey: CliCommand = {
  name: "account add-key",
  takes: "NAME",
  summary: "adds a key to an account and shows it once; the keys it has keep working",
  options: FILE_OPTION,
  about: `${RELOAD_NOTE} When its holder uses the new key everywhere, disable the old one by account retire-key.`,
  examples: [["npx --no-install tenderhall account add-key acme", "The first step of a rotation:"]],
  parse: (values, [name, ...extra]) => {
    if (!name || extra.length > 0) return { usageError: "account add-key takes one NAME" };
    return (context) => addKey(name, accountsFileOf(textOption(values, "file"), context));
  },
};

async function addKey(name: string, file: string): Promise<CommandResult> {
  const key = newAccountKey();
  const hash = hashOf(key);
  await changeKeys(file, name, (keys) => [...keys, { hash, addedAt: new Date().toISOString() }]);
  const fingerprint = fingerprintOf(hash);
  const text =
    `${name} has a new key in ${file}, ${fingerprint}. It is shown only once:\n\n  ${key}\n\n` +
    `Its other keys keep working. To list them: npx --no-install tenderhall account keys ${name}\n`;
  return successResult(text, { name, key, fingerprint, file: resolve(file) });
}

export const accountKeys: CliCommand = {
  name: "account keys",
  takes: "[NAME]",
  summary: "lists the keys of one account, or of all accounts, by fingerprint",
  options: FILE_OPTION,
  about:
    "A fingerprint is the beginning of a key's SHA-256. To get the fingerprint of a key: printf %s KEY | sha256sum | cut -c 1-12",
  examples: [["npx --no-install tenderhall account keys acme", "The keys of one account:"]],
  parse: (values, [name, ...extra]) => {
    if (extra.length > 0) return { usageError: "account keys takes one NAME, or none" };
    return async (context) => listKeys(accountsFileOf(textOption(values, "file"), context), name, context.json);
  },
};

function listKeys(file: string, name: string | undefined, json: boolean): CommandResult {
  if (!existsSync(file)) throw new Error(missingFileMessage(file));
  const entries = readEntries(file).filter((entry) => name === undefined || entry.name === name);
  if (name !== undefined && entries.length === 0) throw new Error(`${file} has no account named ${name}`);
  const keys = entries.flatMap((entry) =>
    keysOf(entry).map(({ hash, ...times }) => ({ name: entry.name, fingerprint: fingerprintOf(hash), ...times })),
  );
  if (json) return successResult(keys.map(jsonLine).join(""));
  const rows = keys.map(({ name: account, fingerprint, addedAt = "-", retiredAt = "-" }) => [
    ...[account, fingerprint, addedAt, retiredAt],
  ]);
  return successResult(formatTable(["NAME", "KEY", "ADDED", "RETIRED"], rows));
}

export const accountRetireKey: CliCommand = {
  name: "account retire-key",
  takes: "NAME FINGERPRINT",
  summary: "disables one key of an account that has another",
  options: FILE_OPTION,
  about:
    `${RELOAD_NOTE} The account, its webhooks and what it owns are not affected. The file keeps the hash of the key for two days, so ` +
    "that a request retried under the new key with the same Idempotency-Key still gets its recorded response.",
  examples: [["npx --no-install tenderhall account retire-key acme 3b1f05d2c7aa", "The last step of a rotation:"]],
  parse: (values, [name, fingerprint, ...extra]) => {
    if (!name || !fingerprint || extra.length > 0)
      return { usageError: "account retire-key takes a NAME and the FINGERPRINT of a key" };
    return (context) => retireKey(name, fingerprint, accountsFileOf(textOption(values, "file"), context));
  },
};

const FINGERPRINT_LENGTH_MIN = 6;

async function retireKey(name: string, prefix: string, file: string): Promise<CommandResult> {
  let fingerprint = "";
  let left = 0;
  await changeKeys(file, name, (keys) => {
    const active = keys.filter(({ retiredAt }) => retiredAt === undefined);
    const matching = active.filter(({ hash }) => prefix.length >= FINGERPRINT_LENGTH_MIN && hash.startsWith(prefix));
    const [match] = matching;
    if (!match || matching.length > 1)
      throw new Error(
        `${name} has no key ${prefix}; to list its keys: npx --no-install tenderhall account keys ${name}`,
      );
    if (active.length === 1)
      throw new Error(
        `${prefix} is the only key of ${name}: add another by account add-key ${name}, or remove the account by account revoke ${name}`,
      );
    fingerprint = fingerprintOf(match.hash);
    left = active.length - 1;
    return keys.map((key) => (key.hash === match.hash ? { ...key, retiredAt: new Date().toISOString() } : key));
  });
  return successResult(`Key ${fingerprint} of ${name} is retired in ${file}; keys left: ${left}.\n`, {
    ...{ name, fingerprint, retired: true, left, file: resolve(file) },
  });
}

/** Changes the keys of one account; also removes keys that were retired long ago. */
function changeKeys(
  file: string,
  name: string,
  change: (keys: readonly KeyEntry[]) => readonly KeyEntry[],
): Promise<void> {
  return updateEntries(file, (entries) => {
    const sameAccount = entries.filter((entry) => entry.name === name);
    const [first] = sameAccount;
    if (!first) throw new Error(`${file} has no account named ${name}`);
    const expiredBefore = Date.now() - RETIRED_KEY_RETENTION_MS;
    const keys = change(sameAccount.flatMap(keysOf)).filter(
      ({ retiredAt }) => retiredAt === undefined || Date.parse(retiredAt) > expiredBefore,
    );
    const { keyHash: _keyHash, keys: _keys, ...rest } = first;
    const changed: AccountEntry = { ...rest, keys };
    // Older files have one entry for each key; they become one.
    return entries.flatMap((entry) => (entry === first ? [changed] : sameAccount.includes(entry) ? [] : [entry]));
  });
}
