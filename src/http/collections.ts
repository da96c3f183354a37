import type { ShapeName } from "../dialects/newest.ts";
import type { Command, New, Sent } from "../domain/commands.ts";
import type { Tender } from "../domain/tender.ts";
import type { Answer } from "./answers.ts";
import { created, found, foundAll } from "./dataResponses.ts";
import type { Exchange, ViewPorts } from "./exchange.ts";
import type { Operation, Route } from "./route.ts";
import { change, type RegistryPort } from "./runCommand.ts";

export type CollectionPorts = RegistryPort & ViewPorts;
type CollectionExchange = Exchange<CollectionPorts>;
type Params = Exchange["params"];
type Thing = { readonly id: string };

/** A list of things on a tender that are read, added and changed in the same way. */
export type Collection<Item extends Thing> = {
  readonly path: string;
  readonly param: string;
  readonly shape: ShapeName;
  /** One of them, and several, as a reader of the API calls them. */
  readonly words: readonly [string, string];
  readonly all: (tender: Tender, params: Params) => readonly Item[];
  readonly show: (item: Item, exchange: CollectionExchange, tender: Tender) => unknown;
  /** How the answer to a creation shows it, where that is more than anyone sees later. */
  readonly showNew?: (item: Item, exchange: CollectionExchange, tender: Tender) => unknown;
  readonly add?: (params: Params, sent: New<never>) => Command;
  readonly edit?: (params: Params, id: string, sent: Sent<never>) => Command;
  readonly remove?: (params: Params, id: string) => Command;
  readonly hasOwner?: true;
  /** Unknown to the versions that have the plain interface only: all of it, or all but the list. */
  readonly newer?: "all" | "but the list";
};

export function routesOf<Item extends Thing>(collection: Collection<Item>): readonly Route<CollectionPorts>[] {
  const { path, param, shape, words, add, edit, remove, hasOwner } = collection;
  const [one, several] = words;
  const newer = collection.newer && ({ newer: true } as const);
  const newerList = collection.newer === "all" && newer;
  const post: Operation<CollectionPorts> | undefined = add && {
    summary: `Adds ${one}`,
    ...newer,
    body: { json: shape },
    answers: { status: 201, shape, ...(hasOwner && { access: true }) },
    run: (exchange) => create(collection, exchange),
  };
  return [
    {
      path,
      methods: {
        GET: {
          summary: `Lists ${several}`,
          ...newerList,
          answers: { status: 200, shape, many: true },
          run: (exchange) => list(collection, exchange),
        },
        ...(post && { POST: post }),
      },
    },
    {
      path: `${path}/{${param}}`,
      methods: {
        GET: {
          summary: `Shows ${one}`,
          ...newer,
          answers: { status: 200, shape },
          run: (exchange) => showOne(collection, exchange),
        },
        ...(edit && {
          PATCH: {
            summary: `Changes ${one}`,
            ...newer,
            body: { json: shape },
            answers: { status: 200, shape },
            run: (exchange) => patch(collection, exchange),
          } satisfies Operation<CollectionPorts>,
        }),
        ...(remove && {
          DELETE: {
            summary: `Removes ${one}`,
            ...newer,
            answers: { status: 200, shape },
            run: (exchange) => takeAway(collection, exchange),
          } satisfies Operation<CollectionPorts>,
        }),
      },
    },
  ];
}

const itemOf = <Item extends Thing>({ all }: Collection<Item>, tender: Tender, params: Params, id: string): Item =>
  all(tender, params).find((item) => item.id === id)!;

async function list<Item extends Thing>(
  { all, show, shape }: Collection<Item>,
  exchange: CollectionExchange,
): Promise<Answer> {
  const tender = exchange.tender!;
  return foundAll(
    exchange,
    shape,
    all(tender, exchange.params).map((item) => show(item, exchange, tender)),
  );
}

async function showOne<Item extends Thing>(
  collection: Collection<Item>,
  exchange: CollectionExchange,
): Promise<Answer> {
  const { tender, params } = exchange;
  const item = itemOf(collection, tender!, params, params[collection.param]!);
  return found(exchange, collection.shape, collection.show(item, exchange, tender!));
}

async function create<Item extends Thing>(collection: Collection<Item>, exchange: CollectionExchange): Promise<Answer> {
  const { shape, add, show, showNew = show, hasOwner } = collection;
  const { dialect, body, params } = exchange;
  return change(exchange, shape, add!(params, dialect.readNew(shape, body!.data)), ({ tender, id, token }) =>
    created(
      exchange,
      shape,
      showNew(itemOf(collection, tender, params, id!), exchange, tender),
      id!,
      hasOwner && token,
    ),
  );
}

async function patch<Item extends Thing>(collection: Collection<Item>, exchange: CollectionExchange): Promise<Answer> {
  const { shape, edit, show, param } = collection;
  const { dialect, body, params } = exchange;
  const id = params[param]!;
  const commandOn = (tender: Tender): Command =>
    edit!(params, id, dialect.readPatch(shape, body!.data, itemOf(collection, tender, params, id)));
  return change(exchange, shape, { read: commandOn }, ({ tender }) =>
    found(exchange, shape, show(itemOf(collection, tender, params, id), exchange, tender)),
  );
}

async function takeAway<Item extends Thing>(
  collection: Collection<Item>,
  exchange: CollectionExchange,
): Promise<Answer> {
  const { shape, remove, show, param } = collection;
  const { params } = exchange;
  return change(exchange, shape, remove!(params, params[param]!), ({ tender, removed }) =>
    found(exchange, shape, show(removed as unknown as Item, exchange, tender)),
  );
}
