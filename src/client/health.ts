import { apiPath } from "./calls.ts";
import { TenderhallError } from "./errors.ts";
import { ask, type Settings } from "./requests.ts";

/** How the registry says that it is. */
export type Healthy = {
  readonly ok: boolean;
  /** The status of the answer; 0 where there was none. */
  readonly status: number;
  /** When it answered by its own clock, in whole seconds, as the header `Date` says. */
  readonly date?: string;
  /** The name under which the registry logged the request; whoever answers without one is no registry. */
  readonly requestId?: string;
};

/** Whether the registry is well. Nothing is tried again here, and nothing thrown. */
export type Health = {
  /** Whether tenders can be read and written. */
  readonly check: () => Promise<Healthy>;
  /** Whether the process lives. */
  readonly live: () => Promise<Healthy>;
  /** Whether it should be sent requests. */
  readonly ready: () => Promise<Healthy>;
};

export function openHealth(settings: Settings): Health {
  const look = async (path: string): Promise<Healthy> => {
    try {
      const { response } = await ask(settings, { method: "GET", path, options: { retries: 0 } });
      const [date, requestId] = ["Date", "X-Request-ID"].map((name) => response.headers.get(name) ?? undefined);
      return { ok: true, status: response.status, date, requestId };
    } catch (error) {
      if (error instanceof TenderhallError) return { ok: false, status: error.status, requestId: error.requestId };
      throw error;
    }
  };
  return {
    check: () => look(apiPath(settings, "/health")),
    live: () => look("/health/live"),
    ready: () => look("/health/ready"),
  };
}
