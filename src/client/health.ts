import { apiPath } from "./calls.ts";
import { TenderhallError } from "./errors.ts";
import { type ClientSettings, sendRequest } from "./requests.ts";
import type { SiteOperations } from "./siteTypes.ts";
import type { Operations } from "./types.ts";

/** The result of a health check. */
export type HealthStatus<Body = { readonly status: string }> = {
  /** Whether the registry answered and is healthy. */
  readonly ok: boolean;
  /** The HTTP status code; 0 if there was no response. */
  readonly status: number;
  /** The health report in the response body; undefined if there was none, as when a proxy answered. */
  readonly body?: Body;
  /** The time by the registry's clock, to the second: the header `Date` of a successful response. */
  readonly date?: string;
  /** The id under which the registry logged the request. If it is missing, something else answered. */
  readonly requestId?: string;
};

/**
 * Health checks. They are not retried, and report an unreachable or unhealthy registry instead of throwing.
 *
 * @example
 * const { ok, body } = await client.health.ready();
 * if (!ok) console.log(body?.checks);
 */
export type Health = {
  /** Checks whether tenders can be read and written. */
  readonly check: () => Promise<HealthStatus<Operations["GET /health"]["answer"]>>;
  /** Checks whether the server process responds (liveness). */
  readonly live: () => Promise<HealthStatus<SiteOperations["GET /health/live"]["answer"]>>;
  /** Checks whether the server accepts requests (readiness), and which part is not ready. */
  readonly ready: () => Promise<HealthStatus<SiteOperations["GET /health/ready"]["answer"]>>;
};

/** The methods on `client.health`. */
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
      return { ok: true, status: response.status, ...parseReport(text), date, requestId };
    } catch (error) {
      if (!(error instanceof TenderhallError)) throw error;
      return { ok: false, status: error.status, ...parseReport(error.text), requestId: error.requestId };
    }
  };
  return {
    check: () => probe(apiPath(settings, "/health")),
    live: () => probe("/health/live"),
    ready: () => probe("/health/ready"),
  };
}

/** Recognizes a health report. An error body, or a page that a proxy wrote, is not one. */
function parseReport(text: string): { readonly body?: never } {
  try {
    const body = JSON.parse(text);
    // The types of the report are generated, and differ for each check.
    return typeof body?.status === "string" && !("errors" in body) ? { body: body as never } : {};
  } catch {
    return {};
  }
}
