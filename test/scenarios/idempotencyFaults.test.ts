import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { ENGINE, openDatabase } from "../support/engines.ts";
import { openProcesses, type Process, urlOf } from "../support/processes.ts";

const { folder, run } = openProcesses("once");
const database = await openDatabase(folder);
after(database.drop);

const start = () =>
  run([process.execPath, "--disable-warning=ExperimentalWarning", "src/main.ts"], {
    ...database.environment,
    DATA_DIR: folder,
    LOG: "off",
    // Another process than the one that was asked first answers, on either engine.
    ...(ENGINE === "sqlite" && { WORKERS: "2" }),
    PUBLIC_URL: "http://registry.example",
  });

const headers = { Authorization: `Basic ${btoa("broker:")}` };
type Told = { readonly status: number; readonly text: string; readonly again: boolean };

/** What the key is sent with, which its first letters say: a tender, a webhook, or a file. */
type Kind = "tender" | "webhook" | "upload";
/** An account has at most a hundred webhooks. */
const WEBHOOKS_MAX = 90;
const kindOf = (key: string): Kind => key.split(":")[0] as Kind;

function requestFor(key: string): { readonly path: string; readonly body: string; readonly type?: string } {
  const kind = kindOf(key);
  if (kind === "tender") return { path: "/api/2.3/tenders", body: bodyFor(key) };
  if (kind === "webhook")
    return {
      path: "/webhooks",
      body: JSON.stringify({ data: { url: `http://127.0.0.1:9/${key}`, filter: { tenderID: "none" } } }),
    };
  // The same bytes each time, as a client that sends again sends them.
  const part = `Content-Disposition: form-data; name="file"; filename="${key}.txt"\r\n\r\n${key}`;
  const body = `--boundary\r\n${part}\r\n--boundary--\r\n`;
  return { path: `/api/2.3/tenders/${holder.id}/documents`, body, type: "multipart/form-data; boundary=boundary" };
}

/** The tender whose documents are uploaded. */
let holder = { id: "", token: "" };

async function post(url: string, key: string): Promise<Told | undefined> {
  const { path, body, type = "application/json" } = requestFor(key);
  const own = { ...headers, "Content-Type": type, "X-Access-Token": holder.token, "Idempotency-Key": key };
  try {
    const response = await fetch(`${url}${path}`, { method: "POST", headers: own, body });
    const again = response.headers.get("idempotency-replayed") === "true";
    const told = { status: response.status, text: await response.text(), again };
    // Nobody knows whether it was done: that is what the key is for.
    return told.status >= 500 ? undefined : told;
  } catch {
    return undefined;
  }
}

const bodyFor = (key: string): string => JSON.stringify({ data: { title: key } });

const CLIENTS = 6;
const ROUNDS = 4;
const ROUNDS_MAX = 30;

/** Asks with the same key until there is an answer, whichever server gives it. */
async function untilAnswered(key: string, url: () => string): Promise<Told> {
  for (;;) {
    const told = await post(url(), key);
    if (told) return told;
    await pause(5);
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

describe("servers that are killed in the middle of requests", () => {
  test("carry out each request once, and give the answer that was lost", { timeout: 110_000 }, async (t) => {
    let servers: readonly Process[] = [];
    let urls: readonly string[] = [];
    const number = ENGINE === "postgres" ? 2 : 1;
    const begin = async () => {
      servers = Array.from({ length: number }, start);
      urls = await Promise.all(servers.map(urlOf));
    };
    await begin();
    const held = JSON.parse((await post(urls[0]!, "tender:holder"))!.text);
    holder = { id: held.data.id, token: held.access.token };
    const answers = new Map<string, string>();
    let replayed = 0;
    let isOver = false;
    let webhooks = 0;
    const nextKind = (): Kind => {
      const chance = Math.random();
      if (chance < 0.1 && webhooks < WEBHOOKS_MAX) {
        webhooks += 1;
        return "webhook";
      }
      return chance < 0.4 ? "upload" : "tender";
    };
    const client = async () => {
      while (!isOver) {
        const key = `${nextKind()}:${randomUUID()}`;
        const told = await untilAnswered(key, () => urls[Math.floor(Math.random() * urls.length)]!);
        assert.equal(told.status, 201, told.text);
        if (told.again) replayed += 1;
        answers.set(key, told.text);
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    // An answer must have been lost, or nothing is proven.
    for (let round = 0; round < ROUNDS || (replayed === 0 && round < ROUNDS_MAX); round++) {
      await pause(150 + Math.random() * 200);
      for (const { child } of servers) child.kill("SIGKILL");
      await Promise.all(servers.map(({ ended }) => ended));
      await begin();
    }
    await pause(200);
    isOver = true;
    await Promise.all(clients);
    const keysOf = (kind: Kind) => [...answers.keys()].filter((key) => kindOf(key) === kind).toSorted();
    assert.deepEqual((await titlesIn(urls[0]!)).toSorted(), ["tender:holder", ...keysOf("tender")].toSorted());
    const listed = async (path: string) =>
      ((await (await fetch(urls[0]! + path, { headers })).json()) as { data: { url: string; title: string }[] }).data;
    const documents = await listed(`/api/2.3/tenders/${holder.id}/documents?all=1`);
    assert.deepEqual(
      documents.map(({ title }) => title).toSorted(),
      keysOf("upload").map((key) => `${key}.txt`),
    );
    const hooks = await listed("/webhooks");
    assert.deepEqual(hooks.map(({ url }) => url.slice("http://127.0.0.1:9/".length)).toSorted(), keysOf("webhook"));
    for (const [i, [key, text]] of [...answers].entries()) {
      const again = (await post(urls[i % urls.length]!, key))!;
      assert.deepEqual([again.text, again.again], [text, true]);
    }
    assert.ok(replayed > 0);
    t.diagnostic(`${answers.size} requests, ${replayed} of them answered by what was recorded before a kill`);
  });
});
