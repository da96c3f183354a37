import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import type { Environment } from "../../src/config.ts";
import { documentsOf, type S3Place } from "../../src/files/documentsUrl.ts";
import { type Objects, openObjects } from "../../src/files/s3Objects.ts";
import { openRequests } from "../../src/files/s3Requests.ts";

/** A real S3 server that checks signatures, where there is one: `TEST_S3_URL` names it as `DOCUMENTS_URL` would. */

const given = process.env.TEST_S3_URL;

/** Why tests that need it are skipped, if they are. */
export const S3_MISSING =
  !given && "TEST_S3_URL names no S3 server: `eval $(scripts/s3-server.sh start)` starts one, as .ci/run does";

export type S3Corner = {
  readonly place: S3Place;
  /** The settings of a service that keeps its documents here. */
  readonly environment: Environment;
  readonly objects: Objects;
  /** Every object, by its name; uploads in parts that were begun are among them. */
  readonly names: () => Promise<readonly string[]>;
  readonly clean: () => Promise<void>;
};

/** A corner of the bucket that nobody else uses. */
export async function openCorner(query = ""): Promise<S3Corner> {
  const url = new URL(given!);
  const environment = {
    AWS_ACCESS_KEY_ID: decodeURIComponent(url.username),
    AWS_SECRET_ACCESS_KEY: decodeURIComponent(url.password),
  };
  url.username = "";
  url.password = "";
  url.pathname = [url.pathname.replace(/\/$/, ""), randomBytes(8).toString("hex")].join("/");
  const documentsUrl = url.href + query;
  const problems: string[] = [];
  const place = documentsOf(documentsUrl, environment, problems);
  if (!place || problems.length > 0) throw new Error(`TEST_S3_URL is wrong: ${problems.join(", ")}`);
  await openRequests(place).ask({ method: "PUT", alsoTaken: [409] });
  const objects = openObjects(place);
  const names = async () => {
    const [whole, begun] = await Promise.all([objects.list(""), objects.listUploads("")]);
    return [...whole.map(({ name }) => name), ...begun.map(({ name }) => `${name} in parts`)].sort();
  };
  const clean = async () => {
    for (const { name, id } of await objects.listUploads("")) await objects.abortUpload(name, id);
    await Promise.all((await objects.list("")).map(({ name }) => objects.remove(name)));
  };
  return { place, environment: { DOCUMENTS_URL: documentsUrl, ...environment }, objects, names, clean };
}

export type Passing = { readonly method: string; readonly url: string; readonly body: Buffer };

/** What happens to a request: it goes on, with this body; it is cut off before or after it arrived; it is answered. */
export type Fate = Buffer | "cut" | "answer lost" | 503;

/** Stands between us and the server, and meddles. */
export async function openMeddler({ endpoint }: S3Place, fateOf: (passing: Passing) => Fate) {
  const server = createServer((asked, answer) => void pass(endpoint, fateOf, asked, answer));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { endpoint: new URL(`http://127.0.0.1:${port}`), close };
}

async function pass(
  { hostname, port }: URL,
  fateOf: (passing: Passing) => Fate,
  asked: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const { method = "", url = "", headers } = asked;
  const body = await buffer(asked).catch(() => undefined);
  if (!body) return;
  const fate = fateOf({ method, url, body });
  if (fate === "cut") return void asked.socket.destroy();
  if (fate === 503) return void answer.writeHead(503).end();
  // The header Host stays that of the meddler, since it was signed.
  const onward = request({ hostname, port, method, path: url, headers, agent: false });
  // Swift says more than it should after a HEAD of what is missing, which is no matter once it has answered.
  let answered = false;
  onward.on("error", () => void (answered || asked.socket.destroy()));
  onward.on("response", (response) => {
    answered = true;
    if (fate === "answer lost") {
      response.on("end", () => asked.socket.destroy()).resume();
      return;
    }
    answer.writeHead(response.statusCode!, response.headers);
    response.pipe(answer);
  });
  onward.end(fate === "answer lost" ? body : fate);
}

/** A test with a corner of its own. */
export function provesInCorner(sentence: string, proof: (corner: S3Corner) => Promise<void>): void {
  test(sentence, async () => {
    const corner = await openCorner();
    try {
      await proof(corner);
    } finally {
      await corner.clean();
    }
  });
}
