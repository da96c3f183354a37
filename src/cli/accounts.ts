import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { GROUPS, type Group } from "../domain/actors.ts";
import type { AccountEntry } from "../registry/accountEntries.ts";
import { hashOf, newId } from "../registry/secrets.ts";
import { changeEntries, readEntries } from "./accountsKept.ts";
import { type Command, complained, type Here, lineOf, type Operated, type Options, REFUSED, said } from "./operated.ts";
import { tableOf } from "./tables.ts";

export const FILE: Options = {
  file: { takes: "FILE", means: "where accounts are kept; default: ACCOUNTS_FILE, else accounts.json" },
};

export const fileOf = (given: string | undefined, { environment }: Here): string =>
  given ?? (environment.ACCOUNTS_FILE?.trim() || "accounts.json");

export const noFile = (file: string): string =>
  `there is no file ${file}; to create it: npx --no-install tenderhall account add NAME --file ${file}`;

export const SEEN_SOON = "A server that uses this file picks up the change within a second or two.";

const GROUPS_MEAN: { readonly [group in Group]: string } = {
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

const LEVELS_MEAN: { readonly [level: string]: string } = {
  1: "publishes tenders",
  2: "bids, asks and objects",
  3: "nothing here; other registries ask for it",
  4: "nothing here; other registries ask for it",
  t: "beside others: in tenders of mode test only",
};

const rowsOf = (means: { readonly [name: string]: string }): string =>
  Object.entries(means)
    .map(([name, meant]) => `  ${name.padEnd(22)} ${meant}\n`)
    .join("");

const ADD_NOTES =
  `Groups:\n\n${rowsOf(GROUPS_MEAN)}\nLevels of brokers, each a character of its own, so that 2 does not include 1:\n\n` +
  rowsOf(LEVELS_MEAN);

/** As it stands in addresses, logs and the `owner` of tenders. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,99}$/u;
const LEVELS = new RegExp(`^[${Object.keys(LEVELS_MEAN).join("")}]+$`);

/** Makes an account with a fresh key. The key is shown once; only its hash is written. */
export const accountAdd: Command = {
  name: "account add",
  takes: "NAME",
  summary: "makes an account with a fresh key, which is shown this once; the file keeps its hash",
  options: {
    group: { takes: "GROUP", means: "what the account may do", fallback: "brokers", choices: GROUPS },
    levels: {
      takes: "LEVELS",
      means: "needed for brokers, and theirs alone: 1 publishes tenders, 2 bids and asks, t in test mode only; as 12",
    },
    ...FILE,
  },
  about: SEEN_SOON,
  notes: ADD_NOTES,
  examples: [
    ["npx --no-install tenderhall account add acme --levels 12", "A marketplace that publishes and bids:"],
    [
      "npx --no-install tenderhall account add robot --group auction --file /etc/tenderhall/accounts.json",
      "Whoever runs auctions:",
    ],
  ],
  read: (values, [name, ...more]) => {
    const { group = "brokers", levels, file } = values as { [name: string]: string | undefined };
    if (!name?.trim() || more.length > 0) return { misused: "account add takes one NAME" };
    if (!NAME.test(name)) return { misused: `NAME takes letters, digits and . _ @ + -, not "${name}"` };
    const wrong = problemWithLevels(group, levels);
    if (wrong) return { misused: wrong };
    return (here) => add({ name, group, levels }, fileOf(file, here));
  },
};

function problemWithLevels(group: string, levels: string | undefined): string | undefined {
  if (group !== "brokers") return levels === undefined ? undefined : `--levels is for brokers: ${group} has none`;
  if (levels === undefined) return "--levels LEVELS says what a broker may do: 12 publishes and bids";
  return LEVELS.test(levels)
    ? undefined
    : `--levels takes some of ${Object.keys(LEVELS_MEAN).join(", ")}, as 12, not "${levels}"`;
}

/** Only its hash is written anywhere. */
export const newKey = (): string => newId() + newId();

async function add({ name, group, levels }: AccountEntry, file: string): Promise<Operated> {
  const key = newKey();
  await changeEntries(file, (entries) => {
    if (entries.some((entry) => entry.name === name))
      throw new Error(
        `${file} has an account named ${name} already: account add-key ${name} gives it another key, for rotation`,
      );
    return [...entries, { name, group, ...(levels !== undefined && { levels }), keyHash: hashOf(key) }];
  });
  const text =
    `${name} is in ${file}. Its key, shown this once:\n\n  ${key}\n\n` +
    `A server in MODE=production finds it by ACCOUNTS_FILE=${quoted(file)}\n`;
  return said(text, { name, group, levels, key, file: resolve(file) });
}

/** As a shell takes it for one word. */
const quoted = (word: string): string => (/^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

export const accountList: Command = {
  name: "account list",
  summary: "lists the accounts; their keys are known to nobody but their holders",
  options: FILE,
  examples: [["npx --no-install tenderhall account list --file accounts.json", "Who may come in:"]],
  read: (values, positionals) => {
    if (positionals.length > 0) return { misused: "account list takes options only" };
    return async (here) => listed(fileOf(values.file as string | undefined, here), here.json);
  },
};

function listed(file: string, json: boolean): Operated {
  if (!existsSync(file)) return complained(REFUSED, [noFile(file)]);
  // Earlier versions wrote levels for every group.
  const accounts = readEntries(file).map(({ name, group, levels }) => ({
    name,
    group,
    ...(group === "brokers" && { levels }),
  }));
  if (json) return said(accounts.map(lineOf).join(""));
  if (accounts.length === 0)
    return said(`${file} has no accounts: npx --no-install tenderhall account add NAME makes one\n`);
  return said(
    tableOf(
      ["NAME", "GROUP", "LEVELS"],
      accounts.map(({ name, group, levels = "-" }) => [name, group, levels]),
    ),
  );
}

export const accountRevoke: Command = {
  name: "account revoke",
  takes: "NAME",
  summary: "removes an account, so that its keys open nothing any more",
  about: `${SEEN_SOON} What the account published stays, and nobody can change it unless an account of that name is made again.`,
  options: FILE,
  examples: [["npx --no-install tenderhall account revoke acme", "A key was lost, or a contract ended:"]],
  read: (values, [name, ...more]) => {
    if (!name || more.length > 0) return { misused: "account revoke takes one NAME" };
    return (here) => revoke(name, fileOf(values.file as string | undefined, here));
  },
};

async function revoke(name: string, file: string): Promise<Operated> {
  let left = 0;
  await changeEntries(file, (entries) => {
    const others = entries.filter((entry) => entry.name !== name);
    if (others.length === entries.length) throw new Error(`${file} has no account named ${name}`);
    left = others.length;
    return others;
  });
  return said(`${name} is revoked in ${file}: ${left} left.\n`, { name, revoked: true, left, file: resolve(file) });
}
