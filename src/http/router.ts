import { type Dialect, OLDEST_BIDS } from "../dialects/dialects.ts";
import { operationsIn, type Route } from "./exchange.ts";
import { ROUTES } from "./routes.ts";

type Node = {
  readonly children: Map<string, Node>;
  param?: { readonly name: string; readonly node: Node };
  route?: Route;
};

const newNode = (): Node => ({ children: new Map() });

const tree = newNode();
for (const route of ROUTES) {
  let node = tree;
  for (const segment of route.path.slice(1).split("/")) {
    if (segment.startsWith("{")) {
      node.param ??= { name: segment.slice(1, -1), node: newNode() };
      node = node.param.node;
    } else {
      const child: Node = node.children.get(segment) ?? newNode();
      node.children.set(segment, child);
      node = child;
    }
  }
  node.route = route;
}

export type Match = {
  readonly route: Route;
  readonly params: { readonly [name: string]: string };
  /** The path speaks of bids as the oldest version does. */
  readonly oldestBids: boolean;
};

/** `path` is what follows the version. */
export function match(path: string, dialect: Dialect): Match | undefined {
  const params: { [name: string]: string } = {};
  let node: Node | undefined = tree;
  let oldestBids = false;
  for (const segment of path.slice(1).split("/")) {
    const isBids = node.children.has("bids") && dialect.bidPaths.includes(segment);
    oldestBids ||= isBids && segment === OLDEST_BIDS;
    const child: Node | undefined = node.children.get(isBids ? "bids" : segment);
    if (child) node = child;
    else if (node.param && segment !== "") {
      params[node.param.name] = segment;
      node = node.param.node;
    } else return undefined;
  }
  const { route } = node;
  return route && Object.keys(operationsIn(route, dialect)).length > 0 ? { route, params, oldestBids } : undefined;
}
