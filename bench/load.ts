import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** A load generator that costs little: requests written by hand, answers read no further than their length. */

export type Load = {
  readonly url: string;
  readonly connections: number;
  /** The bytes of the next request; each connection has one in flight. */
  readonly next: () => Buffer;
  /** Follows every request: a large body that all of them share. */
  readonly tail?: Buffer | undefined;
  readonly expected: number;
  /** How long a connection rests between an answer and its next request. */
  readonly pauseMs?: number;
  /** Counts also what is in flight when the time is over, and the time that it takes: for few large requests. */
  readonly includesInFlight?: boolean;
  /** Keeps how long each answer took. */
  readonly recordsTimes?: boolean;
};

export type Measurement = {
  readonly perSecond: number;
  readonly answered: number;
  readonly errors: readonly string[];
  /** In milliseconds, the shortest first; empty unless they were asked for. */
  readonly times: Float64Array;
};

const READ_BYTES = 64 * 1024;
const ERRORS_MAX = 3;
const DRAIN_MS = 10_000;
/** More than any second brings; what comes beyond is not kept. */
const TIMES_PER_SECOND_MAX = 200_000;

type Tally = {
  answered: number;
  readonly errors: string[];
  failures: number;
  stopping: boolean;
  readonly times: Float64Array;
};

export async function measure(load: Load, seconds: number): Promise<Measurement> {
  const times = new Float64Array(load.recordsTimes ? Math.ceil(seconds * TIMES_PER_SECOND_MAX) : 0);
  const tally: Tally = { answered: 0, errors: [], failures: 0, stopping: false, times };
  const connections = await Promise.all(Array.from({ length: load.connections }, () => openConnection(load, tally)));
  const started = performance.now();
  const rate = () => (tally.answered * 1000) / (performance.now() - started);
  for (const { begin } of connections) begin();
  await pause(seconds * 1000);
  tally.stopping = true;
  const rateAtEnd = rate();
  const drained = Promise.all(connections.map(({ idle }) => idle));
  if ((await Promise.race([drained, pause(DRAIN_MS, "late", { ref: false })])) === "late")
    fail(tally, "no answer within 10 s");
  const perSecond = load.includesInFlight ? rate() : rateAtEnd;
  for (const { socket } of connections) socket.destroy();
  const omitted = tally.failures - tally.errors.length;
  return {
    perSecond,
    answered: tally.answered,
    errors: omitted > 0 ? [...tally.errors, `and ${omitted} more`] : tally.errors,
    times: times.subarray(0, Math.min(tally.answered, times.length)).sort(),
  };
}

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
    if (load.recordsTimes) tally.times[tally.answered] = performance.now() - sentAt;
    tally.answered++;
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
    if (tally.stopping) {
      resolveIdle();
      return;
    }
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

/** Calls back for each whole answer. Knows only answers with a Content-Length; anything else is status 0. */
function openReader(onAnswer: (status: number, text: () => string) => void): (chunk: Buffer) => boolean {
  let head: Buffer | undefined;
  let status = 0;
  let missing = 0;
  return (chunk) => {
    if (missing > 0) {
      missing -= chunk.length;
      if (missing <= 0) onAnswer(status, () => chunk.toString("utf8", 0, TEXT_SHOWN_MAX));
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
    missing = end + HEAD_END.length + Math.max(length, 0) - all.length;
    if (missing <= 0) onAnswer(status, () => all.toString("utf8", 0, end + TEXT_SHOWN_MAX));
    return true;
  };
}

const LENGTH = "\r\nContent-Length: ";

function contentLength(head: string): number {
  const at = head.indexOf(LENGTH);
  return at < 0 ? -1 : Number.parseInt(head.slice(at + LENGTH.length, at + LENGTH.length + 12), 10);
}
