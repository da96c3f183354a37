import { connect } from "node:net";
import { type BenchRequest, requestBytes } from "./requests.ts";

// Clients of event streams that cost little: raw sockets that share one buffer, as each chunk is looked at when it arrives.

/** Open event streams. */
export type EventStreams = {
  /** Sets what is called with each chunk that arrives from now on; `text` decodes it. */
  readonly onChunk: (listener: ChunkListener) => void;
  readonly close: () => Promise<void>;
};

export type ChunkListener = (stream: number, text: () => string) => void;

const READ_BYTES = 64 * 1024;
const OPENED_AT_ONCE = 64;
const STATUS_OK = "HTTP/1.1 200 ";
/** Files that a process needs besides its streams. */
const OTHER_FILES = 1000;

const sharedBuffer = Buffer.allocUnsafe(READ_BYTES);

/** How many streams this machine lets one process open, at most `wanted`. */
export function streamsPossible(wanted: number): number {
  const report: unknown = process.report.getReport();
  const soft = /"open_files":\{"soft":(\d+)/.exec(JSON.stringify(report))?.[1];
  return soft === undefined ? wanted : Math.min(wanted, Number(soft) - OTHER_FILES);
}

/** Opens a stream for each request, and waits until each has received `opening`. */
export async function openEventStreams(
  url: string,
  requests: readonly BenchRequest[],
  opening: string,
): Promise<EventStreams> {
  let listener: ChunkListener = () => {};
  const closers: (() => Promise<void>)[] = [];
  const remaining = requests.entries();
  const openNext = async () => {
    for (const [stream, request] of remaining)
      closers.push(await openStream(url, request, opening, (text) => listener(stream, text)));
  };
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openNext));
  return {
    onChunk: (next) => {
      listener = next;
    },
    close: async () => void (await Promise.all(closers.map((close) => close()))),
  };
}

/** Opens one stream; returns what closes it. */
async function openStream(
  url: string,
  request: BenchRequest,
  opening: string,
  onChunk: (text: () => string) => void,
): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(url);
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let head: string | undefined = "";
  const receive = (length: number): boolean => {
    const text = () => sharedBuffer.toString("latin1", 0, length);
    if (head === undefined) {
      onChunk(text);
      return true;
    }
    head += text();
    if (!head.startsWith(STATUS_OK)) opened.reject(new Error(`${request.path}: ${head.slice(0, 500)}`));
    if (head.includes(opening)) {
      head = undefined;
      opened.resolve();
    }
    return true;
  };
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: { buffer: sharedBuffer, callback: receive },
  });
  socket.on("error", opened.reject);
  socket.on("close", () => {
    opened.reject(new Error(`${request.path}: the server closed the stream`));
    closed.resolve();
  });
  socket.write(requestBytes(url, request));
  await opened.promise;
  return () => {
    socket.destroy();
    return closed.promise;
  };
}
