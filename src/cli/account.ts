// npm run account -- NAME [--group brokers] [--levels 12] [--file accounts.json]
// or with a command of `tenderhall account` first: list, keys NAME, ...
import { COMMANDS } from "./commands.ts";
import { runInShell } from "./shell.ts";

const args = process.argv.slice(2);
const isCommand = COMMANDS.some(({ name }) => name === `account ${args[0]}`);
await runInShell(["account", ...(isCommand ? [] : ["add"]), ...args]);
