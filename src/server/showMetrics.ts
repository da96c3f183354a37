import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import { hostname } from "node:os";
import type { Config } from "../config/config.ts";
import type { AccountGroup } from "../domain/model/actors.ts";
import { accountOf } from "../http/auth.ts";
import { FORBIDDEN, type HttpResponse, NOT_FOUND, UNAUTHORIZED } from "../http/responses.ts";
import { formatMetrics, METRICS_CONTENT_TYPE } from "../ops/metrics.ts";
import type { Observability } from "../ops/oversight.ts";
import { redactMetrics } from "./redactedMetrics.ts";

type MetricsPorts = {
  readonly oversight: Pick<Observability, "allMetrics">;
  readonly config: Pick<Config, "metrics" | "accounts">;
};

export async function showMetrics(ports: MetricsPorts, request: IncomingMessage): Promise<HttpResponse> {
  const accessError = checkMetricsAccess(ports, request);
  if (accessError) return { ...accessError, isOperatorOnly: true };
  const families = await ports.oversight.allMetrics();
  // Who is on this machine can read the registry itself; everybody else is told nothing of sealed bids, administrators included.
  const isFull = ports.config.metrics === "local" && isLocalRequest(request);
  const text = formatMetrics(isFull ? families : redactMetrics(families));
  const headers = { "Content-Type": METRICS_CONTENT_TYPE, "Cache-Control": "no-store" };
  return { status: 200, headers, bytes: Buffer.from(text), isOperatorOnly: true };
}

function checkMetricsAccess({ config }: MetricsPorts, request: IncomingMessage): HttpResponse | undefined {
  if (config.metrics === "off") return NOT_FOUND("path");
  if (config.metrics === "public" || isLocalRequest(request)) return undefined;
  const account = accountOf(request.headers.authorization, config.accounts);
  if (!account) return UNAUTHORIZED;
  return METRICS_GROUPS.includes(account.group) ? undefined : FORBIDDEN;
}

const METRICS_GROUPS: readonly AccountGroup[] = ["admins", "metrics"];

/** Headers by which proxies and networks of caches say that they pass a request on. */
const PROXY_HEADERS =
  /^(x-forwarded|forwarded|via$|x-real-ip|x-client-ip|x-cluster-client-ip|x-original|x-envoy|x-proxy|true-client-ip|cf-|fastly-|fly-|x-azure|x-amz|x-amzn|x-cloud)/;

/**
 * Somebody on this machine, and nobody behind a proxy on it, whatever TRUST_PROXY says: a setting that is one too low must not open
 * anything. Proxies give themselves away by their headers, by HTTP/1.0, which old ones speak, and by a host that is not this machine's;
 * the last also stops pages of other sites that let their own name point to this machine.
 */
function isLocalRequest({ headers, socket, httpVersion }: IncomingMessage): boolean {
  if (!isLoopback(socket.remoteAddress ?? "") || httpVersion === "1.0") return false;
  if (Object.keys(headers).some((name) => PROXY_HEADERS.test(name))) return false;
  const [, host = ""] = /^(.*?)(?::\d+)?$/.exec(headers.host ?? "") ?? [];
  return isLoopback(host) || [hostname().toLowerCase(), "localhost"].includes(host.toLowerCase());
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^\[(.*)\]$/, "$1").replace(/^::ffff:/i, "");
  return plain === "::1" || (isIPv4(plain) && plain.startsWith("127."));
}
