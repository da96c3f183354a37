import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, describe, it } from "node:test";
import { BIDDER, OWNER, RIVAL, zone } from "../../test/support/decisions.ts";
import { DEADLINE, placeBid, START, sent, TENDERING, tenderFields } from "../../test/support/domainCommands.ts";
import { DEFAULT_PLANNING } from "../domain/auctions/planning.ts";
import { DEFAULT_AUCTION_SETTINGS } from "../domain/auctions/tenderAuctions.ts";
import { HOUR, SECOND } from "../domain/values/time.ts";
import { openDisk } from "../files/disk.ts";
import { openRegistry } from "../registry/registry.ts";
import { openSqlite } from "../store/sqlite/sqlite.ts";
import { openAuditDocuments } from "./auditDocuments.ts";

const limits = { bidsPerAccountMax: 10, bidBytesPerAccountMax: 1e6, tenderBytesMax: 1e6, storedBytesMax: 1e7 };

/** A registry with a tender whose auction has ended, and that has no audit document yet. */
async function openEnded() {
  const dataDir = mkdtempSync(join(tmpdir(), "tenderhall-audits-"));
  const clock = { now: START };
  const store = openSqlite({ dataDir, clock: () => clock.now, recentBytesMax: 1e6 });
  const registry = openRegistry({
    ...{ store, zone, sandbox: false, limits, runsTimer: false },
    auctions: { planning: DEFAULT_PLANNING, settings: DEFAULT_AUCTION_SETTINGS },
    onTickFailure: (error) => assert.fail(String(error)),
  });
  const files = await openDisk(dataDir);
  after(async () => {
    await registry.stop();
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const created = await registry.publish({ procedure: "belowThreshold", sent: sent(tenderFields({})) }, OWNER);
  assert.ok(created !== "moved" && "ok" in created && created.ok);
  const { id } = created.value.tender;
  clock.now = TENDERING;
  await registry.change(id, placeBid("400000"), BIDDER);
  await registry.change(id, placeBid("410000"), RIVAL);
  clock.now = DEADLINE;
  const start = (await registry.tender(id))?.auctionPeriod?.startDate;
  assert.ok(start !== undefined);
  for (clock.now = start; clock.now < start + HOUR; clock.now += 4 * SECOND) await registry.auctions.find(id);
  const incoming = () => readdirSync(join(dataDir, "files", "incoming"));
  return { id, registry, store, files, incoming };
}

describe("audit documents", () => {
  it("are attached once, however many servers find that one is missing at the same time", async () => {
    const { id, registry, store, files, incoming } = await openEnded();
    assert.deepEqual((await registry.tender(id))?.documents, []);
    const failures: unknown[] = [];
    const received: string[] = [];
    const receive: typeof files.receive = async (key, source, sizeMax) => {
      received.push(key);
      return files.receive(key, source, sizeMax);
    };
    const servers = Array.from({ length: 3 }, () =>
      openAuditDocuments({
        ...{ registry, store, files: { ...files, receive }, zone, runsTimer: true },
        onFailure: (error) => failures.push(error),
      }),
    );
    // Each has its own search, which it begins at once.
    while (received.length < 3 || incoming().length > 0) await new Promise(setImmediate);
    await Promise.all(servers.map(({ stop }) => stop()));
    const documents = (await registry.tender(id))?.documents ?? [];
    assert.deepEqual(
      documents.map(({ title, author, format }) => ({ title, author, format })),
      [{ title: `audit_${id}.yaml`, author: "auction", format: "application/yaml" }],
    );
    const kept = await Promise.all(received.map((key) => files.open(key)));
    const [content, ...others] = await Promise.all(kept.flatMap((file) => (file ? [text(file.stream)] : [])));
    assert.match(content ?? "", /results:/);
    assert.deepEqual([others, failures], [[], []]);
  });
});
