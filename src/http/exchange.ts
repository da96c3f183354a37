import type { IncomingMessage } from "node:http";
import type { Dialect } from "../dialects/dialects.ts";
import type { Actor } from "../domain/model/actors.ts";
import type { Tender } from "../domain/model/tender.ts";
import type { Instant, Zone } from "../domain/values/time.ts";
import type { ViewContext } from "../views/visibility.ts";
import type { IdempotentRequest } from "./idempotency.ts";
import type { JsonBody } from "./jsonBody.ts";
import type { HttpResponse } from "./responses.ts";

/**
 * One request, as far as it has been understood. `Ports` are the parts of the service that a handler uses: each handler declares the
 * few it needs.
 */
export type Exchange<Ports = unknown> = {
  readonly ports: Ports;
  readonly request: IncomingMessage;
  readonly dialect: Dialect;
  /** The absolute address of the API in this version. */
  readonly root: string;
  /** The path below it, in the client's own words. */
  readonly path: string;
  readonly params: { readonly [name: string]: string };
  readonly query: URLSearchParams;
  readonly actor: Actor;
  /** The JSON body, where the operation takes one. */
  readonly body?: JsonBody;
  /** The tender of the path, as of now. */
  readonly tender?: Tender;
  /** The current time; for a tender on a test clock, the time of that clock. */
  readonly now: Instant;
  /** Nothing is to be stored. */
  readonly isDry: boolean;
  /** Whether the resource is still the one that the client has seen, for `If-Match`. */
  readonly preconditionHolds?: (tender: Tender | undefined) => Promise<boolean>;
  /** Whether this is the response that the client's `If-Match` names. */
  readonly matchesIfMatch?: (response: HttpResponse) => boolean;
  readonly idempotency?: IdempotentRequest;
};

/** The settings that views depend on. */
export type ViewPorts = { readonly config: { readonly zone: Zone; readonly sandbox: boolean } };

/** When and where this service looks at a tender. */
export const viewContextAt = ({ config }: ViewPorts, now: Instant): ViewContext => ({
  now,
  zone: config.zone,
  sandbox: config.sandbox,
});
export const viewContextOf = ({ ports, now }: Pick<Exchange<ViewPorts>, "ports" | "now">): ViewContext =>
  viewContextAt(ports, now);

/** Any value but an empty one and 0. */
export function isDryRun(query: URLSearchParams): boolean {
  const value = query.get("dry_run");
  return value !== null && value !== "" && value !== "0";
}
