import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { start } from "../../src/app/start.ts";
import { configOf, type Environment } from "../../src/config/config.ts";
import { type Instant, openZone, parseInstant } from "../../src/domain/values/time.ts";
import { EXAMPLE_ORIGIN } from "../../src/openapi/openapiBuilders.ts";
import { openLog } from "../../src/ops/log.ts";

/** A real registry on a free port with its own folder. Its clock stands still until the story moves it. */
export type ExampleRegistry = {
  readonly url: string;
  readonly moveTo: (time: string) => void;
  readonly stop: () => Promise<void>;
};

export const ZONE = openZone("Europe/Kyiv");

/** Opens it. By default the story plans and holds its auctions itself, as external services do. */
export async function openExampleRegistry(
  time: string,
  environment: Environment = { AUCTIONS: "external" },
): Promise<ExampleRegistry> {
  const dataDir = mkdtempSync(join(tmpdir(), "tenderhall-examples-"));
  const config = configOf({ PORT: "0", DATA_DIR: dataDir, PUBLIC_URL: EXAMPLE_ORIGIN, ...environment });
  if (!("port" in config)) throw new Error(`the settings are wrong: ${config}`);
  let now = instantOf(time);
  const log = openLog((text) => process.stderr.write(text), { info: false });
  const running = await start(config, { clock: () => now, runsTimer: false, log });
  return {
    url: running.url,
    moveTo: (later) => {
      now = instantOf(later);
    },
    stop: async () => {
      await running.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function instantOf(time: string): Instant {
  const at = parseInstant(time, ZONE);
  if (typeof at !== "number") throw new Error(`${time} is not a time`);
  return at;
}
