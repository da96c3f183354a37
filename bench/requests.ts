import { Agent, request as httpRequest } from "node:http";
import { tenderBody } from "./bodies.ts";
import type { CannedResponse } from "./messages.ts";

/** A request that the bench sends. */
export type BenchRequest = {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Buffer;
  /** The content type of the body. Default: JSON. */
  readonly type?: string;
  /** The header Accept-Encoding. */
  readonly accepts?: string;
  /** The API key. Default: that of a broker for requests with a body, none for others. */
  readonly key?: string;
};

const authorizationOf = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString("base64")}`;

const headersOf = ({
  body,
  type = "application/json",
  accepts,
  key = body === undefined ? undefined : "broker",
}: BenchRequest): { readonly [name: string]: string } => ({
  Accept: "application/json",
  "User-Agent": "tenderhall-bench",
  ...(accepts !== undefined && { "Accept-Encoding": accepts }),
  ...(key !== undefined && { Authorization: authorizationOf(key) }),
  ...(body !== undefined && {
    "Content-Type": type,
    "Content-Length": String(Buffer.byteLength(body)),
  }),
});

/** The bytes of a request. */
export const requestBytes = (url: string, request: BenchRequest): Buffer =>
  Buffer.concat([requestHead(url, request), Buffer.from(request.body ?? "")]);

/** The bytes of the head of a request. */
export function requestHead(url: string, request: BenchRequest): Buffer {
  const headers = Object.entries({ Host: new URL(url).host, ...headersOf(request) });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`${request.method} ${request.path} HTTP/1.1\r\n${lines}\r\n`);
}

const CONNECTIONS = 32;
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** The headers that `node:http` adds. */
const AUTOMATIC_HEADERS = ["date", "connection", "keep-alive"];

/** Sends one request outside the measurement. Returns the complete response, with its headers in their original case. */
export function fetchCanned(url: string, request: BenchRequest, via = agent): Promise<CannedResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      url + request.path,
      { method: request.method, agent: via, headers: headersOf(request) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("error", reject);
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const raw = response.rawHeaders;
          const pairs = raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1]!] as const] : []));
          const headers = Object.fromEntries(pairs.filter(([name]) => !AUTOMATIC_HEADERS.includes(name.toLowerCase())));
          resolve({ status: response.statusCode!, headers, body: Buffer.concat(chunks).toString("utf8") });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(request.body);
  });
}

/** The `data` of a response. Throws unless it has this status. */
export async function fetchData<Data>(url: string, request: BenchRequest, status: number, via = agent): Promise<Data> {
  const response = await fetchCanned(url, request, via);
  if (response.status !== status)
    throw new Error(`${request.method} ${request.path}: ${response.status} ${response.body.slice(0, 500)}`);
  return (JSON.parse(response.body) as { data: Data }).data;
}

/** The text of a successful response to a GET. */
export async function fetchText(url: string, path: string): Promise<string> {
  const { status, body } = await fetchCanned(url, { method: "GET", path });
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${body.slice(0, 500)}`);
  return body;
}

/** A created tender. */
export type PublishedTender = { readonly id: string; readonly token: string };

/** Creates `count` tenders concurrently. */
export const publish = (url: string, count: number, body: string): Promise<readonly PublishedTender[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const response = await fetchCanned(url, { method: "POST", path: TENDERS, body });
      if (response.status !== 201) throw new Error(`publishing a tender: ${response.status} ${response.body}`);
      const { data, access } = JSON.parse(response.body) as { data: { id: string }; access: { token: string } };
      return { id: data.id, token: access.token };
    }),
  );

/**
 * Creates tenders whose enquiries all end at the same time, `leadMs` from now. If they are not created by then, or refused
 * because that time is too soon, tries again with twice the lead.
 */
export async function publishWithDeadline(
  url: string,
  count: number,
  leadMs: number,
): Promise<{ readonly at: number; readonly tenders: readonly PublishedTender[] }> {
  const at = Date.now() + leadMs;
  try {
    const tenders = await publish(url, count, tenderBody(at));
    if (Date.now() < at) return { at, tenders };
    throw new Error(`${count} tenders take longer than ${leadMs} ms to publish`);
  } catch (error) {
    if (leadMs > LEAD_MS_MAX) throw error;
    return publishWithDeadline(url, count, leadMs * 2);
  }
}

const LEAD_MS_MAX = 30_000;

/** The path of the tenders in the API version of the bench. */
export const TENDERS = "/api/2.3/tenders";
