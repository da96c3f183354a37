import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CannedResponses,
  type ReadyMessage,
  type ResourceUsage,
  resourceUsage,
  type ServerCommand,
} from "./messages.ts";

/**
 * The least that `node:http` can do: reads and parses what is sent, keeps nothing, answers bytes that it was given. With
 * `--two`, two processes do so on one port, which is the most that two workers can have on this machine.
 */

type CannedBytes = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly bytes: Buffer;
};

let cannedBytes: ReadonlyMap<string, CannedBytes> = new Map();

function respond(method: string, response: ServerResponse): void {
  const ready = cannedBytes.get(method);
  if (!ready) {
    response.writeHead(405).end();
    return;
  }
  response.writeHead(ready.status, ready.headers);
  response.end(ready.bytes);
}

function parseThenRespond(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    JSON.parse((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString("utf8"));
    respond(request.method!, response);
  });
}

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  if (request.method === "GET") respond("GET", response);
  else parseThenRespond(request, response);
});

const toCannedBytes = (given: CannedResponses): ReadonlyMap<string, CannedBytes> =>
  new Map(
    Object.entries(given).map(([method, { status, headers, body }]) => [
      method,
      { status, headers, bytes: Buffer.from(body) },
    ]),
  );

function serve(): void {
  process.on("message", (command: ServerCommand) => {
    if (command.answers) cannedBytes = toCannedBytes(command.answers);
    process.send!(resourceUsage());
  });
  process.on("disconnect", () => process.exit(0));
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo;
    process.send!({ url: `http://127.0.0.1:${port}` } satisfies ReadyMessage);
  });
}

/** Passes on what it is asked, and adds up what they answer. */
async function serveWithTwoWorkers(): Promise<void> {
  const workers = [cluster.fork(), cluster.fork()];
  const [started] = await Promise.all(workers.map((worker) => nextMessage<ReadyMessage>(worker)));
  process.on("message", async (command: ServerCommand) => {
    const usages = workers.map((worker) => nextMessage<ResourceUsage>(worker));
    for (const worker of workers) worker.send(command);
    const all = [resourceUsage(), ...(await Promise.all(usages))];
    const sum = (of: (used: ResourceUsage) => number) => all.reduce((total, used) => total + of(used), 0);
    process.send!({
      cpuMicros: sum((used) => used.cpuMicros),
      rssBytes: sum((used) => used.rssBytes),
    } satisfies ResourceUsage);
  });
  process.on("disconnect", () => process.exit(0));
  process.send!(started!);
}

const nextMessage = async <Word>(worker: Worker): Promise<Word> => ((await once(worker, "message")) as [Word])[0];

if (cluster.isPrimary && process.argv.includes("--two")) await serveWithTwoWorkers();
else serve();
