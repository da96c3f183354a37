import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";
import type { Dialect, Manners } from "../dialects/dialects.ts";
import type { ShapeName } from "../dialects/newest.ts";
import type { Actor, Group } from "../domain/actors.ts";
import type { Command } from "../domain/commands.ts";
import { same } from "../domain/merge.ts";
import type { Decided } from "../domain/refusals.ts";
import type { Tender } from "../domain/tender.ts";
import type { Instant } from "../domain/time.ts";
import type { Looking } from "../domain/visibility.ts";
import type { Files } from "../files/files.ts";
import type { Done, Manner, Reading, Registry, Told } from "../registry/registry.ts";
import type { Webhooks } from "../registry/webhooks/webhooks.ts";
import { type Answer, answerTo, IDEMPOTENCY_QUOTA, PRECONDITION_FAILED } from "./answers.ts";
import type { JsonBody } from "./body.ts";
import type { BodyBudget } from "./bodyBudget.ts";
import type { DocumentKeys } from "./documentKeys.ts";
import type { Once } from "./once.ts";
import type { Oversight } from "./oversight.ts";
import type { SiteShape } from "./siteShapes.ts";
import type { Streams } from "./stream/streams.ts";
import type { Uploads } from "./uploads.ts";

/** What the whole service works with; made once, at the start. */
export type Service = {
  readonly config: Config;
  readonly registry: Registry;
  readonly files: Files;
  readonly bodies: BodyBudget;
  readonly uploads: Uploads;
  readonly documentKeys: DocumentKeys;
  readonly streams: Streams;
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly clock: () => Instant;
  readonly oversight: Oversight;
  readonly webhooks: Webhooks;
};

/** When and where this service looks at a tender. */
export const lookingAt = ({ config }: Service, now: Instant): Looking => ({
  now,
  zone: config.zone,
  sandbox: config.sandbox,
});
export const lookingOf = ({ service, now }: Pick<Exchange, "service" | "now">): Looking => lookingAt(service, now);

/** One request, as far as it has been understood. */
export type Exchange = {
  readonly service: Service;
  readonly request: IncomingMessage;
  readonly dialect: Dialect;
  /** The absolute address of the API in this version. */
  readonly root: string;
  /** The path below it, in the client's own words. */
  readonly path: string;
  readonly params: { readonly [name: string]: string };
  readonly query: URLSearchParams;
  readonly actor: Actor;
  /** The JSON body, where the operation takes one. */
  readonly body?: JsonBody;
  /** The tender of the path, as of now. */
  readonly tender?: Tender;
  /** What time it is there: a tender of the sandbox may live on a clock of its own. */
  readonly now: Instant;
  /** Nothing is to be stored. */
  readonly isDry: boolean;
  /** Whether what the request is about is still what its client has seen. */
  readonly isMatched?: (exchange: Exchange) => Promise<boolean>;
  /** Whether this is what GET has shown the client. */
  readonly matches?: (answer: Answer) => boolean;
  readonly once?: Once;
};

/**
 * An object of a version's shapes; one that speaks of no tender and is the same in all versions, perhaps left out, with what is said
 * where there is none, if not what its version says; a file, in a form or named by JSON; or a form with a file and nothing else.
 */
export type BodyKind =
  | { readonly json: ShapeName }
  | { readonly data: SiteShape; readonly mayBeAbsent?: true; readonly noData?: string }
  | "file"
  | "form";

export type Operation = {
  readonly summary: string;
  /** Unknown to the versions that have the plain interface only. */
  readonly newer?: true;
  readonly body?: BodyKind;
  /** Who has the address may do it. What only reads needs no key anyway. */
  readonly needsNoKey?: true;
  /** Only reads, and still not for everybody. */
  readonly needsKey?: true;
  /**
   * For what only reads: these groups are shown more here than the public, and each of their requests is a line of the audit trail;
   * `whileSealed`, only as long as the tender may hold sealed bids.
   */
  readonly audited?: { readonly groups: readonly Group[]; readonly whileSealed?: true };
  readonly answers: {
    readonly status: 200 | 201;
    readonly shape?: ShapeName;
    /** What some callers are shown instead. */
    readonly orShape?: ShapeName;
    readonly many?: true;
    /** One after another, as events, for as long as the reader listens. */
    readonly events?: true;
    /** What is the same in all versions. */
    readonly data?: SiteShape;
    /** An owner token comes with it. */
    readonly access?: true;
    /** A secret comes with it, or where to go on. */
    readonly secret?: true;
    readonly pages?: true;
    /** An address to go on with comes with it, by this name. */
    readonly address?: "upload_url" | "get_url";
    /** The bytes of a file, whatever they are. */
    readonly file?: true;
  };
  readonly run: (exchange: Exchange) => Promise<Answer> | Answer;
};

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Route = {
  readonly path: string;
  readonly methods: { readonly [method in Method]?: Operation };
  /** Everything that is answered here is ASCII: one of its clients can take nothing else. */
  readonly ascii?: true;
};

export type Operations = Route["methods"];
type Speaking = { readonly manners: Pick<Manners, "plain"> };

/** The operations of a route that a version has. */
export function operationsIn({ methods }: Route, { manners }: Speaking): Operations {
  const had = Object.entries(methods).filter(([, { newer }]) => !(newer && manners.plain));
  return Object.fromEntries(had);
}

export const shown = (exchange: Exchange, shape: ShapeName, value: unknown): string =>
  exchange.dialect.write(shape, value, exchange.root);

export const found = (exchange: Exchange, shape: ShapeName, value: unknown): Answer => ({
  status: 200,
  json: `{"data":${shown(exchange, shape, value)}}`,
});

export const foundAll = (exchange: Exchange, shape: ShapeName, values: readonly unknown[]): Answer => ({
  status: 200,
  json: `{"data":[${values.map((value) => shown(exchange, shape, value)).join(",")}]}`,
});

/** 201 with where the new thing is; `token` where it has an owner. */
export function created(exchange: Exchange, shape: ShapeName, value: unknown, id: string, token?: string): Answer {
  return {
    status: 201,
    headers: { Location: `${exchange.root}${exchange.path}/${id}` },
    json: `{"data":${shown(exchange, shape, value)}${token ? `,"access":{"token":"${token}"}` : ""}}`,
  };
}

/** Any value but an empty one and 0. */
export function isDryRun(query: URLSearchParams): boolean {
  const asked = query.get("dry_run");
  return asked !== null && asked !== "" && asked !== "0";
}

export type AttemptResult = {
  readonly answer: Answer;
  /** What was asked for is done, now and by this. */
  readonly isDone: boolean;
};

/** Lets the registry decide, and answers: as `show` presents what was done, or why it was not. */
export async function attempt(
  exchange: Exchange,
  shape: ShapeName,
  ask: (manner: Manner) => Promise<Told>,
  show: (done: Done) => Answer,
): Promise<AttemptResult> {
  const { dialect, once, isDry, tender } = exchange;
  const answerOf = (decided: Decided<Done>): Answer =>
    decided.ok ? show(decided.value) : answerTo(decided.refused, dialect, shape);
  let recorded: Answer | undefined;
  const record: NonNullable<Manner["once"]>["record"] = (decided, at) => {
    recorded = answerOf(decided);
    return once!.record(recorded, at);
  };
  const manner: Manner = { testClock: tender?.testClock, isDry, once: once && { ...once, record } };
  const told = await askMatched(exchange, (onlyIf) => ask({ ...manner, onlyIf }));
  if (told === "moved") return { answer: PRECONDITION_FAILED, isDone: false };
  if ("overQuota" in told) return { answer: IDEMPOTENCY_QUOTA, isDone: false };
  if ("again" in told) return { answer: once!.again(told.again), isDone: false };
  return { answer: recorded ?? answerOf(told), isDone: told.ok && !isDry };
}

/** As long as others change the tender and not what the client has seen of it, it is asked again: each time somebody has got on. */
async function askMatched(exchange: Exchange, ask: (onlyIf: Manner["onlyIf"]) => Promise<Told>): Promise<Told> {
  const { isMatched, service } = exchange;
  if (!isMatched || !exchange.tender) return ask(undefined);
  for (let seen: Tender | undefined = exchange.tender; ; ) {
    const before: Tender = seen;
    const told = await ask((current) => same(current, before));
    if (told !== "moved") return told;
    seen = await service.registry.tender(before.id);
    if (!seen || !(await isMatched({ ...exchange, tender: seen }))) return "moved";
  }
}

/** Whatever a request changes, it changes by a command to the tender of its path. */
export async function change(
  exchange: Exchange,
  shape: ShapeName,
  command: Command | Reading,
  show: (done: Done) => Answer,
): Promise<Answer> {
  const { service, tender, actor } = exchange;
  const ask = (manner: Manner) => service.registry.change(tender!.id, command, actor, manner);
  return (await attempt(exchange, shape, ask, show)).answer;
}

/** Where the award is that a decision led to, if it led to one. */
export function withNewAward({ root, tender: before }: Exchange, { tender }: Done, answer: Answer): Answer {
  const last = tender.awards.at(-1);
  if (!last || tender.awards.length <= before!.awards.length) return answer;
  return { ...answer, headers: { ...answer.headers, Location: `${root}/tenders/${tender.id}/awards/${last.id}` } };
}
