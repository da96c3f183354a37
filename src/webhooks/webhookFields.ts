import { CURRENT_SEGMENT, type Dialect } from "../dialects/dialects.ts";
import { addDuration, INVALID_DURATION_MESSAGE } from "../domain/values/durations.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import type { Instant, Zone } from "../domain/values/time.ts";
import { parseOffset } from "../feed/feedEntries.ts";
import type { Filter } from "../store/store.ts";
import { hostOf } from "./addresses.ts";
import type { NewWebhook, WebhookEdit } from "./webhooks.ts";

/** An invalid field, with the error text and the id of the rule. */
export type WebhookFieldProblem = { readonly name: string; readonly description: string; readonly rule: WebhookRule };
export type WebhookRule =
  | "webhook-field-unknown"
  | "webhook-field-fixed"
  | "webhook-field-type"
  | "webhook-url"
  | "webhook-address-refused"
  | "webhook-version"
  | "webhook-mode"
  | "webhook-offset"
  | "webhook-status"
  | "webhook-filter"
  | "webhook-overlap";

type FilterValues = { readonly [name: string]: string };
/** Reads a filter from the names and values of feed filters. */
export type WebhookFilterReader = (
  values: FilterValues,
  dialect: Dialect,
) => { readonly filter: Filter } | { readonly problems: readonly Omit<WebhookFieldProblem, "rule">[] };

export type WebhookFieldSettings = {
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly zone: Zone;
  readonly readFilter: WebhookFilterReader;
  /** Why requests to this host are not allowed; undefined if they are. */
  readonly unreachableReason: (host: string) => Promise<string | undefined>;
};

type SentFields = { readonly [name: string]: unknown };
export type WebhookReadResult<Fields> =
  | { readonly fields: Fields }
  | { readonly problems: readonly WebhookFieldProblem[] };

const URL_LENGTH_MAX = 2048;
const OPT_FIELDS_LENGTH_MAX = 1024;
const MODES = ["", "test", "_all_"];
const FIXED_FIELDS = ["id", "version", "mode", "offset", "dateCreated"];

/** Collects the problems of all fields, so that one response reports all of them. */
function openFieldReader(sent: SentFields) {
  const problems: WebhookFieldProblem[] = [];
  const refuse = (name: string, rule: WebhookRule, description: string): undefined => {
    problems.push({ name, rule, description });
  };
  /** A string field; `null` counts as absent. */
  const text = (name: string, lengthMax = OPT_FIELDS_LENGTH_MAX): string | undefined => {
    const value = sent[name] ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value !== "string") return refuse(name, "webhook-field-type", STRING_REQUIRED);
    return value.length > lengthMax ? refuse(name, "webhook-field-type", tooLong(lengthMax)) : value;
  };
  const allowOnly = (allowedNames: readonly string[], fixedNames: readonly string[]) => {
    for (const name of Object.keys(sent))
      if (fixedNames.includes(name)) refuse(name, "webhook-field-fixed", "This field cannot be changed");
      else if (!allowedNames.includes(name)) refuse(name, "webhook-field-unknown", "Rogue field");
  };
  return { problems, refuse, text, allowOnly };
}

const STRING_REQUIRED = "Value must be a string";
const URL_REQUIRED = "Value must be an http or https URL";
const tooLong = (lengthMax: number): string => `Value must have at most ${lengthMax} characters`;

type FieldReader = ReturnType<typeof openFieldReader>;

/** Reads and validates the fields of a new webhook. */
export async function readNewWebhook(
  sent: SentFields,
  settings: WebhookFieldSettings,
): Promise<WebhookReadResult<Omit<NewWebhook, "owner" | "origin">>> {
  const reader = openFieldReader(sent);
  const { problems, refuse, text, allowOnly } = reader;
  allowOnly(["url", "version", "mode", "opt_fields", "filter", "offset"], []);
  const version = text("version") ?? CURRENT_SEGMENT;
  const dialect = settings.dialects.get(version);
  if (!dialect)
    refuse("version", "webhook-version", `Value must be one of ${[...settings.dialects.keys()].join(", ")}`);
  const mode = text("mode");
  if (mode !== undefined && !MODES.includes(mode)) refuse("mode", "webhook-mode", "Value must be test or _all_");
  const offset = offsetOf(reader, settings.zone);
  const optFields = text("opt_fields");
  const filter = filterOf(reader, sent.filter, dialect, settings);
  const url = await urlOf(reader, sent.url, settings);
  // Without a valid URL there is a problem.
  if (problems.length > 0 || url === undefined) return { problems };
  return {
    fields: {
      url,
      version,
      ...withoutUndefined({ mode: mode || undefined, offset, optFields: optFields || undefined, filter }),
    },
  };
}

/** Reads and validates the changes of a webhook. `dialect` is that of its version, which cannot be changed. */
export async function readWebhookEdit(
  sent: SentFields,
  dialect: Dialect | undefined,
  settings: WebhookFieldSettings,
): Promise<WebhookReadResult<WebhookEdit>> {
  const reader = openFieldReader(sent);
  const { problems, refuse, text, allowOnly } = reader;
  allowOnly(["url", "opt_fields", "filter", "status"], FIXED_FIELDS);
  const sentStatus = text("status");
  const status = sentStatus === "active" || sentStatus === "paused" ? sentStatus : undefined;
  if (sentStatus !== status) refuse("status", "webhook-status", "Value must be active or paused");
  const optFields = text("opt_fields");
  const filter = filterOf(reader, sent.filter, dialect, settings);
  const url = "url" in sent ? await urlOf(reader, sent.url, settings) : undefined;
  if (problems.length > 0) return { problems };
  return {
    fields: {
      ...withoutUndefined({ url, status }),
      ...("opt_fields" in sent && { optFields: optFields || undefined }),
      ...("filter" in sent && { filter }),
    },
  };
}

const OVERLAP_DEFAULT = "PT24H";
const OVERLAP_MAX = "P7D";

/** Reads `overlap`: the time until which deliveries are also signed with the earlier secrets. */
export function readSecretRotation(
  sent: SentFields,
  now: Instant,
  zone: Zone,
): WebhookReadResult<{ readonly until: Instant }> {
  const { problems, refuse, allowOnly } = openFieldReader(sent);
  allowOnly(["overlap"], []);
  const until = addDuration(sent.overlap ?? OVERLAP_DEFAULT, now, zone.name);
  const latest = addDuration(OVERLAP_MAX, now, zone.name) ?? now;
  if (until === undefined) refuse("overlap", "webhook-overlap", INVALID_DURATION_MESSAGE);
  else if (until > latest) refuse("overlap", "webhook-overlap", "Secrets can overlap for at most 7 days");
  return problems.length > 0 || until === undefined ? { problems } : { fields: { until } };
}

// A field that may be undefined is optional in these types, so they also allow that it is missing.
const withoutUndefined = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

function offsetOf({ text, refuse }: FieldReader, zone: Zone): Instant | undefined {
  const offset = text("offset");
  if (!offset) return undefined;
  return parseOffset(offset, zone) ?? refuse("offset", "webhook-offset", "Value must be an offset of the feed");
}

/** The filter as it was sent, after validation; undefined if it is empty. */
function filterOf(
  { refuse }: FieldReader,
  sent: unknown,
  dialect: Dialect | undefined,
  { readFilter }: WebhookFieldSettings,
): FilterValues | undefined {
  if (sent === undefined || sent === null) return undefined;
  if (!isPlainObject(sent)) return refuse("filter", "webhook-field-type", "Value must be an object of strings");
  const texts: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(sent))
    if (typeof value !== "string") refuse(`filter.${name}`, "webhook-field-type", STRING_REQUIRED);
    else if (value.length > OPT_FIELDS_LENGTH_MAX)
      refuse(`filter.${name}`, "webhook-field-type", tooLong(OPT_FIELDS_LENGTH_MAX));
    else texts[name] = value;
  const read = dialect ? readFilter(texts, dialect) : undefined;
  if (read && "problems" in read)
    for (const { name, description } of read.problems) refuse(`filter.${name}`, "webhook-filter", description);
  return Object.keys(texts).length > 0 ? texts : undefined;
}

async function urlOf(
  { refuse }: FieldReader,
  sent: unknown,
  { unreachableReason }: WebhookFieldSettings,
): Promise<string | undefined> {
  if (typeof sent !== "string") return refuse("url", "webhook-field-type", URL_REQUIRED);
  if (sent.length > URL_LENGTH_MAX) return refuse("url", "webhook-url", tooLong(URL_LENGTH_MAX));
  // URL parsers silently remove tabs and newlines, which would change the URL.
  const url = /[\s\p{Cc}]/u.test(sent) ? null : URL.parse(sent);
  if (!url || !/^https?:$/.test(url.protocol)) return refuse("url", "webhook-url", URL_REQUIRED);
  if (url.username !== "" || url.password !== "")
    return refuse("url", "webhook-url", "The URL must not contain a user name or password");
  const reason = await unreachableReason(hostOf(url));
  return reason ? refuse("url", "webhook-address-refused", `The URL cannot be used: ${reason}`) : sent;
}
