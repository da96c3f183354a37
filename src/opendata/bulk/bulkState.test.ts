import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { emptyState, openBulkFolder, removeOthers } from "./bulkState.ts";

const INPUTS = { values: "", generation: "" };

describe("the folder of bulk files", () => {
  const root = mkdtempSync(join(tmpdir(), "tenderhall-folder-"));
  after(() => rmSync(root, { recursive: true, force: true }));

  it("keeps files of others, and loses bulk files that are no longer current", async () => {
    const folder = join(root, "others");
    await openBulkFolder(folder, INPUTS);
    const others = [
      "index.html",
      "photo.part",
      "releases-2026.jsonl.gz",
      "tenders-2026-11-1.csv",
      "notes-all-1.csv.gz",
    ];
    const old = ["releases-2026-11-2.jsonl.gz", "bids-all-1.csv.gz", "items-2025-01-1.csv.gz.part", "state.json.part"];
    for (const name of [...others, ...old]) writeFileSync(join(folder, name), "");
    await openBulkFolder(folder, INPUTS);
    assert.deepEqual(readdirSync(folder).toSorted(), [...others, ...old.slice(0, 2)].toSorted());
    await removeOthers(folder, emptyState(INPUTS));
    assert.deepEqual(readdirSync(folder).toSorted(), others.toSorted());
  });

  it("is refused if its manifest or state is of something else, such as a backup", async () => {
    for (const name of ["manifest.json", "state.json"]) {
      const folder = join(root, `foreign ${name}`);
      await openBulkFolder(folder, INPUTS);
      writeFileSync(join(folder, name), "{}");
      await assert.rejects(openBulkFolder(folder, INPUTS), /is not from an export of open data: use another folder/);
    }
  });

  it("is filled again if its state was lost", async () => {
    const folder = join(root, "lost");
    await openBulkFolder(folder, INPUTS);
    const files = [{ name: "releases-2026-11-1.jsonl.gz" }];
    writeFileSync(join(folder, "manifest.json"), JSON.stringify({ publishedDate: "2026-11-02T00:00:00Z", files }));
    assert.deepEqual(await openBulkFolder(folder, INPUTS), emptyState(INPUTS));
  });
});
