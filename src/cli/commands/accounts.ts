import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { AccountEntry } from "../../accounts/accountEntries.ts";
import { hashOf, newId } from "../../base/secrets.ts";
import { ACCOUNT_GROUPS, type AccountGroup } from "../../domain/model/actors.ts";
import { readEntries, updateEntries } from "../accountsFile.ts";
import {
  type CliCommand,
  type CliContext,
  type CommandResult,
  EXIT_FAILURE,
  jsonLine,
  type Options,
  resultWithMessages,
  successResult,
} from "../command.ts";
import { formatTable } from "../output/tables.ts";

export const FILE_OPTION: Options = {
  file: { takes: "FILE", means: "where accounts are kept; default: ACCOUNTS_FILE, else accounts.json" },
};

export const accountsFileOf = (path: string | undefined, { environment }: CliContext): string =>
  path ?? (environment.ACCOUNTS_FILE?.trim() || "accounts.json");

export const missingFileMessage = (file: string): string =>
  `there is no file ${file}; to create it: npx --no-install tenderhall account add NAME --file ${file}`;

export const RELOAD_NOTE = "A server that uses this file picks up the change within a second or two.";

const GROUP_DESCRIPTIONS: { readonly [group in AccountGroup]: string } = {
  brokers: "a marketplace: publishes, asks, bids and objects by its levels, changes what it made by its tokens",
  admins: "every tender without its token, awards and contracts made by hand, and /metrics from anywhere",
  metrics: "reads /metrics from anywhere and may do nothing else; for Prometheus",
  auction: "whoever runs auctions: sees the bids that take part, reports their results, adds documents",
  chronograph: "plans when auctions begin; deadlines the registry keeps by itself",
  Administrator: "repairs a tender's buyer, mode or status, the names of bidders, lots, qualifications",
  reviewers: "decides on complaints, and adds documents to them",
  bots: "adds documents to any tender",
  competitive_dialogue: "publishes tenders, and nothing else",
  contracting: "reads who owns a tender and the hash of its owner token; for the system that manages contracts",
  tests: "reads what is public, as without a key",
};

const LEVEL_DESCRIPTIONS: { readonly [level: string]: string } = {
  1: "publishes tenders",
  2: "bids, asks and objects",
  3: "nothing here; other registries ask for it",
  4: "nothing here; other registries ask for it",
  t: "beside others: in tenders of mode test only",
};

const descriptionRows = (descriptions: { readonly [name: string]: string }): string =>
  Object.entries(descriptions)
    .map(([name, description]) => `  ${name.padEnd(22)} ${description}\n`)
    .join("");

const ADD_NOTES =
  `Groups:\n\n${descriptionRows(GROUP_DESCRIPTIONS)}\nLevels of brokers, each a character of its own, so that 2 does not include 1:\n\n` +
  descriptionRows(LEVEL_DESCRIPTIONS);

/** As it stands in addresses, logs and the `owner` of tenders. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,99}$/u;
const LEVELS = new RegExp(`^[${Object.keys(LEVEL_DESCRIPTIONS).join("")}]+$`);

/** Makes an account with a fresh key. The key is shown once; only its hash is written. */
export const accountAdd: CliCommand = {
  name: "account add",
  takes: "NAME",
  summary: "makes an account with a fresh key, which is shown this once; the file keeps its hash",
  options: {
    group: { takes: "GROUP", means: "what the account may do", fallback: "brokers", choices: ACCOUNT_GROUPS },
    levels: {
      takes: "LEVELS",
      means: "needed for brokers, and theirs alone: 1 publishes tenders, 2 bids and asks, t in test mode only; as 12",
    },
    ...FILE_OPTION,
  },
  about: RELOAD_NOTE,
  notes: ADD_NOTES,
  examples: [
    ["npx --no-install tenderhall account add acme --levels 12", "A marketplace that publishes and bids:"],
    [
      "npx --no-install tenderhall account add robot --group auction --file /etc/tenderhall/accounts.json",
      "Whoever runs auctions:",
    ],
  ],
  parse: (values, [name, ...more]) => {
    const { group = "brokers", levels, file } = values as { [name: string]: string | undefined };
    if (!name?.trim() || more.length > 0) return { misused: "account add takes one NAME" };
    if (!NAME.test(name)) return { misused: `NAME takes letters, digits and . _ @ + -, not "${name}"` };
    const wrong = levelsProblem(group, levels);
    if (wrong) return { misused: wrong };
    return (here) => addAccount({ name, group, levels }, accountsFileOf(file, here));
  },
};

function levelsProblem(group: string, levels: string | undefined): string | undefined {
  if (group !== "brokers") return levels === undefined ? undefined : `--levels is for brokers: ${group} has none`;
  if (levels === undefined) return "--levels LEVELS says what a broker may do: 12 publishes and bids";
  return LEVELS.test(levels)
    ? undefined
    : `--levels takes some of ${Object.keys(LEVEL_DESCRIPTIONS).join(", ")}, as 12, not "${levels}"`;
}

/** Only its hash is written anywhere. */
export const newAccountKey = (): string => newId() + newId();

async function addAccount({ name, group, levels }: AccountEntry, file: string): Promise<CommandResult> {
  const key = newAccountKey();
  await updateEntries(file, (entries) => {
    if (entries.some((entry) => entry.name === name))
      throw new Error(
        `${file} has an account named ${name} already: account add-key ${name} gives it another key, for rotation`,
      );
    return [...entries, { name, group, ...(levels !== undefined && { levels }), keyHash: hashOf(key) }];
  });
  const text =
    `${name} is in ${file}. Its key, shown this once:\n\n  ${key}\n\n` +
    `A server in MODE=production finds it by ACCOUNTS_FILE=${shellQuote(file)}\n`;
  return successResult(text, { name, group, levels, key, file: resolve(file) });
}

/** As a shell takes it for one word. */
const shellQuote = (word: string): string => (/^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

export const accountList: CliCommand = {
  name: "account list",
  summary: "lists the accounts; their keys are known to nobody but their holders",
  options: FILE_OPTION,
  examples: [["npx --no-install tenderhall account list --file accounts.json", "Who may come in:"]],
  parse: (values, positionals) => {
    if (positionals.length > 0) return { misused: "account list takes options only" };
    return async (here) => listAccounts(accountsFileOf(values.file as string | undefined, here), here.json);
  },
};

function listAccounts(file: string, json: boolean): CommandResult {
  if (!existsSync(file)) return resultWithMessages(EXIT_FAILURE, [missingFileMessage(file)]);
  // Earlier versions wrote levels for every group.
  const accounts = readEntries(file).map(({ name, group, levels }) => ({
    name,
    group,
    ...(group === "brokers" && { levels }),
  }));
  if (json) return successResult(accounts.map(jsonLine).join(""));
  if (accounts.length === 0)
    return successResult(`${file} has no accounts: npx --no-install tenderhall account add NAME makes one\n`);
  return successResult(
    formatTable(
      ["NAME", "GROUP", "LEVELS"],
      accounts.map(({ name, group, levels = "-" }) => [name, group, levels]),
    ),
  );
}

export const accountRevoke: CliCommand = {
  name: "account revoke",
  takes: "NAME",
  summary: "removes an account, so that its keys open nothing any more",
  about: `${RELOAD_NOTE} What the account published stays, and nobody can change it unless an account of that name is made again.`,
  options: FILE_OPTION,
  examples: [["npx --no-install tenderhall account revoke acme", "A key was lost, or a contract ended:"]],
  parse: (values, [name, ...more]) => {
    if (!name || more.length > 0) return { misused: "account revoke takes one NAME" };
    return (here) => revokeAccount(name, accountsFileOf(values.file as string | undefined, here));
  },
};

async function revokeAccount(name: string, file: string): Promise<CommandResult> {
  let left = 0;
  await updateEntries(file, (entries) => {
    const remaining = entries.filter((entry) => entry.name !== name);
    if (remaining.length === entries.length) throw new Error(`${file} has no account named ${name}`);
    left = remaining.length;
    return remaining;
  });
  return successResult(`${name} is revoked in ${file}: ${left} left.\n`, {
    name,
    revoked: true,
    left,
    file: resolve(file),
  });
}
