import { createReadStream, createWriteStream, mkdirSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { FILE } from "./fileBody.ts";
import { type ReadyMessage, resourceUsage } from "./messages.ts";

/** The plain copy that documents are held against: what is sent goes to a file and to disk, what is asked for comes from one. */

const folder = process.env.DATA_DIR!;
const offered = join(folder, "offered");
let received = 0;

mkdirSync(folder, { recursive: true });
writeFileSync(offered, FILE);

async function receiveFile(request: IncomingMessage, response: ServerResponse): Promise<void> {
  received += 1;
  await pipeline(request, createWriteStream(join(folder, String(received)), { flush: true }));
  response.writeHead(201, { "Content-Length": 2 }).end("{}");
}

async function sendFile(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "Content-Length": statSync(offered).size });
  await pipeline(createReadStream(offered), response);
}

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const done = request.method === "GET" ? sendFile(response) : receiveFile(request, response);
  done.catch(() => response.destroy());
});

process.on("message", () => process.send!(resourceUsage()));
process.on("disconnect", () => process.exit(0));

server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.send!({ url: `http://127.0.0.1:${port}` } satisfies ReadyMessage);
});
