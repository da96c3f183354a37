import { LANGUAGES } from "../base/languages.ts";
import { OPEN_DATA_SECTION } from "./openDataSettings.ts";

/** Every setting with its default and what it means; `docs/settings.md` and `tenderhall help serve` are generated from here. */

export type Setting = {
  readonly name: string;
  /** The default, if it is a fixed text. */
  readonly fallback: string;
  readonly description: string;
  /** Where the documentation says more, below `docs/`. */
  readonly more?: string;
};

/** Settings of one topic, with the sentence that introduces them in `docs/settings.md`. */
export type SettingSection = {
  readonly title: string;
  readonly about: string;
  readonly settings: readonly Setting[];
};

const MIB = 1024 * 1024;

const SERVER: SettingSection = {
  title: "Server",
  about: "Where the service listens, how clients reach it, and how it stops.",
  settings: [
    { name: "PORT", fallback: "8080", description: "port to listen on; 0 picks a free one" },
    { name: "HOST", fallback: "127.0.0.1", description: "address to listen on" },
    {
      name: "PUBLIC_URL",
      fallback: "",
      description: "URL under which clients reach the service; default: the request's Host header",
    },
    {
      name: "TRUST_PROXY",
      fallback: "0",
      description: "number of proxies in front of the service, each of which appends an address to X-Forwarded-For",
      more: "guides/going-to-production.md#5-proxy",
    },
    {
      name: "WORKERS",
      fallback: "1",
      description: "number of server processes on this machine",
      more: "scale.md#on-one-machine",
    },
    {
      name: "LANGUAGE",
      fallback: "uk",
      description: `language of pages whose path names none: ${LANGUAGES.join(" or ")}`,
    },
    { name: "SITE_NAME", fallback: "Tenderhall", description: "name of the site in its header, titles and feeds" },
    { name: "OPERATOR", fallback: "", description: "who runs the site, as its footer and the page /about name them" },
    {
      name: "CONTACT",
      fallback: "",
      description: "where readers of the site write to: an email address, or the address of a web page",
    },
    { name: "TIMEZONE", fallback: "Europe/Kyiv", description: "time zone of input without an offset, and of output" },
    {
      name: "COMPRESSION",
      fallback: "on",
      description:
        "on: compresses longer responses for clients that accept it; off: never, for example if a proxy does",
      more: "guides/going-to-production.md#5-proxy",
    },
    { name: "REQUEST_SECONDS_MAX", fallback: "600", description: "longest time that a request may take to arrive" },
    {
      name: "SHUTDOWN_SECONDS",
      fallback: "30",
      description: "how long a shutdown waits for requests in progress",
      more: "operations.md#health",
    },
    {
      name: "DRAIN_SECONDS",
      fallback: "0",
      description: "how long to keep accepting connections after SIGTERM, with /health/ready at 503",
      more: "operations.md#health",
    },
  ],
};

const ACCESS: SettingSection = {
  title: "Access",
  about: "Who may use the service.",
  settings: [
    { name: "MODE", fallback: "sandbox", description: "sandbox (public keys) or production (keys from ACCOUNTS_FILE)" },
    {
      name: "ACCOUNTS_FILE",
      fallback: "",
      description: "JSON file of accounts with hashed keys (see tenderhall account)",
      more: "operations.md#accounts",
    },
    {
      name: "SANDBOX_PUBLIC",
      fallback: "",
      description: "1 lets other machines reach a sandbox, which then sends webhooks to public addresses only",
    },
    {
      name: "RATE_LIMIT_PER_MINUTE",
      fallback: "",
      description:
        "requests a minute for each key and each address, counted in each process; 0 is unlimited; default: 6000, in the sandbox 0",
    },
  ],
};

const DATABASE: SettingSection = {
  title: "Database",
  about: "Where tenders are stored: in SQLite by default, or in PostgreSQL.",
  settings: [
    { name: "DATA_DIR", fallback: "./data", description: "folder of the database and the documents" },
    {
      name: "DATABASE_URL",
      fallback: "",
      description: "postgres://user:password@host:port/database; default: SQLite in DATA_DIR",
      more: "guides/going-to-production.md#3-database",
    },
    {
      name: "DATABASE_READ_URL",
      fallback: "",
      description: "a replica of DATABASE_URL to read from; what it does not have yet is read from DATABASE_URL",
      more: "scale.md#on-several-machines",
    },
    {
      name: "DATABASE_WAIT_SECONDS",
      fallback: "",
      description:
        "how long to wait at startup for PostgreSQL to accept connections; 0 does not wait; default: without limit",
      more: "operations.md#waiting-for-the-database",
    },
    {
      name: "COMMIT_BYTES_MAX",
      fallback: String(32 * MIB),
      description: "maximum bytes in one commit; further changes go into the next one",
    },
    {
      name: "CACHE_BYTES_MAX",
      fallback: String(32 * MIB),
      description: "memory for recently used tenders, in each process",
    },
  ],
};

const DOCUMENTS: SettingSection = {
  title: "Documents",
  about: "Where uploaded files are stored, and how many may wait to be attached.",
  settings: [
    {
      name: "DOCUMENTS_URL",
      fallback: "",
      description:
        "documents in S3: s3://bucket/prefix?endpoint=...&region=...[&download=redirect], with AWS_ACCESS_KEY_ID and " +
        "AWS_SECRET_ACCESS_KEY; default: in DATA_DIR",
      more: "operations.md#documents-in-s3",
    },
    { name: "FILE_BYTES_MAX", fallback: String(256 * MIB), description: "largest document" },
    {
      name: "PENDING_UPLOADS_MAX",
      fallback: "5000",
      description: "maximum uploads of an account in the document service that are not attached yet; 0 is unlimited",
    },
    {
      name: "PENDING_UPLOAD_BYTES_MAX",
      fallback: String(64 * 1024 * MIB),
      description: "maximum bytes of those uploads; 0 is unlimited",
    },
  ],
};

const REQUEST_LIMITS: SettingSection = {
  title: "Limits of a request",
  about: "How large a request may be. A request beyond a limit is refused with an error that names it.",
  settings: [
    { name: "JSON_BYTES_MAX", fallback: String(2 * MIB), description: "largest JSON body" },
    { name: "JSON_VALUES_MAX", fallback: "250000", description: "maximum number of values in a JSON body" },
    { name: "TEXT_BYTES_MAX", fallback: String(64 * 1024), description: "longest text of one field" },
    { name: "LIST_MAX", fallback: "1000", description: "longest list in a body" },
    {
      name: "BODIES_BYTES_MAX",
      fallback: String(128 * MIB),
      description: "bytes of JSON bodies of all requests in progress, in each process; beyond it 503",
    },
    {
      name: "BODIES_PER_ACCOUNT_BYTES_MAX",
      fallback: String(32 * MIB),
      description: "the same for one account; beyond it 429",
    },
    { name: "PAGE_DEFAULT", fallback: "100", description: "entries on a page of the feed" },
    { name: "PAGE_MAX", fallback: "1000", description: "largest `limit` of a page; with opt_fields at most 100" },
  ],
};

const STORAGE_LIMITS: SettingSection = {
  title: "Limits of a tender and an account",
  about: "How much one tender or one account may store.",
  settings: [
    { name: "BIDS_PER_ACCOUNT_MAX", fallback: "1000", description: "maximum bids of one account on one tender" },
    {
      name: "BID_BYTES_PER_ACCOUNT_MAX",
      fallback: "",
      description:
        "maximum bytes of all bids of one account on one tender; default: 67108864, but at most half of what " +
        "STORED_TENDER_BYTES_MAX leaves for bids",
    },
    {
      name: "TENDER_BYTES_MAX",
      fallback: "",
      description:
        "maximum bytes of a tender without its bids; default: 16777216, but at most a quarter of STORED_TENDER_BYTES_MAX",
    },
    {
      name: "STORED_TENDER_BYTES_MAX",
      fallback: "",
      description:
        "maximum bytes of a tender with all its bids; default: an eighth of Node's heap limit, at most 268435456",
    },
    {
      name: "IDEMPOTENCY_BYTES_MAX",
      fallback: String(1024 * MIB),
      description: "maximum bytes of an account's idempotency records of one day",
    },
  ],
};

const PUSH: SettingSection = {
  title: "Streams and webhooks",
  about: "How many clients may listen for changes, and how much may wait for them.",
  settings: [
    {
      name: "STREAMS_MAX",
      fallback: "10000",
      description: "maximum open streams, in each process",
      more: "operations.md#streams",
    },
    {
      name: "STREAMS_PER_CLIENT_MAX",
      fallback: "",
      description: "the same for each key and each address; 0 is unlimited; default: 100, in the sandbox 0",
    },
    {
      name: "STREAM_QUERIES_PER_CLIENT_MAX",
      fallback: "20",
      description:
        "maximum different combinations of filters and fields among the open streams of one key or address; 0 is unlimited",
    },
    {
      name: "STREAM_STALL_SECONDS",
      fallback: "30",
      description: "a stream whose client reads nothing for this long is closed",
    },
    { name: "STREAM_BEAT_SECONDS", fallback: "15", description: "interval between heartbeats on a stream" },
    {
      name: "WEBHOOK_BYTES_MAX",
      fallback: String(64 * MIB),
      description:
        "maximum bytes of changes that wait for the webhooks of an account, and of its finished deliveries that are listed",
      more: "operations.md#webhooks",
    },
  ],
};

const OBSERVABILITY: SettingSection = {
  title: "Metrics and logs",
  about: "What the service reports about itself.",
  settings: [
    {
      name: "METRICS",
      fallback: "local",
      description:
        "who may read /metrics: local (this machine, and keys of metrics and admins), public (everybody) or off (nobody)",
      more: "operations.md#metrics",
    },
    {
      name: "LOG",
      fallback: "on",
      description: "on: a JSON line for each request; off: only errors and warnings",
      more: "operations.md#logs",
    },
    {
      name: "LOG_ADDRESSES",
      fallback: "off",
      description: "on: request lines have the client's address (see TRUST_PROXY), except for bids in sealed tenders",
    },
    {
      name: "LOG_HEALTH",
      fallback: "off",
      description: "on: logs every health probe; off: only those that fail",
    },
  ],
};

const AUCTIONS: SettingSection = {
  title: "Auctions",
  about: "Who holds auctions, and when the service plans its own.",
  settings: [
    {
      name: "AUCTIONS",
      fallback: "builtin",
      description: "builtin: the service plans and holds auctions itself; external: other programs do, through the API",
    },
    {
      name: "AUCTION_HOURS",
      fallback: "11:00-16:00",
      description: "when auctions may start, on working days, in TIMEZONE",
    },
    { name: "AUCTION_SLOT_MINUTES", fallback: "30", description: "length of a slot" },
    { name: "AUCTION_STARTS_PER_SLOT", fallback: "10", description: "maximum number of auctions that start in a slot" },
    {
      name: "AUCTION_TURN_LOSS_SECONDS",
      fallback: "5",
      description: "a turn of which an outage of the service took more than this is given again",
    },
    {
      name: "AUCTION_OUTAGE_MINUTES_MAX",
      fallback: "10",
      description: "an outage that is longer than this ends a running auction, which is then planned again",
    },
  ],
};

export const SETTING_SECTIONS: readonly SettingSection[] = [
  SERVER,
  ACCESS,
  DATABASE,
  DOCUMENTS,
  AUCTIONS,
  REQUEST_LIMITS,
  STORAGE_LIMITS,
  PUSH,
  OPEN_DATA_SECTION,
  OBSERVABILITY,
];

export const SETTINGS: readonly Setting[] = SETTING_SECTIONS.flatMap(({ settings }) => settings);
