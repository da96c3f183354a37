import type { IncomingMessage } from "node:http";
import { SEGMENTS } from "../dialects/dialects.ts";
import { type Answer, METHOD_NOT_ALLOWED, UNAUTHORIZED, UNSUPPORTED } from "./answers.ts";
import { accountOf, actorOf } from "./auth.ts";
import { readJsonBody } from "./body.ts";
import type { Exchange, Method, Service } from "./exchange.ts";
import { mediaTypeOf } from "./receiving.ts";
import { WEBHOOK_ROUTES } from "./webhooks.ts";

/** For the time being, until what has no version goes the way of the API: finds the route, reads the body, checks the key. */

const DOORS = WEBHOOK_ROUTES.map(({ path, methods }) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
  methods,
}));

export function askWebhooks(
  service: Service,
  request: IncomingMessage,
  origin: string,
  { path, query }: { readonly path: string; readonly query: string },
): Promise<Answer> | undefined {
  for (const { pattern, methods } of DOORS) {
    const matched = pattern.exec(path);
    if (!matched) continue;
    const method = request.method === "HEAD" ? "GET" : request.method!;
    const operation = methods[method as Method];
    if (!operation) return Promise.resolve(METHOD_NOT_ALLOWED(Object.keys(methods).join(", ")));
    const account = accountOf(request.headers.authorization, service.config.accounts);
    const dialect = service.dialects.get(SEGMENTS.at(-1)!)!;
    const exchange: Exchange = {
      service,
      request,
      dialect,
      root: origin,
      path,
      params: { ...matched.groups },
      query: new URLSearchParams(query),
      actor: actorOf(account, undefined),
    };
    return run(exchange, operation.body !== undefined, operation.run);
  }
  return undefined;
}

async function run(
  exchange: Exchange,
  takesBody: boolean,
  carryOut: (exchange: Exchange) => Promise<Answer> | Answer,
): Promise<Answer> {
  const { service, request, dialect, actor } = exchange;
  const isJson = mediaTypeOf(request.headers["content-type"]) === "application/json";
  if (takesBody && !isJson) return UNSUPPORTED("application/json");
  const { jsonBytesMax } = service.config.limits;
  const received = takesBody ? await readJsonBody(request, jsonBytesMax, dialect.manners.noData) : undefined;
  if (received && "refused" in received) return received.refused;
  if (!actor.account) return UNAUTHORIZED;
  return carryOut({ ...exchange, body: received?.body });
}
