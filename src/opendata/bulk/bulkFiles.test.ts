import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { releaseEntryId } from "../../store/store.ts";
import { type BulkSettings, updateBulkFiles } from "./bulkFiles.ts";
import type { BulkSource, StoredChange } from "./bulkSource.ts";
import { readState } from "./bulkState.ts";
import { openPart } from "./gzipFile.ts";

const instantOf = (text: string) => Date.parse(text) * 1000;

/** The n-th release of a tender, as it is stored. */
function release(at: string, tender: string, n: number, title = `Назва ${n}`): StoredChange {
  const head = {
    ocid: `\u0002-${tender}`,
    id: `\u0002-${tender}-${n}`,
    date: at,
    tag: [n === 1 ? "tender" : "tenderUpdate"],
  };
  const template = JSON.stringify({
    ...head,
    tender: { id: tender, title, items: [{ id: String(n), description: "x" }] },
  });
  const marked = template.replaceAll("\\u0002", "\u0002");
  return { at: instantOf(at), tender, id: releaseEntryId(instantOf(at), tender), template: marked };
}

/** A source of releases in memory, in pages of one. */
function sourceOf(changes: StoredChange[], generation: () => string): BulkSource {
  async function* pages(wanted: readonly StoredChange[]) {
    for (const change of wanted) yield [change];
  }
  return {
    generation: async () => generation(),
    count: async () => changes.length,
    range: async () => {
      const [first, last] = [changes[0], changes.at(-1)];
      return first && last && { first: first.at, last: last.at };
    },
    changes: (from, upTo) => pages(changes.filter(({ at }) => at > from && at <= upTo)),
    laterChanges: ({ tender, at: from }, upTo) =>
      pages(changes.filter((change) => change.tender === tender && change.at > from && change.at <= upTo)),
    firstReleaseOf: async (tender) => changes.find((change) => change.tender === tender)?.at,
  };
}

const THREE_MONTHS = () => [
  release("2026-01-10T00:00:00Z", "a", 1),
  release("2026-01-11T00:00:00Z", "b", 1),
  release("2026-02-01T00:00:00Z", "a", 2),
  release("2026-03-05T00:00:00Z", "c", 1),
];

describe("bulk files", () => {
  const root = mkdtempSync(join(tmpdir(), "tenderhall-bulk-"));
  after(() => rmSync(root, { recursive: true, force: true }));
  let folders = 0;
  const openBulk = (changes: StoredChange[], more: Partial<BulkSettings> = {}) => {
    const settings = { ocidPrefix: "ocds-213czf", publisher: "P" };
    const folder = join(root, String(++folders));
    let generation = 1;
    const source = sourceOf(changes, () => String(generation));
    const bulk = { folder, source, settings, origin: "https://a.example" };
    return {
      folder,
      update: (also = more) => updateBulkFiles({ ...bulk, ...more, ...also }),
      /** Replaces all releases, as a rebuild or a restore does. */
      replace: (others: readonly StoredChange[]) => {
        changes.splice(0, changes.length, ...others);
        generation++;
      },
    };
  };
  const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  const unpacked = (folder: string, name: string) => gunzipSync(readFileSync(join(folder, name))).toString();
  const inodes = (folder: string) =>
    new Map(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino]));

  it("are at every moment what the state and the manifest say", async () => {
    const changes = THREE_MONTHS();
    const { folder, update } = openBulk(changes);
    await update();
    changes.push(release("2026-03-06T00:00:00Z", "a", 3), release("2026-04-01T00:00:00Z", "d", 1));
    let steps = 0;
    const step = async () => {
      steps++;
      const state = await readState(folder);
      const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
      assert.deepEqual(
        manifest.files.map((file: { readonly name: string; readonly sha256: string }) => [file.name, file.sha256]),
        state?.files.map((file) => [file.name, file.sha256]),
      );
      assert.equal(state?.upTo, instantOf("2026-03-05T00:00:00Z"));
      for (const file of state?.files ?? []) {
        assert.equal(sha256(readFileSync(join(folder, file.name))), file.sha256, file.name);
        const handle = await openPart(folder, file);
        assert.ok(handle, file.name);
        await handle.close();
      }
    };
    await update({ step });
    assert.ok(steps > 10, String(steps));
    assert.equal((await readState(folder))?.upTo, instantOf("2026-04-01T00:00:00Z"));
  });

  it("are not taken for each other, even if they have the same size", async () => {
    const { folder, update } = openBulk(THREE_MONTHS());
    const { files } = await update();
    const [file] = files;
    assert.ok(file);
    const path = join(folder, file.name);
    const { atime, mtime } = statSync(path);
    writeFileSync(path, Buffer.alloc(file.bytes));
    utimesSync(path, atime, new Date(mtime.getTime() + 1));
    assert.equal(await openPart(folder, file), undefined);
    await update();
    assert.equal(sha256(readFileSync(path)), file.sha256);
  });

  it("stay as they are if none of their releases changed, also those of all months", async () => {
    const changes = THREE_MONTHS();
    // So that a file of all months holds one month.
    const { folder, update } = openBulk(changes, { unpackedBytesMax: 400 });
    await update();
    const before = inodes(folder);
    changes.push(release("2026-03-06T00:00:00Z", "c", 2));
    await update();
    const now = inodes(folder);
    const same = [...before.keys()].filter((name) => before.get(name) === now.get(name));
    assert.ok(same.includes("releases-2026-01-1.jsonl.gz"));
    assert.ok(same.includes("releases-all-1.jsonl.gz"));
    assert.ok(same.includes("compiled-all-1.jsonl.gz"));
    assert.ok(!same.includes("releases-2026-03-1.jsonl.gz"));
    assert.ok(unpacked(folder, "compiled-2026-03-1.jsonl.gz").includes("Назва 2"));
  });

  it("are made again after they were removed", async () => {
    const { folder, update } = openBulk(THREE_MONTHS());
    const { files } = await update();
    for (const name of ["releases-2026-02-1.jsonl.gz", "tenders-2026-01-1.csv.gz", "items-all-1.csv.gz"])
      rmSync(join(folder, name));
    const again = await update();
    const contents = (all: typeof files) => all.map((file) => [file.name, file.sha256]).toSorted();
    assert.deepEqual(contents(again.files), contents(files));
    for (const { name } of files) statSync(join(folder, name));
  });

  it("are all made again if the releases are others, and those that there are stay until then", async () => {
    const { folder, update, replace } = openBulk(THREE_MONTHS());
    const first = await update();
    const corrected = [
      release("2026-01-10T00:00:00Z", "a", 1, "Виправлено"),
      release("2026-02-01T00:00:00Z", "a", 2, "Виправлено"),
    ];
    replace(corrected);
    let left = 4;
    const stopped = await update({ isStopped: () => left-- <= 0 });
    assert.ok(stopped.update);
    assert.equal(stopped.upTo, first.upTo, "there is a manifest all the time");
    const served = await readState(folder);
    for (const name of ["releases-2026-01-1.jsonl.gz", "releases-2026-02-1.jsonl.gz", "releases-all-1.jsonl.gz"])
      assert.ok(
        served?.files.some((file) => file.name === name),
        name,
      );
    await update();
    const expected = openBulk(corrected);
    await expected.update();
    assert.deepEqual(readdirSync(folder).toSorted(), readdirSync(expected.folder).toSorted());
    const manifestIn = (of: string) => readFileSync(join(of, "manifest.json"), "utf8");
    assert.equal(manifestIn(folder), manifestIn(expected.folder));
    assert.match(unpacked(folder, "tenders-all-1.csv.gz"), /Виправлено/);
  });

  it("go if the registry has no releases any more", async () => {
    const { folder, update, replace } = openBulk(THREE_MONTHS());
    await update();
    replace([]);
    const { upTo, files } = await update();
    assert.deepEqual({ upTo, files }, { upTo: 0, files: [] });
    assert.deepEqual(readdirSync(folder), ["manifest.json", "state.json"]);
    assert.deepEqual((await update()).files, []);
  });

  it("do not change while there are no new releases", async () => {
    const { folder, update } = openBulk(THREE_MONTHS());
    const first = await update();
    assert.equal(first.upTo, instantOf("2026-03-05T00:00:00Z"));
    const before = inodes(folder);
    assert.deepEqual(await update(), first);
    assert.deepEqual(inodes(folder), before);
  });

  it("report the releases that were written of all, also when they continue", async () => {
    const changes = THREE_MONTHS();
    const stages: string[] = [];
    const beginStage: BulkSettings["beginStage"] = (label, total, unit) => {
      let done = 0;
      return { step: (by) => (done += by), end: () => stages.push(`${label}: ${done} of ${total} ${unit}`) };
    };
    const { folder, update } = openBulk(changes, { beginStage });
    let left = 3;
    const stopped = await update({ beginStage, isStopped: () => left-- <= 0 });
    assert.ok(stopped.update);
    assert.ok(!readdirSync(folder).some((name) => name.endsWith(".part")));
    await update();
    assert.deepEqual(stages, [
      "exporting: 3 of 4 releases",
      "exporting: 2 of 2 releases",
      "joining the months: 4 of 4 files",
    ]);
    stages.length = 0;
    changes.push(release("2026-03-06T00:00:00Z", "b", 2));
    await update();
    assert.deepEqual(stages, ["exporting: 4 of 4 releases", "joining the months: 4 of 4 files"]);
  });

  it("have their header once, in one gzip member with the first rows", async () => {
    const many = Array.from({ length: 900 }, (_, i) =>
      release(new Date(Date.parse("2026-01-01T00:00:00Z") + i * 4e6).toISOString(), `t${i}`, 1, "Назва ".repeat(80)),
    );
    const { folder, update } = openBulk(many);
    const { files } = await update();
    const monthly = files.find(({ name }) => name === "tenders-2026-02-1.csv.gz");
    assert.ok(monthly && monthly.head.bytes < monthly.bytes, "there is a second member");
    for (const { name, head, kind, lines } of files.filter((file) => file.kind === "tenders")) {
      const bytes = readFileSync(join(folder, name));
      const member = gunzipSync(bytes.subarray(0, head.bytes)).toString();
      assert.equal(Buffer.byteLength(member), head.unpackedBytes);
      assert.ok(member.startsWith("ocid,") && member.split("\r\n").length > 2, name);
      const all = gunzipSync(bytes).toString().split("\r\n");
      assert.equal(all.filter((line) => line.startsWith("ocid,")).length, 1, `${kind} ${name}`);
      assert.equal(all.length, lines + 2);
    }
    const months = files.filter(({ kind, period }) => kind === "tenders" && period !== "all");
    const rows = months.flatMap(({ name }) => unpacked(folder, name).split("\r\n").slice(1, -1));
    assert.deepEqual(unpacked(folder, "tenders-all-1.csv.gz").split("\r\n").slice(1, -1), rows);
  });
});
