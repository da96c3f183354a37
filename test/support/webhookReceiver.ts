import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import type { TLSSocket } from "node:tls";
import type { Identity } from "./certificates.ts";
import { waitUntil } from "./processes.ts";
import type { RequestOptions, TestResponse, World } from "./world.ts";

/** A delivery that a receiver got. */
export type ReceivedDelivery = {
  readonly headers: IncomingHttpHeaders;
  /** The server name of the TLS handshake (SNI), with https. */
  readonly servername?: TLSSocket["servername"] | undefined;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests access the data freely.
  readonly data: any;
};
/** Responds to a delivery. */
export type DeliveryResponder = (response: ServerResponse, received: ReceivedDelivery) => void;

export const respondOk: DeliveryResponder = (response) => response.writeHead(204).end();
export const respondWithError: DeliveryResponder = (response) => response.writeHead(500).end("no");

/** Starts a server that records deliveries and responds as `respond` says. With an identity it uses https. */
export async function openWebhookReceiver(port = 0, host = "127.0.0.1", identity?: Identity) {
  const received: ReceivedDelivery[] = [];
  const receiver = { respond: respondOk };
  const listener: RequestListener = async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    assert.equal(request.method, "POST");
    const { servername } = request.socket as Partial<TLSSocket>;
    const delivery = { headers: request.headers, servername, text, data: JSON.parse(text).data };
    received.push(delivery);
    receiver.respond(response, delivery);
  };
  const secure = identity && createSecureServer(identity, listener);
  const server = secure ?? createServer(listener);
  server.listen(port, host);
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((done) => server.close(done));
  };
  after(close);
  const boundPort = (server.address() as AddressInfo).port;
  return Object.assign(receiver, {
    url: `${secure ? "https" : "http"}://${host}:${boundPort}/hook`,
    useIdentity: (next: Identity) => secure!.setSecureContext(next),
    port: boundPort,
    received,
    close,
    /** Waits until so many deliveries have arrived, and returns them. */
    waitForDeliveries: async (times: number) => {
      await waitUntil(
        () => received.length >= times,
        () => `${received.length} of ${times} deliveries`,
      );
      return received;
    },
  });
}

/** Starts two receivers on the same port of two addresses. Tries another port if it is used on the second address. */
export async function openReceiversAtOnePort(firstHost: string, secondHost: string) {
  for (;;) {
    const first = await openWebhookReceiver(0, firstHost);
    try {
      return [first, await openWebhookReceiver(first.port, secondHost)] as const;
    } catch (error) {
      await first.close();
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
}

/** Checks the signature of a delivery independently of the client. Returns its time in Unix seconds. */
export function checkSignature({ headers, text }: ReceivedDelivery, secret: string): number {
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["tenderhall-signature"]))!;
  assert.equal(createHmac("sha256", secret).update(`${seconds}.${text}`).digest("hex"), signature);
  return Number(seconds);
}

/** The webhook operations of an account. */
export function openWebhookApi(world: Pick<World, "url" | "api">, key: string | null = "broker") {
  const request = (method: string, path: string, data?: unknown, options: RequestOptions = {}): Promise<TestResponse> =>
    world.api("2.5").request(method, `${world.url}/webhooks${path}`, {
      key,
      ...(data !== undefined && { body: { data } }),
      ...options,
    });
  return {
    request,
    create: (data: object, query = "") => request("POST", query, data),
    get: (path = "") => request("GET", path),
    patch: (id: string, data: object, query = "") => request("PATCH", `/${id}${query}`, data),
    delete: (id: string, query = "") => request("DELETE", `/${id}${query}`),
    deliveries: async (id: string, query = "") => (await request("GET", `/${id}/deliveries${query}`)).body.data,
    resend: (id: string, delivery: string, query = "") =>
      request("POST", `/${id}/deliveries/${delivery}/resend${query}`),
  };
}
