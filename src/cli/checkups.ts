import { existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type Healthy, openClient } from "../client/index.ts";
import { type Config, configOf, type Environment } from "../config.ts";
import { newId } from "../registry/secrets.ts";
import { openFilesOf, systemClock } from "../start.ts";
import type { Finding } from "./doctor.ts";
import type { Values } from "./operated.ts";

/** What the doctor looks at, each in a function that answers what it found and throws nothing. */

const fine = (check: string, found: string): Finding => ({ check, state: "fine", found });
const note = (check: string, found: string, then?: string): Finding => ({
  check,
  state: "note",
  found,
  ...(then && { then }),
});
const wrong = (check: string, found: string, then: string): Finding => ({ check, state: "wrong", found, then });

export async function findingsOf(values: Values, environment: Environment): Promise<readonly Finding[]> {
  const config = configOf(environment);
  const node = fine("node", `${process.version} on ${process.platform}`);
  const given = (values.url as string | undefined) ?? environment.TENDERHALL_URL?.trim();
  if (!("port" in config)) {
    const problems = config.map((problem) =>
      wrong("settings", problem, "npx tenderhall help serve lists every setting"),
    );
    return [node, ...problems, ...(given ? [await checkServer(given, true)] : [])];
  }
  const { host, port } = config;
  const url = given || `http://${host}:${port}`;
  return [
    node,
    ...checkSettings(config),
    ...checkAccounts(config),
    ...(await checkStore(config)),
    await checkDisk(config),
    await checkFiles(config),
    await checkPort(config),
    await checkServer(url, given !== undefined),
  ];
}

function checkSettings({ sandbox, host, port, databaseUrl, workers }: Config): readonly Finding[] {
  const mode = sandbox ? "sandbox" : "production";
  const told = fine(
    "settings",
    `${mode} on ${host}:${port}, ${databaseUrl ? "PostgreSQL" : "SQLite"}, WORKERS ${workers}`,
  );
  const isOpen = sandbox && !/^(localhost|127\.|\[?::1)/.test(host);
  return isOpen
    ? [
        told,
        note(
          "sandbox",
          `HOST ${host} lets others in, with keys that everybody knows`,
          "MODE=production for anything real",
        ),
      ]
    : [told];
}

const OTHERS = 0o077;

function checkAccounts({ accountsFile: file, accounts, sandbox }: Config): readonly Finding[] {
  if (!file) return [fine("accounts", `${accounts.size} that everybody knows (sandbox)`)];
  const mode = statSync(file).mode & 0o777;
  const found = `${accounts.size} in ${file}`;
  if (mode & OTHERS && process.platform !== "win32")
    return [note("accounts", `${found}, which others may read (mode ${mode.toString(8)})`, `chmod 600 ${file}`)];
  return [fine("accounts", sandbox ? `${found} (sandbox)` : found)];
}

const SLOW_MS = 100;
const PINGS = 5;
const SKEW_NOTED_MS = 1000;
const SKEW_WRONG_MS = 30_000;

/** As the server does, but only to read: a registry that is not there yet is not made. */
async function checkStore(config: Config): Promise<readonly Finding[]> {
  const { databaseUrl, dataDir } = config;
  const where = databaseUrl ? "DATABASE_URL" : `DATA_DIR ${resolve(dataDir)}`;
  if (!databaseUrl && !existsSync(join(dataDir, "tenderhall.sqlite")))
    return [note("store", `there is no registry in ${where} yet`, "npx tenderhall serve makes one")];
  try {
    const { openForReading } = await import("../beside.ts");
    const { store, close } = await openForReading(config);
    try {
      const rows = await store.position();
      const ms = await latencyOf(store.ping);
      const found = `${where}: ${rows} rows in the ledger, schema current, answers in ${ms.toFixed(1)} ms`;
      const answered =
        ms > SLOW_MS ? note("store", found, "every write waits for this at least once") : fine("store", found);
      const ahead = Math.round((store.clock() - systemClock()) / 1000);
      return databaseUrl ? [answered, skewed("db clock", "the database's clock", ahead)] : [answered];
    } finally {
      await close();
    }
  } catch (error) {
    return [wrong("store", `${where} cannot be used: ${(error as Error).message}`, STORE_THEN)];
  }
}

const STORE_THEN =
  "a server of this version brings an older schema up to date when it starts; otherwise see the message";

/** The middle of a few. */
async function latencyOf(ping: () => Promise<void>): Promise<number> {
  const took: number[] = [];
  for (let i = 0; i < PINGS; i++) {
    const started = performance.now();
    await ping();
    took.push(performance.now() - started);
  }
  return took.toSorted((a, b) => a - b)[Math.floor(PINGS / 2)]!;
}

function skewed(check: string, whose: string, aheadMs: number): Finding {
  const found = `${whose} is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? "behind" : "ahead of"} this machine's`;
  const then = "deadlines are told by that clock: keep clocks right with NTP";
  if (Math.abs(aheadMs) > SKEW_WRONG_MS) return wrong(check, found, then);
  return Math.abs(aheadMs) > SKEW_NOTED_MS ? note(check, found, then) : fine(check, found);
}

const GIB = 1024 ** 3;
const ROOM_NOTED = 5 * GIB;
const ROOM_WRONG = GIB / 4;

async function checkDisk({ dataDir }: Config): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(nearestTo(resolve(dataDir)));
    const free = bavail * bsize;
    const found = `${(free / GIB).toFixed(1)} GiB free for DATA_DIR ${dataDir}`;
    const then = "a full disk refuses every write: make room, or move DATA_DIR";
    if (free < ROOM_WRONG) return wrong("disk", found, then);
    return free < ROOM_NOTED ? note("disk", found, then) : fine("disk", found);
  } catch (error) {
    return wrong("disk", (error as Error).message, "DATA_DIR must be a folder that this user may write to");
  }
}

const nearestTo = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestTo(dirname(path));

const PROBE = Buffer.from("tenderhall doctor");

/** Writes a file, reads it back and takes it away. */
async function checkFiles(config: Config): Promise<Finding> {
  const where = config.documents ? "DOCUMENTS_URL" : `DATA_DIR ${config.dataDir}`;
  if (!config.documents && !existsSync(config.dataDir))
    return note("files", `${where} is not there yet`, "npx tenderhall serve makes it");
  const key = newId();
  const started = performance.now();
  try {
    const files = await openFilesOf(config);
    await files.receive(key, Readable.from([PROBE]), PROBE.length);
    try {
      const opened = await files.open(key);
      const read = opened && (await buffer(opened.stream));
      if (!read?.equals(PROBE)) throw new Error("what was written was not read back");
    } finally {
      await files.discard(key);
    }
    return fine("files", `${where}: written, read and removed in ${(performance.now() - started).toFixed(0)} ms`);
  } catch (error) {
    return wrong("files", `${where}: ${(error as Error).message}`, "documents can be neither uploaded nor downloaded");
  }
}

async function checkPort({ host, port }: Config): Promise<Finding> {
  if (port === 0) return fine("port", "any free one");
  const problem = await whyTaken(host.replace(/^\[|\]$/g, ""), port);
  if (!problem) return fine("port", `${port} of ${host} is free`);
  if (problem !== "EADDRINUSE")
    return wrong(
      "port",
      `${port} of ${host}: ${problem}`,
      "HOST must be an address of this machine, PORT one this user may take",
    );
  const isOurs = await isServed(`http://${host}:${port}`);
  return isOurs
    ? fine("port", `${port} of ${host} is served by Tenderhall`)
    : wrong("port", `${port} of ${host} is taken by something else`, `choose another, for example PORT=${port + 1}`);
}

const whyTaken = (host: string, port: number): Promise<string | undefined> =>
  new Promise((done) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => done(undefined)));
  });

const ANSWER_MS_MAX = 5000;
const ask = async (url: string): Promise<Healthy> =>
  URL.canParse(url) ? openClient({ url, timeoutMs: ANSWER_MS_MAX }).health.check() : { ok: false, status: 0 };

const isServed = async (url: string): Promise<boolean> => (await ask(url)).requestId !== undefined;

/** Its clock is told in whole seconds: the middle of that second is compared with the middle of the question. */
async function checkServer(url: string, isAsked: boolean): Promise<Finding> {
  const began = Date.now();
  const { ok, status, date = "" } = await ask(url);
  const middle = (began + Date.now()) / 2;
  if (status === 0) {
    const found = `nothing answers at ${url}`;
    return isAsked
      ? wrong("server", found, "is it running, and is this its address?")
      : note("server", found, "npx tenderhall serve starts it; --url names another");
  }
  if (!ok) return wrong("server", `${url} answers ${status}`, "its log says why");
  const theirs = Date.parse(date) + 500;
  if (Number.isNaN(theirs)) return note("server", `${url} answers, and tells no time`);
  const ahead = Math.round(theirs - middle);
  return Math.abs(ahead) <= SKEW_NOTED_MS
    ? fine("server", `${url} answers; its clock is this machine's to a second`)
    : skewed("server", `${url} answers; its clock`, ahead);
}
