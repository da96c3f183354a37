/** Every setting with its default and what it means; `docs/settings.md` and `tenderhall --help` are generated from here. */

export type Setting = { readonly name: string; readonly fallback: string; readonly description: string };

const MIB = 1024 * 1024;

export const SETTINGS: readonly Setting[] = [
  { name: "PORT", fallback: "8080", description: "port to listen on; 0 takes a free one" },
  { name: "HOST", fallback: "127.0.0.1", description: "address to listen on" },
  { name: "DATA_DIR", fallback: "./data", description: "folder of the database and the documents" },
  {
    name: "DATABASE_URL",
    fallback: "",
    description: "postgres://user:password@host:port/database; default: SQLite in DATA_DIR",
  },
  {
    name: "DATABASE_READ_URL",
    fallback: "",
    description: "a replica of DATABASE_URL to read from; what it lacks is read from DATABASE_URL",
  },
  {
    name: "DATABASE_WAIT_SECONDS",
    fallback: "",
    description:
      "how long to wait at start for PostgreSQL to accept connections; 0 does not wait; default: without limit",
  },
  { name: "WORKERS", fallback: "1", description: "processes that serve on this machine" },
  {
    name: "DOCUMENTS_URL",
    fallback: "",
    description:
      "documents in S3: s3://bucket/prefix?endpoint=...&region=...[&download=redirect], with AWS_ACCESS_KEY_ID and " +
      "AWS_SECRET_ACCESS_KEY; default: in DATA_DIR",
  },
  {
    name: "PUBLIC_URL",
    fallback: "",
    description: "how clients reach the service; default: what the request's Host says",
  },
  { name: "TIMEZONE", fallback: "Europe/Kyiv", description: "zone of times without an offset, and of all times shown" },
  { name: "MODE", fallback: "sandbox", description: "sandbox (well-known keys) or production (keys of ACCOUNTS_FILE)" },
  {
    name: "ACCOUNTS_FILE",
    fallback: "",
    description: "JSON file of accounts with hashed keys (see tenderhall account)",
  },
  {
    name: "SANDBOX_PUBLIC",
    fallback: "",
    description: "1 lets others reach a sandbox, which then sends webhooks to public addresses only",
  },
  {
    name: "TRUST_PROXY",
    fallback: "0",
    description: "how many proxies stand in front, each adding the address it saw to X-Forwarded-For",
  },
  { name: "JSON_BYTES_MAX", fallback: String(2 * MIB), description: "largest JSON body" },
  { name: "JSON_VALUES_MAX", fallback: "250000", description: "most values in a JSON body" },
  {
    name: "BODIES_BYTES_MAX",
    fallback: String(128 * MIB),
    description: "bytes of JSON bodies that have arrived and whose requests are not answered yet, in each process",
  },
  { name: "BODIES_PER_ACCOUNT_BYTES_MAX", fallback: String(32 * MIB), description: "of those, most for each account" },
  { name: "FILE_BYTES_MAX", fallback: String(256 * MIB), description: "largest document" },
  {
    name: "PENDING_UPLOADS_MAX",
    fallback: "5000",
    description: "most uploads of an account that wait in the document service to be attached; 0 is unlimited",
  },
  {
    name: "PENDING_UPLOAD_BYTES_MAX",
    fallback: String(64 * 1024 * MIB),
    description: "most bytes of those; 0 is unlimited",
  },
  { name: "TEXT_BYTES_MAX", fallback: String(64 * 1024), description: "longest text of one field" },
  { name: "LIST_MAX", fallback: "1000", description: "longest list in a body" },
  { name: "BIDS_PER_ACCOUNT_MAX", fallback: "1000", description: "most bids of one account on one tender" },
  {
    name: "BID_BYTES_PER_ACCOUNT_MAX",
    fallback: "",
    description:
      "most bytes of all bids of one account on one tender; default: 67108864, but at most half of what " +
      "STORED_TENDER_BYTES_MAX leaves for bids",
  },
  {
    name: "TENDER_BYTES_MAX",
    fallback: "",
    description:
      "most bytes of a tender, not counting its bids; default: 16777216, but at most a quarter of STORED_TENDER_BYTES_MAX",
  },
  {
    name: "STORED_TENDER_BYTES_MAX",
    fallback: "",
    description: "most bytes of a tender with all its bids; default: an eighth of Node's heap limit, at most 268435456",
  },
  {
    name: "COMMIT_BYTES_MAX",
    fallback: String(32 * MIB),
    description: "most bytes in one commit; further changes wait for the next",
  },
  { name: "PAGE_DEFAULT", fallback: "100", description: "entries on a page of the feed" },
  { name: "PAGE_MAX", fallback: "1000", description: "most entries that `limit` may ask for" },
  {
    name: "RATE_LIMIT_PER_MINUTE",
    fallback: "",
    description: "requests a minute for each key and each address; 0 is unlimited; default: 6000, in the sandbox 0",
  },
  {
    name: "IDEMPOTENCY_BYTES_MAX",
    fallback: String(1024 * MIB),
    description: "most bytes of idempotency records for each account within a day",
  },
  {
    name: "WEBHOOK_BYTES_MAX",
    fallback: String(64 * MIB),
    description:
      "most bytes of changes that wait for delivery to the webhooks of an account, and most bytes of its finished deliveries that are listed",
  },
  { name: "REQUEST_SECONDS_MAX", fallback: "600", description: "longest that a request may take to arrive" },
  { name: "SHUTDOWN_SECONDS", fallback: "30", description: "how long the end waits for requests in flight" },
  {
    name: "DRAIN_SECONDS",
    fallback: "0",
    description: "how long a server that is told to end still listens, with /health/ready at 503",
  },
  { name: "STREAMS_MAX", fallback: "10000", description: "most streams of changes at once, in each process" },
  {
    name: "STREAMS_PER_CLIENT_MAX",
    fallback: "",
    description: "of those, most for each key and each address; 0 is unlimited; default: 100, in the sandbox 0",
  },
  {
    name: "STREAM_QUERIES_PER_CLIENT_MAX",
    fallback: "20",
    description:
      "most different combinations of filters and fields among the open streams of one key or address; 0 is unlimited",
  },
  {
    name: "STREAM_STALL_SECONDS",
    fallback: "30",
    description: "a stream whose reader takes nothing for this long is cut off",
  },
  { name: "STREAM_BEAT_SECONDS", fallback: "15", description: "how often a stream says that it is still there" },
  {
    name: "CACHE_BYTES_MAX",
    fallback: String(32 * MIB),
    description: "memory for recently used tenders, in each process",
  },
  {
    name: "COMPRESSION",
    fallback: "on",
    description:
      "on: longer responses are compressed for clients that accept it; off: no compression, for example because a proxy does it",
  },
  {
    name: "METRICS",
    fallback: "local",
    description:
      "who reads /metrics: local (this machine, and keys of metrics and admins), public (everybody) or off (nobody)",
  },
  { name: "LOG", fallback: "on", description: "on: a JSON line for each request; off: only what goes wrong" },
  {
    name: "LOG_ADDRESSES",
    fallback: "off",
    description: "on: request lines have the client's address (see TRUST_PROXY), except for bids in sealed tenders",
  },
  {
    name: "LOG_HEALTH",
    fallback: "off",
    description: "on: a line for each health probe, too; off: only for those that fail",
  },
];
