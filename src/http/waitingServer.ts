import { createServer, type ServerResponse } from "node:http";
import type { Config } from "../config.ts";
import { type Answer, told, UNAVAILABLE } from "./answers.ts";
import { showAlive } from "./health.ts";
import { standingFor, standingHeadersOf } from "./standingHeaders.ts";

/**
 * Listens while the service cannot start yet: /health/live answers 200, so that no orchestrator restarts the process, and
 * everything else answers 503. It also reports a port in use before the wait instead of after it.
 */
export async function openWaitingServer(config: Config): Promise<{ readonly close: () => Promise<void> }> {
  const { host, port, publicUrl, zone } = config;
  const standing = standingHeadersOf(config);
  const unavailable = told(UNAVAILABLE, { origin: publicUrl ?? "", zone });
  const server = createServer((request, response) => {
    const answer = answerTo(request.url?.split("?")[0], unavailable);
    write(response, answer, standingFor(standing, request, answer));
    // Otherwise the unread body would be parsed as the next request.
    request.resume();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host.replace(/^\[|\]$/g, ""), resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerTo(path: string | undefined, unavailable: Answer): Answer {
  if (path === "/health/live") return showAlive();
  if (path === "/health/ready") return { ...unavailable, json: '{"status":"unavailable"}' };
  return unavailable;
}

function write(response: ServerResponse, { status, headers, json }: Answer, standing: readonly string[]): void {
  const body = Buffer.from(String(json));
  const own = Object.entries({ ...headers, "Content-Type": "application/json", "Content-Length": body.byteLength });
  response.writeHead(status, [
    ...standing,
    ...own.flat().map(String),
    "Connection",
    "close",
    "Cache-Control",
    "no-store",
  ]);
  response.end(response.req.method === "HEAD" ? undefined : body);
}
