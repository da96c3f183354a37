import { parseArgs } from "node:util";
import { configOf, type Environment } from "../config.ts";
import { backup } from "./backup.ts";
import { exportLines } from "./export.ts";
import { HELP } from "./help.ts";
import { importLines } from "./import.ts";
import {
  type Command,
  complained,
  MISUSED,
  type Operated,
  REFUSED,
  type Run,
  said,
  type Terminal,
} from "./operated.ts";
import { recorded } from "./recording.ts";
import { restore } from "./restore.ts";
import { tender } from "./tender.ts";
import { verify } from "./verify.ts";

const COMMANDS: { readonly [name: string]: Command } = {
  tender,
  backup,
  restore,
  verify,
  export: exportLines,
  import: importLines,
};

const HERE: Terminal = { in: process.stdin, out: process.stdout, err: process.stderr };

/** What operators do at the machine itself, beside the running server or without one. */
export async function operate(
  args: readonly string[],
  environment: Environment,
  terminal: Terminal = HERE,
): Promise<Operated> {
  const run = readArguments(args);
  if (run === "help") return said(HELP);
  if ("misused" in run)
    return complained(MISUSED, [run.misused, "npx tenderhall --help shows how these commands are called"]);
  const config = configOf(environment);
  if (!("port" in config)) return complained(REFUSED, config);
  const operated = await run(config, terminal).catch((error: Error) => complained(REFUSED, [error.message]));
  return recorded(args, config, operated);
}

function readArguments(args: readonly string[]): Run | "help" | { readonly misused: string } {
  if (args.includes("--help") || args.includes("-h") || args[0] === "help") return "help";
  const [name = "", ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) return { misused: `the commands are: ${Object.keys(COMMANDS).join(", ")}` };
  try {
    const { values, positionals } = parseArgs({ args: rest, allowPositionals: true, options: command.options });
    return command.read(values as { [name: string]: string | boolean | undefined }, positionals);
  } catch (error) {
    return { misused: (error as Error).message };
  }
}
