import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { isPublicAddress } from "./addresses.ts";

/** Which hosts are sent to in production: those that are, or are known under, public addresses and no others. */
export type HostResolver = {
  /** Where a host is, now; a text, where it is not sent to, says why. Whoever connects connects to these and asks no more. */
  readonly addressesOf: (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[] | string>;
};

export type HostResolverSettings = {
  /** Others than the machine's. */
  readonly nameServers?: readonly string[];
  /** Addresses that are to be taken for public ones. */
  readonly takenForPublic?: readonly string[];
};

const NOT_PUBLIC = "the address is not a public one";
const NOT_KNOWN = "the host is not known";

const LOOKUP_MS = 1500;
const LOOKUP_ATTEMPTS = 2;

/** No name server has to be asked, and none is believed. */
const LOCALHOST_NAME = /(^|\.)localhost\.?$/i;

/**
 * Names are asked of name servers and of nothing else: not of the machine's files, and not below its own domains. The few
 * threads in which the system looks up names would let one server of names that is slow hold up everybody.
 */
export function openHostResolver({ nameServers, takenForPublic = [] }: HostResolverSettings = {}): HostResolver {
  const isAllowed = (address: string): boolean => isPublicAddress(address) || takenForPublic.includes(address);

  async function lookUp(name: string, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    // A new one each time, as the machine's name servers may be others by now.
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
