import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TIMEOUT_MS } from "../../test/support/processes.ts";
import { hostOf, isPublicAddress } from "./addresses.ts";
import { openHostResolver } from "./hostResolver.ts";

const BLOCKED = [
  ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254", "169.254.169.254"],
  ...["172.16.0.1", "172.31.255.255", "192.0.0.8", "192.168.1.1", "198.18.0.1", "198.19.255.255", "224.0.0.1"],
  ...["239.255.255.255", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.51.100.7", "203.0.113.7", "192.88.99.1"],
  ...[
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
  ],
  ...["fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd12:3456::1", "ff02::1", "2001::1", "2001:db8::1"],
  ...["2002:7f00:1::", "2002:808:808::1", "3fff::1", "4000::1"],
];
const PUBLIC = ["1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "223.255.255.255"];
const PUBLIC_V6 = ["2606:4700:4700::1111", "2a00:1450:4001::200e", "2001:4860:4860::8888"];

const hostResolver = openHostResolver({ nameServers: [] });
const resolve = (url: string) => hostResolver.addressesOf(hostOf(new URL(url)), AbortSignal.timeout(TIMEOUT_MS));

describe("the address of a webhook", () => {
  it("is allowed only if it is public", () => {
    for (const address of BLOCKED) assert.equal(isPublicAddress(address), false, address);
    for (const address of [...PUBLIC, ...PUBLIC_V6]) assert.equal(isPublicAddress(address), true, address);
    for (const text of ["", "localhost", "127.1", "1.1.1.1.1"]) assert.equal(isPublicAddress(text), false, text);
  });

  it("is recognised in every notation", async () => {
    for (const host of [
      ...["2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "127.1", "127.0.0.1.", "①②⑦.0.0.1", "%31%32%37.0.0.1"],
      ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:7f00:0001]", "[::1]", "[::]", "0"],
      ...["localhost", "LOCALHOST", "localhost.", "a.localhost"],
    ])
      assert.equal(await resolve(`http://${host}:80/`), "the address is not public", host);
    for (const address of PUBLIC) assert.deepEqual(await resolve(`https://${address}/`), [{ address, family: 4 }]);
    for (const address of PUBLIC_V6) assert.deepEqual(await resolve(`https://[${address}]/`), [{ address, family: 6 }]);
  });
});
