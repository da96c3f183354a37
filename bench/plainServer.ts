import { createReadStream, createWriteStream, mkdirSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { FILE } from "./fileBody.ts";
import { type ReadyMessage, resourceUsage } from "./messages.ts";

// The baseline for documents: streams uploads to a file with fsync, and downloads from a file.

const folder = process.env.DATA_DIR!;
const downloadFile = join(folder, "download");
let uploads = 0;

mkdirSync(folder, { recursive: true });
writeFileSync(downloadFile, FILE);

async function receiveFile(request: IncomingMessage, response: ServerResponse): Promise<void> {
  uploads += 1;
  await pipeline(request, createWriteStream(join(folder, String(uploads)), { flush: true }));
  response.writeHead(201, { "Content-Length": 2 }).end("{}");
}

async function sendFile(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "Content-Length": statSync(downloadFile).size });
  await pipeline(createReadStream(downloadFile), response);
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
