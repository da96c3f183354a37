import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { AccountEntry } from "../../accounts/accountEntries.ts";
import { hashOf, newId } from "../../base/secrets.ts";
import { shellQuoted } from "../../base/shell.ts";
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
  textOption,
} from "../command.ts";
import { formatTable } from "../output/tables.ts";

export const FILE_OPTION: Options = {
  file: { takes: "FILE", description: "the accounts file; default: ACCOUNTS_FILE or accounts.json" },
};

/** The accounts file that --file, ACCOUNTS_FILE or the default names. */
export const accountsFileOf = (path: string | undefined, { environment }: CliContext): string =>
  path ?? (environment.ACCOUNTS_FILE?.trim() || "accounts.json");

export const missingFileMessage = (file: string): string =>
  `${file} does not exist; to create it: npx --no-install tenderhall account add NAME --file ${file}`;

export const RELOAD_NOTE = "A server that uses this file picks up the change within a second or two.";

const GROUP_DESCRIPTIONS: { readonly [group in AccountGroup]: string } = {
  brokers: "a marketplace: creates tenders, bids, questions and complaints as its levels allow, and changes its own",
  admins: "changes every tender without its token, adds awards and contracts, reads /metrics from anywhere",
  metrics: "reads /metrics from anywhere, and nothing else; for Prometheus",
  auction: "the auction service: reads the bids of an auction, reports the results, adds documents",
  chronograph: "the scheduler: sets when auctions start; the registry carries out deadlines itself",
  Administrator: "repairs the buyer, mode or status of a tender, names of bidders, lots, qualifications",
  reviewers: "decides on complaints and adds documents to them",
  aboveThresholdReviewers: "decides on complaints about negotiations and adds documents to them",
  bots: "adds documents to any tender",
  competitive_dialogue: "creates tenders, and nothing else",
  contracting: "reads the owner of a tender and the hash of its token; for a contract management system",
  tests: "reads public data, as without a key",
};

const LEVEL_DESCRIPTIONS: { readonly [level: string]: string } = {
  1: "creates tenders below the thresholds, and reports",
  2: "creates bids, questions and complaints below the thresholds",
  3: "creates negotiations and reports",
  4: "creates complaints about negotiations",
  t: "with other levels: test tenders only",
};

const descriptionRows = (descriptions: { readonly [name: string]: string }): string =>
  Object.entries(descriptions)
    .map(([name, description]) => `  ${name.padEnd(22)} ${description}\n`)
    .join("");

const ADD_NOTES =
  `Groups:\n\n${descriptionRows(GROUP_DESCRIPTIONS)}\nLevels of brokers. Each character is a level of its own; 2 does not include 1:\n\n` +
  descriptionRows(LEVEL_DESCRIPTIONS);

/** The name appears in URLs, in logs and as the `owner` of tenders. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,99}$/u;
const LEVELS = new RegExp(`^[${Object.keys(LEVEL_DESCRIPTIONS).join("")}]+$`);

export const accountAdd: CliCommand = {
  name: "account add",
  takes: "NAME",
  summary: "adds an account and shows its new key once; the file stores only the hash",
  options: {
    group: { takes: "GROUP", description: "the role of the account", fallback: "brokers", choices: ACCOUNT_GROUPS },
    levels: {
      takes: "LEVELS",
      description:
        "what a broker may do, such as 12: 1 creates tenders, 2 bids and asks, t test tenders only; required for brokers",
    },
    ...FILE_OPTION,
  },
  about: RELOAD_NOTE,
  notes: ADD_NOTES,
  examples: [
    ["npx --no-install tenderhall account add acme --levels 12", "A marketplace that creates tenders and bids:"],
    [
      "npx --no-install tenderhall account add robot --group auction --file /etc/tenderhall/accounts.json",
      "The auction service:",
    ],
  ],
  parse: (values, [name, ...extra]) => {
    const group = textOption(values, "group") ?? "brokers";
    const levels = textOption(values, "levels");
    const file = textOption(values, "file");
    if (!name?.trim() || extra.length > 0) return { usageError: "account add takes one NAME" };
    if (!NAME.test(name)) return { usageError: `NAME takes letters, digits and . _ @ + -, not "${name}"` };
    const problem = levelsProblem(group, levels);
    if (problem) return { usageError: problem };
    return (context) => addAccount({ name, group, levels }, accountsFileOf(file, context));
  },
};

function levelsProblem(group: string, levels: string | undefined): string | undefined {
  if (group !== "brokers") return levels === undefined ? undefined : `--levels is only for brokers, not for ${group}`;
  if (levels === undefined) return "--levels LEVELS is required for brokers: 12 creates tenders and bids";
  return LEVELS.test(levels)
    ? undefined
    : `--levels takes some of ${Object.keys(LEVEL_DESCRIPTIONS).join(", ")}, such as 12, not "${levels}"`;
}

/** A random key. Only its hash is stored. */
export const newAccountKey = (): string => newId() + newId();

async function addAccount({ name, group, levels }: AccountEntry, file: string): Promise<CommandResult> {
  const key = newAccountKey();
  await updateEntries(file, (entries) => {
    if (entries.some((entry) => entry.name === name))
      throw new Error(`${file} already has an account named ${name}: to add another key, use account add-key ${name}`);
    return [...entries, { name, group, ...(levels !== undefined && { levels }), keyHash: hashOf(key) }];
  });
  const text =
    `${name} is added to ${file}. Its key is shown only once:\n\n  ${key}\n\n` +
    `To use this file, start the server with MODE=production ACCOUNTS_FILE=${shellWord(file)}\n`;
  return successResult(text, { name, group, levels, key, file: resolve(file) });
}

/** Quotes a word for a shell, if it needs that. */
const shellWord = (word: string): string => (/^[\w./@:+-]+$/.test(word) ? word : shellQuoted(word));

export const accountList: CliCommand = {
  name: "account list",
  summary: "lists the accounts; their keys are not stored and cannot be shown",
  options: FILE_OPTION,
  examples: [["npx --no-install tenderhall account list --file accounts.json", "All accounts of a file:"]],
  parse: (values, positionals) => {
    if (positionals.length > 0) return { usageError: "account list takes only options" };
    return async (context) => listAccounts(accountsFileOf(textOption(values, "file"), context), context.json);
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
    return successResult(`${file} has no accounts. To add one: npx --no-install tenderhall account add NAME\n`);
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
  summary: "removes an account and all its keys",
  about: `${RELOAD_NOTE} What the account created stays. It can be changed again only if an account of the same name is added.`,
  options: FILE_OPTION,
  examples: [["npx --no-install tenderhall account revoke acme", "After a key was lost, or a contract ended:"]],
  parse: (values, [name, ...extra]) => {
    if (!name || extra.length > 0) return { usageError: "account revoke takes one NAME" };
    return (context) => revokeAccount(name, accountsFileOf(textOption(values, "file"), context));
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
  return successResult(`${name} is removed from ${file}; accounts left: ${left}.\n`, {
    name,
    revoked: true,
    left,
    file: resolve(file),
  });
}
