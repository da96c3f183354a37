import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { openDatabase } from "../support/engines.ts";
import { openProcesses, TIMEOUT_MS } from "../support/processes.ts";

const { folder, run } = openProcesses("memory");

type MemoryReport = {
  readonly sent: number;
  readonly grown: number;
  readonly measured: { readonly [kind: string]: number };
};

describe("the tender cache", () => {
  let measurement: MemoryReport;

  before(
    async () => {
      const database = await openDatabase(folder);
      const node = [process.execPath, "--disable-warning=ExperimentalWarning", "--expose-gc"];
      const child = run([...node, "test/support/cacheMemory.ts"], { DATA_DIR: folder, ...database.environment });
      await child.ended;
      await database.drop();
      measurement = JSON.parse(child.output());
    },
    { timeout: 4 * TIMEOUT_MS },
  );

  it("does not retain the request body of which it stores a part", () => {
    const { sent, grown } = measurement;
    assert.ok(grown < sent / 10, `${grown} bytes more are in use after ${sent} bytes of bodies`);
  });

  it("estimates the size of its entries within a factor of two", () => {
    for (const [kind, ratio] of Object.entries(measurement.measured))
      assert.ok(ratio > 0.5 && ratio < 2, `${kind} take ${ratio} times what they are taken for`);
  });
});
