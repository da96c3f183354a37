import type { ShapeName } from "../../dialects/newestShapes.ts";
import type { ParsedObject, ParsedPatch, TenderCommand } from "../../domain/model/commands.ts";
import type { Tender } from "../../domain/model/tender.ts";
import { createdResponse, listResponse, okResponse } from "../../http/dataResponses.ts";
import type { Exchange, ViewPorts } from "../../http/exchange.ts";
import type { HttpResponse } from "../../http/responses.ts";
import type { Operation, Route } from "../../http/route.ts";
import { changeTender, type RegistryPort } from "../../http/runCommand.ts";

export type CollectionPorts = RegistryPort & ViewPorts;
type CollectionExchange = Exchange<CollectionPorts>;
type Params = Exchange["params"];
type WithId = { readonly id: string };

/** A list of things on a tender that are read, added and changed in the same way. */
export type Collection<Item extends WithId> = {
  readonly path: string;
  readonly param: string;
  readonly shape: ShapeName;
  /** One of them, and several, as a reader of the API calls them. */
  readonly nouns: readonly [string, string];
  readonly itemsOf: (tender: Tender, params: Params) => readonly Item[];
  readonly show: (item: Item, exchange: CollectionExchange, tender: Tender) => unknown;
  /** How the answer to a creation shows it, where that is more than anyone sees later. */
  readonly showNew?: (item: Item, exchange: CollectionExchange, tender: Tender) => unknown;
  readonly add?: (params: Params, sent: ParsedObject<never>) => TenderCommand;
  readonly edit?: (params: Params, id: string, sent: ParsedPatch<never>) => TenderCommand;
  readonly remove?: (params: Params, id: string) => TenderCommand;
  readonly hasOwner?: true;
  /** Unknown to the versions that have the plain interface only: all of it, or all but the list. */
  readonly absentFromPlain?: "all" | "all but the list";
};

export function collectionRoutes<Item extends WithId>(collection: Collection<Item>): readonly Route<CollectionPorts>[] {
  const { path, param, shape, nouns, add, edit, remove, hasOwner } = collection;
  const [singular, plural] = nouns;
  const presence = collection.absentFromPlain && ({ absentFromPlain: true } as const);
  const listPresence = collection.absentFromPlain === "all" && presence;
  const post: Operation<CollectionPorts> | undefined = add && {
    summary: `Adds ${singular}`,
    ...presence,
    body: { json: shape },
    response: { status: 201, shape, ...(hasOwner && { access: true }) },
    run: (exchange) => createItem(collection, exchange),
  };
  return [
    {
      path,
      methods: {
        GET: {
          summary: `Lists ${plural}`,
          ...listPresence,
          response: { status: 200, shape, many: true },
          run: (exchange) => listItems(collection, exchange),
        },
        ...(post && { POST: post }),
      },
    },
    {
      path: `${path}/{${param}}`,
      methods: {
        GET: {
          summary: `Shows ${singular}`,
          ...presence,
          response: { status: 200, shape },
          run: (exchange) => showItem(collection, exchange),
        },
        ...(edit && {
          PATCH: {
            summary: `Changes ${singular}`,
            ...presence,
            body: { json: shape },
            response: { status: 200, shape },
            run: (exchange) => patchItem(collection, exchange),
          } satisfies Operation<CollectionPorts>,
        }),
        ...(remove && {
          DELETE: {
            summary: `Removes ${singular}`,
            ...presence,
            response: { status: 200, shape },
            run: (exchange) => removeItem(collection, exchange),
          } satisfies Operation<CollectionPorts>,
        }),
      },
    },
  ];
}

const findItem = <Item extends WithId>(
  { itemsOf }: Collection<Item>,
  tender: Tender,
  params: Params,
  id: string,
): Item => itemsOf(tender, params).find((item) => item.id === id)!;

async function listItems<Item extends WithId>(
  { itemsOf, show, shape }: Collection<Item>,
  exchange: CollectionExchange,
): Promise<HttpResponse> {
  const tender = exchange.tender!;
  return listResponse(
    exchange,
    shape,
    itemsOf(tender, exchange.params).map((item) => show(item, exchange, tender)),
  );
}

async function showItem<Item extends WithId>(
  collection: Collection<Item>,
  exchange: CollectionExchange,
): Promise<HttpResponse> {
  const { tender, params } = exchange;
  const item = findItem(collection, tender!, params, params[collection.param]!);
  return okResponse(exchange, collection.shape, collection.show(item, exchange, tender!));
}

async function createItem<Item extends WithId>(
  collection: Collection<Item>,
  exchange: CollectionExchange,
): Promise<HttpResponse> {
  const { shape, add, show, showNew = show, hasOwner } = collection;
  const { dialect, body, params } = exchange;
  return changeTender(exchange, shape, add!(params, dialect.readNew(shape, body!.data)), ({ tender, id, token }) =>
    createdResponse(
      exchange,
      shape,
      showNew(findItem(collection, tender, params, id!), exchange, tender),
      id!,
      hasOwner && token,
    ),
  );
}

async function patchItem<Item extends WithId>(
  collection: Collection<Item>,
  exchange: CollectionExchange,
): Promise<HttpResponse> {
  const { shape, edit, show, param } = collection;
  const { dialect, body, params } = exchange;
  const id = params[param]!;
  const commandOn = (tender: Tender): TenderCommand =>
    edit!(params, id, dialect.readPatch(shape, body!.data, findItem(collection, tender, params, id)));
  return changeTender(exchange, shape, { read: commandOn }, ({ tender }) =>
    okResponse(exchange, shape, show(findItem(collection, tender, params, id), exchange, tender)),
  );
}

async function removeItem<Item extends WithId>(
  collection: Collection<Item>,
  exchange: CollectionExchange,
): Promise<HttpResponse> {
  const { shape, remove, show, param } = collection;
  const { params } = exchange;
  return changeTender(exchange, shape, remove!(params, params[param]!), ({ tender, removed }) =>
    okResponse(exchange, shape, show(removed as unknown as Item, exchange, tender)),
  );
}
