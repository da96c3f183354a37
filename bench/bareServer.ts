import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Asked, type CannedAnswers, type Started, type Used, usedSoFar } from "./messages.ts";

/**
 * The least that `node:http` can do: reads and parses what is sent, keeps nothing, answers bytes that it was given. With
 * `--two`, two processes do so on one port, which is the most that two workers can have on this machine.
 */

type Ready = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly bytes: Buffer;
};

let answers: ReadonlyMap<string, Ready> = new Map();

function answer(method: string, response: ServerResponse): void {
  const ready = answers.get(method);
  if (!ready) {
    response.writeHead(405).end();
    return;
  }
  response.writeHead(ready.status, ready.headers);
  response.end(ready.bytes);
}

function parseThenAnswer(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    JSON.parse((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString("utf8"));
    answer(request.method!, response);
  });
}

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  if (request.method === "GET") answer("GET", response);
  else parseThenAnswer(request, response);
});

const readied = (given: CannedAnswers): ReadonlyMap<string, Ready> =>
  new Map(
    Object.entries(given).map(([method, { status, headers, body }]) => [
      method,
      { status, headers, bytes: Buffer.from(body) },
    ]),
  );

function serve(): void {
  process.on("message", (asked: Asked) => {
    if (asked.answers) answers = readied(asked.answers);
    process.send!(usedSoFar());
  });
  process.on("disconnect", () => process.exit(0));
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo;
    process.send!({ url: `http://127.0.0.1:${port}` } satisfies Started);
  });
}

/** Passes on what it is asked, and adds up what they answer. */
async function serveByTwo(): Promise<void> {
  const workers = [cluster.fork(), cluster.fork()];
  const [started] = await Promise.all(workers.map((worker) => wordOf<Started>(worker)));
  process.on("message", async (asked: Asked) => {
    const told = workers.map((worker) => wordOf<Used>(worker));
    for (const worker of workers) worker.send(asked);
    const all = [usedSoFar(), ...(await Promise.all(told))];
    const sum = (of: (used: Used) => number) => all.reduce((total, used) => total + of(used), 0);
    process.send!({ cpuMicros: sum((used) => used.cpuMicros), rssBytes: sum((used) => used.rssBytes) } satisfies Used);
  });
  process.on("disconnect", () => process.exit(0));
  process.send!(started!);
}

const wordOf = async <Word>(worker: Worker): Promise<Word> => ((await once(worker, "message")) as [Word])[0];

if (cluster.isPrimary && process.argv.includes("--two")) await serveByTwo();
else serve();
