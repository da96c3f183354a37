import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { isPublicAddress } from "./addresses.ts";

/** Resolves the hosts of webhooks in production, where only hosts with nothing but public addresses are allowed. */
export type HostResolver = {
  /**
   * The addresses of a host, or the reason why it is not allowed. The caller must connect to exactly these addresses: a second lookup
   * could give others (DNS rebinding).
   */
  readonly addressesOf: (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[] | string>;
};

export type HostResolverSettings = {
  /** Name servers to use instead of those of the machine. */
  readonly nameServers?: readonly string[];
  /** Addresses that count as public. */
  readonly takenForPublic?: readonly string[];
};

const NOT_PUBLIC = "the address is not public";
const NOT_KNOWN = "the host is not known";

const LOOKUP_MS = 1500;
const LOOKUP_ATTEMPTS = 2;

/** Refused without a lookup, whatever a name server would say. */
const LOCALHOST_NAME = /(^|\.)localhost\.?$/i;

/**
 * Uses name servers only, not the hosts file and search domains of the machine. The lookup of the system also runs in a small thread
 * pool, in which one slow name server could block everything else.
 */
export function openHostResolver({ nameServers, takenForPublic = [] }: HostResolverSettings = {}): HostResolver {
  const isAllowed = (address: string): boolean => isPublicAddress(address) || takenForPublic.includes(address);

  async function lookUp(name: string, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    // A new resolver each time, because the name servers of the machine may have changed.
    const resolver = new Resolver({ timeout: LOOKUP_MS, tries: LOOKUP_ATTEMPTS });
    if (nameServers) resolver.setServers(nameServers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel);
    const lookups = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.removeEventListener("abort", cancel);
    return lookups.flatMap((lookup) =>
      lookup.status === "fulfilled" ? lookup.value.map((address) => ({ address, family: isIP(address) })) : [],
    );
  }

  return {
    addressesOf: async (host, signal) => {
      if (LOCALHOST_NAME.test(host)) return NOT_PUBLIC;
      const family = isIP(host);
      const addresses = family ? [{ address: host, family }] : await lookUp(host, signal);
      if (addresses.length === 0) return NOT_KNOWN;
      return addresses.every(({ address }) => isAllowed(address)) ? addresses : NOT_PUBLIC;
    },
  };
}
