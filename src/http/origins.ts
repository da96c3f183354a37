import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "../config/config.ts";

/** How clients reach the service, for the links that it gives them. */

const HOST = /^(?:[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/;
const ORIGINS_MAX = 1000;
/** By what clients wrote as the host: nearly all write the same, and looking closely takes a microsecond. */
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

/** How clients reach us: as configured, or as this one did, where what it says can be an address. */
export function originOf(
  { config }: { readonly config: Pick<Config, "publicUrl" | "host"> },
  { headers, socket }: IncomingMessage,
): string {
  if (config.publicUrl) return config.publicUrl;
  return originForHost(headers.host ?? "") ?? localOrigin({ config }, socket);
}

/** Where we are, whatever a client calls us. */
export const localOrigin = (
  { config }: { readonly config: Pick<Config, "publicUrl" | "host"> },
  { localPort }: Socket,
): string => config.publicUrl ?? `http://${urlHost(config.host)}:${localPort}`;

export const urlHost = (host: string): string => (host.includes(":") && !host.startsWith("[") ? `[${host}]` : host);
