import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { type ClockedTender, inAuction } from "../support/auctionScenes.ts";
import { COMMAND } from "../support/commands.ts";
import { openDatabase } from "../support/engines.ts";
import { openProcesses, type RunningProcess, TIMEOUT_MS, urlOf, waitUntil } from "../support/processes.ts";
import { type Api, expectStatus, openApi } from "../support/world.ts";

/** Audit documents and kill -9. */

const TENDERS = 6;
const { folder, run } = openProcesses("audit-crash");

describe("kill -9 while audit documents are attached", async () => {
  const dataDir = join(folder, "data");
  mkdirSync(dataDir);
  const database = await openDatabase(dataDir);
  after(database.drop);
  const start = async () => {
    const server = run([...COMMAND, "serve"], { DATA_DIR: dataDir, AUCTIONS: "builtin", ...database.environment });
    return { server, url: await urlOf(server) };
  };

  it("leaves each tender with exactly one after the next start, and with its file", {
    timeout: 3 * TIMEOUT_MS,
  }, async () => {
    let { server, url } = await start();
    const api = openApi(() => url, "2.5");
    const tenders: ClockedTender[] = [];
    for (let i = 0; i < TENDERS; i++) tenders.push(await inAuction({ api: () => api }));
    await killWhileAttaching(server, dataDir, tenders);
    ({ server, url } = await start());
    // Whoever moves a clock again completes the move that was interrupted.
    for (const { advance } of tenders) await advance({ by: "PT1S" });
    const isAttached = async ({ path }: ClockedTender) => (await auditsOf(api, path)).length > 0;
    const areAttached = async () => (await Promise.all(tenders.map(isAttached))).every(Boolean);
    await waitUntil(areAttached, server.output);
    for (const { id, path } of tenders) {
      const [audit, ...others] = await auditsOf(api, path);
      assert.deepEqual(others, []);
      assert.equal(audit.title, `audit_${id}.yaml`);
      assert.match(expectStatus(200, await api.download(audit.url)).text, /results:/);
    }
    server.child.kill("SIGKILL");
    await server.ended;
  });
});

/** Lets all auctions end at once, and kills the server when the first file of an audit document arrives. */
async function killWhileAttaching(
  { child, ended, output }: RunningProcess,
  dataDir: string,
  tenders: readonly ClockedTender[],
): Promise<void> {
  const moves = tenders.map(({ advance }) => advance({ by: "P10D" }).catch(() => {}));
  const filesIn = async () => (await readdir(join(dataDir, "files"), { recursive: true })).filter(isFile).length;
  await waitUntil(async () => (await filesIn()) > 0, output);
  child.kill("SIGKILL");
  await ended;
  await Promise.all(moves);
}

const isFile = (path: string): boolean => /[0-9a-f]{32}(\.part)?$/.test(path);

async function auditsOf(api: Api, path: string) {
  const { body } = expectStatus(200, await api.get(`${path}/documents`));
  // biome-ignore lint/suspicious/noExplicitAny: a document as JSON.
  return (body.data as any[]).filter(({ title }) => title.startsWith("audit_"));
}
