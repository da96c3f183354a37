import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { openConfiguredStore, start, systemClock } from "../src/app/start.ts";
import { configOf } from "../src/config/config.ts";
import { openLog } from "../src/ops/log.ts";
import type { PastChange, Store, StoredTender } from "../src/store/store.ts";
import { tenderBody } from "./bodies.ts";
import { publish } from "./requests.ts";

/**
 * Fills a registry through its store: one tender is published over HTTP, the others are it under new names. What is kept
 * is what publishing keeps, some ten times sooner. Arguments: how many, and the file to write their ids to.
 */

const ROWS_AT_ONCE = 500;
const REPORT_EVERY_MS = 5000;
const [wanted, idsFile] = process.argv.slice(2) as [string, string];

const config = configOf(process.env);
if (!("port" in config)) throw new Error(config.join("; "));
const first = await publishOne();
const store = await openConfiguredStore(config, { clock: systemClock });
const ids = await fill(store, (await store.find(first))!, Number(wanted) - 1);
await store.close();
writeFileSync(idsFile, [first, ...ids].join("\n"));

async function publishOne(): Promise<string> {
  if (!("port" in config)) throw new Error("the settings are wrong");
  const log = openLog(() => {}, { info: false });
  const running = await start(config, { clock: systemClock, log });
  const [made] = await publish(running.url, 1, tenderBody());
  await running.stop();
  return made!.id;
}

async function fill(target: Store, model: StoredTender, count: number): Promise<readonly string[]> {
  const [row] = await target.ledger(0, 1);
  const newIds: string[] = [];
  let at = row!.at;
  let reportedAt = performance.now();
  while (newIds.length < count) {
    const group = Array.from({ length: Math.min(ROWS_AT_ONCE, count - newIds.length) }, () => {
      at += 1;
      const id = randomBytes(16).toString("hex");
      newIds.push(id);
      return copyOf(model, { id, sequence: newIds.length + 1, at });
    });
    await target.append(group);
    if (performance.now() - reportedAt < REPORT_EVERY_MS) continue;
    reportedAt = performance.now();
    process.stderr.write(`  ${newIds.length} of ${count} tenders are stored\n`);
  }
  return newIds;
}

function copyOf(
  { tender: model }: StoredTender,
  { id, sequence, at }: { readonly id: string; readonly sequence: number; readonly at: number },
): PastChange {
  const tender = { ...model, id, date: at, dateModified: at };
  const document = JSON.stringify(tender);
  return {
    sequence,
    at,
    before: undefined,
    assigned: { day: "filled", number: sequence },
    change: {
      tender,
      document,
      wakeAt: model.enquiryPeriod!.endDate,
      actor: model.owner,
      act: "publish tender",
      patch: `[{"op":"add","path":"","value":${document}}]`,
      files: [],
    },
  };
}
