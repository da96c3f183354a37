// npm start: the same as `npx --no-install tenderhall serve`, and after `npm start --` come the same options.
import { exitWithParent } from "./app/parentWatch.ts";
import { runServer } from "./app/serve.ts";

const options = process.argv.slice(2);

if (options.length === 0) {
  exitWithParent();
  await runServer(process.env, { help: "npm start -- --help" });
} else {
  // Loaded only here, as whoever serves by settings alone needs no commands.
  const { runInShell } = await import("./cli/shell.ts");
  await runInShell(["serve", ...options]);
}
