import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { isPublicAddress } from "./addresses.ts";

/** Which hosts are sent to in production: those that are, or are known under, public addresses and no others. */
export type Reaching = {
  /** Where a host is, now; a text, where it is not sent to, says why. Whoever connects connects to these and asks no more. */
  readonly addressesOf: (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[] | string>;
};

export type ReachingSettings = {
  /** Others than the machine's. */
  readonly nameServers?: readonly string[];
  /** Addresses that are to be taken for public ones. */
  readonly takenForPublic?: readonly string[];
};

const NOT_PUBLIC = "the address is not a public one";
const NOT_KNOWN = "the host is not known";

const ASKED_MS = 1500;
const ASKED_TIMES = 2;

/** No name server has to be asked, and none is believed. */
const OWN_NAME = /(^|\.)localhost\.?$/i;

/**
 * Names are asked of name servers and of nothing else: not of the machine's files, and not below its own domains. The few
 * threads in which the system looks up names would let one server of names that is slow hold up everybody.
 */
export function openReaching({ nameServers, takenForPublic = [] }: ReachingSettings = {}): Reaching {
  const isSentTo = (address: string): boolean => isPublicAddress(address) || takenForPublic.includes(address);

  async function resolved(name: string, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    // A new one each time, as the machine's name servers may be others by now.
    const resolver = new Resolver({ timeout: ASKED_MS, tries: ASKED_TIMES });
    if (nameServers) resolver.setServers(nameServers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel);
    const asked = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.removeEventListener("abort", cancel);
    return asked.flatMap((one) =>
      one.status === "fulfilled" ? one.value.map((address) => ({ address, family: isIP(address) })) : [],
    );
  }

  return {
    addressesOf: async (host, signal) => {
      if (OWN_NAME.test(host)) return NOT_PUBLIC;
      const family = isIP(host);
      const found = family ? [{ address: host, family }] : await resolved(host, signal);
      if (found.length === 0) return NOT_KNOWN;
      return found.every(({ address }) => isSentTo(address)) ? found : NOT_PUBLIC;
    },
  };
}
