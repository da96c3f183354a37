import type { IncomingMessage } from "node:http";
import type { Dialect } from "../dialects/dialects.ts";
import type { Actor } from "../domain/actors.ts";
import type { Tender } from "../domain/tender.ts";
import type { Instant, Zone } from "../domain/time.ts";
import type { Looking } from "../views/visibility.ts";
import type { Answer } from "./answers.ts";
import type { JsonBody } from "./body.ts";
import type { Once } from "./once.ts";

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
  readonly isMatched?: (tender: Tender | undefined) => Promise<boolean>;
  /** Whether this is the response that the client's `If-Match` names. */
  readonly matches?: (answer: Answer) => boolean;
  readonly once?: Once;
};

/** The settings that views depend on. */
export type ViewPorts = { readonly config: { readonly zone: Zone; readonly sandbox: boolean } };

/** When and where this service looks at a tender. */
export const lookingAt = ({ config }: ViewPorts, now: Instant): Looking => ({
  now,
  zone: config.zone,
  sandbox: config.sandbox,
});
export const lookingOf = ({ ports, now }: Pick<Exchange<ViewPorts>, "ports" | "now">): Looking => lookingAt(ports, now);

/** Any value but an empty one and 0. */
export function isDryRun(query: URLSearchParams): boolean {
  const value = query.get("dry_run");
  return value !== null && value !== "" && value !== "0";
}
