import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { after, describe, test } from "node:test";
import { ENGINE, openDatabase } from "../support/engines.ts";
import {
  openProcesses,
  type RunningProcess,
  TIMEOUT_MS,
  urlOf,
  waitForNextPoll,
  waitUntil,
} from "../support/processes.ts";

const { folder, run } = openProcesses("once");
const database = await openDatabase(folder);
after(database.drop);

const start = () =>
  run([process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"], {
    ...database.environment,
    DATA_DIR: folder,
    LOG: "off",
    // Another process than the first one responds, on either engine.
    ...(ENGINE === "sqlite" && { WORKERS: "2" }),
    PUBLIC_URL: "http://registry.example",
  });

const headers = { Authorization: `Basic ${btoa("broker:")}` };
type RecordedResponse = { readonly status: number; readonly text: string; readonly again: boolean };

/** The kind of request, which is the prefix of its key. */
type Kind = "tender" | "change" | "webhook" | "upload" | "version";
/** Below the limit of a hundred webhooks per account. */
const WEBHOOKS_MAX = 90;
const kindOf = (key: string): Kind => key.split(":")[0] as Kind;

type RequestSpec = { readonly method: string; readonly path: string; readonly body: string; readonly type?: string };

const REQUESTS: { readonly [kind in Kind]: (key: string) => RequestSpec } = {
  tender: (key) => ({ method: "POST", path: "/api/2.3/tenders", body: bodyFor(key) }),
  change: (key) => ({ method: "PATCH", path: `/api/2.3/tenders/${holder.id}`, body: bodyFor(key) }),
  webhook: (key) => ({
    method: "POST",
    path: "/webhooks",
    body: JSON.stringify({ data: { url: `http://127.0.0.1:9/${key}`, filter: { tenderID: "none" } } }),
  }),
  upload: (key) => ({ method: "POST", path: `/api/2.3/tenders/${holder.id}/documents`, ...formOf(key) }),
  version: (key) => ({
    method: "PUT",
    path: `/api/2.3/tenders/${holder.id}/documents/${holder.document}`,
    ...formOf(key),
  }),
};

/** The same bytes each time, like a client that retries. */
function formOf(key: string): { readonly body: string; readonly type: string } {
  const part = `Content-Disposition: form-data; name="file"; filename="${key}.txt"\r\n\r\n${key}`;
  return { body: `--boundary\r\n${part}\r\n--boundary--\r\n`, type: "multipart/form-data; boundary=boundary" };
}

/** The tender that is changed and gets the documents. */
let holder = { id: "", token: "", document: "" };

async function send(url: string, key: string): Promise<RecordedResponse | undefined> {
  const { method, path, body, type = "application/json" } = REQUESTS[kindOf(key)](key);
  const own = { ...headers, "Content-Type": type, "X-Access-Token": holder.token, "Idempotency-Key": key };
  try {
    const response = await fetch(`${url}${path}`, { method, headers: { ...own, Connection: "close" }, body });
    const again = response.headers.get("idempotency-replayed") === "true";
    const result = { status: response.status, text: await response.text(), again };
    // It is unknown whether the request took effect, which is what the key is for.
    return result.status >= 500 ? undefined : result;
  } catch {
    return undefined;
  }
}

/** Creates a tender with a document. */
async function openHolder(url: string, name: string): Promise<void> {
  const held = JSON.parse((await send(url, `tender:${name}`))!.text);
  holder = { id: held.data.id, token: held.access.token, document: "" };
  holder.document = JSON.parse((await send(url, `upload:${name}`))!.text).data.id;
}

const actsOnHolder = async (): Promise<number> => {
  const rows = await database.query(`select count(*) as number from ledger where tender_id = '${holder.id}'`);
  return Number(rows[0]!.number);
};

const bodyFor = (key: string): string => JSON.stringify({ data: { title: key } });

const CLIENTS = 6;
const ROUNDS = 4;
const ANSWERS_A_ROUND = 10;
const ROUNDS_MAX = 30;

/** Retries with the same key until any server responds. */
async function retryUntilAnswered(key: string, url: () => string): Promise<RecordedResponse> {
  for (;;) {
    const told = await send(url(), key);
    if (told) return told;
    await waitForNextPoll();
  }
}

async function titlesIn(url: string): Promise<readonly string[]> {
  const titles: string[] = [];
  for (let path = "/api/2.3/tenders?opt_fields=title&limit=100"; ; ) {
    const { data, next_page } = (await (await fetch(url + path)).json()) as {
      data: { title: string }[];
      next_page: { path: string };
    };
    if (data.length === 0) return titles;
    titles.push(...data.map(({ title }) => title));
    path = next_page.path;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what a server answered is looked into freely.
const read = async (url: string, path: string): Promise<any> =>
  ((await (await fetch(url + path, { headers })).json()) as { readonly data: unknown }).data;

const hooksAt = async (url: string): Promise<readonly string[]> =>
  (await read(url, "/webhooks")).map((hook: { readonly url: string }) => hook.url.slice("http://127.0.0.1:9/".length));

/** On SQLite, several processes that share a port take the place of several servers. */
async function startAll(): Promise<{ readonly servers: readonly RunningProcess[]; readonly urls: readonly string[] }> {
  const servers = Array.from({ length: ENGINE === "postgres" ? 2 : 1 }, start);
  return { servers, urls: await Promise.all(servers.map(urlOf)) };
}

const STATUS: { readonly [kind in Kind]: number } = {
  tender: 201,
  change: 200,
  webhook: 201,
  upload: 201,
  version: 200,
};
const KINDS = Object.keys(STATUS) as Kind[];

describe("processes of one registry", () => {
  test("that get the same request at once execute it once, and all return the same response", async () => {
    const { servers, urls } = await startAll();
    await openHolder(urls[0]!, "at once");
    const before = await actsOnHolder();
    for (const kind of KINDS) {
      const key = `${kind}:${randomUUID()}`;
      const all = await Promise.all(Array.from({ length: 8 }, (_, i) => send(urls[i % urls.length]!, key)));
      assert.deepEqual([...new Set(all.map((result) => result?.text))], [all[0]!.text], kind);
      assert.deepEqual([all[0]!.status, all.filter((result) => !result!.again).length], [STATUS[kind], 1], kind);
    }
    assert.equal((await actsOnHolder()) - before, ["change", "upload", "version"].length);
    for (const { child } of servers) child.kill("SIGTERM");
    await Promise.all(servers.map(({ ended }) => ended));
  });
});

describe("processes that receive the same registered file at once", () => {
  test("store it once and completely, and serve it once it is acknowledged", async () => {
    const { servers, urls } = await startAll();
    const post = (url: string, body: string | FormData, type?: string) =>
      fetch(url, { method: "POST", body, headers: { ...headers, ...(type && { "Content-Type": type }) } });
    for (let round = 0; round < 5; round++) {
      const content = `${randomUUID()} `.repeat(2000);
      const hash = `md5:${createHash("md5").update(content).digest("hex")}`;
      const announced = await post(`${urls[0]}/register`, JSON.stringify({ data: { hash } }), "application/json");
      const { upload_url } = (await announced.json()) as { readonly upload_url: string };
      const { pathname, search } = new URL(upload_url);
      const sent = Array.from({ length: 6 }, (_, i) => {
        const form = new FormData();
        form.append("file", new Blob([content]), "a.txt");
        return post(`${urls[i % urls.length]}${pathname}${search}`, form);
      });
      const responses = await Promise.all(sent);
      const statuses = responses.map(({ status }) => status).toSorted();
      assert.deepEqual(statuses, [200, 403, 403, 403, 403, 403]);
      const { get_url } = (await responses.find(({ ok }) => ok)!.json()) as { readonly get_url: string };
      const address = new URL(get_url);
      const read = await fetch(`${urls.at(-1)}${address.pathname}${address.search}`);
      assert.equal(await read.text(), content);
    }
    for (const { child } of servers) child.kill("SIGTERM");
    await Promise.all(servers.map(({ ended }) => ended));
  });
});

describe("servers that are killed in the middle of requests", () => {
  test("execute each request once, and return the lost response on a retry", { timeout: 4 * TIMEOUT_MS }, async (t) => {
    let servers: readonly RunningProcess[] = [];
    let urls: readonly string[] = [];
    const begin = async () => {
      ({ servers, urls } = await startAll());
    };
    await begin();
    const earlier = { titles: await titlesIn(urls[0]!), hooks: await hooksAt(urls[0]!) };
    await openHolder(urls[0]!, "holder");
    const answers = new Map<string, string>();
    let replayed = 0;
    let isOver = false;
    let webhooks = 0;
    const nextKind = (): Kind => {
      const kind = KINDS[Math.floor(Math.random() * KINDS.length)]!;
      if (kind !== "webhook") return kind;
      webhooks += 1;
      return webhooks < WEBHOOKS_MAX ? kind : "tender";
    };
    const client = async () => {
      while (!isOver) {
        const key = `${nextKind()}:${randomUUID()}`;
        const result = await retryUntilAnswered(key, () => urls[Math.floor(Math.random() * urls.length)]!);
        assert.equal(result.status, STATUS[kindOf(key)], result.text);
        if (result.again) replayed += 1;
        answers.set(key, result.text);
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    const waitForAnswers = (more: number) => {
      const count = answers.size + more;
      return waitUntil(
        () => answers.size >= count,
        () => `${answers.size} of ${count} answers`,
      );
    };
    // An answer must have been lost, or nothing is proven.
    for (let round = 0; round < ROUNDS || (replayed === 0 && round < ROUNDS_MAX); round++) {
      // However slow the machine is, they are killed while they work, not while they start.
      await waitForAnswers(ANSWERS_A_ROUND + Math.floor(Math.random() * ANSWERS_A_ROUND));
      for (const { child } of servers) child.kill("SIGKILL");
      await Promise.all(servers.map(({ ended }) => ended));
      await begin();
    }
    await waitForAnswers(ANSWERS_A_ROUND);
    isOver = true;
    await Promise.all(clients);
    const keysOf = (...kinds: Kind[]) => [...answers.keys()].filter((key) => kinds.includes(kindOf(key))).toSorted();
    const titles = (await titlesIn(urls[0]!)).filter((title) => !earlier.titles.includes(title));
    const { title } = await read(urls[0]!, `/api/2.3/tenders/${holder.id}`);
    assert.deepEqual(titles.toSorted(), [title, ...keysOf("tender")].toSorted());
    assert.ok(keysOf("change").includes(title));
    const documents = await read(urls[0]!, `/api/2.3/tenders/${holder.id}/documents?all=1`);
    const files = ["upload:holder", ...keysOf("upload", "version")].map((key) => `${key}.txt`);
    assert.deepEqual(
      documents.map((document: { readonly title: string }) => document.title).toSorted(),
      files.toSorted(),
    );
    // Once each: publishing, the first document, and every request since.
    assert.equal(await actsOnHolder(), 2 + keysOf("change", "upload", "version").length);
    const hooks = (await hooksAt(urls[0]!)).filter((url) => !earlier.hooks.includes(url));
    assert.deepEqual(hooks.toSorted(), keysOf("webhook"));
    for (const [i, [key, text]] of [...answers].entries()) {
      const again = (await send(urls[i % urls.length]!, key))!;
      assert.deepEqual([again.text, again.again], [text, true]);
    }
    assert.ok(replayed > 0);
    t.diagnostic(`${answers.size} requests, ${replayed} of them answered by what was recorded before a kill`);
  });
});
