import { start, tuneHeap } from "../src/app/start.ts";
import { systemClock } from "../src/app/systemClock.ts";
import { configOf } from "../src/config/config.ts";
import { openLog } from "../src/ops/log.ts";
import { type ReadyMessage, resourceUsage } from "./messages.ts";

// The product as `npm start` runs it. With `--slow-disk`, every commit takes 2 ms longer; with `--single`, commits are not grouped.

const SLOW_DISK_MS = 2;

tuneHeap();
const config = configOf(process.env);
if (!("port" in config)) throw new Error(config.join("; "));

const log = openLog((text) => process.stdout.write(text), { info: config.logsRequests });
const running = await start(config, {
  clock: systemClock,
  log,
  commitsSingly: process.argv.includes("--single"),
  slowDiskMs: process.argv.includes("--slow-disk") ? SLOW_DISK_MS : 0,
});

process.on("message", () => process.send!(resourceUsage()));
process.on("disconnect", async () => {
  await running.stop();
  process.exit(0);
});
process.send!({ url: running.url } satisfies ReadyMessage);
