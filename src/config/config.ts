import { lookup } from "node:dns/promises";
import { type Accounts, loadAccounts } from "../accounts/accountsFile.ts";
import { errorCode } from "../base/errors.ts";
import { LANGUAGES, type Language } from "../base/languages.ts";
import { DEFAULT_AUCTION_SETTINGS } from "../domain/auctions/tenderAuctions.ts";
import type { SizeLimits } from "../domain/model/sizeLimits.ts";
import { MINUTE, SECOND, type Zone } from "../domain/values/time.ts";
import { parseDocumentsUrl, type S3Location } from "../files/documentsUrl.ts";
import type { BuiltinAuctions } from "../registry/auctionPlanner.ts";
import { readSizeLimits } from "../registry/capacity.ts";
import { type OpenDataSettings, readOpenData } from "./openDataSettings.ts";
import {
  checkedContact,
  checkedDatabaseUrl,
  checkedDataDir,
  checkedHost,
  checkedHours,
  checkedPublicUrl,
  checkedZone,
} from "./settingChecks.ts";
import { SETTINGS } from "./settings.ts";

const MIB = 1024 * 1024;

/** Reads the settings from the environment and checks them. No other module reads the environment. */

/** Limits on requests. `settings.ts` describes each of them. */
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

/** Limits on change streams, the numbers for each process. */
export type StreamLimits = {
  readonly max: number;
  readonly maxPerClient: number;
  readonly queriesMaxPerClient: number;
  readonly stallSeconds: number;
  readonly heartbeatSeconds: number;
};

/** Whether request lines contain addresses, and whether successful health probes are logged. */
export type LogSettings = { readonly addresses: boolean; readonly health: boolean };
/** Bytes of JSON bodies of requests in progress. */
export type BodyLimits = { readonly bytesMax: number; readonly bytesPerAccountMax: number };

/** What the pages say of the site. */
export type SiteSettings = {
  readonly name: string;
  /** Who runs it. */
  readonly operator?: string;
  /** Where readers write to: `mailto:` or the address of a page. */
  readonly contact?: string;
};

/** The checked configuration of a server. `settings.ts` describes the settings it comes from. */
export type Config = {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** The PostgreSQL database; SQLite in `dataDir` if undefined. */
  readonly databaseUrl: string | undefined;
  readonly databaseReadUrl: string | undefined;
  /** How long startup waits for PostgreSQL; may be infinite. */
  readonly databaseWaitSeconds: number;
  readonly workers: number;
  /** Where documents are stored; in `dataDir` if undefined. */
  readonly documents: S3Location | undefined;
  readonly publicUrl: string | undefined;
  readonly zone: Zone;
  /** The language of pages whose path names none. */
  readonly language: Language;
  readonly site: SiteSettings;
  /** Undefined if the registry publishes no open data yet. */
  readonly openData: OpenDataSettings | undefined;
  readonly sandbox: boolean;
  /** A sandbox that only this machine can reach. */
  readonly isLocalSandbox: boolean;
  readonly accounts: Accounts["accounts"];
  readonly keyHashes: Accounts["keyHashes"];
  /** The file of the accounts; undefined if they are the well-known ones of the sandbox. */
  readonly accountsFile: string | undefined;
  /** Undefined if other programs hold auctions. */
  readonly auctions: BuiltinAuctions | undefined;
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

/** Environment variables by name. */
export type Environment = { readonly [name: string]: string | undefined };

/** The configuration, or a list of everything that is wrong with the settings. */
export function configOf(environment: Environment): Config | readonly string[] {
  const problems: string[] = [];
  const { text, integer, choice } = openSettingReader(environment, problems);
  const sandbox = choice("MODE", "sandbox", "production") === "sandbox";
  const isPublic = choice("SANDBOX_PUBLIC", "", "0", "1") === "1";
  const config: Config = {
    port: integer("PORT", 0, 65535),
    host: checkedHost(text("HOST"), sandbox && !isPublic, problems),
    dataDir: checkedDataDir(text("DATA_DIR"), problems),
    databaseUrl: checkedDatabaseUrl("DATABASE_URL", text("DATABASE_URL"), problems),
    databaseReadUrl: checkedDatabaseUrl("DATABASE_READ_URL", text("DATABASE_READ_URL"), problems),
    databaseWaitSeconds: integer("DATABASE_WAIT_SECONDS", 0, 1_000_000_000, Number.POSITIVE_INFINITY),
    workers: integer("WORKERS", 1, 128),
    documents: parseDocumentsUrl(text("DOCUMENTS_URL"), environment, problems),
    publicUrl: checkedPublicUrl(text("PUBLIC_URL"), problems),
    zone: checkedZone(text("TIMEZONE"), problems),
    language: choice("LANGUAGE", ...LANGUAGES),
    site: readSite(text, problems),
    openData: readOpenData(text, sandbox, problems),
    sandbox,
    isLocalSandbox: sandbox && !isPublic,
    ...loadAccounts(text("ACCOUNTS_FILE"), sandbox, problems),
    accountsFile: text("ACCOUNTS_FILE") || undefined,
    auctions:
      choice("AUCTIONS", "builtin", "external") === "builtin" ? readAuctions(text, integer, problems) : undefined,
    limits: {
      jsonBytesMax: integer("JSON_BYTES_MAX", 1024, 1024 * MIB),
      jsonValuesMax: integer("JSON_VALUES_MAX", 1000, 1_000_000_000),
      fileBytesMax: integer("FILE_BYTES_MAX", 1, 1024 * 1024 * MIB),
      pendingUploadsMax: integer("PENDING_UPLOADS_MAX", 0, 1_000_000),
      pendingUploadBytesMax: integer("PENDING_UPLOAD_BYTES_MAX", 0, Number.MAX_SAFE_INTEGER),
      textBytesMax: integer("TEXT_BYTES_MAX", 1, 1024 * MIB),
      listMax: integer("LIST_MAX", 1, 1_000_000),
      pageDefault: integer("PAGE_DEFAULT", 1, 100_000),
      pageMax: integer("PAGE_MAX", 1, 100_000),
      ratePerMinute: integer("RATE_LIMIT_PER_MINUTE", 0, 1_000_000_000, sandbox ? 0 : 6000),
      idempotencyBytesMax: integer("IDEMPOTENCY_BYTES_MAX", 1024, 1024 * 1024 * MIB),
      webhookBytesMax: integer("WEBHOOK_BYTES_MAX", 1024, 1024 * 1024 * MIB),
    },
    bodies: {
      bytesMax: integer("BODIES_BYTES_MAX", 1024, 1024 * 1024 * MIB),
      bytesPerAccountMax: integer("BODIES_PER_ACCOUNT_BYTES_MAX", 1024, 1024 * 1024 * MIB),
    },
    sizes: readSizeLimits(integer),
    commitBytesMax: integer("COMMIT_BYTES_MAX", 1024, 1024 * MIB),
    streams: {
      max: integer("STREAMS_MAX", 0, 1_000_000),
      maxPerClient: integer("STREAMS_PER_CLIENT_MAX", 0, 1_000_000, sandbox ? 0 : 100),
      queriesMaxPerClient: integer("STREAM_QUERIES_PER_CLIENT_MAX", 0, 1_000_000),
      stallSeconds: integer("STREAM_STALL_SECONDS", 1, 86_400),
      heartbeatSeconds: integer("STREAM_BEAT_SECONDS", 1, 3600),
    },
    trustedProxies: integer("TRUST_PROXY", 0, 100),
    shutdownSeconds: integer("SHUTDOWN_SECONDS", 0, 86_400),
    drainSeconds: integer("DRAIN_SECONDS", 0, 3600),
    requestSecondsMax: integer("REQUEST_SECONDS_MAX", 1, 86_400),
    cacheBytesMax: integer("CACHE_BYTES_MAX", 0, 1024 * 1024 * MIB),
    compresses: choice("COMPRESSION", "on", "off") === "on",
    metrics: choice("METRICS", "local", "public", "off"),
    logsRequests: choice("LOG", "on", "off") === "on",
    logs: {
      addresses: choice("LOG_ADDRESSES", "on", "off") === "on",
      health: choice("LOG_HEALTH", "on", "off") === "on",
    },
  };
  problems.push(...conflictsOf(config));
  return problems.length > 0 ? problems : config;
}

function readSite(text: (name: string) => string, problems: string[]): SiteSettings {
  const [operator, contact] = [text("OPERATOR"), checkedContact(text("CONTACT"), problems)];
  return { name: text("SITE_NAME"), ...(operator && { operator }), ...(contact !== undefined && { contact }) };
}

function readAuctions(
  text: (name: string) => string,
  integer: (name: string, min: number, max: number) => number,
  problems: string[],
): BuiltinAuctions {
  const hours = checkedHours(text("AUCTION_HOURS"), problems);
  const slotMicros = integer("AUCTION_SLOT_MINUTES", 1, 24 * 60) * MINUTE;
  if (slotMicros > hours.closesAt - hours.opensAt) problems.push("AUCTION_SLOT_MINUTES must fit into AUCTION_HOURS");
  return {
    planning: { ...hours, slotMicros, startsPerSlotMax: integer("AUCTION_STARTS_PER_SLOT", 1, 100_000) },
    settings: {
      ...DEFAULT_AUCTION_SETTINGS,
      turnLossMicrosMax: integer("AUCTION_TURN_LOSS_SECONDS", 1, 120) * SECOND,
      interruptionMicrosMax: integer("AUCTION_OUTAGE_MINUTES_MAX", 1, 24 * 60) * MINUTE,
    },
  };
}

/** Settings that contradict each other. */
function conflictsOf({ limits, bodies, databaseUrl, databaseReadUrl }: Config): readonly string[] {
  return [
    ...(limits.pageDefault > limits.pageMax ? ["PAGE_DEFAULT must not exceed PAGE_MAX"] : []),
    ...(bodies.bytesPerAccountMax < limits.jsonBytesMax
      ? ["BODIES_PER_ACCOUNT_BYTES_MAX must not be less than JSON_BYTES_MAX"]
      : []),
    ...(bodies.bytesMax < bodies.bytesPerAccountMax
      ? ["BODIES_BYTES_MAX must not be less than BODIES_PER_ACCOUNT_BYTES_MAX"]
      : []),
    ...(databaseReadUrl && !databaseUrl ? ["DATABASE_READ_URL needs DATABASE_URL to be set, too"] : []),
  ];
}

/** As `configOf`, and also resolves HOST, which may take a moment. */
export async function checkedConfigOf(environment: Environment): Promise<Config | readonly string[]> {
  const config = configOf(environment);
  const host = settingText(environment, "HOST");
  try {
    await lookup(host.replace(/^\[|\]$/g, ""));
    return config;
  } catch (error) {
    const problem = `HOST ${host} cannot be resolved (${errorCode(error)})`;
    return "port" in config ? [problem] : [...config, problem];
  }
}

function settingText(environment: Environment, name: string): string {
  const setting = SETTINGS.find((candidate) => candidate.name === name);
  if (!setting) throw new Error(`${name} is not a setting`);
  return environment[name]?.trim() || setting.fallback;
}

/** Reads settings by name, and adds what is wrong with them to `problems`, so that all problems are reported together. */
function openSettingReader(environment: Environment, problems: string[]) {
  const text = (name: string) => settingText(environment, name);
  const integer = (name: string, min: number, max: number, fallback = 0): number => {
    const value = text(name);
    if (value === "") return fallback;
    if (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    problems.push(`${name} must be an integer from ${min} to ${max}, not "${value}"`);
    return min;
  };
  const choice = <Choice extends string>(name: string, ...choices: readonly Choice[]): Choice => {
    if (!choices.some((candidate) => candidate === text(name)))
      problems.push(`${name} must be ${choices.filter(Boolean).join(" or ")}, not "${text(name)}"`);
    // Any other text is in `problems`, and then the configuration is not returned.
    return text(name) as Choice;
  };
  return { text, integer, choice };
}
