import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { configOf, type Environment } from "../config.ts";
import { type Json, parseJson } from "../dialects/json.ts";
import { ask } from "./ask.ts";

const HELP = `The operators' commands. They take the same settings from the environment as the server (npm start -- --help), work
beside it while it runs, and without it.

  npx tenderhall tender show ID           prints the tender as everyone sees it
  npx tenderhall tender show ID --raw     prints it as it is kept, sealed bids included, with its revision
  npx tenderhall tender replace ID --from FILE --reason TEXT [--force]
                                          puts FILE, which --raw printed and you edited, in its place

  --from FILE    the edited file; - reads standard input
  --reason TEXT  why, in one line; the ledger keeps it
  --force        whatever the procedure's rules say; never whatever shape
  --help         this

A repair:

  npx tenderhall tender show 0b2e... --raw > tender.json
  $EDITOR tender.json
  npx tenderhall tender replace 0b2e... --from tender.json --reason "ticket 17: the buyer's name was cut off"

It ends with 0 when done, also when there was nothing to change; 1 when refused; 2 when it was called wrongly.
`;

const DONE = 0;
const REFUSED = 1;
const MISUSED = 2;

/** How it ended, and what to print where. */
export type Operated = { readonly code: number; readonly out: string; readonly err: string };

/** What operators do at the machine itself, beside the running server or without one. */
export async function operate(args: readonly string[], environment: Environment): Promise<Operated> {
  const command = commandOf(args);
  if (command === "help") return said(HELP);
  if ("misused" in command)
    return complained(MISUSED, [command.misused, "npx tenderhall --help shows how these commands are called"]);
  const config = configOf(environment);
  if (!("port" in config)) return complained(REFUSED, config);
  try {
    const told = await ask(config, command.do === "show" ? command : askedWith(command));
    return told.ok ? said(told.text) : complained(REFUSED, told.problems);
  } catch (error) {
    return complained(REFUSED, [(error as Error).message]);
  }
}

type Show = { readonly do: "show"; readonly id: string; readonly raw: boolean };
type Replace = {
  readonly do: "replace";
  readonly id: string;
  readonly from: string;
  readonly reason: string;
  readonly force: boolean;
};

function commandOf(args: readonly string[]): Show | Replace | "help" | { readonly misused: string } {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return { misused: (error as Error).message };
  }
  const { values, positionals } = parsed;
  const { help, raw = false, from, reason, force = false } = values;
  const [subject, verb, id, ...more] = positionals;
  if (help || subject === "help") return "help";
  if (subject !== "tender" || (verb !== "show" && verb !== "replace"))
    return { misused: "the commands are: tender show, tender replace" };
  if (!id || more.length > 0) return { misused: `tender ${verb} takes the ID of one tender` };
  if (verb === "show")
    return from === undefined && reason === undefined && !force
      ? { do: "show", id, raw }
      : { misused: "tender show takes no other option than --raw" };
  if (raw) return { misused: "--raw belongs to tender show" };
  if (!from) return { misused: "--from FILE says what to put in the tender's place" };
  if (!reason?.trim()) return { misused: "--reason TEXT says why, for the ledger" };
  return { do: "replace", id, from, reason, force };
}

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      raw: { type: "boolean" },
      from: { type: "string" },
      reason: { type: "string" },
      force: { type: "boolean" },
    },
  });

const MEMBERS = ["revision", "tender"];

/** The file holds what `show --raw` printed: the revision that was seen, and the tender. */
function askedWith({ from, ...how }: Replace): object {
  const parsed = parseJson(readFileSync(from === "-" ? 0 : from, "utf8").replace(/^\uFEFF/, ""));
  if (!parsed.ok) throw new Error(`${from} is not JSON: ${parsed.why}`);
  const file = parsed.value as { readonly [name: string]: Json };
  const names = typeof file === "object" && file !== null ? Object.keys(file) : [];
  if (names.toSorted().join() !== MEMBERS.join())
    throw new Error(`${from} must hold an object with exactly "revision" and "tender", as tender show --raw prints it`);
  return { ...how, revision: file.revision, tender: file.tender };
}

const said = (out: string): Operated => ({ code: DONE, out, err: "" });

const complained = (code: number, problems: readonly string[]): Operated => ({
  code,
  out: "",
  err: problems.map((problem) => `${problem}\n`).join(""),
});
