import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { StartOptions } from "../../src/app/start.ts";
import { hashOf } from "../../src/base/secrets.ts";
import { fullTender, publish } from "./examples.ts";
import { openNameServer } from "./nameServer.ts";
import { waitUntil } from "./processes.ts";
import { openWebhookApi } from "./webhookReceiver.ts";
import { expectStatus, openWorld } from "./world.ts";

/** Stand for addresses of the internet, which no test has. 127.0.0.1 stands for what is behind the registry. */
export const PUBLIC_ADDRESSES = ["127.0.0.2", "127.0.0.3"] as const;

const KEY = "a key of our own";
export const SECOND = 1_000_000;

/** A registry in production with one broker, on whose network a test says which names there are. */
export async function openProduction(parts: Partial<StartOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-production-"));
  const ACCOUNTS_FILE = join(folder, "accounts.json");
  writeFileSync(
    ACCOUNTS_FILE,
    JSON.stringify([{ name: "broker", group: "brokers", levels: "1234", keyHash: hashOf(KEY) }]),
  );
  const names = await openNameServer();
  const webhookHosts = { nameServers: [names.server], takenForPublic: PUBLIC_ADDRESSES };
  const world = await openWorld({ MODE: "production", ACCOUNTS_FILE }, false, { webhookHosts, ...parts });
  after(async () => {
    await world.stop();
    rmSync(folder, { recursive: true });
  });
  const hooks = openWebhookApi(world, KEY);
  const api = world.api("2.3");
  const post: typeof api.post = (path, data) => api.request("POST", path, { key: KEY, body: { data } });
  return {
    ...{ world, names, hooks },
    publishTender: () => publish({ ...api, post }, fullTender(world.clock.now)),
    createWebhook: async (url: string): Promise<string> => expectStatus(201, await hooks.create({ url })).body.data.id,
    /** The one delivery of a webhook, once it was attempted that often. */
    waitForAttempts: async (id: string, times: number) => {
      await waitUntil(
        async () => (await hooks.deliveries(id))[0]?.attempts >= times,
        () => `${times} attempts`,
      );
      return (await hooks.deliveries(id))[0];
    },
  };
}
