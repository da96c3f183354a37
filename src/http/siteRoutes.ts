import type { IncomingMessage } from "node:http";
import { OLDEST } from "../dialects/dialects.ts";
import { type Answer, BAD_CALLBACK, METHOD_NOT_ALLOWED, UNAVAILABLE } from "./answers.ts";
import { askDocumentService } from "./documentService.ts";
import type { Service } from "./exchange.ts";
import { describeApi } from "./openapi.ts";
import { showFirstPage } from "./page.ts";
import type { Handled } from "./pipeline.ts";
import { callbackOf, isCallback, wantsPretty } from "./rendering.ts";
import { describeSpore } from "./spore.ts";
import { askWebhooks } from "./webhookDoor.ts";

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

/** What is served beside the API: the document service, and the pages about the service itself, which are only read. */
export function besideTheApi(
  service: Service,
  request: IncomingMessage,
  origin: string,
  { segment, path, query }: { readonly segment: string | undefined; readonly path: string; readonly query: string },
): Promise<Handled> | Handled | undefined {
  if (segment !== undefined && !service.dialects.has(segment)) return undefined;
  const pages = segment === undefined ? SITE : BESIDE_TENDERS;
  const shown = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (!shown) {
    const served =
      segment === undefined
        ? (askDocumentService(service, request, origin, { path, query }) ??
          askWebhooks(service, request, origin, { path, query }))
        : undefined;
    return served && styled(served, new URLSearchParams(query));
  }
  const { method } = request;
  if (method !== "GET" && method !== "HEAD") return { answer: METHOD_NOT_ALLOWED("GET, HEAD") };
  return styled(shown(service, origin, segment ?? ""), new URLSearchParams(query));
}

/** As the reader wishes, where it is JSON. */
async function styled(shown: Promise<Answer> | Answer, query: URLSearchParams): Promise<Handled> {
  const answer = await shown;
  if (answer.json === undefined) return { answer };
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
