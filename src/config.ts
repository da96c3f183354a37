import { lookup } from "node:dns/promises";
import type { SizeLimits } from "./domain/sizeLimits.ts";
import type { Zone } from "./domain/time.ts";
import { documentsOf, type S3Place } from "./files/documentsUrl.ts";
import { type Accounts, accountsOf } from "./http/accountsFile.ts";
import { sizesOf } from "./registry/capacity.ts";
import { databaseOf, dataDirOf, hostOf, publicUrlOf, zoneOf } from "./settingChecks.ts";

/** Everything that can be set, each with its default: the one place that reads the environment. */

type Setting = { readonly name: string; readonly fallback: string; readonly means: string };

const MIB = 1024 * 1024;

export const SETTINGS: readonly Setting[] = [
  { name: "PORT", fallback: "8080", means: "port to listen on; 0 takes a free one" },
  { name: "HOST", fallback: "127.0.0.1", means: "address to listen on" },
  { name: "DATA_DIR", fallback: "./data", means: "folder of the database and the documents" },
  {
    name: "DATABASE_URL",
    fallback: "",
    means: "postgres://user:password@host:port/database; default: SQLite in DATA_DIR",
  },
  {
    name: "DATABASE_READ_URL",
    fallback: "",
    means: "a replica of DATABASE_URL to read from; what it lacks is read from DATABASE_URL",
  },
  {
    name: "DATABASE_WAIT_SECONDS",
    fallback: "",
    means: "how long to wait at start for PostgreSQL to accept connections; 0 does not wait; default: without limit",
  },
  { name: "WORKERS", fallback: "1", means: "processes that serve on this machine" },
  {
    name: "DOCUMENTS_URL",
    fallback: "",
    means:
      "documents in S3: s3://bucket/prefix?endpoint=...&region=...[&download=redirect], with AWS_ACCESS_KEY_ID and " +
      "AWS_SECRET_ACCESS_KEY; default: in DATA_DIR",
  },
  { name: "PUBLIC_URL", fallback: "", means: "how clients reach the service; default: what the request's Host says" },
  { name: "TIMEZONE", fallback: "Europe/Kyiv", means: "zone of times without an offset, and of all times shown" },
  { name: "MODE", fallback: "sandbox", means: "sandbox (well-known keys) or production (keys of ACCOUNTS_FILE)" },
  { name: "ACCOUNTS_FILE", fallback: "", means: "JSON file of accounts with hashed keys (see tenderhall account)" },
  {
    name: "SANDBOX_PUBLIC",
    fallback: "",
    means: "1 lets others reach a sandbox, which then sends webhooks to public addresses only",
  },
  {
    name: "TRUST_PROXY",
    fallback: "0",
    means: "how many proxies stand in front, each adding the address it saw to X-Forwarded-For",
  },
  { name: "JSON_BYTES_MAX", fallback: String(2 * MIB), means: "largest JSON body" },
  { name: "JSON_VALUES_MAX", fallback: "250000", means: "most values in a JSON body" },
  {
    name: "BODIES_BYTES_MAX",
    fallback: String(128 * MIB),
    means: "bytes of JSON bodies that have arrived and whose requests are not answered yet, in each process",
  },
  { name: "BODIES_PER_ACCOUNT_BYTES_MAX", fallback: String(32 * MIB), means: "of those, most for each account" },
  { name: "FILE_BYTES_MAX", fallback: String(256 * MIB), means: "largest document" },
  {
    name: "PENDING_UPLOADS_MAX",
    fallback: "5000",
    means: "most uploads of an account that wait in the document service to be attached; 0 is unlimited",
  },
  {
    name: "PENDING_UPLOAD_BYTES_MAX",
    fallback: String(64 * 1024 * MIB),
    means: "most bytes of those; 0 is unlimited",
  },
  { name: "TEXT_BYTES_MAX", fallback: String(64 * 1024), means: "longest text of one field" },
  { name: "LIST_MAX", fallback: "1000", means: "longest list in a body" },
  { name: "BIDS_PER_ACCOUNT_MAX", fallback: "1000", means: "most bids of one account on one tender" },
  {
    name: "BID_BYTES_PER_ACCOUNT_MAX",
    fallback: "",
    means:
      "most bytes of all bids of one account on one tender; default: 67108864, but at most half of what " +
      "STORED_TENDER_BYTES_MAX leaves for bids",
  },
  {
    name: "TENDER_BYTES_MAX",
    fallback: "",
    means:
      "most bytes of a tender, not counting its bids; default: 16777216, but at most a quarter of STORED_TENDER_BYTES_MAX",
  },
  {
    name: "STORED_TENDER_BYTES_MAX",
    fallback: "",
    means: "most bytes of a tender with all its bids; default: an eighth of Node's heap limit, at most 268435456",
  },
  {
    name: "COMMIT_BYTES_MAX",
    fallback: String(32 * MIB),
    means: "most bytes in one commit; further changes wait for the next",
  },
  { name: "PAGE_DEFAULT", fallback: "100", means: "entries on a page of the feed" },
  { name: "PAGE_MAX", fallback: "1000", means: "most entries that `limit` may ask for" },
  {
    name: "RATE_LIMIT_PER_MINUTE",
    fallback: "",
    means: "requests a minute for each key and each address; 0 is unlimited; default: 6000, in the sandbox 0",
  },
  {
    name: "IDEMPOTENCY_BYTES_MAX",
    fallback: String(1024 * MIB),
    means: "most bytes of idempotency records for each account within a day",
  },
  {
    name: "WEBHOOK_BYTES_MAX",
    fallback: String(64 * MIB),
    means:
      "most bytes of changes that wait for delivery to the webhooks of an account, and most bytes of its finished deliveries that are listed",
  },
  { name: "REQUEST_SECONDS_MAX", fallback: "600", means: "longest that a request may take to arrive" },
  { name: "SHUTDOWN_SECONDS", fallback: "30", means: "how long the end waits for requests in flight" },
  {
    name: "DRAIN_SECONDS",
    fallback: "0",
    means: "how long a server that is told to end still listens, with /health/ready at 503",
  },
  { name: "STREAMS_MAX", fallback: "10000", means: "most streams of changes at once, in each process" },
  {
    name: "STREAMS_PER_CLIENT_MAX",
    fallback: "",
    means: "of those, most for each key and each address; 0 is unlimited; default: 100, in the sandbox 0",
  },
  {
    name: "STREAM_QUERIES_PER_CLIENT_MAX",
    fallback: "20",
    means:
      "most different combinations of filters and fields among the open streams of one key or address; 0 is unlimited",
  },
  {
    name: "STREAM_STALL_SECONDS",
    fallback: "30",
    means: "a stream whose reader takes nothing for this long is cut off",
  },
  { name: "STREAM_BEAT_SECONDS", fallback: "15", means: "how often a stream says that it is still there" },
  { name: "CACHE_BYTES_MAX", fallback: String(32 * MIB), means: "memory for recently used tenders, in each process" },
  {
    name: "COMPRESSION",
    fallback: "on",
    means:
      "on: longer responses are compressed for clients that accept it; off: no compression, for example because a proxy does it",
  },
  {
    name: "METRICS",
    fallback: "local",
    means:
      "who reads /metrics: local (this machine, and keys of metrics and admins), public (everybody) or off (nobody)",
  },
  { name: "LOG", fallback: "on", means: "on: a JSON line for each request; off: only what goes wrong" },
  {
    name: "LOG_ADDRESSES",
    fallback: "off",
    means: "on: request lines have the client's address (see TRUST_PROXY), except for bids in sealed tenders",
  },
  {
    name: "LOG_HEALTH",
    fallback: "off",
    means: "on: a line for each health probe, too; off: only for those that fail",
  },
];

export type Limits = {
  readonly jsonBytesMax: number;
  readonly jsonValuesMax: number;
  readonly fileBytesMax: number;
  readonly pendingUploadsMax: number;
  readonly pendingUploadBytesMax: number;
  readonly textBytesMax: number;
  readonly listMax: number;
  readonly pageDefault: number;
  readonly pageMax: number;
  readonly ratePerMinute: number;
  readonly idempotencyBytesMax: number;
  readonly webhookBytesMax: number;
};

export type StreamLimits = {
  readonly max: number;
  readonly maxEach: number;
  readonly queriesMaxEach: number;
  readonly stallSeconds: number;
  readonly beatSeconds: number;
};

export type LogSettings = { readonly addresses: boolean; readonly health: boolean };
export type BodyLimits = { readonly bytesMax: number; readonly bytesPerAccountMax: number };

export type Config = {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** The PostgreSQL, if it is not SQLite in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databaseReadUrl: string | undefined;
  /** How long a start waits for PostgreSQL; may be infinite. */
  readonly databaseWaitSeconds: number;
  readonly workers: number;
  /** Where documents are, if not in `dataDir`. */
  readonly documents: S3Place | undefined;
  readonly publicUrl: string | undefined;
  readonly zone: Zone;
  readonly sandbox: boolean;
  /** A sandbox that nobody can reach but this machine. */
  readonly onlyHere: boolean;
  readonly accounts: Accounts["accounts"];
  readonly keyHashes: Accounts["keyHashes"];
  /** Where they are kept, if they are not those that everybody knows. */
  readonly accountsFile: string | undefined;
  readonly limits: Limits;
  readonly bodies: BodyLimits;
  /** How large tenders may become. */
  readonly sizes: SizeLimits;
  readonly commitBytesMax: number;
  readonly streams: StreamLimits;
  readonly trustedProxies: number;
  readonly requestSecondsMax: number;
  readonly shutdownSeconds: number;
  readonly drainSeconds: number;
  readonly cacheBytesMax: number;
  readonly compresses: boolean;
  readonly metrics: "local" | "public" | "off";
  readonly logsRequests: boolean;
  readonly logs: LogSettings;
};

export type Environment = { readonly [name: string]: string | undefined };

/** The settings, or everything that is wrong with them. */
export function configOf(environment: Environment): Config | readonly string[] {
  const problems: string[] = [];
  const { text, whole, choice } = openSettings(environment, problems);
  const sandbox = choice("MODE", "sandbox", "production") === "sandbox";
  const isOpen = choice("SANDBOX_PUBLIC", "", "0", "1") === "1";
  const config: Config = {
    port: whole("PORT", 0, 65535),
    host: hostOf(text("HOST"), sandbox && !isOpen, problems),
    dataDir: dataDirOf(text("DATA_DIR"), problems),
    databaseUrl: databaseOf("DATABASE_URL", text("DATABASE_URL"), problems),
    databaseReadUrl: databaseOf("DATABASE_READ_URL", text("DATABASE_READ_URL"), problems),
    databaseWaitSeconds: whole("DATABASE_WAIT_SECONDS", 0, 1_000_000_000, Number.POSITIVE_INFINITY),
    workers: whole("WORKERS", 1, 128),
    documents: documentsOf(text("DOCUMENTS_URL"), environment, problems),
    publicUrl: publicUrlOf(text("PUBLIC_URL"), problems),
    zone: zoneOf(text("TIMEZONE"), problems),
    sandbox,
    onlyHere: sandbox && !isOpen,
    ...accountsOf(text("ACCOUNTS_FILE"), sandbox, problems),
    accountsFile: text("ACCOUNTS_FILE") || undefined,
    limits: {
      jsonBytesMax: whole("JSON_BYTES_MAX", 1024, 1024 * MIB),
      jsonValuesMax: whole("JSON_VALUES_MAX", 1000, 1_000_000_000),
      fileBytesMax: whole("FILE_BYTES_MAX", 1, 1024 * 1024 * MIB),
      pendingUploadsMax: whole("PENDING_UPLOADS_MAX", 0, 1_000_000),
      pendingUploadBytesMax: whole("PENDING_UPLOAD_BYTES_MAX", 0, Number.MAX_SAFE_INTEGER),
      textBytesMax: whole("TEXT_BYTES_MAX", 1, 1024 * MIB),
      listMax: whole("LIST_MAX", 1, 1_000_000),
      pageDefault: whole("PAGE_DEFAULT", 1, 100_000),
      pageMax: whole("PAGE_MAX", 1, 100_000),
      ratePerMinute: whole("RATE_LIMIT_PER_MINUTE", 0, 1_000_000_000, sandbox ? 0 : 6000),
      idempotencyBytesMax: whole("IDEMPOTENCY_BYTES_MAX", 1024, 1024 * 1024 * MIB),
      webhookBytesMax: whole("WEBHOOK_BYTES_MAX", 1024, 1024 * 1024 * MIB),
    },
    bodies: {
      bytesMax: whole("BODIES_BYTES_MAX", 1024, 1024 * 1024 * MIB),
      bytesPerAccountMax: whole("BODIES_PER_ACCOUNT_BYTES_MAX", 1024, 1024 * 1024 * MIB),
    },
    sizes: sizesOf(whole),
    commitBytesMax: whole("COMMIT_BYTES_MAX", 1024, 1024 * MIB),
    streams: {
      max: whole("STREAMS_MAX", 0, 1_000_000),
      maxEach: whole("STREAMS_PER_CLIENT_MAX", 0, 1_000_000, sandbox ? 0 : 100),
      queriesMaxEach: whole("STREAM_QUERIES_PER_CLIENT_MAX", 0, 1_000_000),
      stallSeconds: whole("STREAM_STALL_SECONDS", 1, 86_400),
      beatSeconds: whole("STREAM_BEAT_SECONDS", 1, 3600),
    },
    trustedProxies: whole("TRUST_PROXY", 0, 100),
    shutdownSeconds: whole("SHUTDOWN_SECONDS", 0, 86_400),
    drainSeconds: whole("DRAIN_SECONDS", 0, 3600),
    requestSecondsMax: whole("REQUEST_SECONDS_MAX", 1, 86_400),
    cacheBytesMax: whole("CACHE_BYTES_MAX", 0, 1024 * 1024 * MIB),
    compresses: choice("COMPRESSION", "on", "off") === "on",
    metrics: choice("METRICS", "local", "public", "off"),
    logsRequests: choice("LOG", "on", "off") === "on",
    logs: {
      addresses: choice("LOG_ADDRESSES", "on", "off") === "on",
      health: choice("LOG_HEALTH", "on", "off") === "on",
    },
  };
  if (config.limits.pageDefault > config.limits.pageMax) problems.push("PAGE_DEFAULT must not exceed PAGE_MAX");
  if (config.bodies.bytesPerAccountMax < config.limits.jsonBytesMax)
    problems.push("BODIES_PER_ACCOUNT_BYTES_MAX must not be less than JSON_BYTES_MAX");
  if (config.bodies.bytesMax < config.bodies.bytesPerAccountMax)
    problems.push("BODIES_BYTES_MAX must not be less than BODIES_PER_ACCOUNT_BYTES_MAX");
  if (config.databaseReadUrl && !config.databaseUrl) problems.push("DATABASE_READ_URL needs DATABASE_URL beside it");
  return problems.length > 0 ? problems : config;
}

/** As `configOf`, and asks whether the host is known, which may take a moment. */
export async function checkedConfigOf(environment: Environment): Promise<Config | readonly string[]> {
  const config = configOf(environment);
  const host = textOf(environment, "HOST");
  try {
    await lookup(host.replace(/^\[|\]$/g, ""));
    return config;
  } catch (error) {
    const problem = `HOST ${host} is not known to this machine (${(error as NodeJS.ErrnoException).code})`;
    return "port" in config ? [problem] : [...config, problem];
  }
}

function textOf(environment: Environment, name: string): string {
  const setting = SETTINGS.find((one) => one.name === name)!;
  return environment[name]?.trim() || setting.fallback;
}

/** Reads by name; what is wrong goes to `problems`, so that all of it can be told at once. */
function openSettings(environment: Environment, problems: string[]) {
  const text = (name: string) => textOf(environment, name);
  const whole = (name: string, min: number, max: number, fallback = 0): number => {
    const value = text(name);
    if (value === "") return fallback;
    if (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    problems.push(`${name} must be a whole number from ${min} to ${max}, not "${value}"`);
    return min;
  };
  const choice = <Choice extends string>(name: string, ...choices: readonly Choice[]): Choice => {
    if (!choices.some((one) => one === text(name)))
      problems.push(`${name} must be ${choices.filter(Boolean).join(" or ")}, not "${text(name)}"`);
    return text(name) as Choice;
  };
  return { text, whole, choice };
}
