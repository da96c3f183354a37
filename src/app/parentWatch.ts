import cluster from "node:cluster";

/**
 * Stops this process when its parent exits. The package's command starts the program with an IPC channel, which closes even if the
 * parent is killed and cannot pass on a signal.
 */
export function exitWithParent(): void {
  if (!process.channel || cluster.isWorker) return;
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  // The open channel must not keep the process running.
  process.channel.unref();
}
