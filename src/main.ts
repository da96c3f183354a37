// `npm start` is the same as `npx --no-install tenderhall serve`; options follow after `npm start --`.
import { exitWithParent } from "./app/parentWatch.ts";
import { runServer } from "./app/serve.ts";

const options = process.argv.slice(2);

if (options.length === 0) {
  exitWithParent();
  await runServer(process.env, { help: "npm start -- --help" });
} else {
  // Loaded only here: without options the commands are not needed.
  const { runInShell } = await import("./cli/shell.ts");
  await runInShell(["serve", ...options]);
}
