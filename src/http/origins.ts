import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "../config/config.ts";

/** The origin (scheme, host and port) under which clients reach the service, for absolute links. */

const HOST = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/;
const ORIGINS_MAX = 1000;
/** By the value of the Host header. Nearly all clients send the same one, and validating it takes a microsecond. */
const origins = new Map<string, string>();

function originForHost(host: string): string | undefined {
  const cached = origins.get(host);
  if (cached !== undefined) return cached;
  const origin = `http://${host}`;
  if (!HOST.test(host) || !URL.canParse(origin)) return undefined;
  if (origins.size >= ORIGINS_MAX) origins.clear();
  origins.set(host, origin);
  return origin;
}

/** The configured public URL; without one, the origin by the Host header; if that is not a valid host, the local address. */
export function originOf(
  { config }: { readonly config: Pick<Config, "publicUrl" | "host"> },
  { headers, socket }: IncomingMessage,
): string {
  if (config.publicUrl) return config.publicUrl;
  return originForHost(headers.host ?? "") ?? localOrigin({ config }, socket);
}

/** The origin that does not depend on what the client sent. */
export const localOrigin = (
  { config }: { readonly config: Pick<Config, "publicUrl" | "host"> },
  { localPort }: Socket,
): string => configuredOrigin({ ...config, port: localPort ?? 0 });

/** The origin by the configuration alone, for what is made without a request, such as files. */
export const configuredOrigin = ({ publicUrl, host, port }: Pick<Config, "publicUrl" | "host" | "port">): string =>
  publicUrl ?? `http://${urlHost(host)}:${port}`;

/** The host as it is written in a URL: an IPv6 address gets brackets. */
export const urlHost = (host: string): string => (host.includes(":") && !host.startsWith("[") ? `[${host}]` : host);
