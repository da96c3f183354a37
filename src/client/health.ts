import { apiPath } from "./calls.ts";
import { TenderhallError } from "./errors.ts";
import { ask, type Settings } from "./requests.ts";

/** How the registry says that it is. */
export type Healthy = {
  readonly ok: boolean;
  /** The status of the answer; 0 where there was none. */
  readonly status: number;
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
      return { ok: true, status: response.status };
    } catch (error) {
      if (error instanceof TenderhallError) return { ok: false, status: error.status };
      throw error;
    }
  };
  return {
    check: () => look(apiPath(settings, "/health")),
    live: () => look("/health/live"),
    ready: () => look("/health/ready"),
  };
}
