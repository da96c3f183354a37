import { existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { openConfiguredFiles } from "../app/adapters.ts";
import { errorMessage } from "../base/errors.ts";
import { newId } from "../base/secrets.ts";
import { type HealthStatus, openClient } from "../client/index.ts";
import { type Config, configOf, type Environment } from "../config/config.ts";
import type { OptionValues } from "./command.ts";
import { clockFinding, type Finding, fine, note, SKEW_NOTE_MS, wrong } from "./output/findings.ts";
import { checkStore, mayHaveRegistry, openReadOnly } from "./storeChecks.ts";

/** All checks of `doctor`. Each check returns what it found and does not throw. */
export async function runChecks(values: OptionValues, environment: Environment): Promise<readonly Finding[]> {
  const config = configOf(environment);
  const node = fine("node", `${process.version} on ${process.platform}`);
  const explicitUrl = (typeof values.url === "string" ? values.url : undefined) ?? environment.TENDERHALL_URL?.trim();
  if (!("port" in config)) {
    const problems = config.map((problem) =>
      wrong("settings", problem, "to list all settings: npx --no-install tenderhall help serve"),
    );
    return [node, ...problems, ...(explicitUrl ? [await checkServer(explicitUrl, true)] : [])];
  }
  const { host, port } = config;
  const url = explicitUrl || `http://${host}:${port}`;
  return [
    node,
    ...checkSettings(config),
    ...checkAccounts(config),
    ...(await checkStore(config)),
    await checkDisk(config),
    await checkFiles(config),
    await checkPort(config),
    await checkServer(url, explicitUrl !== undefined),
  ];
}

function checkSettings({ sandbox, host, port, databaseUrl, workers }: Config): readonly Finding[] {
  const mode = sandbox ? "sandbox" : "production";
  const summary = fine(
    "settings",
    `${mode} on ${host}:${port}, ${databaseUrl ? "PostgreSQL" : "SQLite"}, WORKERS ${workers}`,
  );
  const isOpen = sandbox && !/^(localhost|127\.|\[?::1)/.test(host);
  return isOpen
    ? [
        summary,
        note(
          "sandbox",
          `HOST ${host} is reachable from other machines, and the sandbox keys are public`,
          "use MODE=production for real tenders",
        ),
      ]
    : [summary];
}

/** The permission bits of users outside the group. */
const OTHERS_MODE = 0o007;

function checkAccounts({ accountsFile: file, accounts, sandbox }: Config): readonly Finding[] {
  // `accounts` has an entry for each key.
  const count = new Set(accounts.values().map(({ name }) => name)).size;
  if (!file) return [fine("accounts", `${count} public accounts (sandbox)`)];
  return [checkAccountsFile(file, count, sandbox), ...checkAuctions(accounts, file)];
}

function checkAccountsFile(file: string, count: number, sandbox: boolean): Finding {
  const mode = statSync(file).mode & 0o777;
  const found = `${count} in ${file}`;
  // Group access is fine: the server may read a file of root by its group.
  if (mode & OTHERS_MODE && process.platform !== "win32")
    return note("accounts", `${found}, readable by all users (mode ${mode.toString(8)})`, `chmod o= ${file}`);
  return fine("accounts", sandbox ? `${found} (sandbox)` : found);
}

/** Only an account of the group `auction` can report the results of an auction. */
const checkAuctions = (accounts: Config["accounts"], file: string): readonly Finding[] =>
  accounts.values().some(({ group }) => group === "auction")
    ? []
    : [
        note(
          "auctions",
          "no account has the group auction: tenders with two or more bids will stay in active.auction",
          `npx --no-install tenderhall account add robot --group auction --file ${file}`,
        ),
      ];

const GIB = 1024 ** 3;
const FREE_BYTES_NOTE = 5 * GIB;
const FREE_BYTES_WRONG = GIB / 4;

async function checkDisk({ dataDir }: Config): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(nearestExisting(resolve(dataDir)));
    const free = bavail * bsize;
    const found = `${(free / GIB).toFixed(1)} GiB free for DATA_DIR ${dataDir}`;
    const then = "on a full disk every write is refused: free space, or move DATA_DIR";
    if (free < FREE_BYTES_WRONG) return wrong("disk", found, then);
    return free < FREE_BYTES_NOTE ? note("disk", found, then) : fine("disk", found);
  } catch (error) {
    return wrong("disk", errorMessage(error), "DATA_DIR must be a folder that this user may write to");
  }
}

const nearestExisting = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));

const PROBE_CONTENT = Buffer.from("tenderhall doctor");

/** Writes a file to the document storage, reads it back and removes it. */
async function checkFiles(config: Config): Promise<Finding> {
  const where = config.documents ? "DOCUMENTS_URL" : `DATA_DIR ${config.dataDir}`;
  if (!config.documents && !existsSync(config.dataDir))
    return note("files", `${where} does not exist yet`, "npx --no-install tenderhall serve creates it");
  const key = newId();
  const started = performance.now();
  try {
    const files = await openConfiguredFiles(config);
    await files.receive(key, Readable.from([PROBE_CONTENT]), PROBE_CONTENT.length);
    try {
      const opened = await files.open(key);
      const read = opened && (await buffer(opened.stream));
      if (!read?.equals(PROBE_CONTENT)) throw new Error("the file read back differs from the file written");
    } finally {
      await files.discard(key);
    }
    return fine("files", `${where}: written, read and removed in ${(performance.now() - started).toFixed(0)} ms`);
  } catch (error) {
    return wrong("files", `${where}: ${errorMessage(error)}`, "documents cannot be uploaded or downloaded");
  }
}

async function checkPort(config: Config): Promise<Finding> {
  const { host, port } = config;
  if (port === 0) return fine("port", "any free port");
  const problem = await portProblem(host.replace(/^\[|\]$/g, ""), port);
  if (!problem) return fine("port", `${port} on ${host} is free`);
  if (problem !== "EADDRINUSE")
    return wrong(
      "port",
      `${port} on ${host}: ${problem}`,
      "HOST must be an address of this machine, and PORT one that this user may use",
    );
  const url = `http://${host}:${port}`;
  if (!(await isServed(url)))
    return wrong(
      "port",
      `${port} on ${host} is used by another program`,
      `choose another port, for example PORT=${port + 1}`,
    );
  const difference = await serverDifference(url, config).catch(() => undefined);
  return difference
    ? note(
        "port",
        `${port} on ${host} is used by a Tenderhall server ${difference}`,
        "was it started with other settings?",
      )
    : fine("port", `${port} on ${host} is used by Tenderhall`);
}

/** How the running server differs from one with these settings, or undefined. */
async function serverDifference(url: string, config: Config): Promise<string | undefined> {
  const client = openClient({ url, timeoutMs: RESPONSE_MS_MAX, retries: 0 });
  const mode = config.sandbox ? "sandbox" : "production";
  // Only a sandbox has test clocks; without a key it answers 401 instead of 404.
  const serverMode = await client.clocks.list().then(
    () => "sandbox",
    ({ status }: { readonly status?: number }) => (status === 404 ? "production" : "sandbox"),
  );
  if (serverMode !== mode) return `in MODE=${serverMode}, but MODE is ${mode} here`;
  const { data } = await client.tenders.list({ descending: true, limit: 1, mode: "_all_" });
  const where = config.databaseUrl ? "DATABASE_URL" : "DATA_DIR";
  return (await isSameRegistry(config, data[0]?.id)) ? undefined : `with another registry than the one in ${where}`;
}

/** Whether the newest tender of the server is in the configured store. Two empty registries count as the same. */
async function isSameRegistry(config: Config, id: string | undefined): Promise<boolean> {
  if (!mayHaveRegistry(config)) return false;
  const store = await openReadOnly(config);
  try {
    if (id) return (await store.find(id)) !== undefined;
    return (await store.feed({ modes: "all", descending: true, beyond: undefined, limit: 1 })).length === 0;
  } finally {
    await store.close();
  }
}

const portProblem = (host: string, port: number): Promise<string | undefined> =>
  new Promise((done) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => done(undefined)));
  });

const RESPONSE_MS_MAX = 5000;
const checkHealth = async (url: string): Promise<HealthStatus> =>
  URL.canParse(url) ? openClient({ url, timeoutMs: RESPONSE_MS_MAX }).health.check() : { ok: false, status: 0 };

const isServed = async (url: string): Promise<boolean> => (await checkHealth(url)).requestId !== undefined;

/** The `Date` header has whole seconds, so the middle of that second is compared with the middle of the request. */
async function checkServer(url: string, isExplicit: boolean): Promise<Finding> {
  const startedAt = Date.now();
  const { ok, status, date = "" } = await checkHealth(url);
  const middle = (startedAt + Date.now()) / 2;
  if (status === 0) {
    const found = `no response from ${url}`;
    return isExplicit
      ? wrong("server", found, "check that the server runs and that this is its address")
      : note("server", found, "to start it: npx --no-install tenderhall serve; to check another one, use --url");
  }
  if (!ok) return wrong("server", `${url} responds with ${status}`, "see the log of the server");
  const serverTime = Date.parse(date) + 500;
  if (Number.isNaN(serverTime)) return note("server", `${url} responds without a Date header`);
  const ahead = Math.round(serverTime - middle);
  return Math.abs(ahead) <= SKEW_NOTE_MS
    ? fine("server", `${url} responds; its clock agrees with this machine to a second`)
    : clockFinding("server", `${url} responds; its clock`, ahead);
}
