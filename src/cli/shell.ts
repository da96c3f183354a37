import { exitWithParent } from "../app/parentWatch.ts";
import { EXIT_INTERRUPTED, EXIT_OK } from "./command.ts";
import { styleFor } from "./output/colours.ts";
import { runCli } from "./runCli.ts";

/** A command as a process of its own. */
export async function runInShell(args: readonly string[]): Promise<void> {
  // What it opens and writes is nobody else's to read.
  process.umask(0o077);
  exitWithParent();
  // Whoever reads no further, as `head` does, has seen enough.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  const { code, out, err } = await runCli(args, process.env);
  process.stdout.write(out);
  const { bad } = styleFor(process.stderr, process.env);
  process.stderr.write(code === EXIT_OK || code === EXIT_INTERRUPTED ? err : bad(err));
  process.exitCode = code;
  // What was interrupted may still be at work.
  if (code === EXIT_INTERRUPTED) process.exit();
}
