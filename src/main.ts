// npm start: the same as `npx tenderhall serve`, with every setting from the environment.
import { HELP } from "./config.ts";
import { serveAs } from "./serving.ts";

if (process.argv.includes("--help") || process.argv.includes("-h")) {
  process.stdout.write(HELP);
  process.exit(0);
}

await serveAs(process.env, { help: "npm start -- --help" });
