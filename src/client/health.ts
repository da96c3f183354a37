import { apiPath } from "./calls.ts";
import { TenderhallError } from "./errors.ts";
import { type ClientSettings, sendRequest } from "./requests.ts";
import type { SiteOperations } from "./siteTypes.ts";
import type { Operations } from "./types.ts";

/** How the registry says that it is. */
export type HealthStatus<Said = { readonly status: string }> = {
  readonly ok: boolean;
  /** The status of the answer; 0 where there was none. */
  readonly status: number;
  /** What it said, in its own words; nothing where it did not get to say it. */
  readonly said?: Said;
  /** When it answered by its own clock, in whole seconds, as the header `Date` says. */
  readonly date?: string;
  /** The name under which the registry logged the request; whoever answers without one is no registry. */
  readonly requestId?: string;
};

/** Whether the registry is well. Nothing is tried again here, and nothing thrown. */
export type Health = {
  /** Whether tenders can be read and written. */
  readonly check: () => Promise<HealthStatus<Operations["GET /health"]["answer"]>>;
  /** Whether the process lives. */
  readonly live: () => Promise<HealthStatus<SiteOperations["GET /health/live"]["answer"]>>;
  /** Whether it should be sent requests, and if not, which part is not ready. */
  readonly ready: () => Promise<HealthStatus<SiteOperations["GET /health/ready"]["answer"]>>;
};

export function openHealth(settings: ClientSettings): Health {
  const probe = async (path: string): Promise<HealthStatus<never>> => {
    try {
      const { response, text } = await sendRequest(settings, {
        method: "GET",
        path,
        keyless: true,
        options: { retries: 0 },
      });
      const [date, requestId] = ["Date", "X-Request-ID"].map((name) => response.headers.get(name) ?? undefined);
      return { ok: true, status: response.status, ...saidIn(text), date, requestId };
    } catch (error) {
      if (!(error instanceof TenderhallError)) throw error;
      return { ok: false, status: error.status, ...saidIn(error.text), requestId: error.requestId };
    }
  };
  return {
    check: () => probe(apiPath(settings, "/health")),
    live: () => probe("/health/live"),
    ready: () => probe("/health/ready"),
  };
}

/** A refusal, or what somebody in between wrote, says nothing of how the registry is. */
function saidIn(text: string): { readonly said?: never } {
  try {
    const said = JSON.parse(text);
    return typeof said?.status === "string" && !("errors" in said) ? { said: said as never } : {};
  } catch {
    return {};
  }
}
