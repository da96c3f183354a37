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
    PUBLIC_URL: "http://registry.example",
  });

const headers = { Authorization: `Basic ${btoa("broker:")}`, "Content-Type": "application/json" };
type Told = { readonly status: number; readonly text: string; readonly again: boolean };

async function post(url: string, key: string): Promise<Told | undefined> {
  const sent = { method: "POST", headers: { ...headers, "Idempotency-Key": key }, body: bodyFor(key) };
  try {
    const response = await fetch(`${url}/api/2.3/tenders`, sent);
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
    const answers = new Map<string, string>();
    let replayed = 0;
    let isOver = false;
    const client = async () => {
      while (!isOver) {
        const key = randomUUID();
        const told = await untilAnswered(key, () => urls[Math.floor(Math.random() * urls.length)]!);
        assert.equal(told.status, 201, told.text);
        if (told.again) replayed += 1;
        answers.set(key, told.text);
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    for (let round = 0; round < ROUNDS; round++) {
      await pause(150 + Math.random() * 200);
      for (const { child } of servers) child.kill("SIGKILL");
      await Promise.all(servers.map(({ ended }) => ended));
      await begin();
    }
    await pause(200);
    isOver = true;
    await Promise.all(clients);
    assert.deepEqual((await titlesIn(urls[0]!)).toSorted(), [...answers.keys()].sort());
    for (const [i, [key, text]] of [...answers].entries()) {
      const again = (await post(urls[i % urls.length]!, key))!;
      assert.deepEqual([again.text, again.again], [text, true]);
    }
    assert.ok(answers.size > 0);
    t.diagnostic(`${answers.size} requests, ${replayed} of them answered by what was recorded before a kill`);
  });
});
