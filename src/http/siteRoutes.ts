import type { IncomingMessage } from "node:http";
import { OLDEST } from "../dialects/dialects.ts";
import { type Answer, METHOD_NOT_ALLOWED, UNAVAILABLE } from "./answers.ts";
import type { Service } from "./exchange.ts";
import { describeApi } from "./openapi.ts";
import { showFirstPage } from "./page.ts";
import { describeSpore } from "./spore.ts";

type Shown = (service: Service, origin: string, segment: string) => Promise<Answer> | Answer;

const SITE: { readonly [path: string]: Shown } = {
  "/": showFirstPage,
  "/health": showHealth,
};

const BESIDE_TENDERS: { readonly [path: string]: Shown } = {
  "/health": showHealth,
  "/spore": (service, origin, segment) => ({
    status: 200,
    json: JSON.stringify(describeSpore(service.dialects.get(segment)!, origin)),
  }),
  "/openapi.json": (service, _origin, segment) => ({
    status: 200,
    json: JSON.stringify(describeApi(service.dialects.get(segment)!, service.dialects.get(OLDEST)!)),
  }),
};

/** The pages about the service itself: nothing of them is a tender, and all of them are only read. */
export function besideTheApi(
  service: Service,
  { method }: IncomingMessage,
  origin: string,
  segment: string | undefined,
  path: string,
): Promise<Answer> | Answer | undefined {
  if (segment !== undefined && !service.dialects.has(segment)) return undefined;
  const shown = (segment === undefined ? SITE : BESIDE_TENDERS)[path];
  if (!shown || !Object.hasOwn(segment === undefined ? SITE : BESIDE_TENDERS, path)) return undefined;
  if (method !== "GET" && method !== "HEAD") return METHOD_NOT_ALLOWED("GET, HEAD");
  return shown(service, origin, segment ?? "");
}

/** Asks the store, so that "healthy" means that tenders can be read and written. */
async function showHealth({ registry }: Service): Promise<Answer> {
  try {
    await registry.ping();
    return { status: 200, json: '{"status":"ok"}' };
  } catch {
    return UNAVAILABLE;
  }
}
