import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, test } from "node:test";
import { waitUntil } from "../../../test/support/processes.ts";
import {
  type InterceptedRequest,
  type Interception,
  openFaultyProxy,
  testInS3Prefix as proves,
  S3_MISSING,
} from "../../../test/support/s3.ts";
import type { S3Location } from "../documentsUrl.ts";
import type { FileRecord, Files, UploadRecord } from "../files.ts";
import { openS3 } from "./s3.ts";

/** Faults of a real S3 server and of the network to it. */

const MIB = 1024 * 1024;
const ALL = Number.POSITIVE_INFINITY;
const LARGE = 1024 * MIB;
const LINK = { seconds: 60, disposition: "attachment", format: "text/plain" };
const FAST_RETRIES = { pauseMs: 1, attempts: 3 };
const newKey = () => randomBytes(16).toString("hex");
const none = async () => new Set<string>();
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const finalOf = (key: string) => `files/${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`;
const noteOf = (key: string) => `notes/${key.slice(0, 2)}/${key.slice(2, 4)}/${key}.json`;
const uploadOf = (record: FileRecord): UploadRecord => ({ ...record, title: "a", format: "text/plain", at: 1 });

const streamOf = (bytes: Buffer) => Readable.from([bytes], { objectMode: false });
const receive = async (files: Files, key: string, bytes: Buffer) =>
  (await files.receive(key, streamOf(bytes), LARGE)) as FileRecord;
const contentOf = async (files: Files, key: string) => buffer((await files.open(key))!.stream);

if (S3_MISSING) test("S3 that fails", { skip: S3_MISSING }, () => {});
else {
  describe("S3 that fails", failures);
  describe("S3 over a network that fails", networkFaults);
}

function failures(): void {
  const secretOf = ({ credentials }: S3Location) => credentials().secretAccessKey;

  proves("reports a wrong secret without showing it", async ({ place }) => {
    const wrong = { ...place.credentials(), secretAccessKey: "not-the-secret" };
    const files = openS3({ ...place, credentials: () => wrong });
    const asking = [() => files.sweep(none, ALL), () => receive(files, newKey(), randomBytes(10))];
    for (const ask of asking)
      await assert.rejects(ask, (error: Error) => {
        assert.match(error.message, /^S3 returned 403 SignatureDoesNotMatch: .* for (GET|PUT) /);
        assert.ok(!(error.message + JSON.stringify(error)).includes("not-the-secret"));
        return true;
      });
  });

  proves("reports a missing bucket", async ({ place }) => {
    const files = openS3({ ...place, bucket: `none-${newKey()}` });
    await assert.rejects(files.sweep(none, ALL), /^Error: S3 returned 404 NoSuchBucket/);
  });

  proves("reports that the server cannot be reached, with its address", async ({ place }) => {
    const files = openS3({ ...place, endpoint: new URL("http://127.0.0.1:1") }, FAST_RETRIES);
    await assert.rejects(files.sweep(none, ALL), (error: Error) => {
      assert.match(error.message, /^S3 at http:\/\/127\.0\.0\.1:1 failed for GET the bucket: connect ECONNREFUSED/);
      assert.ok(!error.message.includes(secretOf(place)));
      return true;
    });
  });

  proves("is given up after the idle timeout", async ({ place }) => {
    await assertIdleTimeout(place, 50);
  });

  proves("is not given up because of a slow reader", async ({ place }) => {
    const key = newKey();
    const bytes = randomBytes(6 * MIB);
    const files = openS3(place, { idleMs: 200 });
    await receive(files, key, bytes);
    const { stream } = (await files.open(key))!;
    // The reader is idle for two attempts of a request that exceeds the same timeout.
    await assertIdleTimeout(place, 200);
    assert.equal(sha256(await buffer(stream)), sha256(bytes));
  });

  proves("accepts a link until it expires, and only for the signed object", async ({ place }) => {
    const files = openS3(place);
    const key = newKey();
    await receive(files, key, Buffer.from("sealed"));
    const short = (await files.link(key, { ...LINK, seconds: 1 }))!;
    const link = (await files.link(key, LINK))!;
    assert.equal(await (await fetch(link)).text(), "sealed");
    const range = await fetch(link, { headers: { Range: "bytes=1-2" } });
    assert.deepEqual([range.status, await range.text()], [206, "ea"]);
    assert.equal((await fetch(link.replace(key, newKey()))).status, 403);
    assert.equal((await fetch(link.replace("Expires=60", "Expires=90"))).status, 403);
    assert.equal((await fetch(link, { method: "DELETE" })).status, 403);
    await waitUntil(
      async () => (await fetch(short)).status === 403,
      () => "the link to expire",
    );
  });
}

/** Asserts that a server that accepts a connection and never responds is given up after the idle timeout. */
async function assertIdleTimeout(place: S3Location, idleMs: number): Promise<void> {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const { port } = silent.address() as { port: number };
  const endpoint = new URL(`http://127.0.0.1:${port}`);
  const files = openS3({ ...place, endpoint }, { idleMs, attempts: 2, pauseMs: 1 });
  await assert.rejects(files.open(newKey()), new RegExp(`nothing moved for ${idleMs / 1000} seconds`));
  silent.close();
}

/** Runs `work` through a proxy that applies `faultOf` to each request; returns the number of requests. */
async function withFaults(
  place: S3Location,
  faultOf: (intercepted: InterceptedRequest, n: number) => Interception,
  work: (files: Files) => Promise<void>,
): Promise<number> {
  let count = 0;
  const proxy = await openFaultyProxy(place, (intercepted) => {
    count += 1;
    return faultOf(intercepted, count);
  });
  try {
    await work(openS3({ ...place, endpoint: proxy.endpoint }, FAST_RETRIES));
  } finally {
    await proxy.close();
  }
  return count;
}

function networkFaults(): void {
  const small = randomBytes(100_000);
  const large = randomBytes(9 * MIB);
  const flipped = (body: Buffer): Buffer => {
    const altered = Buffer.from(body);
    altered[body.length >> 1]! ^= 1;
    return altered;
  };

  for (const [name, bytes] of Object.entries({ file: small, part: large }))
    proves(`a ${name} that is altered on the way is rejected and leaves nothing`, async ({ place, names }) => {
      const alter = ({ body }: InterceptedRequest) => (body.length > 50_000 ? flipped(body) : body);
      await withFaults(place, alter, async (files) => {
        await assert.rejects(receive(files, newKey(), bytes), /^Error: S3 returned 400 BadDigest/);
      });
      assert.deepEqual(await names(), []);
    });

  proves("a part that is altered once is sent again and arrives unchanged", async ({ place }) => {
    let altered = false;
    const alterOnce = ({ body }: InterceptedRequest) => {
      if (altered || body.length < 50_000) return body;
      altered = true;
      return flipped(body);
    };
    const key = newKey();
    await withFaults(place, alterOnce, async (files) => void (await receive(files, key, large)));
    assert.ok(altered);
    assert.equal(sha256(await contentOf(openS3(place), key)), sha256(large));
  });

  for (const fault of ["cut", "answer lost", 503] as const)
    proves(`every request is retried after: ${fault}`, async ({ place, names }) => {
      const key = newKey();
      const met = new Set<string>();
      const failOnce = ({ method, url, body }: InterceptedRequest): Interception => {
        const requestLine = `${method} ${url}`;
        if (met.has(requestLine)) return body;
        met.add(requestLine);
        return fault;
      };
      await withFaults(place, failOnce, async (files) => {
        await files.wait(uploadOf(await receive(files, key, large)));
        await files.keep(key);
        assert.equal(sha256(await contentOf(files, key)), sha256(large));
      });
      // If the response to beginning a multipart upload is lost, the retry begins a second one, and the first is left over.
      await openS3(place).sweep(none, ALL);
      assert.deepEqual(await names(), [finalOf(key), noteOf(key)]);
    });

  proves("a server that dies at any request leaves a complete file or, after a sweep, nothing", async (corner) => {
    const { place, names, clean } = corner;
    for (const waits of [false, true])
      for (let n = 1, died = true; died; n++) {
        const key = newKey();
        let recorded = false;
        const count = await withFaults(
          place,
          ({ body }, at) => (at < n ? body : "cut"),
          async (files) => {
            const story = async () => {
              const record = await receive(files, key, waits ? small : large);
              if (waits) await files.wait(uploadOf(record));
              recorded = true;
              await files.keep(key);
            };
            await story().catch(() => {});
          },
        );
        died = count >= n;
        const reopened = openS3(place);
        await reopened.sweep(async () => new Set(recorded ? [key] : []), ALL);
        const remaining = await names();
        if (recorded) assert.equal((await contentOf(reopened, key)).length, (waits ? small : large).length);
        else if (remaining.length > 0)
          assert.equal((await reopened.findUpload(key))?.size, small.length, `request ${n}`);
        for (const old of await reopened.waitingSince(1)) await (recorded ? reopened.keep(old) : reopened.discard(old));
        const expected = [finalOf(key), ...(waits ? [noteOf(key)] : [])];
        assert.deepEqual(await names(), recorded ? expected : [], `request ${n}`);
        await clean();
      }
  });
}
