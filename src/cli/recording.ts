import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { auditPath, openAudit } from "../audit.ts";
import type { Config } from "../config.ts";
import { DONE, type Operated } from "./operated.ts";

/** Commands that give out or take in more than one tender, or say who may act. What the registry itself records is not among them. */
const RECORDED = ["backup", "restore", "import", "export", "account"];
const ONLY_LOOKS = ["list", "show"];

/** What an operator did, on the record of the registry's folder; where there is none and nothing was done, none is made. */
export async function recorded(args: readonly string[], config: Config, operated: Operated): Promise<Operated> {
  const [name = "", verb = ""] = args;
  if (!RECORDED.includes(name) || ONLY_LOOKS.includes(verb)) return operated;
  const isDone = operated.code === DONE;
  if (!isDone && !isKnown(config)) return operated;
  try {
    await openAudit(config.dataDir).record({
      via: "command",
      actor: userInfo().username,
      act: args.join(" "),
      outcome: isDone ? "done" : "refused",
    });
    return operated;
  } catch (error) {
    return { ...operated, err: `${operated.err}this could not be recorded: ${(error as Error).message}\n` };
  }
}

/** Whether a registry is, or was, run with these settings. */
const isKnown = ({ dataDir, databaseUrl }: Config): boolean =>
  existsSync(databaseUrl ? auditPath(dataDir) : join(dataDir, "tenderhall.sqlite"));
