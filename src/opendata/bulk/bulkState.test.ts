import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { emptyState, openBulkFolder, removeOthers } from "./bulkState.ts";

describe("the folder of bulk files", () => {
  const root = mkdtempSync(join(tmpdir(), "tenderhall-folder-"));
  after(() => rmSync(root, { recursive: true, force: true }));

  it("keeps files of others, and loses bulk files that are no longer current", async () => {
    const folder = join(root, "others");
    await openBulkFolder(folder, "");
    const others = [
      "index.html",
      "photo.part",
      "releases-2026.jsonl.gz",
      "tenders-2026-11-1.csv",
      "notes-all-1.csv.gz",
    ];
    const old = ["releases-2026-11-2.jsonl.gz", "bids-all-1.csv.gz", "items-2025-01-1.csv.gz.part", "state.json.part"];
    for (const name of [...others, ...old]) writeFileSync(join(folder, name), "");
    await openBulkFolder(folder, "");
    assert.deepEqual(readdirSync(folder).toSorted(), [...others, ...old.slice(0, 2)].toSorted());
    await removeOthers(folder, emptyState(""));
    assert.deepEqual(readdirSync(folder).toSorted(), others.toSorted());
  });

  it("is refused if its manifest or state is of something else, such as a backup", async () => {
    for (const name of ["manifest.json", "state.json"]) {
      const folder = join(root, `foreign ${name}`);
      await openBulkFolder(folder, "");
      writeFileSync(join(folder, name), "{}");
      await assert.rejects(openBulkFolder(folder, ""), /is not from an export of open data: use another folder/);
    }
  });
});
