import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

// A certificate authority for tests, built on node:crypto: X.509 in DER, with only what TLS needs.

const derItem = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = content.length.toString(16);
  const bytes = Buffer.from(size.padStart(size.length + (size.length % 2), "0"), "hex");
  const length = content.length < 0x80 ? bytes : Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
};
const sequence = (...parts: readonly Uint8Array[]) => derItem(0x30, ...parts);
/** A positive integer, whatever the first byte is. */
const derInteger = (bytes: Uint8Array) => derItem(0x02, Buffer.from([1]), bytes);
const derText = (value: string) => derItem(0x0c, Buffer.from(value));
const derOctets = (value: Uint8Array) => derItem(0x04, value);
const DER_TRUE = derItem(0x01, Buffer.from([0xff]));

/** GeneralizedTime, because the years of UTCTime end in 2049. */
const derTime = (at: Date) => derItem(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]|\.\d+/g, "")}`));

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = rest.flatMap((number) => {
    const sevens = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) sevens.unshift((left & 0x7f) | 0x80);
    return sevens;
  });
  return derItem(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

const ECDSA_WITH_SHA256 = sequence(oid("1.2.840.10045.4.3.2"));
const nameOf = (common: string) => sequence(derItem(0x31, sequence(oid("2.5.4.3"), derText(common))));
const extension = (id: string, value: Uint8Array, critical = false) =>
  sequence(oid(id), ...(critical ? [DER_TRUE] : []), derOctets(value));

type CertificateSubject = { readonly common: string; readonly key: KeyObject; readonly from: Date; readonly to: Date };
type Issuer = { readonly common: string; readonly privateKey: KeyObject };

function certificateOf(
  { common, key, from, to }: CertificateSubject,
  issuer: Issuer,
  extensions: readonly Buffer[],
): string {
  const publicKey = key.export({ type: "spki", format: "der" });
  const content = sequence(
    derItem(0xa0, derItem(0x02, Buffer.from([2]))),
    derInteger(createHash("sha256").update(publicKey).digest().subarray(0, 8)),
    ECDSA_WITH_SHA256,
    nameOf(issuer.common),
    sequence(derTime(from), derTime(to)),
    nameOf(common),
    publicKey,
    derItem(0xa3, sequence(...extensions)),
  );
  const signature = derItem(0x03, Buffer.from([0]), sign("sha256", content, issuer.privateKey));
  const body = sequence(content, ECDSA_WITH_SHA256, signature).toString("base64").replaceAll(/.{64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
}

const newKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const DAY_MS = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);

/** The key and certificate of a server, in PEM. */
export type Identity = { readonly key: string; readonly cert: string };

/** Creates a certificate authority with this common name. */
export function openAuthority(common: string) {
  const { publicKey, privateKey } = newKeys();
  const issuer = { common, privateKey };
  const validity = { from: daysFromNow(-2), to: daysFromNow(2) };
  const authorityExtension = extension("2.5.29.19", sequence(DER_TRUE), true);
  return {
    certificate: certificateOf({ common, key: publicKey, ...validity }, issuer, [authorityExtension]),
    /** Issues a certificate for a host name; with `over`, one that expired yesterday. */
    issue: (name: string, expired?: "over"): Identity => {
      const keys = newKeys();
      const subject = { common: name, key: keys.publicKey, ...validity, ...(expired && { to: daysFromNow(-1) }) };
      const subjectAltName = extension("2.5.29.17", sequence(derItem(0x82, Buffer.from(name))));
      return {
        key: keys.privateKey.export({ type: "pkcs8", format: "pem" }) as string,
        cert: certificateOf(subject, issuer, [subjectAltName]),
      };
    },
  };
}
