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

/** Addresses that stand for public ones. 127.0.0.1 stands for the internal network of the registry. */
export const PUBLIC_ADDRESSES = ["127.0.0.2", "127.0.0.3"] as const;

const KEY = "a secret key";
export const SECOND = 1_000_000;

/** A registry in production mode with one broker, and a DNS server whose records the test sets. */
export async function openProduction(
  parts: Partial<StartOptions> = {},
  settings: { readonly [name: string]: string } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "tenderhall-production-"));
  const ACCOUNTS_FILE = join(folder, "accounts.json");
  writeFileSync(
    ACCOUNTS_FILE,
    JSON.stringify([{ name: "broker", group: "brokers", levels: "1234", keyHash: hashOf(KEY) }]),
  );
  const names = await openNameServer();
  const webhookHosts = { nameServers: [names.server], takenForPublic: PUBLIC_ADDRESSES };
  const world = await openWorld({ MODE: "production", ACCOUNTS_FILE, ...settings }, false, { webhookHosts, ...parts });
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
    /** Waits until the only delivery of a webhook was attempted so many times, and returns it. */
    waitForAttempts: async (id: string, times: number) => {
      await waitUntil(
        async () => (await hooks.deliveries(id))[0]?.attempts >= times,
        () => `${times} attempts`,
      );
      return (await hooks.deliveries(id))[0];
    },
  };
}
