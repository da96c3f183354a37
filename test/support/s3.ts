import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import type { Environment } from "../../src/config/config.ts";
import { parseDocumentsUrl, type S3Location } from "../../src/files/documentsUrl.ts";
import { openS3Client } from "../../src/files/s3/client.ts";
import { type ObjectStore, openObjectStore } from "../../src/files/s3/objectStore.ts";

/** A real S3 server that checks signatures, where there is one: `TEST_S3_URL` names it as `DOCUMENTS_URL` would. */

const testUrl = process.env.TEST_S3_URL;

/** Why tests that need it are skipped, if they are. */
export const S3_MISSING =
  !testUrl && "TEST_S3_URL names no S3 server: `eval $(scripts/s3-server.sh start)` starts one, as .ci/run does";

export type S3Prefix = {
  readonly place: S3Location;
  /** The settings of a service that keeps its documents here. */
  readonly environment: Environment;
  readonly objects: ObjectStore;
  /** Every object, by its name; uploads in parts that were begun are among them. */
  readonly names: () => Promise<readonly string[]>;
  readonly clean: () => Promise<void>;
};

/** A corner of the bucket that nobody else uses. */
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
  if (!place || problems.length > 0) throw new Error(`TEST_S3_URL is wrong: ${problems.join(", ")}`);
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

export type InterceptedRequest = { readonly method: string; readonly url: string; readonly body: Buffer };

/** What happens to a request: it goes on, with this body; it is cut off before or after it arrived; it is answered. */
export type Interception = Buffer | "cut" | "answer lost" | 503;

/** Stands between us and the server, and meddles. */
export async function openFaultyProxy(
  { endpoint }: S3Location,
  intercept: (passing: InterceptedRequest) => Interception,
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
  intercept: (passing: InterceptedRequest) => Interception,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = "", url = "", headers } = incoming;
  const body = await buffer(incoming).catch(() => undefined);
  if (!body) return;
  const interception = intercept({ method, url, body });
  if (interception === "cut") return void incoming.socket.destroy();
  if (interception === 503) return void outgoing.writeHead(503).end();
  // The header Host stays that of the meddler, since it was signed.
  const upstream = request({ hostname, port, method, path: url, headers, agent: false });
  // Swift says more than it should after a HEAD of what is missing, which is no matter once it has answered.
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

/** A test with a corner of its own. */
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
