import { exitWithParent } from "../app/parentWatch.ts";
import { EXIT_INTERRUPTED, EXIT_OK } from "./command.ts";
import { styleFor } from "./output/colours.ts";
import { runCli } from "./runCli.ts";

/** Runs a command as the process: prints its result and sets the exit code. */
export async function runInShell(args: readonly string[]): Promise<void> {
  // Files that a command writes contain secrets: only their owner may read them.
  process.umask(0o077);
  exitWithParent();
  // A reader such as `head` closes the pipe when it has enough; that is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  const { code, out, err } = await runCli(args, process.env);
  process.stdout.write(out);
  const { bad } = styleFor(process.stderr, process.env);
  process.stderr.write(code === EXIT_OK || code === EXIT_INTERRUPTED ? err : bad(err));
  process.exitCode = code;
  // Interrupted work may still be running.
  if (code === EXIT_INTERRUPTED) process.exit();
}
