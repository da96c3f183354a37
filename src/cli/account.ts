// npm run account -- NAME [--group brokers] [--levels 12] [--file accounts.json]
import { runInShell } from "./shell.ts";

await runInShell(["account", "add", ...process.argv.slice(2)]);
