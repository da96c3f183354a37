// A server whose auctions have stages of about a second, so that a test can go through one in real time.
import { start } from "../../src/app/start.ts";
import { systemClock } from "../../src/app/systemClock.ts";
import { configOf } from "../../src/config/config.ts";
import { SECOND } from "../../src/domain/values/time.ts";
import { openLog } from "../../src/ops/log.ts";

const config = configOf(process.env);
if (!("port" in config) || !config.auctions) throw new Error("the settings of the server are invalid");
const settings = {
  ...config.auctions.settings,
  firstPauseMicros: 2 * SECOND,
  pauseMicros: SECOND,
  turnMicros: 2 * SECOND,
  preAnnouncementMicros: SECOND,
};
const log = openLog((text) => process.stderr.write(text), { info: false });
const running = await start({ ...config, auctions: { ...config.auctions, settings } }, { clock: systemClock, log });
process.stdout.write(`${running.url}\n`);
process.on("SIGTERM", () => void running.stop().then(() => process.exit(0)));
