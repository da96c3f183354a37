import type { IncomingMessage } from "node:http";
import { isIPv4 } from "node:net";
import { hostname } from "node:os";
import type { Config } from "../config.ts";
import type { Group } from "../domain/actors.ts";
import { type Answer, FORBIDDEN, NOT_FOUND, UNAUTHORIZED } from "./answers.ts";
import { accountOf } from "./auth.ts";
import { METRICS_TYPE, print } from "./metrics.ts";
import type { Oversight } from "./oversight.ts";
import { shared } from "./sharedMetrics.ts";

type MetricsPorts = {
  readonly oversight: Pick<Oversight, "allMetrics">;
  readonly config: Pick<Config, "metrics" | "accounts">;
};

export async function showMetrics(ports: MetricsPorts, request: IncomingMessage): Promise<Answer> {
  const refused = refusedReader(ports, request);
  if (refused) return { ...refused, isOurs: true };
  const families = await ports.oversight.allMetrics();
  // Who is on this machine can read the registry itself; everybody else is told nothing of sealed bids, administrators included.
  const isFull = ports.config.metrics === "local" && isFromHere(request);
  const text = print(isFull ? families : shared(families));
  const headers = { "Content-Type": METRICS_TYPE, "Cache-Control": "no-store" };
  return { status: 200, headers, bytes: Buffer.from(text), isOurs: true };
}

function refusedReader({ config }: MetricsPorts, request: IncomingMessage): Answer | undefined {
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
