import type { IncomingMessage } from "node:http";
import { OLDEST, SEGMENTS } from "../dialects/dialects.ts";
import {
  ALLOWED,
  type Answer,
  BAD_CALLBACK,
  type KeptJson,
  keptJson,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  UNAVAILABLE,
} from "./answers.ts";
import { askDocs } from "./docs/site.ts";
import { showAlive, showReady } from "./health.ts";
import { describeApi } from "./openapi.ts";
import { showFirstPage } from "./page.ts";
import { type Handled, handle, type Target } from "./pipeline.ts";
import { callbackOf, isCallback, wantsPretty } from "./rendering.ts";
import type { RequestTrace } from "./requestTrace.ts";
import { match } from "./router.ts";
import type { Service } from "./service.ts";
import { showMetrics } from "./showMetrics.ts";
import { describeSite } from "./siteDescription.ts";
import { describeSpore } from "./spore.ts";
import { isRead } from "./standingHeaders.ts";

type Shown = (service: Service, origin: string, segment: string, request: IncomingMessage) => Promise<Answer> | Answer;

const METRICS = "/metrics";

const SITE: { readonly [path: string]: Shown } = {
  "/": showFirstPage,
  "/health": showHealth,
  "/openapi.json": (service) => described(service, "site", describeSite),
  "/health/live": showAlive,
  "/health/ready": showReady,
  [METRICS]: (service, _origin, _segment, request) => showMetrics(service, request),
};

const BESIDE_TENDERS: { readonly [path: string]: Shown } = {
  "/health": showHealth,
  "/spore": (service, origin, segment) => ({
    status: 200,
    json: JSON.stringify(describeSpore(service.dialects.get(segment)!, origin)),
  }),
  "/openapi.json": (service, _origin, segment) =>
    described(service, segment, () => describeApi(service.dialects.get(segment)!, service.dialects.get(OLDEST)!)),
};

const descriptions = new WeakMap<Service, Map<string, KeptJson>>();

/** The description of the API of a version; there are as many as there are versions. */
function described(service: Service, name: string, describe: () => unknown): Answer {
  const known = descriptions.get(service) ?? new Map<string, KeptJson>();
  const json = known.get(name) ?? keptJson(JSON.stringify(describe()));
  descriptions.set(service, known.set(name, json));
  return { status: 200, json, isConstant: true };
}

/** What is served beside the API: what is the same in all versions, and the pages about the service itself, which are only read. */
export function besideTheApi(
  service: Service,
  request: IncomingMessage,
  origin: string,
  { segment, path, query }: { readonly segment: string | undefined; readonly path: string; readonly query: string },
  trace: RequestTrace,
): Promise<Handled> | Handled | undefined {
  if (segment !== undefined && !service.dialects.has(segment)) return undefined;
  if (segment === undefined && isOfTable(path, service)) {
    const target: Target = { segment: NEWEST, path, query: new URLSearchParams(query), table: "site" };
    return handle(service, request, target, origin, trace);
  }
  const pages = segment === undefined ? SITE : BESIDE_TENDERS;
  const shown = Object.hasOwn(pages, path) ? pages[path] : undefined;
  const documented = segment === undefined ? askDocs(service, request, origin, path) : undefined;
  if (documented) return { answer: documented };
  if (!shown) return undefined;
  if (!isRead(request.method)) return { answer: answerWriter(service, request, path) };
  return styled(shown(service, origin, segment ?? "", request), new URLSearchParams(query));
}

/** Pages are only read. */
function answerWriter({ config }: Service, { method }: IncomingMessage, path: string): Answer {
  if (path === METRICS && config.metrics === "off") return NOT_FOUND("path");
  return method === "OPTIONS" ? ALLOWED("GET, HEAD") : METHOD_NOT_ALLOWED("GET, HEAD");
}

const NEWEST = SEGMENTS.at(-1)!;

/** Nothing of the sandbox is there in production. */
const isOfTable = (path: string, { config, dialects }: Service): boolean =>
  match(path, dialects.get(NEWEST)!, "site") !== undefined && (config.sandbox || !path.startsWith("/sandbox/"));

/** As the reader wishes, where it is JSON. */
async function styled(shown: Promise<Answer> | Answer, query: URLSearchParams): Promise<Handled> {
  const answer = await shown;
  if (answer.json === undefined && !answer.errors) return { answer };
  const callback = callbackOf(query);
  if (callback && !isCallback(callback)) return { answer: BAD_CALLBACK };
  return { answer, style: { pretty: wantsPretty(query), callback } };
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
