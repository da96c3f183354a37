import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import type { Environment } from "../../src/config/config.ts";
import { parseDocumentsUrl, type S3Location } from "../../src/files/documentsUrl.ts";
import { openS3Client } from "../../src/files/s3/client.ts";
import { type ObjectStore, openObjectStore } from "../../src/files/s3/objectStore.ts";

/** A real S3 server that checks signatures, in the form of DOCUMENTS_URL. */
const testUrl = process.env.TEST_S3_URL;

/** The reason to skip tests that need S3, or false. */
export const S3_MISSING =
  !testUrl && "TEST_S3_URL is not set: start an S3 server with `eval $(scripts/s3-server.sh start)`, as .ci/run does";

/** A prefix of the bucket that only one test uses. */
export type S3Prefix = {
  readonly place: S3Location;
  /** The settings of a server that stores its documents here. */
  readonly environment: Environment;
  readonly objects: ObjectStore;
  /** The names of all objects, including unfinished multipart uploads. */
  readonly names: () => Promise<readonly string[]>;
  readonly clean: () => Promise<void>;
};

/** Creates a random prefix in the bucket. */
export async function openS3Prefix(query = ""): Promise<S3Prefix> {
  const url = new URL(testUrl!);
  const environment = {
    AWS_ACCESS_KEY_ID: decodeURIComponent(url.username),
    AWS_SECRET_ACCESS_KEY: decodeURIComponent(url.password),
  };
  url.username = "";
  url.password = "";
  url.pathname = [url.pathname.replace(/\/$/, ""), randomBytes(8).toString("hex")].join("/");
  const documentsUrl = url.href + query;
  const problems: string[] = [];
  const place = parseDocumentsUrl(documentsUrl, environment, problems);
  if (!place || problems.length > 0) throw new Error(`TEST_S3_URL is invalid: ${problems.join(", ")}`);
  await openS3Client(place).request({ method: "PUT", acceptedStatuses: [409] });
  const objects = openObjectStore(place);
  const names = async () => {
    const [objectList, uploads] = await Promise.all([objects.list(""), objects.listUploads("")]);
    return [...objectList.map(({ name }) => name), ...uploads.map(({ name }) => `${name} in parts`)].sort();
  };
  const clean = async () => {
    for (const { name, id } of await objects.listUploads("")) await objects.abortUpload(name, id);
    await Promise.all((await objects.list("")).map(({ name }) => objects.remove(name)));
  };
  return { place, environment: { DOCUMENTS_URL: documentsUrl, ...environment }, objects, names, clean };
}

/** A request that the proxy received. */
export type InterceptedRequest = { readonly method: string; readonly url: string; readonly body: Buffer };

/** What the proxy does: forwards the request with this body, cuts it before or after it arrives, or responds 503. */
export type Interception = Buffer | "cut" | "answer lost" | 503;

/** A proxy in front of the S3 server that injects faults. */
export async function openFaultyProxy(
  { endpoint }: S3Location,
  intercept: (request: InterceptedRequest) => Interception,
) {
  const server = createServer((incoming, outgoing) => void forwardRequest(endpoint, intercept, incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { endpoint: new URL(`http://127.0.0.1:${port}`), close };
}

async function forwardRequest(
  { hostname, port }: URL,
  intercept: (request: InterceptedRequest) => Interception,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = "", url = "", headers } = incoming;
  const body = await buffer(incoming).catch(() => undefined);
  if (!body) return;
  const interception = intercept({ method, url, body });
  if (interception === "cut") return void incoming.socket.destroy();
  if (interception === 503) return void outgoing.writeHead(503).end();
  // The Host header stays that of the proxy, because it is signed.
  const upstream = request({ hostname, port, method, path: url, headers, agent: false });
  // Swift sends extra bytes after a HEAD of a missing object, which is an error only before its response.
  let hasResponse = false;
  upstream.on("error", () => void (hasResponse || incoming.socket.destroy()));
  upstream.on("response", (response) => {
    hasResponse = true;
    if (interception === "answer lost") {
      response.on("end", () => incoming.socket.destroy()).resume();
      return;
    }
    outgoing.writeHead(response.statusCode!, response.headers);
    response.pipe(outgoing);
  });
  upstream.end(interception === "answer lost" ? body : interception);
}

/** Runs a test with its own prefix. */
export function testInS3Prefix(title: string, body: (prefix: S3Prefix) => Promise<void>): void {
  test(title, async () => {
    const prefix = await openS3Prefix();
    try {
      await body(prefix);
    } finally {
      await prefix.clean();
    }
  });
}
