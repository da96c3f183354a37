import { type Dialect, SEGMENTS } from "../dialects/dialects.ts";
import { addDuration, INVALID_DURATION_MESSAGE } from "../domain/values/durations.ts";
import { isPlainObject } from "../domain/values/merge.ts";
import type { Instant, Zone } from "../domain/values/time.ts";
import { parseOffset } from "../feed/feedEntries.ts";
import type { Filter } from "../store/store.ts";
import { hostOf } from "./addresses.ts";
import type { NewWebhook, WebhookEdit } from "./webhooks.ts";

/** What is wrong with a field; `rule` is the stable name of why. */
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
/** The feed's filters from their names and values, or what is wrong with these. */
export type WebhookFilterReader = (
  values: FilterValues,
  dialect: Dialect,
) => Filter | readonly Omit<WebhookFieldProblem, "rule">[];

export type WebhookFieldSettings = {
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly zone: Zone;
  readonly readFilter: WebhookFilterReader;
  readonly whyNotSendTo: (host: string) => Promise<string | undefined>;
};

type SentFields = { readonly [name: string]: unknown };
export type WebhookReadResult<Fields> =
  | { readonly fields: Fields }
  | { readonly wrong: readonly WebhookFieldProblem[] };

const URL_LENGTH_MAX = 2048;
const OPT_FIELDS_LENGTH_MAX = 1024;
const MODES = ["", "test", "_all_"];
const FIXED_FIELDS = ["id", "version", "mode", "offset", "dateCreated"];

/** Gathers what is wrong, so that all of it is told at once. */
function openFieldReader(sent: SentFields) {
  const wrong: WebhookFieldProblem[] = [];
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
  const allowOnly = (allowedNames: readonly string[], fixedNames: readonly string[]) => {
    for (const name of Object.keys(sent))
      if (fixedNames.includes(name)) refuse(name, "webhook-field-fixed", "It cannot be changed");
      else if (!allowedNames.includes(name)) refuse(name, "webhook-field-unknown", "Rogue field");
  };
  return { wrong, refuse, text, knowOnly: allowOnly };
}

type FieldReader = ReturnType<typeof openFieldReader>;

export async function readNewWebhook(
  sent: SentFields,
  settings: WebhookFieldSettings,
): Promise<WebhookReadResult<Omit<NewWebhook, "owner" | "origin">>> {
  const reader = openFieldReader(sent);
  const { wrong, refuse, text, knowOnly: allowOnly } = reader;
  allowOnly(["url", "version", "mode", "opt_fields", "filter", "offset"], []);
  const version = text("version") ?? SEGMENTS.at(-1)!;
  const dialect = settings.dialects.get(version);
  if (!dialect) refuse("version", "webhook-version", `It should be one of ${[...settings.dialects.keys()].join(", ")}`);
  const mode = text("mode");
  if (mode !== undefined && !MODES.includes(mode)) refuse("mode", "webhook-mode", "It should be test or _all_");
  const offset = offsetOf(reader, settings.zone);
  const optFields = text("opt_fields");
  const filter = filterOf(reader, sent.filter, dialect, settings);
  const url = await urlOf(reader, sent.url, settings);
  if (wrong.length > 0) return { wrong };
  return {
    fields: {
      url: url!,
      version,
      ...withoutUndefined({ mode: mode || undefined, offset, optFields: optFields || undefined, filter }),
    },
  };
}

export async function readWebhookEdit(
  sent: SentFields,
  dialect: Dialect | undefined,
  settings: WebhookFieldSettings,
): Promise<WebhookReadResult<WebhookEdit>> {
  const reader = openFieldReader(sent);
  const { wrong, refuse, text, knowOnly: allowOnly } = reader;
  allowOnly(["url", "opt_fields", "filter", "status"], FIXED_FIELDS);
  const status = text("status");
  if (status !== undefined && status !== "active" && status !== "paused")
    refuse("status", "webhook-status", "It should be active or paused");
  const optFields = text("opt_fields");
  const filter = filterOf(reader, sent.filter, dialect, settings);
  const url = "url" in sent ? await urlOf(reader, sent.url, settings) : undefined;
  if (wrong.length > 0) return { wrong };
  return {
    fields: {
      ...(withoutUndefined({ url, status }) as WebhookEdit),
      ...("opt_fields" in sent && { optFields: optFields || undefined }),
      ...("filter" in sent && { filter }),
    },
  };
}

const OVERLAP_DEFAULT = "PT24H";
const OVERLAP_MAX = "P7D";

/** Until when deliveries are to be signed with the secrets of before as well. */
export function readSecretRotation(
  sent: SentFields,
  now: Instant,
  zone: Zone,
): WebhookReadResult<{ readonly until: Instant }> {
  const { wrong, refuse, knowOnly: allowOnly } = openFieldReader(sent);
  allowOnly(["overlap"], []);
  const until = addDuration(sent.overlap ?? OVERLAP_DEFAULT, now, zone.name);
  if (until === undefined) refuse("overlap", "webhook-overlap", INVALID_DURATION_MESSAGE);
  else if (until > addDuration(OVERLAP_MAX, now, zone.name)!)
    refuse("overlap", "webhook-overlap", "Secrets overlap for 7 days at most");
  return wrong.length > 0 ? { wrong } : { fields: { until: until! } };
}

const withoutUndefined = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

function offsetOf({ text, refuse }: FieldReader, zone: Zone): Instant | undefined {
  const offset = text("offset");
  if (!offset) return undefined;
  return parseOffset(offset, zone) ?? refuse("offset", "webhook-offset", "It is no place in the feed");
}

/** As it was sent, once it is known to be understood; an empty one is none. */
function filterOf(
  { refuse }: FieldReader,
  sent: unknown,
  dialect: Dialect | undefined,
  { readFilter }: WebhookFieldSettings,
): FilterValues | undefined {
  if (sent === undefined || sent === null) return undefined;
  if (!isPlainObject(sent)) return refuse("filter", "webhook-field-type", "An object of texts is needed");
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

async function urlOf(
  { refuse }: FieldReader,
  sent: unknown,
  { whyNotSendTo }: WebhookFieldSettings,
): Promise<string | undefined> {
  if (typeof sent !== "string") return refuse("url", "webhook-field-type", "An http or https address is needed");
  if (sent.length > URL_LENGTH_MAX)
    return refuse("url", "webhook-url", `At most ${URL_LENGTH_MAX} characters are kept`);
  // What parsers of addresses leave out silently would not be what was meant.
  const url = /[\s\p{Cc}]/u.test(sent) ? null : URL.parse(sent);
  if (!url || !/^https?:$/.test(url.protocol))
    return refuse("url", "webhook-url", "An http or https address is needed");
  if (url.username !== "" || url.password !== "")
    return refuse("url", "webhook-url", "It should hold no user name and no password");
  const reason = await whyNotSendTo(hostOf(url));
  return reason ? refuse("url", "webhook-address-refused", `It cannot be used: ${reason}`) : sent;
}
