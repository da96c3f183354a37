import { BlockList, isIP } from "node:net";

/** Public IP addresses. In production webhooks are sent to no others, so that they cannot reach the internal network (SSRF). */

/** The networks that the IANA special-purpose registry lists as not globally reachable, and multicast. */
const V4_BLOCKED = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** Global unicast. All other addresses are local, mapped, translated, multicast or unassigned. */
const V6_GLOBAL = ["2000::/3"];
/** Within V6_GLOBAL: protocol assignments and tunnels, which may lead to any IPv4 address, and documentation. */
const V6_BLOCKED = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const blockListOf = (subnets: readonly string[], family: "ipv4" | "ipv6"): BlockList => {
  const list = new BlockList();
  for (const [net = "", bits] of subnets.map((subnet) => subnet.split("/"))) list.addSubnet(net, Number(bits), family);
  return list;
};
const v4Blocked = blockListOf(V4_BLOCKED, "ipv4");
const v6Global = blockListOf(V6_GLOBAL, "ipv6");
const v6Blocked = blockListOf(V6_BLOCKED, "ipv6");

/** Whether this is an IP address that is reachable over the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !v4Blocked.check(address, "ipv4");
    case 6:
      return !address.includes("%") && v6Global.check(address, "ipv6") && !v6Blocked.check(address, "ipv6");
    default:
      return false;
  }
}

/** The host of a URL as a socket takes it: without the brackets of IPv6. `URL` has already normalised IPv4 in other notations. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");
