import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import type { Audit } from "../audit.ts";
import type { Account, Group } from "../domain/actors.ts";
import { type Answer, FORBIDDEN, NOT_FOUND, UNAUTHORIZED } from "./answers.ts";
import { accountOf } from "./auth.ts";
import { isDryRun, type Service } from "./exchange.ts";
import type { Log } from "./log.ts";
import { type Family, METRICS_TYPE, type Metrics, print } from "./metrics.ts";
import { clientAddressOf } from "./rateLimit.ts";
import { isRead } from "./standingHeaders.ts";

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
  const text = print(await service.oversight.allMetrics());
  const headers = { "Content-Type": METRICS_TYPE, "Cache-Control": "no-store" };
  return { status: 200, headers, bytes: Buffer.from(text), isOurs: true };
}

function refusedReader({ config }: Service, request: IncomingMessage): Answer | undefined {
  if (config.metrics === "off") return NOT_FOUND("path");
  if (config.metrics === "public" || isFromHere(request, config.trustedProxies)) return undefined;
  const account = accountOf(request.headers.authorization, config.accounts);
  if (!account) return UNAUTHORIZED;
  return account.group === "admins" ? undefined : FORBIDDEN;
}

const SAID_BY_PROXIES = [
  ...["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-real-ip", "forwarded", "via"],
];

/** What a proxy on this machine passes on comes from this machine too, but not from somebody here. */
function isFromHere(request: IncomingMessage, proxies: number): boolean {
  const isTold = proxies > 0 && request.headers["x-forwarded-for"] !== undefined;
  if (!isTold && SAID_BY_PROXIES.some((name) => request.headers[name] !== undefined)) return false;
  const address = clientAddressOf(request, proxies).replace(/^::ffff:/, "");
  return address === "::1" || address === "[::1]" || (isIPv4(address) && address.startsWith("127."));
}

/** Those who act for the service, not for a buyer or a bidder. */
const AUDITED: readonly Group[] = ["admins", "Administrator", "auction", "chronograph"];

type Acted = {
  readonly account: Account | undefined;
  readonly path: string;
  readonly query: string;
  readonly requestId: string;
  readonly answer: Answer;
};

/** A promise only where there is something to record. What was done is done, also where the record fails. */
export function recordAct(
  { oversight, config }: Service,
  log: Log,
  request: IncomingMessage,
  { account, path, query, requestId, answer }: Acted,
): Promise<void> | undefined {
  if (!account || isRead(request.method) || !AUDITED.includes(account.group)) return undefined;
  // What was only tried is no act.
  if (isDryRun(new URLSearchParams(query))) return undefined;
  const act = {
    via: "http" as const,
    actor: account.name,
    group: account.group,
    act: `${request.method} ${path}`,
    outcome: answer.status,
    address: clientAddressOf(request, config.trustedProxies),
    requestId,
  };
  log.info("audit", act);
  return oversight.audit.record(act).catch((error) => log.error("an act could not be recorded", error, act));
}
