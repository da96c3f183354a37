import { createServer, type ServerResponse } from "node:http";
import type { Config } from "../config/config.ts";
import { UNAVAILABLE } from "../http/errorResponses.ts";
import { type HttpResponse, withErrorBody } from "../http/responses.ts";
import { buildSecurityHeaders, securityHeadersFor } from "../http/securityHeaders.ts";
import { showLiveness } from "./health.ts";

/**
 * Listens while the service cannot start yet: /health/live answers 200, so that no orchestrator restarts the process, and
 * everything else answers 503. It also reports a port in use before the wait instead of after it.
 */
export async function openWaitingServer(config: Config): Promise<{ readonly close: () => Promise<void> }> {
  const { host, port, publicUrl, zone } = config;
  const securityHeaders = buildSecurityHeaders(config);
  const unavailable = withErrorBody(UNAVAILABLE, { origin: publicUrl ?? "", zone });
  const server = createServer((request, serverResponse) => {
    const response = responseFor(request.url?.split("?")[0], unavailable);
    writeResponse(serverResponse, response, securityHeadersFor(securityHeaders, request, response));
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

function responseFor(path: string | undefined, unavailable: HttpResponse): HttpResponse {
  if (path === "/health/live") return showLiveness();
  if (path === "/health/ready") return { ...unavailable, json: '{"status":"unavailable"}' };
  return unavailable;
}

function writeResponse(
  serverResponse: ServerResponse,
  { status, headers, json }: HttpResponse,
  securityHeaders: readonly string[],
): void {
  const body = Buffer.from(String(json));
  const ownHeaders = Object.entries({
    ...headers,
    "Content-Type": "application/json",
    "Content-Length": body.byteLength,
  });
  serverResponse.writeHead(status, [
    ...securityHeaders,
    ...ownHeaders.flat().map(String),
    "Connection",
    "close",
    "Cache-Control",
    "no-store",
  ]);
  serverResponse.end(serverResponse.req.method === "HEAD" ? undefined : body);
}
