import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import { hostname } from "node:os";
import type { Config } from "../config/config.ts";
import type { AccountGroup } from "../domain/model/actors.ts";
import { accountOf } from "../http/auth.ts";
import { FORBIDDEN, NOT_FOUND, UNAUTHORIZED } from "../http/errorResponses.ts";
import type { HttpResponse } from "../http/responses.ts";
import { formatMetrics, METRICS_CONTENT_TYPE } from "../ops/metrics.ts";
import type { Observability } from "../ops/oversight.ts";
import { redactMetrics } from "./redactedMetrics.ts";

type MetricsPorts = {
  readonly observability: Pick<Observability, "allMetrics">;
  readonly config: Pick<Config, "metrics" | "accounts">;
};

/** The metrics in the Prometheus format. Only requests from this machine get all of them; all others get the redacted view. */
export async function showMetrics(ports: MetricsPorts, request: IncomingMessage): Promise<HttpResponse> {
  const accessError = checkMetricsAccess(ports, request);
  if (accessError) return { ...accessError, isOperatorOnly: true };
  const families = await ports.observability.allMetrics();
  // A user of this machine can read the registry itself. Nobody else may learn about sealed bids, not even administrators.
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

/** Headers that proxies and CDNs add. */
const PROXY_HEADERS =
  /^(x-forwarded|forwarded|via$|x-real-ip|x-client-ip|x-cluster-client-ip|x-original|x-envoy|x-proxy|true-client-ip|cf-|fastly-|fly-|x-azure|x-amz|x-amzn|x-cloud)/;

/**
 * Whether a request comes from this machine and not through a proxy on it. It does not rely on TRUST_PROXY, so that a wrong setting
 * opens nothing. Proxies are recognised by their headers, by HTTP/1.0, and by a Host that is not this machine's; the latter also stops
 * web pages whose host name resolves to this machine (DNS rebinding).
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
