import { type Dialect, OLDEST_BIDS } from "../dialects/dialects.ts";
import { type OperationsByMethod, operationsOfVersion, type Route } from "../http/route.ts";
import { ROUTES } from "./routes.ts";
import type { ServicePorts } from "./servicePorts.ts";
import { UNVERSIONED_ROUTES } from "./unversionedRoutes.ts";

/** A node of the route tree, in which each path segment is a level. */
type RouteNode = {
  readonly children: Map<string, RouteNode>;
  /** The path of the route that ends here, as in the route table. */
  route?: string;
  param?: { readonly name: string; readonly pattern?: RegExp; readonly node: RouteNode };
  ascii?: true;
  /** The operations in the versions of each group that has any. */
  operations?: { readonly [group in VersionGroup]?: OperationsByMethod<ServicePorts> };
};

/** Groups of versions with the same operations. */
const VERSION_GROUPS = {
  plain: { plain: true, liveAuctions: false },
  older: { plain: false, liveAuctions: false },
  newest: { plain: false, liveAuctions: true },
} as const;
type VersionGroup = keyof typeof VERSION_GROUPS;

const groupOf = ({ plain, liveAuctions }: Dialect["behaviour"]): VersionGroup =>
  plain ? "plain" : liveAuctions ? "newest" : "older";

/** Parameters that must match a pattern, or else the path does not exist. Other ids are validated when they are looked up. */
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
    node.operations = {
      plain: operationsOf(route, "plain"),
      older: operationsOf(route, "older"),
      newest: operationsOf(route, "newest"),
    };
  }
  return tree;
}

/** The routes below `/api/VERSION`, and those that are the same for all versions. */
const TREES = { api: routeTreeOf(ROUTES), unversioned: routeTreeOf(UNVERSIONED_ROUTES) };
export type RouteTable = keyof typeof TREES;

function operationsOf(route: Route<ServicePorts>, group: VersionGroup): OperationsByMethod<ServicePorts> | undefined {
  const operations = operationsOfVersion(route, { behaviour: VERSION_GROUPS[group] });
  return Object.keys(operations).length > 0 ? operations : undefined;
}

export type RouteMatch = {
  /** The path of the route as in the route table, also if the version has another name for bids. */
  readonly route: string;
  readonly operations: OperationsByMethod<ServicePorts>;
  /** All responses of the route are ASCII. */
  readonly ascii: boolean;
  readonly params: { readonly [name: string]: string };
  /** The path uses the oldest version's name for bids, so the response has that version's shapes. */
  readonly oldestBids: boolean;
};

/** The route of a path. `path` starts after the version, or is the whole path for unversioned routes. */
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
  const { route } = node;
  const operations = node.operations?.[groupOf(behaviour)];
  if (route === undefined || !operations) return undefined;
  return { route, operations, ascii: node.ascii === true, params, oldestBids };
}
