import { type Dialect, SEGMENTS } from "../dialects/dialects.ts";
import { isPlain } from "../domain/merge.ts";
import type { Instant, Zone } from "../domain/time.ts";
import { hostOf } from "../registry/webhooks/addresses.ts";
import type { NewWebhook, WebhookEdit } from "../registry/webhooks/webhooks.ts";
import type { Filter } from "../store/store.ts";
import { laterBy, NOT_A_DURATION } from "./durations.ts";
import { parseOffset } from "./entries.ts";

/** What is wrong with a field; `rule` is the stable name of why. */
export type Wrong = { readonly name: string; readonly description: string; readonly rule: WebhookRule };
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

type Values = { readonly [name: string]: string };
/** The feed's filters from their names and values, or what is wrong with these. */
export type ReadFilter = (values: Values, dialect: Dialect) => Filter | readonly Omit<Wrong, "rule">[];

export type FieldSettings = {
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly zone: Zone;
  readonly readFilter: ReadFilter;
  readonly whyNotSendTo: (host: string) => Promise<string | undefined>;
};

type Sent = { readonly [name: string]: unknown };
export type Read<Fields> = { readonly fields: Fields } | { readonly wrong: readonly Wrong[] };

const URL_LENGTH_MAX = 2048;
const OPT_FIELDS_LENGTH_MAX = 1024;
const MODES = ["", "test", "_all_"];
const FIXED = ["id", "version", "mode", "offset", "dateCreated"];

/** Gathers what is wrong, so that all of it is told at once. */
function openReading(sent: Sent) {
  const wrong: Wrong[] = [];
  const refuse = (name: string, rule: WebhookRule, description: string): undefined => {
    wrong.push({ name, rule, description });
  };
  /** `null` is the same as absent. */
  const text = (name: string, lengthMax = OPT_FIELDS_LENGTH_MAX): string | undefined => {
    const value = sent[name] ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value !== "string") return refuse(name, "webhook-field-type", "A text is needed");
    return value.length > lengthMax
      ? refuse(name, "webhook-field-type", `At most ${lengthMax} characters are kept`)
      : value;
  };
  const knowOnly = (known: readonly string[], fixed: readonly string[]) => {
    for (const name of Object.keys(sent))
      if (fixed.includes(name)) refuse(name, "webhook-field-fixed", "It cannot be changed");
      else if (!known.includes(name)) refuse(name, "webhook-field-unknown", "Rogue field");
  };
  return { wrong, refuse, text, knowOnly };
}

type Reading = ReturnType<typeof openReading>;

export async function readNewWebhook(
  sent: Sent,
  settings: FieldSettings,
): Promise<Read<Omit<NewWebhook, "owner" | "origin">>> {
  const reading = openReading(sent);
  const { wrong, refuse, text, knowOnly } = reading;
  knowOnly(["url", "version", "mode", "opt_fields", "filter", "offset"], []);
  const version = text("version") ?? SEGMENTS.at(-1)!;
  const dialect = settings.dialects.get(version);
  if (!dialect) refuse("version", "webhook-version", `It should be one of ${[...settings.dialects.keys()].join(", ")}`);
  const mode = text("mode");
  if (mode !== undefined && !MODES.includes(mode)) refuse("mode", "webhook-mode", "It should be test or _all_");
  const offset = offsetOf(reading, settings.zone);
  const optFields = text("opt_fields");
  const filter = filterOf(reading, sent.filter, dialect, settings);
  const url = await urlOf(reading, sent.url, settings);
  if (wrong.length > 0) return { wrong };
  return {
    fields: {
      url: url!,
      version,
      ...defined({ mode: mode || undefined, offset, optFields: optFields || undefined, filter }),
    },
  };
}

export async function readWebhookEdit(
  sent: Sent,
  dialect: Dialect | undefined,
  settings: FieldSettings,
): Promise<Read<WebhookEdit>> {
  const reading = openReading(sent);
  const { wrong, refuse, text, knowOnly } = reading;
  knowOnly(["url", "opt_fields", "filter", "status"], FIXED);
  const status = text("status");
  if (status !== undefined && status !== "active" && status !== "paused")
    refuse("status", "webhook-status", "It should be active or paused");
  const optFields = text("opt_fields");
  const filter = filterOf(reading, sent.filter, dialect, settings);
  const url = "url" in sent ? await urlOf(reading, sent.url, settings) : undefined;
  if (wrong.length > 0) return { wrong };
  return {
    fields: {
      ...(defined({ url, status }) as WebhookEdit),
      ...("opt_fields" in sent && { optFields: optFields || undefined }),
      ...("filter" in sent && { filter }),
    },
  };
}

const OVERLAP = "PT24H";
const OVERLAP_MAX = "P7D";

/** Until when deliveries are to be signed with the secrets of before as well. */
export function readSecretRotation(sent: Sent, now: Instant, zone: Zone): Read<{ readonly until: Instant }> {
  const { wrong, refuse, knowOnly } = openReading(sent);
  knowOnly(["overlap"], []);
  const until = laterBy(sent.overlap ?? OVERLAP, now, zone.name);
  if (until === undefined) refuse("overlap", "webhook-overlap", NOT_A_DURATION);
  else if (until > laterBy(OVERLAP_MAX, now, zone.name)!)
    refuse("overlap", "webhook-overlap", "Secrets overlap for 7 days at most");
  return wrong.length > 0 ? { wrong } : { fields: { until: until! } };
}

const defined = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

function offsetOf({ text, refuse }: Reading, zone: Zone): Instant | undefined {
  const offset = text("offset");
  if (!offset) return undefined;
  return parseOffset(offset, zone) ?? refuse("offset", "webhook-offset", "It is no place in the feed");
}

/** As it was sent, once it is known to be understood; an empty one is none. */
function filterOf(
  { refuse }: Reading,
  sent: unknown,
  dialect: Dialect | undefined,
  { readFilter }: FieldSettings,
): Values | undefined {
  if (sent === undefined || sent === null) return undefined;
  if (!isPlain(sent)) return refuse("filter", "webhook-field-type", "An object of texts is needed");
  const texts: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(sent))
    if (typeof value !== "string") refuse(`filter.${name}`, "webhook-field-type", "A text is needed");
    else if (value.length > OPT_FIELDS_LENGTH_MAX)
      refuse(`filter.${name}`, "webhook-field-type", `At most ${OPT_FIELDS_LENGTH_MAX} characters are kept`);
    else texts[name] = value;
  const read = dialect ? readFilter(texts, dialect) : {};
  if (Array.isArray(read))
    for (const { name, description } of read) refuse(`filter.${name}`, "webhook-filter", description);
  return Object.keys(texts).length > 0 ? texts : undefined;
}

async function urlOf({ refuse }: Reading, sent: unknown, { whyNotSendTo }: FieldSettings): Promise<string | undefined> {
  if (typeof sent !== "string") return refuse("url", "webhook-field-type", "An http or https address is needed");
  if (sent.length > URL_LENGTH_MAX)
    return refuse("url", "webhook-url", `At most ${URL_LENGTH_MAX} characters are kept`);
  // What parsers of addresses leave out silently would not be what was meant.
  const url = /[\s\p{Cc}]/u.test(sent) ? null : URL.parse(sent);
  if (!url || !/^https?:$/.test(url.protocol))
    return refuse("url", "webhook-url", "An http or https address is needed");
  if (url.username !== "" || url.password !== "")
    return refuse("url", "webhook-url", "It should hold no user name and no password");
  const why = await whyNotSendTo(hostOf(url));
  return why ? refuse("url", "webhook-address-refused", `It cannot be used: ${why}`) : sent;
}
