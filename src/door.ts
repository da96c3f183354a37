import type { Act, Audit } from "./audit.ts";
import type { Config } from "./config.ts";
import { printTender, readTender } from "./dialects/canonical.ts";
import { type Dialect, SEGMENTS } from "./dialects/dialects.ts";
import { parseJson, UNBOUNDED } from "./dialects/json.ts";
import type { Log } from "./http/log.ts";
import { render } from "./http/rendering.ts";
import { type Control, controlPath, type Operate, type Operator, openControl, type Words } from "./registry/control.ts";
import { publicTender } from "./views/publicTender.ts";

/** How operators come in: in which words they are answered, and that it is on record. */

/** JSON with every number as exact as it was written. */
function parse(line: string): unknown {
  const parsed = parseJson(line, UNBOUNDED);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.value;
}

/** The service is worth more than the repair: without this door it serves, and says what is missing. */
export async function openDoor({ dataDir }: Config, operate: Operate, log: Log): Promise<Control | undefined> {
  const onFailure = (error: unknown) => log.error("what an operator asked could not be done", error);
  return openControl({ path: controlPath(dataDir), operate, parse, onFailure }).catch((error) => {
    log.error("operators cannot reach this server by command", error);
    return undefined;
  });
}

type Reasons = { readonly reason?: string; readonly force?: boolean };

/** Whatever an operator changes is on record, and so is what was refused, and who saw sealed bids. */
export function audited(operate: Operate, audit: Audit, log?: Log): Operate {
  const recorded = async (asked: unknown, { act, outcome, ...facts }: Pick<Act, "act" | "outcome"> & Reasons) => {
    const line: Act = { via: "command", actor: "operator", act, outcome, ...facts, ...operatorOf(asked) };
    log?.info("audit", line);
    await audit.record(line);
  };
  return async (asked) => {
    const { do: what, id, raw, reason, force = false } = (asked ?? {}) as { readonly [name: string]: unknown };
    const told = await operate(asked);
    const outcome = told.ok ? "done" : "refused";
    if (what === "replace")
      await recorded(asked, { act: `tender replace ${id}`, outcome, reason: String(reason), force: force === true });
    // Nothing is shown unless it is on record.
    if (what === "show" && raw === true) await recorded(asked, { act: `tender show --raw ${id}`, outcome });
    return told;
  };
}

const NAME_LENGTH_MAX = 100;

function operatorOf(asked: unknown): Partial<Operator> {
  const { user, sudoUser } = ((asked as { readonly operator?: unknown } | null)?.operator ?? {}) as Partial<Operator>;
  const text = (name: unknown) =>
    typeof name === "string" && name !== "" ? name.slice(0, NAME_LENGTH_MAX) : undefined;
  return { user: text(user), sudoUser: text(sudoUser) };
}

/** Operators see the newest names: as everyone sees a tender, or as it is kept. */
export function wordsOf(
  { zone, sandbox, publicUrl }: Config,
  dialects: ReadonlyMap<string, Dialect>,
  url: string,
): Words {
  const newest = dialects.get(SEGMENTS.at(-1)!)!;
  const root = `${publicUrl ?? url}/api/${newest.segment}`;
  return {
    print: ({ tender, revision }) => `{"revision": ${revision}, "tender": ${printTender(tender, zone)}}\n`,
    show: (tender, now) => {
      const seen = publicTender(tender, { now, zone, sandbox });
      const json = `{"data":${newest.write("Tender", seen, root)}}`;
      return `${render({ status: 200, json }, { pretty: true })!.content}\n`;
    },
    read: (sent) => readTender(sent, zone),
  };
}
