import { required } from "../../base/required.ts";
import type { ShapeName } from "../../dialects/newestShapes.ts";
import type { ParsedObject, ParsedPatch, TenderCommand } from "../../domain/model/commands.ts";
import type { Tender } from "../../domain/model/tender.ts";
import { procedureOf } from "../../domain/procedures/index.ts";
import { absentFieldsIn } from "../../domain/procedures/optionalFields.ts";
import { createdResponse, listResponse, okResponse } from "../../http/dataResponses.ts";
import { type Exchange, requireData, requireParam, requireTender, type ViewPorts } from "../../http/exchange.ts";
import type { HttpResponse } from "../../http/responses.ts";
import type { Operation, Route } from "../../http/route.ts";
import { changeTender, createdId, type RegistryPort } from "../../http/runCommand.ts";

export type CollectionPorts = RegistryPort & ViewPorts;
type CollectionExchange = Exchange<CollectionPorts>;
type Params = Exchange["params"];
type WithId = { readonly id: string };

/** A list of items of a tender. All such lists are read, added to and changed by the same handlers. `Input` are the fields of its commands. */
export type Collection<Item extends WithId, Input> = {
  /** The path of the list. */
  readonly path: string;
  /** The path parameter with the id of an item. */
  readonly param: string;
  readonly shape: ShapeName;
  /** Singular and plural with their articles, for the API description. */
  readonly nouns: readonly [string, string];
  readonly itemsOf: (tender: Tender, params: Params) => readonly Item[];
  /** The view of an item for the caller. */
  readonly show: (item: Item, exchange: CollectionExchange, tender: Tender) => object;
  /** The view in the response to its creation, if that shows more than later views. */
  readonly showNew?: (item: Item, exchange: CollectionExchange, tender: Tender) => object;
  readonly add?: (params: Params, sent: ParsedObject<Input>) => TenderCommand;
  readonly edit?: (params: Params, id: string, sent: ParsedPatch<Input>) => TenderCommand;
  readonly remove?: (params: Params, id: string) => TenderCommand;
  /** Items get an owner token when they are created. */
  readonly hasOwner?: true;
  /** Absent from the old versions, which have only the plain interface: all operations, or all but the list. */
  readonly absentFromPlain?: "all" | "all but the list";
};

/** The routes of a collection: the list, and its items. */
export function collectionRoutes<Item extends WithId, Input>(
  collection: Collection<Item, Input>,
): readonly Route<CollectionPorts>[] {
  const { path, param, shape, nouns, add, edit, remove, hasOwner } = collection;
  const [singular, plural] = nouns;
  const presence = collection.absentFromPlain && ({ absentFromPlain: true } as const);
  const listPresence = collection.absentFromPlain === "all" && presence;
  const post: Operation<CollectionPorts> | undefined = add && {
    summary: `Add ${singular}`,
    ...presence,
    body: { json: shape },
    response: { status: 201, shape, ...(hasOwner && { access: true }) },
    run: (exchange) => createItem(collection, add, exchange),
  };
  return [
    {
      path,
      methods: {
        GET: {
          summary: `List ${plural}`,
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
          summary: `Get ${singular}`,
          ...presence,
          response: { status: 200, shape },
          run: (exchange) => showItem(collection, exchange),
        },
        ...(edit && {
          PATCH: {
            summary: `Change ${singular}`,
            ...presence,
            body: { json: shape },
            response: { status: 200, shape },
            run: (exchange) => patchItem(collection, edit, exchange),
          } satisfies Operation<CollectionPorts>,
        }),
        ...(remove && {
          DELETE: {
            summary: `Remove ${singular}`,
            ...presence,
            response: { status: 200, shape },
            run: (exchange) => removeItem(collection, remove, exchange),
          } satisfies Operation<CollectionPorts>,
        }),
      },
    },
  ];
}

/** The item with an id that the path or the command has already found. */
export const itemWithId = <Item extends WithId>(items: readonly Item[], id: string): Item =>
  required(
    items.find((item) => item.id === id),
    "the item",
  );

/** The path or the command has already found the item. */
const findItem = <Item extends WithId, Input>(
  { itemsOf }: Collection<Item, Input>,
  tender: Tender,
  params: Params,
  id: string,
): Item => itemWithId(itemsOf(tender, params), id);

async function listItems<Item extends WithId, Input>(
  { itemsOf, show, shape }: Collection<Item, Input>,
  exchange: CollectionExchange,
): Promise<HttpResponse> {
  const tender = requireTender(exchange);
  return listResponse(
    exchange,
    shape,
    itemsOf(tender, exchange.params).map((item) => show(item, exchange, tender)),
  );
}

async function showItem<Item extends WithId, Input>(
  collection: Collection<Item, Input>,
  exchange: CollectionExchange,
): Promise<HttpResponse> {
  const tender = requireTender(exchange);
  const item = findItem(collection, tender, exchange.params, requireParam(exchange, collection.param));
  return okResponse(exchange, collection.shape, collection.show(item, exchange, tender));
}

async function createItem<Item extends WithId, Input>(
  collection: Collection<Item, Input>,
  add: NonNullable<Collection<Item, Input>["add"]>,
  exchange: CollectionExchange,
): Promise<HttpResponse> {
  const { shape, show, showNew = show, hasOwner } = collection;
  const { dialect, params } = exchange;
  const absent = absentFieldsIn(procedureOf(requireTender(exchange)));
  const command = add(params, dialect.readNew<Input>(shape, requireData(exchange), absent));
  return changeTender(exchange, shape, command, (committed) => {
    const { tender, token } = committed;
    const id = createdId(committed);
    const view = showNew(findItem(collection, tender, params, id), exchange, tender);
    return createdResponse(exchange, shape, view, id, hasOwner && token);
  });
}

async function patchItem<Item extends WithId, Input>(
  collection: Collection<Item, Input>,
  edit: NonNullable<Collection<Item, Input>["edit"]>,
  exchange: CollectionExchange,
): Promise<HttpResponse> {
  const { shape, show, param } = collection;
  const { dialect, params } = exchange;
  const id = requireParam(exchange, param);
  const data = requireData(exchange);
  const read = (tender: Tender): TenderCommand => {
    const absent = absentFieldsIn(procedureOf(tender));
    const item = findItem(collection, tender, params, id);
    return edit(params, id, dialect.readPatch<Input>(shape, data, item, absent));
  };
  return changeTender(exchange, shape, { read }, ({ tender }) =>
    okResponse(exchange, shape, show(findItem(collection, tender, params, id), exchange, tender)),
  );
}

async function removeItem<Item extends WithId, Input>(
  collection: Collection<Item, Input>,
  remove: NonNullable<Collection<Item, Input>["remove"]>,
  exchange: CollectionExchange,
): Promise<HttpResponse> {
  const { shape, show, param } = collection;
  const command = remove(exchange.params, requireParam(exchange, param));
  // What the command removes is an item of this collection.
  return changeTender(exchange, shape, command, ({ tender, removed }) =>
    okResponse(exchange, shape, show(removed as unknown as Item, exchange, tender)),
  );
}
