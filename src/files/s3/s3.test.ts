import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, test } from "node:test";
import { openS3Prefix, testInS3Prefix as proves, S3_MISSING } from "../../../test/support/s3.ts";
import { filesContract } from "../files.contract.ts";
import type { FileRecord, Files, UploadRecord } from "../files.ts";
import { requestBodyOf } from "./client.ts";
import { openS3 } from "./s3.ts";

const MIB = 1024 * 1024;
const ALL = Number.POSITIVE_INFINITY;
const LARGE = 1024 * MIB;
const newKey = () => randomBytes(16).toString("hex");
const none = async () => new Set<string>();
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const finalOf = (key: string) => `files/${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`;
const uploadOf = (record: FileRecord): UploadRecord => ({ ...record, title: "a", format: "text/plain", at: 1 });

const streamOf = (bytes: Buffer) => Readable.from([bytes], { objectMode: false });
const receive = async (files: Files, key: string, bytes: Buffer) =>
  (await files.receive(key, streamOf(bytes), LARGE)) as FileRecord;
const contentOf = async (files: Files, key: string) => buffer((await files.open(key))!.stream);

if (S3_MISSING) test("files in S3", { skip: S3_MISSING }, () => {});
else {
  const open = async () => {
    const { place, clean } = await openS3Prefix();
    return { files: openS3(place), reopen: async () => openS3(place), close: clean };
  };
  filesContract("files in S3", open, 5);
  describe("files in S3, in parts", inParts);
  describe("several servers on one S3", together);
}

function inParts(): void {
  for (const size of [8 * MIB, 8 * MIB + 1, 20 * MIB + 7])
    proves(`a file of ${size} bytes is returned unchanged, and nothing else is left`, async ({ place, names }) => {
      const files = openS3(place);
      const key = newKey();
      const bytes = randomBytes(size);
      const record = await receive(files, key, bytes);
      assert.deepEqual(record, {
        key,
        size,
        sha256: sha256(bytes),
        md5: createHash("md5").update(bytes).digest("hex"),
      });
      await files.keep(key);
      assert.deepEqual(await names(), [finalOf(key)]);
      assert.equal(sha256(await contentOf(files, key)), record.sha256);
      const across = await files.open(key, { start: 8 * MIB - 3, end: 8 * MIB + 3 });
      assert.deepEqual(await buffer(across!.stream), bytes.subarray(8 * MIB - 3, 8 * MIB + 4));
    });

  proves("an upload that is cut off leaves nothing", async ({ place, names }) => {
    async function* cut() {
      for (let i = 0; i < 20; i++) yield randomBytes(MIB);
      throw new Error("The line broke");
    }
    const files = openS3(place);
    await assert.rejects(files.receive(newKey(), Readable.from(cut(), { objectMode: false }), LARGE), /The line broke/);
    assert.equal(await files.receive(newKey(), streamOf(randomBytes(20 * MIB)), 19 * MIB), "too large");
    assert.deepEqual(await names(), []);
  });

  proves("a sweep aborts multipart uploads that a crash left, but none that may be in progress", async (corner) => {
    const { objects, names, place } = corner;
    const key = newKey();
    await objects.put(`incoming/${key}.${"0".repeat(16)}`, requestBodyOf(""));
    const upload = await objects.beginUpload(finalOf(key));
    await upload.part(requestBodyOf("half"));
    const before = await names();
    assert.deepEqual(await openS3(place).sweep(none, Date.now() - 60_000), { kept: 0, removed: 0 });
    assert.deepEqual(await names(), before);
    assert.deepEqual(await openS3(place).sweep(none, ALL), { kept: 0, removed: 1 });
    assert.deepEqual(await names(), []);
  });

  proves("a large file needs no more memory than one of a few parts", async ({ place }) => {
    const files = openS3(place);
    const peakOf = async (mebibytes: number) => {
      let peak = 0;
      const piece = randomBytes(MIB / 4);
      async function* pieces() {
        for (let i = 0; i < mebibytes * 4; i++) {
          peak = Math.max(peak, process.memoryUsage().rss);
          yield piece;
        }
      }
      const key = newKey();
      await files.receive(key, Readable.from(pieces(), { objectMode: false }), LARGE);
      await files.discard(key);
      return peak;
    };
    await peakOf(24);
    const before = process.memoryUsage().rss;
    const [small, many] = [await peakOf(24), await peakOf(120)];
    const growth = (peak: number) => Math.max(0, peak - before) / MIB;
    assert.ok(growth(many) < growth(small) + 40, `${growth(many)} MiB against ${growth(small)}`);
  });
}

function together(): void {
  proves("two servers that receive the same key at once do not overwrite an acknowledged file", async (corner) => {
    const [first, second] = [openS3(corner.place), openS3(corner.place)];
    for (let i = 0; i < 5; i++) {
      const key = newKey();
      const sent = [randomBytes(1000), randomBytes(1000)];
      const settled = await Promise.allSettled([receive(first, key, sent[0]!), receive(second, key, sent[1]!)]);
      const won = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value.sha256] : []));
      assert.ok(won.length <= 1, "both uploads were acknowledged");
      const opened = await first.open(key);
      assert.equal(opened && sha256(await buffer(opened.stream)), won[0]);
    }
  });

  proves("an upload with a key that exists is rejected, and the existing file is unchanged", async (corner) => {
    const [first, second] = [openS3(corner.place), openS3(corner.place)];
    const [kept, waiting, received] = [newKey(), newKey(), newKey()];
    await receive(first, kept, Buffer.from("first"));
    await first.keep(kept);
    await first.wait(uploadOf(await receive(first, waiting, Buffer.from("first"))));
    await receive(first, received, Buffer.from("first"));
    const before = await corner.names();
    for (const key of [kept, waiting, received]) {
      await assert.rejects(receive(second, key, Buffer.from("second")), { code: "EEXIST" });
      assert.equal(String(await contentOf(second, key)), "first");
    }
    assert.deepEqual(await corner.names(), before);
  });

  proves("a sweep cleans up after another server, and keeps files that have a record", async ({ place, names }) => {
    const [recorded, orphan] = [newKey(), newKey()];
    const stopped = openS3(place);
    await receive(stopped, recorded, Buffer.from("recorded"));
    await receive(stopped, orphan, Buffer.from("orphan"));
    const recordedKeys = async () => new Set([recorded]);
    assert.deepEqual(await openS3(place).sweep(recordedKeys, ALL), { kept: 1, removed: 1 });
    assert.deepEqual(await names(), [finalOf(recorded)]);
  });
}
