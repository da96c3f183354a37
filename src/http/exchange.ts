import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";
import type { Dialect, Manners } from "../dialects/dialects.ts";
import type { ShapeName } from "../dialects/newest.ts";
import type { Actor } from "../domain/actors.ts";
import type { Command } from "../domain/commands.ts";
import type { Decided } from "../domain/refusals.ts";
import type { Tender } from "../domain/tender.ts";
import type { Instant } from "../domain/time.ts";
import type { Looking } from "../domain/visibility.ts";
import type { Files } from "../files/files.ts";
import type { Done, Reading, Registry } from "../registry/registry.ts";
import type { Webhooks } from "../registry/webhooks/webhooks.ts";
import { type Answer, answerTo } from "./answers.ts";
import type { JsonBody } from "./body.ts";
import type { DocumentKeys } from "./documentKeys.ts";
import type { Uploads } from "./uploads.ts";

/** What the whole service works with; made once, at the start. */
export type Service = {
  readonly config: Config;
  readonly registry: Registry;
  readonly files: Files;
  readonly uploads: Uploads;
  readonly documentKeys: DocumentKeys;
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly clock: () => Instant;
  readonly webhooks: Webhooks;
};

/** When and where this service looks at a tender. */
export const lookingOf = ({ config, clock }: Pick<Service, "config" | "clock">): Looking => ({
  now: clock(),
  zone: config.zone,
  sandbox: config.sandbox,
});

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
};

export type BodyKind = { readonly json: ShapeName } | "file";

export type Operation = {
  readonly summary: string;
  /** Unknown to the versions that have the plain interface only. */
  readonly newer?: true;
  readonly body?: BodyKind;
  readonly answers: {
    readonly status: 200 | 201;
    readonly shape?: ShapeName;
    /** What some callers are shown instead. */
    readonly orShape?: ShapeName;
    readonly many?: true;
    /** An owner token comes with it. */
    readonly access?: true;
  };
  readonly run: (exchange: Exchange) => Promise<Answer> | Answer;
};

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Route = { readonly path: string; readonly methods: { readonly [method in Method]?: Operation } };

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

/** The answer to what was decided: as `show` presents it, or why not. */
export function decidedAnswer(
  exchange: Exchange,
  shape: ShapeName,
  decided: Decided<Done>,
  show: (done: Done) => Answer,
): Answer {
  return decided.ok ? show(decided.value) : answerTo(decided.refused, exchange.dialect, shape);
}

/** 201 with where the new thing is; `token` where it has an owner. */
export function created(exchange: Exchange, shape: ShapeName, value: unknown, id: string, token?: string): Answer {
  return {
    status: 201,
    headers: { Location: `${exchange.root}${exchange.path}/${id}` },
    json: `{"data":${shown(exchange, shape, value)}${token ? `,"access":{"token":"${token}"}` : ""}}`,
  };
}

/** Whatever a request changes, it changes by a command to the tender of its path. */
export const change = ({ service, tender, actor }: Exchange, command: Command | Reading): Promise<Decided<Done>> =>
  service.registry.change(tender!.id, command, actor);

/** Where the award is that a decision led to, if it led to one. */
export function withNewAward({ root, tender: before }: Exchange, { tender }: Done, answer: Answer): Answer {
  const last = tender.awards.at(-1);
  if (!last || tender.awards.length <= before!.awards.length) return answer;
  return { ...answer, headers: { ...answer.headers, Location: `${root}/tenders/${tender.id}/awards/${last.id}` } };
}
