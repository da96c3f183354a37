/** Counts the different queries that each client has open, and those of all clients together. */
export type QueryCounts = {
  /** Counts a query until it is removed; or returns the limit that does not allow it, and counts nothing. */
  readonly add: (clients: readonly string[], query: string) => "too many" | "too many queries" | undefined;
  readonly remove: (clients: readonly string[], query: string) => void;
};

/** The number of open streams of each query. */
type Uses = Map<string, number>;

const ALL_CLIENTS = "";

/** Limits the different queries of each client to `maxEach`, and those of all clients together to `maxAll`; 0 is unlimited. */
export function openQueryCounts(maxEach: number, maxAll: number): QueryCounts {
  const usesOf = new Map<string, Uses>();
  const exceeds = (client: string, query: string, max: number): boolean => {
    const uses = usesOf.get(client);
    return max > 0 && uses !== undefined && uses.size >= max && !uses.has(query);
  };
  function change(client: string, query: string, delta: 1 | -1): void {
    const uses: Uses = usesOf.get(client) ?? new Map();
    const count = (uses.get(query) ?? 0) + delta;
    if (count > 0) uses.set(query, count);
    else uses.delete(query);
    if (uses.size > 0) usesOf.set(client, uses);
    else usesOf.delete(client);
  }
  return {
    add(clients, query) {
      if (clients.some((client) => exceeds(client, query, maxEach))) return "too many queries";
      if (exceeds(ALL_CLIENTS, query, maxAll)) return "too many";
      for (const client of [ALL_CLIENTS, ...clients]) change(client, query, 1);
      return undefined;
    },
    remove(clients, query) {
      for (const client of [ALL_CLIENTS, ...clients]) change(client, query, -1);
    },
  };
}
