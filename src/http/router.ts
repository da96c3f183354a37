import { type Dialect, OLDEST_BIDS } from "../dialects/dialects.ts";
import { type Operations, operationsIn, type Route } from "./route.ts";
import { ROUTES } from "./routes.ts";
import type { Service } from "./service.ts";
import { SITE_ROUTES } from "./siteTable.ts";

type Node = {
  readonly children: Map<string, Node>;
  /** The route that ends here, as the table has it. */
  route?: string;
  param?: { readonly name: string; readonly form?: RegExp; readonly node: Node };
  ascii?: true;
  /** What may be done here: in versions that have the plain interface only, and in the others. */
  plain?: Operations<Service>;
  full?: Operations<Service>;
};

/** What is told at once from what cannot be one; whether an id is one, is seen where it is looked for. */
const FORMS: { readonly [name: string]: RegExp } = { key: /^[0-9a-f]{32}$/ };

const newNode = (): Node => ({ children: new Map() });

function treeOf(routes: readonly Route<Service>[]): Node {
  const tree = newNode();
  for (const route of routes) {
    let node = tree;
    for (const segment of route.path.slice(1).split("/")) {
      if (segment.startsWith("{")) {
        const name = segment.slice(1, -1);
        node.param ??= { name, form: FORMS[name], node: newNode() };
        node = node.param.node;
      } else {
        const child: Node = node.children.get(segment) ?? newNode();
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
const TREES = { api: treeOf(ROUTES), site: treeOf(SITE_ROUTES) };
export type Table = keyof typeof TREES;

function operationsOf(route: Route<Service>, plain: boolean): Operations<Service> | undefined {
  const operations = operationsIn(route, { manners: { plain } });
  return Object.keys(operations).length > 0 ? operations : undefined;
}

export type Match = {
  /** As the table of routes has it, whatever the version calls bids. */
  readonly route: string;
  readonly operations: Operations<Service>;
  /** Everything that is answered here is ASCII. */
  readonly ascii: boolean;
  readonly params: { readonly [name: string]: string };
  /** The path speaks of bids as the oldest version does. */
  readonly oldestBids: boolean;
};

/** `path` is what follows the version, where there is one. */
export function match(path: string, { bidPaths, manners }: Dialect, table: Table): Match | undefined {
  const params: { [name: string]: string } = {};
  let node: Node | undefined = TREES[table];
  let oldestBids = false;
  for (let start = 1, end = 0; end < path.length; start = end + 1) {
    end = path.indexOf("/", start);
    if (end < 0) end = path.length;
    const segment = path.slice(start, end);
    const isBids: boolean = node.children.has("bids") && bidPaths.includes(segment);
    oldestBids ||= isBids && segment === OLDEST_BIDS;
    const child: Node | undefined = node.children.get(isBids ? "bids" : segment);
    if (child) node = child;
    else if (node.param && segment !== "" && (!node.param.form || node.param.form.test(segment))) {
      params[node.param.name] = segment;
      node = node.param.node;
    } else return undefined;
  }
  const operations = manners.plain ? node.plain : node.full;
  return operations && { route: node.route!, operations, ascii: node.ascii === true, params, oldestBids };
}
