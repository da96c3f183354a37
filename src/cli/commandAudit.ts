import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { type Config, configOf, type Environment } from "../config/config.ts";
import { auditPath, openAudit } from "../ops/audit.ts";
import type { Operator } from "../registry/operatorAccess.ts";
import { type CommandResult, EXIT_INTERRUPTED, EXIT_OK } from "./command.ts";

/** Commands that give out or take in more than one tender, or say who may act. What the registry itself records is not among them. */
const AUDITED_COMMANDS = ["backup", "restore", "import", "export", "account"];
const READ_ONLY_VERBS = ["list", "keys", "show"];

/** What an operator did, on the record of the registry's folder; where there is none and nothing was done, none is made. */
export async function recordCommand(
  args: readonly string[],
  environment: Environment,
  result: CommandResult,
): Promise<CommandResult> {
  const [name = "", verb = ""] = args;
  if (!AUDITED_COMMANDS.includes(name) || READ_ONLY_VERBS.includes(verb)) return result;
  const location = registryLocationOf(environment);
  const isSuccessful = result.code === EXIT_OK;
  const operator = currentOperator();
  // Accounts may be made before there is a registry.
  if ((!isSuccessful || name === "account") && !hasRegistry(location)) return result;
  try {
    await openAudit(location.dataDir).record({
      via: "command",
      actor: operator.user,
      act: args.join(" "),
      outcome: isSuccessful ? "done" : result.code === EXIT_INTERRUPTED ? "interrupted" : "refused",
      ...(operator.sudoUser && { sudoUser: operator.sudoUser }),
    });
    return result;
  } catch (error) {
    return { ...result, err: `${result.err}this could not be recorded: ${(error as Error).message}\n` };
  }
}

/** The user of the machine who runs this command, and who became that user by sudo. */
export function currentOperator(): Operator {
  const { SUDO_USER } = process.env;
  return { user: userInfo().username, ...(SUDO_USER && { sudoUser: SUDO_USER }) };
}

type RegistryLocation = Pick<Config, "dataDir" | "databaseUrl">;

/** Settings that are wrong elsewhere still say where the registry is. */
function registryLocationOf(environment: Environment): RegistryLocation {
  const config = configOf(environment);
  return "port" in config
    ? config
    : { dataDir: environment.DATA_DIR?.trim() || "./data", databaseUrl: environment.DATABASE_URL?.trim() || undefined };
}

/** Whether a registry is, or was, run with these settings. */
const hasRegistry = ({ dataDir, databaseUrl }: RegistryLocation): boolean =>
  existsSync(databaseUrl ? auditPath(dataDir) : join(dataDir, "tenderhall.sqlite"));
