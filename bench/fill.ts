import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { configOf } from "../src/config.ts";
import { openLog } from "../src/http/log.ts";
import { openStoreOf, start, systemClock } from "../src/start.ts";
import type { PastChange, Store, Stored } from "../src/store/store.ts";
import { tenderBody } from "./bodies.ts";
import { publish } from "./requests.ts";

/**
 * Fills a registry through its store: one tender is published over HTTP, the others are it under new names. What is kept
 * is what publishing keeps, some ten times sooner. Arguments: how many, and the file to write their ids to.
 */

const ROWS_AT_ONCE = 500;
const TOLD_EVERY_MS = 5000;
const [wanted, idsFile] = process.argv.slice(2) as [string, string];

const config = configOf(process.env);
if (!("port" in config)) throw new Error(config.join("; "));
const first = await publishOne();
const store = await openStoreOf(config, { clock: systemClock });
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

async function fill(into: Store, model: Stored, count: number): Promise<readonly string[]> {
  const [row] = await into.ledger(0, 1);
  const made: string[] = [];
  let at = row!.at;
  let toldAt = performance.now();
  while (made.length < count) {
    const group = Array.from({ length: Math.min(ROWS_AT_ONCE, count - made.length) }, () => {
      at += 1;
      const id = randomBytes(16).toString("hex");
      made.push(id);
      return copyOf(model, { id, sequence: made.length + 1, at });
    });
    await into.append(group);
    if (performance.now() - toldAt < TOLD_EVERY_MS) continue;
    toldAt = performance.now();
    process.stderr.write(`  ${made.length} of ${count} tenders are stored\n`);
  }
  return made;
}

function copyOf(
  { tender: model }: Stored,
  { id, sequence, at }: { readonly id: string; readonly sequence: number; readonly at: number },
): PastChange {
  const tender = { ...model, id, date: at, dateModified: at };
  const document = JSON.stringify(tender);
  return {
    sequence,
    at,
    before: undefined,
    taken: { day: "filled", number: sequence },
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
