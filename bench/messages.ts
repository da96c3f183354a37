/** What the bench and its servers tell each other over the channel between parent and child. */

/** The first word of every server. */
export type ReadyMessage = { readonly url: string };

export type CannedResponse = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
};

/** What the bare server is to answer to each method from now on. */
export type CannedResponses = { readonly [method: string]: CannedResponse };

/** Every message to a server, whatever it says, is answered with what its process has used so far. */
export type ServerCommand = {
  readonly answers?: CannedResponses;
  /** Asks whoever inserts rows by itself to do so for this long. */
  readonly seconds?: number;
};
export type ResourceUsage = {
  readonly cpuMicros: number;
  readonly rssBytes: number;
  /** The rows that were inserted, and how long it took. */
  readonly inserted?: { readonly rows: number; readonly seconds: number };
};

export function resourceUsage(): ResourceUsage {
  const { user, system } = process.cpuUsage();
  return { cpuMicros: user + system, rssBytes: process.memoryUsage.rss() };
}
