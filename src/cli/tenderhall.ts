// npx --no-install tenderhall ...
import { runInShell } from "./shell.ts";

await runInShell(process.argv.slice(2));
