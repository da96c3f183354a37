import cluster from "node:cluster";

/**
 * The package's command starts the program with a channel between them, which nobody writes to. Whoever started us may be
 * killed without a word, and then passes on nothing: the end of the channel says it.
 */
export function exitWithParent(): void {
  if (!process.channel || cluster.isWorker) return;
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  // Nobody waits for it: what has been done ends by itself.
  process.channel.unref();
}
