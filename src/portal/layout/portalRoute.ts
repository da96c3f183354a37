import type { HttpResponse } from "../../http/responses.ts";
import type { PageRequest } from "./pageRequest.ts";

/** A page of the portal: a row of a table of routes. */
export type PortalRoute<Ports> = {
  /** GET, which includes HEAD, unless the route receives a form. */
  readonly method?: "GET" | "POST";
  /** Matches the path without base path and without the prefix of a language. */
  readonly pattern: RegExp;
  /** `parameters` are the groups of the pattern, as they stand in the path. */
  readonly handle: (
    ports: Ports,
    pageRequest: PageRequest,
    parameters: readonly string[],
  ) => Promise<HttpResponse> | HttpResponse;
};
