import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

// A cheap load generator: it writes raw requests to sockets and parses only the head of each response.

/** A load on one server. */
export type Load = {
  readonly url: string;
  readonly connections: number;
  /** Returns the bytes of the next request. Each connection has one request in flight. */
  readonly next: () => Buffer;
  /** A large body that is sent after every request head. */
  readonly tail?: Buffer | undefined;
  /** The status that every response must have. */
  readonly expected: number;
  /** The pause of a connection between a response and its next request. */
  readonly pauseMs?: number;
  /** Also counts requests that are in flight at the end, and the time they take. For few large requests. */
  readonly includesInFlight?: boolean;
  /** Records the latency of each request. */
  readonly recordsTimes?: boolean;
  /** Ends after so many requests instead of after some time, where every request changes what is measured. */
  readonly requestsMax?: number;
};

/** The result of a load. */
export type Measurement = {
  /** Responses per second. */
  readonly perSecond: number;
  /** The number of responses. */
  readonly responses: number;
  readonly errors: readonly string[];
  /** Latencies in milliseconds, ascending; empty unless `recordsTimes` is set. */
  readonly times: Float64Array;
};

const READ_BYTES = 64 * 1024;
const ERRORS_MAX = 3;
const DRAIN_MS = 10_000;
/** The capacity for latencies; further ones are not recorded. */
const TIMES_PER_SECOND_MAX = 200_000;

type Tally = {
  sent: number;
  responses: number;
  readonly errors: string[];
  failures: number;
  stopping: boolean;
  readonly times: Float64Array;
};

/** Loads a server for so many seconds. */
export async function measure(load: Load, seconds: number): Promise<Measurement> {
  const times = new Float64Array(load.recordsTimes ? Math.ceil(seconds * TIMES_PER_SECOND_MAX) : 0);
  const tally: Tally = { sent: 0, responses: 0, errors: [], failures: 0, stopping: false, times };
  const connections = await Promise.all(Array.from({ length: load.connections }, () => openConnection(load, tally)));
  const started = performance.now();
  const rate = () => (tally.responses * 1000) / (performance.now() - started);
  for (const { begin } of connections) begin();
  const drained = Promise.all(connections.map(({ idle }) => idle));
  await (load.requestsMax
    ? Promise.race([drained, pause(DRAIN_MS, undefined, { ref: false })])
    : pause(seconds * 1000));
  tally.stopping = true;
  const rateAtEnd = rate();
  if ((await Promise.race([drained, pause(DRAIN_MS, "late", { ref: false })])) === "late")
    fail(tally, "no response within 10 s");
  const perSecond = load.includesInFlight ? rate() : rateAtEnd;
  for (const { socket } of connections) socket.destroy();
  const omitted = tally.failures - tally.errors.length;
  return {
    perSecond,
    responses: tally.responses,
    errors: omitted > 0 ? [...tally.errors, `and ${omitted} more`] : tally.errors,
    times: times.subarray(0, Math.min(tally.responses, times.length)).sort(),
  };
}

/** The value below which a share of the ascending values lies. */
export const percentile = (ascending: Float64Array, share: number): number =>
  ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))]!;

function fail(tally: Tally, problem: string): void {
  tally.failures++;
  if (tally.errors.length < ERRORS_MAX) tally.errors.push(problem);
}

type Connection = { readonly socket: Socket; readonly begin: () => void; readonly idle: Promise<void> };

async function openConnection(load: Load, tally: Tally): Promise<Connection> {
  const { hostname, port } = new URL(load.url);
  const { promise: idle, resolve: resolveIdle } = Promise.withResolvers<void>();
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
  let sentAt = 0;
  const reader = openReader((status, text) => {
    if (load.recordsTimes) tally.times[tally.responses] = performance.now() - sentAt;
    tally.responses++;
    if (status !== load.expected) fail(tally, `status ${status} instead of ${load.expected}: ${text()}`);
    if (tally.stopping) resolveIdle();
    else if (load.pauseMs) setTimeout(send, load.pauseMs);
    else send();
  });
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(READ_BYTES),
      callback: (length, buffer) => reader((buffer as Buffer).subarray(0, length)),
    },
  });
  function send(): void {
    if (tally.stopping || tally.sent === load.requestsMax) {
      resolveIdle();
      return;
    }
    tally.sent++;
    if (load.recordsTimes) sentAt = performance.now();
    socket.write(load.next());
    if (load.tail) socket.write(load.tail);
  }
  socket.on("connect", resolve);
  socket.on("error", (error) => {
    fail(tally, String(error));
    reject(error);
  });
  socket.on("end", () => fail(tally, "the server closed the connection"));
  socket.on("close", () => resolveIdle());
  await connected;
  return { socket, begin: send, idle };
}

const HEAD_END = Buffer.from("\r\n\r\n");
const STATUS_AT = "HTTP/1.1 ".length;
const TEXT_SHOWN_MAX = 300;

/** Parses responses and calls back for each. A response without Content-Length is reported as status 0. */
function openReader(onResponse: (status: number, text: () => string) => void): (chunk: Buffer) => boolean {
  let head: Buffer | undefined;
  let status = 0;
  let missingBytes = 0;
  return (chunk) => {
    if (missingBytes > 0) {
      missingBytes -= chunk.length;
      if (missingBytes <= 0) onResponse(status, () => chunk.toString("utf8", 0, TEXT_SHOWN_MAX));
      return true;
    }
    const all = head ? Buffer.concat([head, chunk]) : chunk;
    const end = all.indexOf(HEAD_END);
    if (end < 0) {
      head = Buffer.from(all);
      return true;
    }
    head = undefined;
    const text = all.toString("latin1", 0, end);
    const length = contentLength(text);
    status = length < 0 ? 0 : Number(text.slice(STATUS_AT, STATUS_AT + 3));
    missingBytes = end + HEAD_END.length + Math.max(length, 0) - all.length;
    if (missingBytes <= 0) onResponse(status, () => all.toString("utf8", 0, end + TEXT_SHOWN_MAX));
    return true;
  };
}

const LENGTH = "\r\nContent-Length: ";

function contentLength(head: string): number {
  const at = head.indexOf(LENGTH);
  return at < 0 ? -1 : Number.parseInt(head.slice(at + LENGTH.length, at + LENGTH.length + 12), 10);
}
