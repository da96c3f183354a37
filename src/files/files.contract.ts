import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, test } from "node:test";
import type { Files, UploadRecord } from "./files.ts";

type OpenedFiles = { files: Files; reopen(): Promise<Files>; close(): Promise<void> };

const LARGE = 1 << 26;
const LINK = {
  seconds: 60,
  disposition: "attachment; filename=\"a b+c.txt\"; filename*=UTF-8''%D0%B0%20b%2Bc.txt",
  format: "text/plain",
};
const newKey = () => randomBytes(16).toString("hex");
const hash = (name: string, bytes: Buffer) => createHash(name).update(bytes).digest("hex");
const MINUTE_MS = 60_000;
const ALL = Number.POSITIVE_INFINITY;
const none = async () => new Set<string>();

/** The contract of the port `Files` that every adapter must fulfil. `crowd` is the number of concurrent operations. */
export function filesContract(name: string, open: () => Promise<OpenedFiles>, crowd = 20): void {
  const proves = (sentence: string, proof: (files: Files, reopen: () => Promise<Files>) => Promise<void>) =>
    test(sentence, async () => {
      const opened = await open();
      try {
        await proof(opened.files, opened.reopen);
      } finally {
        await opened.close();
      }
    });

  describe(name, () => {
    receiving(proves, crowd);
    reading(proves, crowd);
    keeping(proves);
    waiting(proves, crowd);
    sweeping(proves);
  });
}

type Proves = (sentence: string, proof: (files: Files, reopen: () => Promise<Files>) => Promise<void>) => void;

function receiving(proves: Proves, crowd: number): void {
  for (const size of [0, 1, 65_536, 5_000_003]) {
    proves(`a file of ${size} bytes is returned unchanged, with its size and hashes`, async (files) => {
      const key = newKey();
      const bytes = randomBytes(size);
      const record = await files.receive(key, inPieces(bytes), LARGE);
      assert.deepEqual(record, { key, size, sha256: hash("sha256", bytes), md5: hash("md5", bytes) });
      assert.deepEqual(await contentOf(files, key), bytes);
    });
  }

  proves("a ping succeeds if the store can be reached", async (files) => {
    assert.equal(await files.ping(), undefined);
  });

  proves("a file of exactly the maximum size is received", async (files) => {
    assert.notEqual(await files.receive(newKey(), inPieces(randomBytes(1000)), 1000), "too large");
  });

  proves("a file that is one byte too large is rejected, stops its source and leaves nothing", async (files) => {
    const key = newKey();
    const source = inPieces(randomBytes(200_001));
    assert.equal(await files.receive(key, source, 200_000), "too large");
    assert.equal(source.destroyed, true);
    await assertNothingLeft(files, key);
  });

  proves("a source that fails half-way rejects the upload with its error and leaves nothing", async (files) => {
    const key = newKey();
    await assert.rejects(files.receive(key, failing(new Error("The line broke")), LARGE), /The line broke/);
    await assertNothingLeft(files, key);
  });

  proves("a source that has already failed is reported at once", async (files) => {
    const key = newKey();
    const source = inPieces(randomBytes(10));
    source.destroy(new Error("The line broke"));
    await assert.rejects(files.receive(key, source, LARGE), /The line broke/);
    await assertNothingLeft(files, key);
  });

  proves("a source that closes without an error or end rejects the upload and leaves nothing", async (files) => {
    const key = newKey();
    const source = new Readable({ read() {} });
    source.push("half");
    const receiving = files.receive(key, source, LARGE);
    setImmediate(() => source.destroy());
    await assert.rejects(receiving);
    await assertNothingLeft(files, key);
  });

  proves("a key whose upload was rejected can be received again", async (files) => {
    const key = newKey();
    await files.receive(key, inPieces(randomBytes(100)), 10);
    assert.notEqual(await files.receive(key, inPieces(randomBytes(100)), 100), "too large");
  });

  proves("a failed upload with a key that was received before leaves the earlier file", async (files) => {
    const key = await received(files);
    await assert.rejects(files.receive(key, failing(new Error("The line broke")), LARGE));
    assert.equal(await files.receive(key, inPieces(randomBytes(100)), 10), "too large");
    assert.equal((await contentOf(files, key))?.length, 1000);
  });

  proves("two concurrent uploads with one key never result in a mixture", async (files) => {
    const key = newKey();
    const both = [randomBytes(300_000), randomBytes(200_000)];
    const settled = await Promise.allSettled(both.map((bytes) => files.receive(key, inPieces(bytes), LARGE)));
    const hashes = settled.flatMap((outcome) =>
      outcome.status === "fulfilled" && outcome.value !== "too large" ? [outcome.value.sha256] : [],
    );
    assert.ok(hashes.length > 0);
    assert.ok(hashes.includes(hash("sha256", (await contentOf(files, key))!)));
  });

  proves("files that are received concurrently do not mix", async (files) => {
    const many = Array.from({ length: 2 * crowd }, (_, at) => ({ key: newKey(), bytes: randomBytes(at * 7919) }));
    const records = await Promise.all(many.map(({ key, bytes }) => files.receive(key, inPieces(bytes), LARGE)));
    for (const [at, { key, bytes }] of many.entries()) {
      assert.deepEqual(records[at], {
        key,
        size: bytes.length,
        sha256: hash("sha256", bytes),
        md5: hash("md5", bytes),
      });
      assert.deepEqual(await contentOf(files, key), bytes);
    }
  });
}

function reading(proves: Proves, crowd: number): void {
  proves("a range returns its bytes, both ends included, and the size of the whole file", async (files) => {
    const key = newKey();
    const bytes = randomBytes(100_000);
    await files.receive(key, inPieces(bytes), LARGE);
    for (const [start, end] of [
      [0, 0],
      [0, 99_999],
      [65_535, 65_536],
      [99_999, 99_999],
      [99_000, 200_000],
    ] as const) {
      const opened = await files.open(key, { start, end });
      assert.equal(opened?.size, bytes.length);
      assert.deepEqual(await buffer(opened!.stream), bytes.subarray(start, end + 1));
    }
  });

  proves("a range that ends before it starts is rejected", async (files) => {
    const key = await received(files);
    await assert.rejects(files.open(key, { start: 5, end: 4 }), RangeError);
    await assert.rejects(files.open(key, { start: -1, end: 4 }), RangeError);
  });

  proves("a link, if there is one, lets anyone download the file with the given headers", async (files) => {
    const key = newKey();
    const bytes = randomBytes(1000);
    await files.receive(key, inPieces(bytes), LARGE);
    const link = await files.link(key, LINK);
    if (link === undefined) return;
    const response = await fetch(link);
    assert.deepEqual(Buffer.from(await response.bytes()), bytes);
    const presented = ["content-disposition", "content-type"].map((name) => response.headers.get(name));
    assert.deepEqual(presented, [LINK.disposition, LINK.format]);
  });

  proves("a key that was never received opens nothing", async (files) => {
    assert.equal(await files.open(newKey()), undefined);
  });

  proves("a key that is not 32 lower-case hexadecimal digits is rejected by all methods", async (files) => {
    const bad = ["", "../../../../etc/passwd", "a".repeat(31), "A".repeat(32), "a".repeat(33), `${newKey()}\n`];
    for (const key of [...bad, `../${"a".repeat(29)}`, `${newKey()}.part`, `${newKey()}\0`]) {
      await assert.rejects(files.receive(key, inPieces(randomBytes(1)), LARGE), /Not a key/);
      await assert.rejects(files.keep(key), /Not a key/);
      await assert.rejects(files.wait(uploadOf(key)), /Not a key/);
      await assert.rejects(files.findUpload(key), /Not a key/);
      await assert.rejects(files.discard(key), /Not a key/);
      await assert.rejects(files.open(key), /Not a key/);
      await assert.rejects(files.link(key, LINK), /Not a key/);
    }
  });

  proves("a file that is opened before it is kept can be read to its end", async (files) => {
    const key = newKey();
    const bytes = randomBytes(300_000);
    await files.receive(key, inPieces(bytes), LARGE);
    const opened = await files.open(key);
    await files.keep(key);
    assert.deepEqual(await buffer(opened!.stream), bytes);
  });

  proves("a file is found by every reader while it is being kept", async (files) => {
    const keys = await Promise.all(Array.from({ length: crowd }, () => received(files)));
    await Promise.all(
      keys.flatMap((key) => [
        files.keep(key),
        ...Array.from({ length: 10 }, async () => assert.equal((await contentOf(files, key))?.length, 1000)),
      ]),
    );
  });
}

function keeping(proves: Proves): void {
  proves("a kept file is readable after a restart, and keeping it twice has no effect", async (files, reopen) => {
    const key = await received(files);
    const before = await contentOf(files, key);
    await files.keep(key);
    await files.keep(key);
    const reopened = await reopen();
    await reopened.keep(key);
    assert.deepEqual(await reopened.sweep(none, ALL), { kept: 0, removed: 0 });
    assert.deepEqual(await contentOf(reopened, key), before);
  });

  proves("keeping a file that was never received is rejected", async (files) => {
    await assert.rejects(files.keep(newKey()));
  });

  proves("a discarded file is gone, and discarding it again has no effect", async (files) => {
    const key = await received(files);
    await files.discard(key);
    await files.discard(key);
    await files.discard(newKey());
    await assertNothingLeft(files, key);
  });

  proves("a kept file cannot be discarded", async (files) => {
    const key = await received(files);
    await files.keep(key);
    await files.discard(key);
    assert.equal((await contentOf(files, key))?.length, 1000);
  });
}

function waiting(proves: Proves, crowd: number): void {
  proves("an upload that waits survives a sweep with its metadata, and can be read", async (files, reopen) => {
    const upload = await waitingUpload(files);
    const reopened = await reopen();
    assert.deepEqual(await reopened.sweep(none, ALL), { kept: 0, removed: 0 });
    assert.deepEqual(await reopened.findUpload(upload.key), upload);
    assert.equal((await contentOf(reopened, upload.key))?.length, upload.size);
  });

  proves("waiting uploads are found by age, and only while they wait", async (files) => {
    const uploads = await Promise.all([10, 20, 30, 20].map((at) => waitingUpload(files, at)));
    const [first, second, , fourth] = uploads.map(({ key }) => key);
    assert.deepEqual(await files.waitingSince(9), []);
    assert.deepEqual((await files.waitingSince(20)).toSorted(), [first, second, fourth].toSorted());
    await files.keep(second!);
    await files.discard(fourth!);
    assert.deepEqual(await files.waitingSince(20), [first]);
  });

  proves("a kept upload still has its metadata, and cannot be discarded", async (files, reopen) => {
    const upload = await waitingUpload(files);
    await files.keep(upload.key);
    await files.keep(upload.key);
    await files.discard(upload.key);
    assert.deepEqual(await (await reopen()).findUpload(upload.key), upload);
    assert.equal((await contentOf(files, upload.key))?.length, upload.size);
  });

  proves("a discarded upload is gone, with its metadata", async (files) => {
    const { key } = await waitingUpload(files);
    await files.discard(key);
    assert.equal(await files.findUpload(key), undefined);
    await assertNothingLeft(files, key);
  });

  proves("a file that never waited has no metadata, and a file that was never received cannot wait", async (files) => {
    const key = await received(files);
    assert.equal(await files.findUpload(key), undefined);
    await files.keep(key);
    assert.equal(await files.findUpload(key), undefined);
    assert.equal(await files.findUpload(newKey()), undefined);
    const never = uploadOf(newKey());
    await assert.rejects(files.wait(never));
    assert.equal(await files.findUpload(never.key), undefined);
  });

  proves("an upload is found by every reader while it is being kept", async (files) => {
    const uploads = await Promise.all(Array.from({ length: crowd }, () => waitingUpload(files)));
    const reader = async (upload: UploadRecord) => {
      assert.deepEqual(await files.findUpload(upload.key), upload);
      assert.equal((await contentOf(files, upload.key))?.length, upload.size);
    };
    await Promise.all(
      uploads.flatMap((upload) => [files.keep(upload.key), ...Array.from({ length: 10 }, () => reader(upload))]),
    );
  });
}

function sweeping(proves: Proves): void {
  proves(
    "a sweep keeps files that have a record, removes others, and looks up no other files",
    async (files, reopen) => {
      const keptKey = await received(files);
      await files.keep(keptKey);
      const recorded = await Promise.all([received(files), received(files)]);
      const orphans = await Promise.all([received(files), received(files), received(files)]);

      const reopened = await reopen();
      const queriedKeys: string[] = [];
      const counts = await reopened.sweep(async (keys) => {
        queriedKeys.push(...keys);
        return new Set([keptKey, ...recorded]);
      }, ALL);
      assert.deepEqual(counts, { kept: 2, removed: 3 });
      assert.deepEqual(queriedKeys.sort(), [...recorded, ...orphans].sort());
      for (const key of [keptKey, ...recorded]) assert.equal((await contentOf(reopened, key))?.length, 1000);
      for (const key of orphans) assert.equal(await reopened.open(key), undefined);
      assert.deepEqual(await reopened.sweep(none, ALL), { kept: 0, removed: 0 });
    },
  );

  proves("a sweep leaves recently touched files alone, since another server may be receiving them", async (files) => {
    const key = await received(files);
    const queriedKeys: string[] = [];
    const remember = async (keys: readonly string[]) => {
      queriedKeys.push(...keys);
      return new Set<string>();
    };
    assert.deepEqual(await files.sweep(remember, Date.now() - MINUTE_MS), { kept: 0, removed: 0 });
    assert.deepEqual(queriedKeys, []);
    assert.equal((await contentOf(files, key))?.length, 1000);
    assert.deepEqual(await files.sweep(remember, Date.now() + MINUTE_MS), { kept: 0, removed: 1 });
    await assertNothingLeft(files, key);
  });

  proves("a sweep that cannot look up records removes nothing", async (files) => {
    const key = await received(files);
    await assert.rejects(
      files.sweep(() => Promise.reject(new Error("The database is away")), ALL),
      /is away/,
    );
    assert.equal((await contentOf(files, key))?.length, 1000);
  });
}

async function received(files: Files): Promise<string> {
  const key = newKey();
  await files.receive(key, inPieces(randomBytes(1000)), LARGE);
  return key;
}

const uploadOf = (key: string, at = 1): UploadRecord => ({
  key,
  size: 1000,
  sha256: "0".repeat(64),
  md5: "0".repeat(32),
  title: "звіт.txt",
  format: "text/plain",
  at,
});

async function waitingUpload(files: Files, at?: number): Promise<UploadRecord> {
  const upload = uploadOf(await received(files), at);
  await files.wait(upload);
  return upload;
}

async function contentOf(files: Files, key: string): Promise<Buffer | undefined> {
  const opened = await files.open(key);
  return opened && (await buffer(opened.stream));
}

async function assertNothingLeft(files: Files, key: string): Promise<void> {
  assert.equal(await files.open(key), undefined);
  assert.deepEqual(await files.sweep(none, ALL), { kept: 0, removed: 0 });
}

function inPieces(bytes: Buffer): Readable {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 50_000) }, (_, at) =>
    bytes.subarray(at * 50_000, (at + 1) * 50_000),
  );
  return Readable.from(pieces, { objectMode: false });
}

function failing(error: Error): Readable {
  async function* pieces() {
    yield randomBytes(100_000);
    throw error;
  }
  return Readable.from(pieces(), { objectMode: false });
}
