import { readFileSync } from "node:fs";
import type { Config } from "../config.ts";
import { type Json, parseJson } from "../dialects/json.ts";
import { ask } from "./ask.ts";
import { type Command, complained, type Operated, REFUSED, said, type Values } from "./operated.ts";

/** Shows and repairs one tender, beside the running server or without one. */
export const tender: Command = {
  options: {
    raw: { type: "boolean" },
    from: { type: "string" },
    reason: { type: "string" },
    force: { type: "boolean" },
  },
  read: (values, positionals) => {
    const asked = askedFor(values, positionals);
    return "misused" in asked ? asked : (config) => answered(config, asked);
  },
};

async function answered(config: Config, asked: Show | Replace): Promise<Operated> {
  const told = await ask(config, asked.do === "show" ? asked : askedWith(asked));
  return told.ok ? said(told.text) : complained(REFUSED, told.problems);
}

type Show = { readonly do: "show"; readonly id: string; readonly raw: boolean };
type Replace = {
  readonly do: "replace";
  readonly id: string;
  readonly from: string;
  readonly reason: string;
  readonly force: boolean;
};
type Given = {
  readonly raw?: boolean;
  readonly from?: string;
  readonly reason?: string;
  readonly force?: boolean;
};

function askedFor(
  values: Values,
  [verb, id, ...more]: readonly string[],
): Show | Replace | { readonly misused: string } {
  const { raw = false, from, reason, force = false } = values as Given;
  if (verb !== "show" && verb !== "replace") return { misused: "tender show and tender replace are what there is" };
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
