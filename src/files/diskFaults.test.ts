import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import { FAULTS, openFaultyFileSystem } from "../../test/support/faultyFileSystem.ts";
import { openDisk } from "./disk.ts";
import type { FileRecord, Files, UploadRecord } from "./files.ts";

/** Lets the n-th write, fsync, rename, mkdir or removal fail, for every n: after a restart, a file is complete or absent. */

const bytes = randomBytes(150_000);
const newKey = () => randomBytes(16).toString("hex");
const content = () => Readable.from([bytes.subarray(0, 65_536), bytes.subarray(65_536)], { objectMode: false });
const uploadOf = (record: FileRecord): UploadRecord => ({ ...record, title: "a", format: "text/plain", at: 1 });

/** What had been guaranteed about the key when the fault occurred. */
type Guarantees = { received?: true; recorded?: true; kept?: true; waiting?: true; discarded?: true };
type Story = (files: Files, key: string, promised: Guarantees) => Promise<void>;

async function received(files: Files, key: string, promised: Guarantees): Promise<FileRecord> {
  const record = await files.receive(key, content(), 1e9);
  assert.notEqual(record, "too large");
  promised.received = true;
  return record as FileRecord;
}

async function assertKept(files: Files, key: string, promised: Guarantees): Promise<void> {
  promised.recorded = true;
  await files.keep(key);
  promised.kept = true;
}

const SCENARIOS: { readonly [name: string]: Story } = {
  "a file that is received and kept": async (files, key, promised) => {
    await received(files, key, promised);
    await assertKept(files, key, promised);
  },
  "a file that waits and is kept later": async (files, key, promised) => {
    await files.wait(uploadOf(await received(files, key, promised)));
    promised.waiting = true;
    await assertKept(files, key, promised);
  },
  "a file that waits and is discarded": async (files, key, promised) => {
    await files.wait(uploadOf(await received(files, key, promised)));
    promised.waiting = true;
    await files.discard(key);
    promised.discarded = true;
  },
};

/** The paths of all files below the folder; each must be complete. */
function filesIn(folder: string): readonly string[] {
  const root = join(folder, "files");
  const found = globSync("**/*", { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)).sort();
  for (const path of paths)
    if (path.endsWith(".json")) assert.equal(JSON.parse(readFileSync(join(root, path), "utf8")).size, bytes.length);
    else assert.deepEqual(readFileSync(join(root, path)), bytes, `${path} is not complete`);
  return paths;
}

async function assertAllOrNothing(folder: string, key: string, promised: Guarantees): Promise<void> {
  const reopened = await openDisk(folder);
  await reopened.sweep(async () => new Set(promised.recorded ? [key] : []), Number.POSITIVE_INFINITY);
  const paths = filesIn(folder);
  const final = `${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`;
  const isThere = (await reopened.open(key))?.stream.destroy() !== undefined;
  assert.ok(!paths.some((path) => path.startsWith("incoming/")), String(paths));
  if (promised.recorded) assert.ok(isThere, "a recorded file is gone");
  if (promised.kept) assert.ok(paths.includes(final), "a kept file is not in its place");
  if (promised.discarded) assert.deepEqual(paths, []);
  // A file whose upload was reported as failed may still be complete.
  const waiting = [`uploads/${key}`, `uploads/${key}.json`];
  if (!promised.recorded && paths.length > 0 && !promised.waiting) assert.deepEqual(paths, waiting);
  if (promised.waiting && !promised.discarded && isThere)
    assert.equal((await reopened.findUpload(key))?.sha256, createHash("sha256").update(bytes).digest("hex"));
  // The hourly cleanup keeps or removes an upload that waited, whatever step was interrupted.
  for (const old of await reopened.waitingSince(1))
    await (promised.recorded ? reopened.keep(old) : reopened.discard(old));
  assert.deepEqual(
    filesIn(folder)
      .map((path) => path.replace(".json", ""))
      .filter((path) => path !== final),
    [],
  );
}

describe("disk faults", () => {
  for (const [name, story] of Object.entries(SCENARIOS))
    for (const [how, fault] of Object.entries(FAULTS))
      test(`${name} is complete or absent after any step ${how}`, async () => {
        for (let n = 1; ; n++) {
          const folder = await mkdtemp(join(tmpdir(), "tenderhall-faults-"));
          const faulty = openFaultyFileSystem();
          const files = await openDisk(folder, faulty.fileSystem);
          const key = newKey();
          const promised: Guarantees = {};
          faulty.arm(n, fault);
          const failure = await story(files, key, promised).then(
            () => undefined,
            (error: NodeJS.ErrnoException) => error,
          );
          const failed = faulty.disarm();
          assert.equal(failure?.code, failed && fault.code, `step ${n}: ${failure}`);
          await assertAllOrNothing(folder, key, promised);
          await rm(folder, { recursive: true });
          if (!failed) break;
        }
      });

  for (const [how, fault] of Object.entries(FAULTS).filter(([, { forGood }]) => !forGood))
    test(`a key whose upload failed because a step ${how} can be uploaded again at once`, async () => {
      const folder = await mkdtemp(join(tmpdir(), "tenderhall-faults-"));
      const faulty = openFaultyFileSystem();
      const files = await openDisk(folder, faulty.fileSystem);
      for (let n = 1, failed: string | undefined = "yet"; failed; n++) {
        const key = newKey();
        faulty.arm(n, fault);
        const uploading = files
          .receive(key, content(), 1e9)
          .then((record) => files.wait(uploadOf(record as FileRecord)));
        await uploading.catch(() => {});
        failed = faulty.disarm();
        await files.wait(uploadOf((await files.receive(key, content(), 1e9)) as FileRecord));
        assert.equal((await files.findUpload(key))?.size, bytes.length);
      }
      await rm(folder, { recursive: true });
    });
});
