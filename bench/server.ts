import { configOf } from "../src/config.ts";
import { openLog } from "../src/http/log.ts";
import { start, systemClock } from "../src/start.ts";
import { type Started, usedSoFar } from "./messages.ts";

/** The product as `npm start` runs it; with `--single`, the same with one commit for each request. */

const config = configOf(process.env);
if (!("port" in config)) throw new Error(config.join("; "));

const log = openLog((text) => process.stdout.write(text), { info: config.logsRequests });
const running = await start(config, { clock: systemClock, log, commitsSingly: process.argv.includes("--single") });

process.on("message", () => process.send!(usedSoFar()));
process.on("disconnect", async () => {
  await running.stop();
  process.exit(0);
});
process.send!({ url: running.url } satisfies Started);
