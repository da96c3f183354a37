import { Agent, request as ask } from "node:http";
import type { CannedAnswer } from "./messages.ts";

export type Request = { readonly method: string; readonly path: string; readonly body?: string };

const KEY = "broker";
const AUTHORIZATION = `Basic ${Buffer.from(`${KEY}:`).toString("base64")}`;

/** Readers come without a key; writers bring theirs. */
const headersOf = ({ body }: Request): { readonly [name: string]: string } => ({
  Accept: "application/json",
  "User-Agent": "tenderhall-bench",
  ...(body !== undefined && {
    Authorization: AUTHORIZATION,
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
  }),
});

/** A request as it goes over the wire. */
export function bytesOf(url: string, request: Request): Buffer {
  const { method, path, body = "" } = request;
  const headers = Object.entries({ Host: new URL(url).host, ...headersOf(request) });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines}\r\n${body}`);
}

const CONNECTIONS = 32;
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** What `node:http` adds by itself. */
const BY_ITSELF = ["date", "connection", "keep-alive"];

/** One request outside the measurement, with the whole answer, its headers in their own spelling. */
export function answerTo(url: string, request: Request): Promise<CannedAnswer> {
  return new Promise((resolve, reject) => {
    const sent = ask(url + request.path, { method: request.method, agent, headers: headersOf(request) }, (response) => {
      const chunks: Buffer[] = [];
      response.on("error", reject);
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const raw = response.rawHeaders;
        const pairs = raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1]!] as const] : []));
        const headers = Object.fromEntries(pairs.filter(([name]) => !BY_ITSELF.includes(name.toLowerCase())));
        resolve({ status: response.statusCode!, headers, body: Buffer.concat(chunks).toString("utf8") });
      });
    });
    sent.on("error", reject);
    sent.end(request.body);
  });
}

export type Made = { readonly id: string; readonly token: string };

/** Publishes this many tenders. */
export async function publish(url: string, count: number, body: string): Promise<readonly Made[]> {
  const path = `${API}/tenders`;
  return Promise.all(
    Array.from({ length: count }, async () => {
      const answer = await answerTo(url, { method: "POST", path, body });
      if (answer.status !== 201) throw new Error(`publishing a tender: ${answer.status} ${answer.body}`);
      const { data, access } = JSON.parse(answer.body) as { data: { id: string }; access: { token: string } };
      return { id: data.id, token: access.token };
    }),
  );
}

export const API = "/api/2.3";
