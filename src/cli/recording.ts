import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { auditPath, openAudit } from "../audit.ts";
import { type Config, configOf, type Environment } from "../config.ts";
import type { Operator } from "../registry/control.ts";
import { DONE, INTERRUPTED, type Operated } from "./operated.ts";

/** Commands that give out or take in more than one tender, or say who may act. What the registry itself records is not among them. */
const RECORDED = ["backup", "restore", "import", "export", "account"];
const ONLY_LOOKS = ["list", "keys", "show"];

/** What an operator did, on the record of the registry's folder; where there is none and nothing was done, none is made. */
export async function recorded(
  args: readonly string[],
  environment: Environment,
  operated: Operated,
): Promise<Operated> {
  const [name = "", verb = ""] = args;
  if (!RECORDED.includes(name) || ONLY_LOOKS.includes(verb)) return operated;
  const place = placeOf(environment);
  const isDone = operated.code === DONE;
  const operator = thisOperator();
  // Accounts may be made before there is a registry.
  if ((!isDone || name === "account") && !isKnown(place)) return operated;
  try {
    await openAudit(place.dataDir).record({
      via: "command",
      actor: operator.user,
      act: args.join(" "),
      outcome: isDone ? "done" : operated.code === INTERRUPTED ? "interrupted" : "refused",
      ...(operator.sudoUser && { sudoUser: operator.sudoUser }),
    });
    return operated;
  } catch (error) {
    return { ...operated, err: `${operated.err}this could not be recorded: ${(error as Error).message}\n` };
  }
}

/** The user of the machine who runs this command, and who became that user by sudo. */
export function thisOperator(): Operator {
  const { SUDO_USER } = process.env;
  return { user: userInfo().username, ...(SUDO_USER && { sudoUser: SUDO_USER }) };
}

type Place = Pick<Config, "dataDir" | "databaseUrl">;

/** Settings that are wrong elsewhere still say where the registry is. */
function placeOf(environment: Environment): Place {
  const config = configOf(environment);
  return "port" in config
    ? config
    : { dataDir: environment.DATA_DIR?.trim() || "./data", databaseUrl: environment.DATABASE_URL?.trim() || undefined };
}

/** Whether a registry is, or was, run with these settings. */
const isKnown = ({ dataDir, databaseUrl }: Place): boolean =>
  existsSync(databaseUrl ? auditPath(dataDir) : join(dataDir, "tenderhall.sqlite"));
