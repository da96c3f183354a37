import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import { hostname } from "node:os";
import type { Audit } from "../audit.ts";
import type { Group } from "../domain/actors.ts";
import { type Answer, FORBIDDEN, NOT_FOUND, UNAUTHORIZED } from "./answers.ts";
import { accountOf } from "./auth.ts";
import type { Service } from "./exchange.ts";
import { type Family, METRICS_TYPE, type Metrics, print } from "./metrics.ts";
import { shared } from "./sharedMetrics.ts";

/** What those who run the service need to know of it. */
export type Oversight = {
  readonly metrics: Metrics;
  /** Of all processes that serve together. */
  readonly allMetrics: () => Promise<readonly Family[]>;
  /** It was told to end: whoever sends requests here should send them elsewhere. */
  readonly isStopping: () => boolean;
  readonly audit: Audit;
};

/** Asks nobody: that it answers is the answer. */
export const showAlive = (): Answer => ({ status: 200, json: '{"status":"ok"}' });

const READY_MS_MAX = 2000;

/** Whether requests can be served: which part is not ready is told, and nothing of why. */
export async function showReady({ registry, files, oversight }: Service): Promise<Answer> {
  const [store, documents] = await Promise.all([answers(registry.ping), answers(files.ping)]);
  const isStopping = oversight.isStopping();
  const status = isStopping ? "stopping" : store && documents ? "ok" : "unavailable";
  const said = (is: boolean) => (is ? "ok" : "unavailable");
  const json = JSON.stringify({ status, checks: { store: said(store), files: said(documents) } });
  const headers = { "Cache-Control": "no-store" };
  return status === "ok"
    ? { status: 200, headers, json }
    : { status: 503, headers: { ...headers, "Retry-After": "1" }, json };
}

async function answers(ping: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, READY_MS_MAX, false);
  });
  const asked = ping().then(
    () => true,
    () => false,
  );
  const told = await Promise.race([asked, late]);
  clearTimeout(timer);
  return told;
}

export async function showMetrics(service: Service, request: IncomingMessage): Promise<Answer> {
  const refused = refusedReader(service, request);
  if (refused) return { ...refused, isOurs: true };
  const families = await service.oversight.allMetrics();
  // Who is on this machine can read the registry itself; everybody else is told nothing of sealed bids, administrators included.
  const isFull = service.config.metrics === "local" && isFromHere(request);
  const text = print(isFull ? families : shared(families));
  const headers = { "Content-Type": METRICS_TYPE, "Cache-Control": "no-store" };
  return { status: 200, headers, bytes: Buffer.from(text), isOurs: true };
}

function refusedReader({ config }: Service, request: IncomingMessage): Answer | undefined {
  if (config.metrics === "off") return NOT_FOUND("path");
  if (config.metrics === "public" || isFromHere(request)) return undefined;
  const account = accountOf(request.headers.authorization, config.accounts);
  if (!account) return UNAUTHORIZED;
  return READERS.includes(account.group) ? undefined : FORBIDDEN;
}

const READERS: readonly Group[] = ["admins", "metrics"];

/** Headers by which proxies and networks of caches say that they pass a request on. */
const OF_PROXIES =
  /^(x-forwarded|forwarded|via$|x-real-ip|x-client-ip|x-cluster-client-ip|x-original|x-envoy|x-proxy|true-client-ip|cf-|fastly-|fly-|x-azure|x-amz|x-amzn|x-cloud)/;

/**
 * Somebody on this machine, and nobody behind a proxy on it, whatever TRUST_PROXY says: a setting that is one too low must not open
 * anything. Proxies give themselves away by their headers, by HTTP/1.0, which old ones speak, and by a host that is not this machine's;
 * the last also stops pages of other sites that let their own name point to this machine.
 */
function isFromHere({ headers, socket, httpVersion }: IncomingMessage): boolean {
  if (!isLoopback(socket.remoteAddress ?? "") || httpVersion === "1.0") return false;
  if (Object.keys(headers).some((name) => OF_PROXIES.test(name))) return false;
  const [, host = ""] = /^(.*?)(?::\d+)?$/.exec(headers.host ?? "") ?? [];
  return isLoopback(host) || [hostname().toLowerCase(), "localhost"].includes(host.toLowerCase());
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^\[(.*)\]$/, "$1").replace(/^::ffff:/i, "");
  return plain === "::1" || (isIPv4(plain) && plain.startsWith("127."));
}
