import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, test } from "node:test";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { replay } from "../../src/store/store.contract.ts";
import { TIMEOUT_MS, waitUntil } from "../support/processes.ts";
import { runs } from "../support/tier.ts";

const ROUNDS = runs(3);
const CLIENTS = 8;
const FILE_BYTES_MAX = 300 * 1024;
const AUTHORIZATION = `Basic ${btoa("broker:")}`;
const hash = (name: string, bytes: Uint8Array) => createHash(name).update(bytes).digest("hex");

type Document = { readonly url: string; readonly hash: string };
type CreatedResponse = { readonly data: { readonly id: string }; readonly access: { readonly token: string } };
type TitleResponse = { readonly data: { readonly title: string } };
type Page = {
  readonly data: readonly { readonly id: string; readonly dateModified: string }[];
  readonly next_page: { readonly path: string };
};
type Server = { readonly url: string; readonly child: ChildProcess; readonly ended: Promise<readonly unknown[]> };

/** A tender as its client knows it. Acknowledged writes must be there; others may be. */
type KnownTender = {
  id: string;
  token: string;
  title: string;
  titleSent: string;
  files: { path: string; sha256: string }[];
};
type WriteLog = {
  readonly tenders: KnownTender[];
  readonly answered: { posts: number; patches: number; uploads: number };
};

describe("durability", () => {
  testCrash("kill -9 during writes loses no acknowledged write and leaves no partial one", async (folder) => {
    const log = newWriteLog();
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startServer(folder);
      if (round > 0) await assertAllThere(server, folder, log);
      await whileWriting(server, log, randomInt(40, 80), async () => {
        server.child.kill("SIGKILL");
        assert.deepEqual(await server.ended, [null, "SIGKILL"]);
      });
    }
    const last = await startServer(folder);
    await assertAllThere(last, folder, log);
    await stopServer(last);
    await assertLedgerComplete(folder);
  });

  testCrash("SIGTERM during writes responds to every completed request, and exits with code 0", async (folder) => {
    const log = newWriteLog();
    const server = await startServer(folder);
    await whileWriting(server, log, randomInt(20, 50), () => stopServer(server));
    const { posts, patches, uploads } = log.answered;
    assert.equal(await assertLedgerComplete(folder), posts + patches + uploads);
    const again = await startServer(folder);
    await assertAllThere(again, folder, log);
    await stopServer(again);
  });

  testCrash("an upload in progress at SIGTERM is completed and gets its response", async (folder) => {
    const log = newWriteLog();
    const server = await startServer(folder);
    const known = await post(server, log);
    const upload = slowUpload(server, known);
    await waitUntil(
      async () => (await readdir(join(folder, "files/incoming"))).length > 0,
      () => "the upload to begin",
    );
    server.child.kill("SIGTERM");
    await waitUntil(
      async () => !(await accepts(server)),
      () => "the server to accept no more connections",
    );
    known.files.push(await upload.finish());
    assert.deepEqual(await server.ended, [0, null]);
    const again = await startServer(folder);
    await assertAllThere(again, folder, log);
    await stopServer(again);
  });
});

function testCrash(sentence: string, proof: (folder: string) => Promise<void>): void {
  test(sentence, { timeout: 4 * TIMEOUT_MS }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "tenderhall-crash-"));
    try {
      await proof(folder);
    } finally {
      for (const child of started.splice(0)) child.kill("SIGKILL");
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}

const started: ChildProcess[] = [];
process.once("exit", () => {
  for (const child of started) child.kill("SIGKILL");
});

async function startServer(folder: string): Promise<Server> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "src/main.ts"], {
    env: { ...process.env, PORT: "0", DATA_DIR: folder, LOG: "off" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  const ended = once(child, "exit");
  let received = "";
  for await (const piece of child.stdout!.iterator({ destroyOnReturn: false })) {
    received += piece;
    const url = /listening on (http:\/\/\S+)/.exec(received)?.[1];
    if (!url) continue;
    child.stdout!.resume();
    return { url: `${url}/api/2.3`, child, ended };
  }
  throw new Error(`The server ended before it listened: ${received}`);
}

async function stopServer({ child, ended }: Server): Promise<void> {
  child.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
}

const newWriteLog = (): WriteLog => ({ tenders: [], answered: { posts: 0, patches: 0, uploads: 0 } });

/** Ends the server while many clients write, after it has acknowledged so many writes and some of each kind. */
async function whileWriting(server: Server, log: WriteLog, count: number, end: () => Promise<void>): Promise<void> {
  const before = { ...log.answered };
  const kinds = Object.keys(before) as (keyof typeof before)[];
  const clients = Promise.all(Array.from({ length: CLIENTS }, () => writes(server, log)));
  const since = () => kinds.map((kind) => log.answered[kind] - before[kind]);
  const enough = waitUntil(
    () => since().every((more) => more > 0) && since().reduce((sum, more) => sum + more) >= count,
    () => `${since()} writes of ${kinds}`,
  );
  await Promise.race([enough, clients]);
  await Promise.all([end(), clients]);
}

/** Writes until the server is gone. A client edits only its own tenders, and uploads to all. */
async function writes(server: Server, log: WriteLog): Promise<void> {
  const own: KnownTender[] = [];
  for (;;) {
    try {
      const act = randomInt(3);
      if (act === 0 || own.length === 0) own.push(await post(server, log));
      else if (act === 1) await patch(server, log, own[randomInt(own.length)]!);
      else await upload(server, log, log.tenders[randomInt(log.tenders.length)]!);
    } catch (error) {
      // `fetch` throws this when the connection breaks. A wrong response or an early break is a failure.
      if (server.child.killed && error instanceof TypeError) return;
      throw error;
    }
  }
}

async function post(server: Server, log: WriteLog): Promise<KnownTender> {
  const title = randomBytes(8).toString("hex");
  const { data, access } = await send<CreatedResponse>(
    server,
    "POST",
    "/tenders",
    JSON.stringify({ data: { title } }),
    201,
  );
  const known = { id: data.id, token: access.token, title, titleSent: title, files: [] };
  log.tenders.push(known);
  log.answered.posts++;
  return known;
}

async function patch(server: Server, log: WriteLog, known: KnownTender): Promise<void> {
  known.titleSent = randomBytes(8).toString("hex");
  const body = JSON.stringify({ data: { title: known.titleSent } });
  const { data } = await send<TitleResponse>(
    server,
    "PATCH",
    `/tenders/${known.id}?acc_token=${known.token}`,
    body,
    200,
  );
  assert.equal(data.title, known.titleSent);
  known.title = known.titleSent;
  log.answered.patches++;
}

async function upload(server: Server, log: WriteLog, known: KnownTender): Promise<void> {
  const bytes = randomBytes(randomInt(1, FILE_BYTES_MAX + 1));
  const form = new FormData();
  form.append("file", new Blob([bytes]), "file.bin");
  const path = `/tenders/${known.id}/documents?acc_token=${known.token}`;
  const { data } = await send<{ data: Document }>(server, "POST", path, form, 201);
  known.files.push({ path: pathOf(data.url), sha256: hash("sha256", bytes) });
  log.answered.uploads++;
}

async function send<Answer>(
  server: Server,
  method: string,
  path: string,
  body: string | FormData,
  status: number,
): Promise<Answer> {
  const type = typeof body === "string" && { "Content-Type": "application/json" };
  const headers = { Authorization: AUTHORIZATION, ...type };
  const response = await fetch(server.url + path, { method, headers, body });
  const answer = await response.text();
  assert.equal(response.status, status, answer);
  return JSON.parse(answer) as Answer;
}

/** Sends the first half at once, and the second when `finish` is called. */
function slowUpload({ url }: Server, { id, token }: KnownTender) {
  const bytes = randomBytes(200_000);
  const head = `--cut\r\nContent-Disposition: form-data; name="file"; filename="slow.bin"\r\n\r\n`;
  const sending = request(`${url}/tenders/${id}/documents?acc_token=${token}`, {
    method: "POST",
    headers: { Authorization: AUTHORIZATION, "Content-Type": "multipart/form-data; boundary=cut" },
  });
  const answered = once(sending, "response");
  sending.write(head);
  sending.write(bytes.subarray(0, 100_000));
  const finish = async () => {
    sending.write(bytes.subarray(100_000));
    sending.end("\r\n--cut--\r\n");
    const [response] = await answered;
    const body = await text(response);
    assert.equal(response.statusCode, 201, body);
    return { path: pathOf(JSON.parse(body).data.url), sha256: hash("sha256", bytes) };
  };
  return { finish };
}

/** The server has another port after each start. */
const pathOf = (url: string): string => url.slice(url.indexOf("/tenders/"));

const accepts = (server: Server): Promise<boolean> =>
  fetch(`${server.url}/tenders`, { headers: { Connection: "close" } }).then(
    async (response) => !!(await response.text()),
    () => false,
  );

async function assertAllThere(server: Server, folder: string, { tenders }: WriteLog): Promise<void> {
  assert.deepEqual(await readdir(join(folder, "files/incoming")), []);
  const listed = await followFeed(server);
  for (const { id } of tenders) assert.ok(listed.has(id), `${id} is missing from the feed`);
  const known = new Map(tenders.map((tender) => [tender.id, tender]));
  const ids = listed.values();
  const reader = async () => {
    for (const id of ids) await assertThere(server, id, known.get(id));
  };
  await Promise.all(Array.from({ length: CLIENTS }, reader));
}

/** An unknown tender is one whose response was lost. It must still be complete. */
async function assertThere(server: Server, id: string, known: KnownTender | undefined): Promise<void> {
  const { title } = (await get<TitleResponse>(server, `/tenders/${id}`)).data;
  const downloaded = await downloadAll(server, id);
  if (!known) return;
  assert.ok(title === known.title || title === known.titleSent, `${title} is not what was written last`);
  for (const { path, sha256 } of known.files)
    assert.equal(downloaded.get(path), sha256, `${path} is not as it was sent`);
}

async function followFeed(server: Server): Promise<ReadonlySet<string>> {
  const listed = new Set<string>();
  let last = "";
  for (let path = "/tenders?limit=10"; ; ) {
    const { data, next_page } = await get<Page>(server, path);
    if (data.length === 0) return listed;
    for (const { id, dateModified } of data) {
      assert.ok(instantOf(dateModified) > instantOf(last), `${dateModified} comes after ${last}`);
      assert.ok(!listed.has(id), `${id} is listed twice`);
      listed.add(id);
      last = dateModified;
    }
    path = next_page.path.slice(next_page.path.indexOf("/tenders"));
  }
}

const instantOf = (written: string): bigint => (written === "" ? 0n : Temporal.Instant.from(written).epochNanoseconds);

/** Asserts that every listed file is complete. Returns the SHA-256 of each by path. */
async function downloadAll(server: Server, id: string): Promise<ReadonlyMap<string, string>> {
  const { data } = await get<{ data: readonly Document[] }>(server, `/tenders/${id}/documents?all=1`);
  const downloaded = new Map<string, string>();
  for (const document of data) {
    const path = pathOf(document.url);
    const response = await fetch(server.url + path);
    const bytes = await response.bytes();
    assert.equal(response.status, 200);
    assert.equal(Number(response.headers.get("content-length")), bytes.length);
    assert.equal(`md5:${hash("md5", bytes)}`, document.hash);
    downloaded.set(path, hash("sha256", bytes));
  }
  return downloaded;
}

async function get<Answer>(server: Server, path: string): Promise<Answer> {
  const response = await fetch(server.url + path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Answer;
}

/** Opens the store directly, so no server may run. Returns the number of changes. */
async function assertLedgerComplete(folder: string): Promise<number> {
  const store = openSqlite({ dataDir: folder, clock: () => 0, recentBytesMax: 0 });
  try {
    const rows = await store.ledger(0, 1_000_000);
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      rows.map((_, i) => i + 1),
    );
    assert.ok(rows.every(({ at }, i) => i === 0 || at > rows[i - 1]!.at));
    for (const [id, tender] of replay(rows)) assert.deepEqual((await store.find(id))?.tender, tender);
    return rows.length;
  } finally {
    await store.close();
  }
}
