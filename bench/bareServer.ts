import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type CannedResponses,
  EVENTS_PATH,
  type ReadyMessage,
  type ResourceUsage,
  resourceUsage,
  type ServerCommand,
  STREAM_OPENED,
} from "./messages.ts";

// The baseline: a `node:http` server that parses request bodies, stores nothing and returns canned responses. A GET of EVENTS_PATH
// opens an event stream, which receives what is broadcast. With `--two`, two processes share one port, which is the upper bound for
// two workers on this machine.

type CannedBytes = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly bytes: Buffer;
};

let cannedBytes: ReadonlyMap<string, CannedBytes> = new Map();

function respond(method: string, response: ServerResponse): void {
  const canned = cannedBytes.get(method);
  if (!canned) {
    response.writeHead(405).end();
    return;
  }
  response.writeHead(canned.status, canned.headers);
  response.end(canned.bytes);
}

function parseThenRespond(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    JSON.parse((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString("utf8"));
    respond(request.method!, response);
  });
}

const streams = new Set<ServerResponse>();

function openStream(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/event-stream; charset=UTF-8", "Cache-Control": "no-store" });
  response.write(STREAM_OPENED);
  streams.add(response);
  response.on("close", () => streams.delete(response));
}

function broadcast(text: string): void {
  const bytes = Buffer.from(text);
  for (const stream of streams) stream.write(bytes);
}

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  if (request.url === EVENTS_PATH) openStream(response);
  else if (request.method === "GET") respond("GET", response);
  else parseThenRespond(request, response);
});

const toCannedBytes = (responses: CannedResponses): ReadonlyMap<string, CannedBytes> =>
  new Map(
    Object.entries(responses).map(([method, { status, headers, body }]) => [
      method,
      { status, headers, bytes: Buffer.from(body) },
    ]),
  );

function serve(): void {
  process.on("message", (command: ServerCommand) => {
    if (command.responses) cannedBytes = toCannedBytes(command.responses);
    if (command.broadcast) broadcast(command.broadcast);
    process.send!(resourceUsage());
  });
  process.on("disconnect", () => process.exit(0));
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo;
    process.send!({ url: `http://127.0.0.1:${port}` } satisfies ReadyMessage);
  });
}

/** Forwards commands to both workers and adds up their usage. */
async function serveWithTwoWorkers(): Promise<void> {
  const workers = [cluster.fork(), cluster.fork()];
  const [started] = await Promise.all(workers.map((worker) => nextMessage<ReadyMessage>(worker)));
  process.on("message", async (command: ServerCommand) => {
    const usages = workers.map((worker) => nextMessage<ResourceUsage>(worker));
    for (const worker of workers) worker.send(command);
    const all = [resourceUsage(), ...(await Promise.all(usages))];
    const sum = (metric: (used: ResourceUsage) => number) => all.reduce((total, used) => total + metric(used), 0);
    process.send!({
      cpuMicros: sum((used) => used.cpuMicros),
      rssBytes: sum((used) => used.rssBytes),
    } satisfies ResourceUsage);
  });
  process.on("disconnect", () => process.exit(0));
  process.send!(started!);
}

const nextMessage = async <Message>(worker: Worker): Promise<Message> =>
  ((await once(worker, "message")) as [Message])[0];

if (cluster.isPrimary && process.argv.includes("--two")) await serveWithTwoWorkers();
else serve();
