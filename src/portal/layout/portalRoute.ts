import type { HttpResponse } from "../../http/responses.ts";
import type { PageRequest } from "./pageRequest.ts";

/** A page of the portal: a row of a table of routes. */
export type PortalRoute<Ports> = {
  /** GET, which includes HEAD, unless the route receives a form. */
  readonly method?: "GET" | "POST";
  /** Matches the path without base path and without the prefix of a language. */
  readonly pattern: RegExp;
  /**
   * The parameters that the query may have: none by default. Others become `problems` of the request. "checked by handler" if the
   * handler names everything that is wrong with the query.
   */
  readonly parameters?: readonly string[] | "checked by handler";
  /** `groups` are those of the pattern, as they stand in the path. */
  readonly handle: (
    ports: Ports,
    pageRequest: PageRequest,
    groups: readonly string[],
  ) => Promise<HttpResponse> | HttpResponse;
};
