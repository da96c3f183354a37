// `npm run dev`: serves, restarts after every change of a source or a page, and checks the types in the background.
// What comes after `npm run dev --` goes to the server, as with `npm start`.
import { watch } from "node:fs";
import { openDevServer } from "./dev/server.ts";
import { openTypeCheck } from "./dev/typeCheck.ts";

const WATCHED = ["src", "docs"];
/** Editors write a file in several steps. */
const SETTLE_MS = 50;
const IS_TEST = /\.(test|contract)\.ts$/;

const print = (text: string) => process.stdout.write(`${text}\n`);
const server = openDevServer(process.argv.slice(2), print);
const typeCheck = openTypeCheck(print);
const changed = new Set<string>();
let timer: NodeJS.Timeout | undefined;
let restarting = server.start();
void restarting.then(typeCheck.run);

for (const folder of WATCHED)
  watch(folder, { recursive: true }, (_event, name) => {
    changed.add(`${folder}/${name}`);
    clearTimeout(timer);
    timer = setTimeout(() => {
      restarting = restarting.then(react);
    }, SETTLE_MS);
  });

/** A test is no part of the server, but its types are checked. */
async function react(): Promise<void> {
  const files = [...changed];
  changed.clear();
  const served = files.filter((file) => !IS_TEST.test(file));
  if (served.length > 0) await server.restart(served);
  typeCheck.run();
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, async () => {
    typeCheck.stop();
    await server.stop();
    process.exit(0);
  });
