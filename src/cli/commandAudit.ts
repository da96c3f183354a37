import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../base/errors.ts";
import { type Config, configOf, type Environment } from "../config/config.ts";
import { auditPath, openAudit } from "../ops/audit.ts";
import type { Operator } from "../registry/operatorAccess.ts";
import { type CommandResult, EXIT_INTERRUPTED, EXIT_OK } from "./command.ts";

/** Commands that copy the registry or change its accounts. Changes of single tenders are in the ledger. */
const AUDITED_COMMANDS = ["backup", "restore", "import", "export", "account"];
const READ_ONLY_VERBS = ["list", "keys", "show"];

/**
 * Records a command in the audit log of DATA_DIR. Does not create the log for a command that failed, or that changed
 * accounts, where there is no registry yet. Adds a message to the result if recording fails.
 */
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
    return {
      ...result,
      err: `${result.err}the command could not be recorded in the audit log: ${errorMessage(error)}\n`,
    };
  }
}

/** The user of this machine who runs the command, and the user who called sudo, if any. */
export function currentOperator(): Operator {
  const { SUDO_USER } = process.env;
  return { user: userInfo().username, ...(SUDO_USER && { sudoUser: SUDO_USER }) };
}

type RegistryLocation = Pick<Config, "dataDir" | "databaseUrl">;

/** Works with invalid settings too, as long as those of the location are there. */
function registryLocationOf(environment: Environment): RegistryLocation {
  const config = configOf(environment);
  return "port" in config
    ? config
    : { dataDir: environment.DATA_DIR?.trim() || "./data", databaseUrl: environment.DATABASE_URL?.trim() || undefined };
}

/** Whether a registry has been run with these settings. */
const hasRegistry = ({ dataDir, databaseUrl }: RegistryLocation): boolean =>
  existsSync(databaseUrl ? auditPath(dataDir) : join(dataDir, "tenderhall.sqlite"));
