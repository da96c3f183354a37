// Messages between the bench and its server processes, over IPC.

/** The first message of every server. */
export type ReadyMessage = { readonly url: string };

/** A response that the bare server returns as it is. */
export type CannedResponse = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
};

/** The responses of the bare server by method. */
export type CannedResponses = { readonly [method: string]: CannedResponse };

/** A command to a server. The reply to every command is the resource usage of its process so far. */
export type ServerCommand = {
  /** For the bare server: the responses from now on. */
  readonly responses?: CannedResponses;
  /** For the bare server: what to send to every open event stream. */
  readonly broadcast?: string;
  /** For directInserts.ts: how long to insert rows. */
  readonly seconds?: number;
};

/** Where the bare server opens event streams, and what it sends first. */
export const EVENTS_PATH = "/events";
export const STREAM_OPENED = "retry: 1000\n\n";

/** The resources that a process has used. */
export type ResourceUsage = {
  /** Processor time in microseconds. */
  readonly cpuMicros: number;
  readonly rssBytes: number;
  /** The number of inserted rows, and the time it took. */
  readonly inserted?: { readonly rows: number; readonly seconds: number };
};

/** The usage of the current process. */
export function resourceUsage(): ResourceUsage {
  const { user, system } = process.cpuUsage();
  return { cpuMicros: user + system, rssBytes: process.memoryUsage.rss() };
}
