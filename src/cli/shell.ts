import { endWithLauncher } from "../launched.ts";
import { styleFor } from "./colours.ts";
import { DONE, INTERRUPTED } from "./operated.ts";
import { operate } from "./operator.ts";

/** A command as a process of its own. */
export async function runInShell(args: readonly string[]): Promise<void> {
  // What it opens and writes is nobody else's to read.
  process.umask(0o077);
  endWithLauncher();
  // Whoever reads no further, as `head` does, has seen enough.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  const { code, out, err } = await operate(args, process.env);
  process.stdout.write(out);
  const { bad } = styleFor(process.stderr, process.env);
  process.stderr.write(code === DONE || code === INTERRUPTED ? err : bad(err));
  process.exitCode = code;
  // What was interrupted may still be at work.
  if (code === INTERRUPTED) process.exit();
}
