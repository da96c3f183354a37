/** A setting of the service: an environment variable. */
export type Setting = {
  readonly name: string;
  /** The default; empty if it is not a constant, in which case the description gives it. */
  readonly fallback: string;
  /** One or more sentences, with the unit. */
  readonly description: string;
};

const MIB = 1024 * 1024;

/** All settings. `docs/settings.md` and `tenderhall serve --help` are generated from this list. */
export const SETTINGS: readonly Setting[] = [
  { name: "PORT", fallback: "8080", description: "The TCP port to listen on. 0 chooses a free port." },
  { name: "HOST", fallback: "127.0.0.1", description: "The address or host name to listen on." },
  {
    name: "DATA_DIR",
    fallback: "./data",
    description: "The folder for the SQLite database, the documents and the audit log.",
  },
  {
    name: "DATABASE_URL",
    fallback: "",
    description:
      "The PostgreSQL database, as postgres://user:password@host:port/database. Default: SQLite in DATA_DIR.",
  },
  {
    name: "DATABASE_READ_URL",
    fallback: "",
    description:
      "A streaming replica of DATABASE_URL to read from. Data that it does not have yet is read from DATABASE_URL. " +
      "Default: none.",
  },
  {
    name: "DATABASE_WAIT_SECONDS",
    fallback: "",
    description:
      "How many seconds to wait at startup for PostgreSQL to accept connections. 0 does not wait. Default: no limit.",
  },
  { name: "WORKERS", fallback: "1", description: "The number of processes that serve requests on this machine." },
  {
    name: "DOCUMENTS_URL",
    fallback: "",
    description:
      "Where to store documents in S3, as s3://bucket/prefix?endpoint=...&region=...[&download=redirect], with " +
      "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Default: files in DATA_DIR.",
  },
  {
    name: "PUBLIC_URL",
    fallback: "",
    description:
      "The base URL under which clients reach the service. Default: taken from the Host header of each request.",
  },
  {
    name: "TIMEZONE",
    fallback: "Europe/Kyiv",
    description: "The time zone of times that are sent without an offset, and of all times in responses.",
  },
  {
    name: "MODE",
    fallback: "sandbox",
    description: "sandbox (with well-known API keys) or production (with the keys of ACCOUNTS_FILE).",
  },
  {
    name: "ACCOUNTS_FILE",
    fallback: "",
    description:
      "The JSON file with the accounts and the hashes of their API keys (see tenderhall account). Required in production.",
  },
  {
    name: "SANDBOX_PUBLIC",
    fallback: "",
    description:
      "1 allows a sandbox to listen on an address that other machines can reach. It then sends webhooks to public addresses only.",
  },
  {
    name: "TRUST_PROXY",
    fallback: "0",
    description:
      "The number of reverse proxies in front of the service, each of which appends the client's address to X-Forwarded-For.",
  },
  { name: "JSON_BYTES_MAX", fallback: String(2 * MIB), description: "The maximum size of a JSON body, in bytes." },
  { name: "JSON_VALUES_MAX", fallback: "250000", description: "The maximum number of values in a JSON body." },
  {
    name: "BODIES_BYTES_MAX",
    fallback: String(128 * MIB),
    description: "The maximum size of all JSON bodies of requests in progress, in bytes, in each process.",
  },
  {
    name: "BODIES_PER_ACCOUNT_BYTES_MAX",
    fallback: String(32 * MIB),
    description: "The maximum size of all JSON bodies of an account's requests in progress, in bytes, in each process.",
  },
  { name: "FILE_BYTES_MAX", fallback: String(256 * MIB), description: "The maximum size of a document, in bytes." },
  {
    name: "PENDING_UPLOADS_MAX",
    fallback: "5000",
    description:
      "The maximum number of an account's uploads in the document service that are not attached yet. 0 is unlimited.",
  },
  {
    name: "PENDING_UPLOAD_BYTES_MAX",
    fallback: String(64 * 1024 * MIB),
    description: "The maximum size of all those uploads of an account, in bytes. 0 is unlimited.",
  },
  {
    name: "TEXT_BYTES_MAX",
    fallback: String(64 * 1024),
    description: "The maximum size of a text field, in bytes of UTF-8.",
  },
  { name: "LIST_MAX", fallback: "1000", description: "The maximum number of elements of a list in a JSON body." },
  {
    name: "BIDS_PER_ACCOUNT_MAX",
    fallback: "1000",
    description: "The maximum number of bids of one account on one tender.",
  },
  {
    name: "BID_BYTES_PER_ACCOUNT_MAX",
    fallback: "",
    description:
      "The maximum size of all bids of one account on one tender, in bytes. Default: 67108864, but at most half of what " +
      "STORED_TENDER_BYTES_MAX leaves for bids.",
  },
  {
    name: "TENDER_BYTES_MAX",
    fallback: "",
    description:
      "The maximum size of a tender without its bids, in bytes. Default: 16777216, but at most a quarter of " +
      "STORED_TENDER_BYTES_MAX.",
  },
  {
    name: "STORED_TENDER_BYTES_MAX",
    fallback: "",
    description:
      "The maximum size of a tender with all its bids, in bytes. Default: an eighth of Node's heap limit, but at most " +
      "268435456.",
  },
  {
    name: "COMMIT_BYTES_MAX",
    fallback: String(32 * MIB),
    description: "The maximum size of one commit, in bytes. Further changes wait for the next commit.",
  },
  { name: "PAGE_DEFAULT", fallback: "100", description: "The number of entries on a page of the feed." },
  { name: "PAGE_MAX", fallback: "1000", description: "The maximum value of the parameter `limit`, in entries." },
  {
    name: "RATE_LIMIT_PER_MINUTE",
    fallback: "",
    description:
      "The maximum number of requests per minute, for each API key and for each address. 0 is unlimited. Default: 6000; " +
      "in the sandbox 0.",
  },
  {
    name: "IDEMPOTENCY_BYTES_MAX",
    fallback: String(1024 * MIB),
    description: "The maximum size of an account's idempotency records of one day, in bytes.",
  },
  {
    name: "WEBHOOK_BYTES_MAX",
    fallback: String(64 * MIB),
    description:
      "The maximum size of an account's pending webhook deliveries, in bytes. The same limit applies to its finished " +
      "deliveries that are listed.",
  },
  {
    name: "REQUEST_SECONDS_MAX",
    fallback: "600",
    description: "How many seconds a request may take to arrive completely.",
  },
  {
    name: "SHUTDOWN_SECONDS",
    fallback: "30",
    description: "How many seconds a shutdown waits for requests in progress.",
  },
  {
    name: "DRAIN_SECONDS",
    fallback: "0",
    description:
      "How many seconds to keep accepting connections after SIGTERM, while /health/ready returns 503, so that load " +
      "balancers can react.",
  },
  {
    name: "STREAMS_MAX",
    fallback: "10000",
    description: "The maximum number of open change streams in each process.",
  },
  {
    name: "STREAMS_PER_CLIENT_MAX",
    fallback: "",
    description:
      "The maximum number of open change streams for each API key and for each address, in each process. 0 is unlimited. " +
      "Default: 100; in the sandbox 0.",
  },
  {
    name: "STREAM_QUERIES_PER_CLIENT_MAX",
    fallback: "20",
    description:
      "The maximum number of different combinations of filters and fields among the open streams of one API key or address. " +
      "0 is unlimited.",
  },
  {
    name: "STREAM_STALL_SECONDS",
    fallback: "30",
    description: "After how many seconds without reading anything the client of a stream is disconnected.",
  },
  {
    name: "STREAM_BEAT_SECONDS",
    fallback: "15",
    description: "How often a stream without changes sends a heartbeat, in seconds.",
  },
  {
    name: "CACHE_BYTES_MAX",
    fallback: String(32 * MIB),
    description: "The size of the cache of recently used tenders, in bytes of memory, in each process.",
  },
  {
    name: "COMPRESSION",
    fallback: "on",
    description:
      "on compresses long responses for clients that accept it. off does not, for example because a proxy compresses.",
  },
  {
    name: "METRICS",
    fallback: "local",
    description:
      "Who may read /metrics: local (this machine, and API keys of the groups metrics and admins), public (everybody) or " +
      "off (nobody).",
  },
  {
    name: "LOG",
    fallback: "on",
    description: "on writes a JSON line to the log for each request. off logs errors only.",
  },
  {
    name: "LOG_ADDRESSES",
    fallback: "off",
    description:
      "on logs the client's address with each request (see TRUST_PROXY), except for requests about bids of sealed tenders.",
  },
  {
    name: "LOG_HEALTH",
    fallback: "off",
    description: "on logs every health probe. off logs only those that fail.",
  },
];
