import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv4, isIPv6 } from "node:net";
import { after } from "node:test";

const TYPES: { readonly [code: number]: "A" | "AAAA" } = { 1: "A", 28: "AAAA" };
const HEADER_BYTES = 12;
const FOUND = 0x8180;
const NOT_FOUND = 0x8183;
const NAME_POINTER = 0xc00c;

/** The addresses of a name; `silent` never responds. */
type NameAnswer = readonly string[] | "silent";

/** Starts a DNS server on this machine whose records a test sets. */
export async function openNameServer() {
  const addresses = new Map<string, NameAnswer>();
  const queries: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { name, type, end } = parseQuery(query);
    queries.push(`${type} ${name}`);
    const answer = addresses.get(name);
    if (answer === "silent") return;
    const answers = (answer ?? []).filter(type === "A" ? isIPv4 : type === "AAAA" ? isIPv6 : () => false);
    const head = Buffer.alloc(HEADER_BYTES);
    const counts = [query.readUInt16BE(0), answer ? FOUND : NOT_FOUND, 1, answers.length];
    for (const [i, count] of counts.entries()) head.writeUInt16BE(count, 2 * i);
    socket.send(Buffer.concat([head, query.subarray(HEADER_BYTES, end), ...answers.map(addressRecord)]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  after(() => socket.close());
  return {
    server: `127.0.0.1:${socket.address().port}`,
    setAddresses: (name: string, answer: NameAnswer) => addresses.set(name, answer),
    /** The queries about a name so far, sorted. */
    queriesFor: (name: string) => queries.filter((query) => query.endsWith(` ${name}`)).toSorted(),
  };
}

function parseQuery(query: Buffer) {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: TYPES[query.readUInt16BE(at + 1)] ?? "other", end: at + 5 };
}

function addressRecord(address: string): Buffer {
  const bytes = isIPv4(address) ? Buffer.from(address.split(".").map(Number)) : ipv6Bytes(address);
  const record = Buffer.alloc(HEADER_BYTES);
  record.writeUInt16BE(NAME_POINTER, 0);
  record.writeUInt16BE(isIPv4(address) ? 1 : 28, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([record, bytes]);
}

function ipv6Bytes(address: string): Buffer {
  const [before = [], after = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const groups = [...before, ...Array(8 - before.length - after.length).fill("0"), ...after];
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}
