import { configOf } from "../src/config.ts";
import { openLog } from "../src/http/log.ts";
import { keepMemoryLow, start, systemClock } from "../src/start.ts";
import { type Started, usedSoFar } from "./messages.ts";

/**
 * The product as `npm start` runs it. With `--slow-disk`, every commit waits 2 ms more for its disk; with `--single`, each
 * request has a commit of its own.
 */

const SLOW_DISK_MS = 2;

keepMemoryLow();
const config = configOf(process.env);
if (!("port" in config)) throw new Error(config.join("; "));

const log = openLog((text) => process.stdout.write(text), { info: config.logsRequests });
const running = await start(config, {
  clock: systemClock,
  log,
  commitsSingly: process.argv.includes("--single"),
  slowDiskMs: process.argv.includes("--slow-disk") ? SLOW_DISK_MS : 0,
});

process.on("message", () => process.send!(usedSoFar()));
process.on("disconnect", async () => {
  await running.stop();
  process.exit(0);
});
process.send!({ url: running.url } satisfies Started);
