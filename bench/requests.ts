import { Agent, request as ask } from "node:http";
import { tenderBody } from "./bodies.ts";
import type { CannedResponse } from "./messages.ts";

export type BenchRequest = {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Buffer;
  /** What the body is, if not JSON. */
  readonly type?: string;
  /** Its Accept-Encoding, if it has one. */
  readonly accepts?: string;
};

const KEY = "broker";
const AUTHORIZATION = `Basic ${Buffer.from(`${KEY}:`).toString("base64")}`;

/** Readers come without a key; writers bring theirs. */
const headersOf = ({
  body,
  type = "application/json",
  accepts,
}: BenchRequest): { readonly [name: string]: string } => ({
  Accept: "application/json",
  "User-Agent": "tenderhall-bench",
  ...(accepts !== undefined && { "Accept-Encoding": accepts }),
  ...(body !== undefined && {
    Authorization: AUTHORIZATION,
    "Content-Type": type,
    "Content-Length": String(Buffer.byteLength(body)),
  }),
});

/** A request as it goes over the wire. */
export const requestBytes = (url: string, request: BenchRequest): Buffer =>
  Buffer.concat([requestHead(url, request), Buffer.from(request.body ?? "")]);

/** The same without its body. */
export function requestHead(url: string, request: BenchRequest): Buffer {
  const headers = Object.entries({ Host: new URL(url).host, ...headersOf(request) });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`${request.method} ${request.path} HTTP/1.1\r\n${lines}\r\n`);
}

const CONNECTIONS = 32;
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** What `node:http` adds by itself. */
const AUTOMATIC_HEADERS = ["date", "connection", "keep-alive"];

/** One request outside the measurement, with the whole answer, its headers in their own spelling. */
export function fetchCanned(url: string, request: BenchRequest): Promise<CannedResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = ask(
      url + request.path,
      { method: request.method, agent, headers: headersOf(request) },
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

/** The data of an answer that must have this status. */
export async function fetchData<Data>(url: string, request: BenchRequest, status: number): Promise<Data> {
  const answer = await fetchCanned(url, request);
  if (answer.status !== status)
    throw new Error(`${request.method} ${request.path}: ${answer.status} ${answer.body.slice(0, 500)}`);
  return (JSON.parse(answer.body) as { data: Data }).data;
}

export type PublishedTender = { readonly id: string; readonly token: string };

/** Publishes this many tenders. */
export const publish = (url: string, count: number, body: string): Promise<readonly PublishedTender[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const answer = await fetchCanned(url, { method: "POST", path: TENDERS, body });
      if (answer.status !== 201) throw new Error(`publishing a tender: ${answer.status} ${answer.body}`);
      const { data, access } = JSON.parse(answer.body) as { data: { id: string }; access: { token: string } };
      return { id: data.id, token: access.token };
    }),
  );

/** They are out when enquiries end, at one instant so far ahead; whoever is refused or late tries again with a later one. */
export async function publishWithDeadline(
  url: string,
  count: number,
  leadMs: number,
): Promise<{ readonly at: number; readonly made: readonly PublishedTender[] }> {
  const at = Date.now() + leadMs;
  try {
    const made = await publish(url, count, tenderBody(at));
    if (Date.now() < at) return { at, made };
    throw new Error(`${count} tenders take longer than ${leadMs} ms to publish`);
  } catch (error) {
    if (leadMs > LEAD_MS_MAX) throw error;
    return publishWithDeadline(url, count, leadMs * 2);
  }
}

const LEAD_MS_MAX = 30_000;

export const TENDERS = "/api/2.3/tenders";
