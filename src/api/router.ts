import { type Dialect, OLDEST_BIDS } from "../dialects/dialects.ts";
import { type OperationsByMethod, operationsOfVersion, type Route } from "../http/route.ts";
import { ROUTES } from "./routes.ts";
import type { ServicePorts } from "./servicePorts.ts";
import { UNVERSIONED_ROUTES } from "./unversionedRoutes.ts";

type RouteNode = {
  readonly children: Map<string, RouteNode>;
  /** The route that ends here, as the table has it. */
  route?: string;
  param?: { readonly name: string; readonly pattern?: RegExp; readonly node: RouteNode };
  ascii?: true;
  /** What may be done here: in versions that have the plain interface only, and in the others. */
  plain?: OperationsByMethod<ServicePorts>;
  full?: OperationsByMethod<ServicePorts>;
};

/** What is told at once from what cannot be one; whether an id is one, is seen where it is looked for. */
const PARAM_PATTERNS: { readonly [name: string]: RegExp } = { key: /^[0-9a-f]{32}$/ };

const newRouteNode = (): RouteNode => ({ children: new Map() });

function routeTreeOf(routes: readonly Route<ServicePorts>[]): RouteNode {
  const tree = newRouteNode();
  for (const route of routes) {
    let node = tree;
    for (const segment of route.path.slice(1).split("/")) {
      if (segment.startsWith("{")) {
        const name = segment.slice(1, -1);
        node.param ??= { name, pattern: PARAM_PATTERNS[name], node: newRouteNode() };
        node = node.param.node;
      } else {
        const child: RouteNode = node.children.get(segment) ?? newRouteNode();
        node.children.set(segment, child);
        node = child;
      }
    }
    node.route = route.path;
    if (route.ascii) node.ascii = true;
    node.plain = operationsOf(route, true);
    node.full = operationsOf(route, false);
  }
  return tree;
}

/** What is below a version, and what is beside all of them. */
const TREES = { api: routeTreeOf(ROUTES), unversioned: routeTreeOf(UNVERSIONED_ROUTES) };
export type RouteTable = keyof typeof TREES;

function operationsOf(route: Route<ServicePorts>, plain: boolean): OperationsByMethod<ServicePorts> | undefined {
  const operations = operationsOfVersion(route, { behaviour: { plain } });
  return Object.keys(operations).length > 0 ? operations : undefined;
}

export type RouteMatch = {
  /** As the table of routes has it, whatever the version calls bids. */
  readonly route: string;
  readonly operations: OperationsByMethod<ServicePorts>;
  /** Everything that is answered here is ASCII. */
  readonly ascii: boolean;
  readonly params: { readonly [name: string]: string };
  /** The path speaks of bids as the oldest version does. */
  readonly oldestBids: boolean;
};

/** `path` is what follows the version, where there is one. */
export function matchRoute(path: string, { bidPaths, behaviour }: Dialect, table: RouteTable): RouteMatch | undefined {
  const params: { [name: string]: string } = {};
  let node: RouteNode | undefined = TREES[table];
  let oldestBids = false;
  for (let start = 1, end = 0; end < path.length; start = end + 1) {
    end = path.indexOf("/", start);
    if (end < 0) end = path.length;
    const segment = path.slice(start, end);
    const isBids: boolean = node.children.has("bids") && bidPaths.includes(segment);
    oldestBids ||= isBids && segment === OLDEST_BIDS;
    const child: RouteNode | undefined = node.children.get(isBids ? "bids" : segment);
    if (child) node = child;
    else if (node.param && segment !== "" && (!node.param.pattern || node.param.pattern.test(segment))) {
      params[node.param.name] = segment;
      node = node.param.node;
    } else return undefined;
  }
  const operations = behaviour.plain ? node.plain : node.full;
  return operations && { route: node.route!, operations, ascii: node.ascii === true, params, oldestBids };
}
