import { parseArgs } from "node:util";
import { start, tuneHeap } from "../src/app/start.ts";
import { systemClock } from "../src/app/systemClock.ts";
import { type Config, configOf } from "../src/config/config.ts";
import { SECOND } from "../src/domain/values/time.ts";
import { openLog } from "../src/ops/log.ts";
import { type ReadyMessage, resourceUsage } from "./messages.ts";

// The product as `npm start` runs it. With `--slow-disk`, every commit takes 2 ms longer; with `--single`, commits are not grouped.
// With `--unindexed`, changes do not update the search index. With `--no-open-data`, no releases are made. With `--turn-ms N`, the turns of auctions take so long, and the first pause a second.

const SLOW_DISK_MS = 2;

tuneHeap();
const config = configOf(process.env);
if (!("port" in config)) throw new Error(config.join("; "));

const { values: options } = parseArgs({
  options: {
    single: { type: "boolean", default: false },
    "slow-disk": { type: "boolean", default: false },
    unindexed: { type: "boolean", default: false },
    "no-open-data": { type: "boolean", default: false },
    "turn-ms": { type: "string" },
  },
});

/** The settings of auctions with turns that are short enough for a bench. */
function withTurns(auctions: NonNullable<Config["auctions"]>, turnMicros: number): Config["auctions"] {
  return { ...auctions, settings: { ...auctions.settings, firstPauseMicros: SECOND, turnMicros } };
}

const turnMs = options["turn-ms"];
const auctions =
  config.auctions && turnMs !== undefined
    ? withTurns(config.auctions, (Number(turnMs) * SECOND) / 1000)
    : config.auctions;
const log = openLog((text) => process.stdout.write(text), { info: config.logsRequests });
const running = await start(
  { ...config, auctions, ...(options["no-open-data"] && { openData: undefined }) },
  {
    clock: systemClock,
    log,
    commitsSingly: options.single,
    skipsIndex: options.unindexed,
    slowDiskMs: options["slow-disk"] ? SLOW_DISK_MS : 0,
  },
);

process.on("message", () => process.send!(resourceUsage()));
process.on("disconnect", async () => {
  await running.stop();
  process.exit(0);
});
process.send!({ url: running.url } satisfies ReadyMessage);
