import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { mkdtemp, readdir, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, test } from "node:test";
import { openDisk } from "./disk.ts";
import { filesContract } from "./files.contract.ts";

const ALL = Number.POSITIVE_INFINITY;
const newKey = () => randomBytes(16).toString("hex");
const newFolder = () => mkdtemp(join(tmpdir(), "tenderhall-files-"));
const remove = (folder: string) => rm(folder, { recursive: true, force: true });

filesContract("files on disk", async () => {
  const folder = await newFolder();
  return { files: await openDisk(folder), reopen: () => openDisk(folder), close: () => remove(folder) };
});

describe("the file store on disk", () => {
  proves("a received file is in incoming, and a kept one in folders named by its first four digits", async (folder) => {
    const files = await openDisk(folder);
    const key = newKey();
    await files.receive(key, Readable.from([randomBytes(10)]), 100);
    assert.deepEqual(await entries(folder), [`incoming/${key}`]);
    await files.keep(key);
    assert.deepEqual(await entries(folder), [`${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`]);
  });

  proves("a rejected upload leaves no file", async (folder) => {
    const files = await openDisk(folder);
    await files.receive(newKey(), Readable.from([randomBytes(10)]), 9);
    await assert.rejects(files.receive(newKey(), brokenAfter(70_000), 1e9));
    await assert.rejects(files.receive("../escaped", Readable.from([randomBytes(10)]), 100));
    assert.deepEqual(await entries(folder), []);
    assert.deepEqual(await readdir(folder), ["files"]);
  });

  proves("a sweep removes incomplete files and leaves unknown files alone", async (folder) => {
    const files = await openDisk(folder);
    await writeFile(join(folder, "files/incoming", `${newKey()}.part`), "half");
    await writeFile(join(folder, "files/incoming/README"), "by hand");
    assert.deepEqual(await files.sweep(async () => new Set(), ALL), { kept: 0, removed: 1 });
    assert.deepEqual(await entries(folder), ["incoming/README"]);
  });

  proves("a sweep looks up the records of many files by queries of limited size", async (folder) => {
    const files = await openDisk(folder);
    const keys = Array.from({ length: 1201 }, newKey);
    await Promise.all(keys.map((key) => writeFile(join(folder, "files/incoming", key), key)));
    const recorded = new Set(keys.filter((_, at) => at % 3 === 0));
    const questions: number[] = [];
    const counts = await files.sweep(async (keys) => {
      questions.push(keys.length);
      return recorded;
    }, ALL);
    assert.deepEqual(counts, { kept: 401, removed: 800 });
    assert.deepEqual(questions, [500, 500, 201]);
  });

  proves(
    "a second upload with a key that is being received is rejected and does not affect the first",
    async (folder) => {
      const files = await openDisk(folder);
      const key = newKey();
      const slow = new Readable({ read() {} });
      slow.push("first");
      const first = files.receive(key, slow, 100);
      while ((await entries(folder)).length === 0) await new Promise(setImmediate);
      await assert.rejects(files.receive(key, Readable.from([Buffer.from("second")]), 100), { code: "EEXIST" });
      slow.push(null);
      assert.notEqual(await first, "too large");
      assert.equal((await buffer((await files.open(key))!.stream)).toString(), "first");
    },
  );

  proves("a source that is faster than the disk is slowed down", async (folder) => {
    const files = await openDisk(folder);
    const key = newKey();
    const chunk = randomBytes(65_536);
    let produced = 0;
    let aheadMost = 0;
    const source = new Readable({
      read() {
        const written = statSync(join(folder, "files/incoming", `${key}.part`)).size;
        aheadMost = Math.max(aheadMost, produced - written);
        produced += chunk.length;
        this.push(produced <= 512 * chunk.length ? chunk : null);
      },
    });
    const record = await files.receive(key, source, 1e9);
    assert.equal(record !== "too large" && record.size, 512 * 65_536);
    assert.ok(aheadMost <= 4 * chunk.length, `${aheadMost} bytes were waiting`);
  });

  proves("no file descriptor stays open in any case", { skip: process.platform !== "linux" }, async (folder) => {
    const files = await openDisk(folder);
    const key = newKey();
    await files.receive(key, Readable.from([randomBytes(200_000)]), 1e9);
    await files.receive(newKey(), Readable.from([randomBytes(10)]), 9);
    await assert.rejects(files.receive(newKey(), brokenAfter(70_000), 1e9));
    await buffer((await files.open(key))!.stream);
    await buffer((await files.open(key, { start: 10, end: 20 }))!.stream);
    (await files.open(key))!.stream.destroy();
    await assert.rejects(files.open(key, { start: 1, end: 0 }));
    await files.open(newKey());
    await files.keep(key);
    await files.sweep(async () => new Set(), ALL);
    while ((await descriptorsIn(folder)).length > 0) await new Promise(setImmediate);
  });
});

function proves(sentence: string, ...rest: [{ skip: boolean }, Proof] | [Proof]): void {
  const proof = rest.length === 2 ? rest[1] : rest[0];
  test(sentence, rest.length === 2 ? rest[0] : {}, async () => {
    const folder = await newFolder();
    try {
      await proof(folder);
    } finally {
      await remove(folder);
    }
  });
}

type Proof = (folder: string) => Promise<void>;

async function entries(folder: string): Promise<string[]> {
  const root = join(folder, "files");
  const names = await readdir(root, { recursive: true });
  const isFile = await Promise.all(names.map(async (name) => (await stat(join(root, name))).isFile()));
  return names.filter((_, at) => isFile[at]);
}

async function descriptorsIn(folder: string): Promise<string[]> {
  const names = await readdir("/proc/self/fd");
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")));
  return targets.filter((target) => target.startsWith(folder));
}

function brokenAfter(size: number): Readable {
  async function* pieces() {
    yield randomBytes(size);
    throw new Error("The line broke");
  }
  return Readable.from(pieces(), { objectMode: false });
}
