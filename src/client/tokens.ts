/** The token of something that was created with this client, as it is exported. */
export type StoredToken = {
  readonly id: string;
  readonly token: string;
  /** The tender, where it is the token of a bid. */
  readonly bidOn?: string;
};

/** The owner tokens that the client sends by itself, by the ids of tenders, bids and complaints. */
export type Tokens = {
  /** The token of a tender, bid or complaint, if it is known. */
  readonly get: (id: string) => string | undefined;
  /** Whether the token is known. */
  readonly has: (id: string) => boolean;
  /** Makes a token known that this client did not get itself; `bidOn` is the tender, where it is the token of a bid. */
  readonly set: (id: string, token: string, bidOn?: string) => void;
  /** Forgets one. */
  readonly delete: (id: string) => boolean;
  /** Forgets all. */
  readonly clear: () => void;
  /** How many are known. */
  readonly size: number;
  /** All of them, to be kept as JSON. Who has them owns what they belong to. */
  readonly export: () => readonly StoredToken[];
  /** Takes in what `export` gave. */
  readonly import: (tokens: Iterable<StoredToken>) => void;
  /** The latest bid of ours on a tender: against awards, bidders object by the tokens of their bids. */
  readonly bidTokenFor: (tender: string) => string | undefined;
  readonly [Symbol.iterator]: () => IterableIterator<readonly [string, string]>;
};

export function openTokens(initialTokens: Iterable<StoredToken> = []): Tokens {
  const stored = new Map<string, StoredToken>();
  const tokens: Tokens = {
    get: (id) => stored.get(id)?.token,
    has: (id) => stored.has(id),
    set: (id, token, bidOn) => {
      stored.set(id, { id, token, ...(bidOn !== undefined && { bidOn }) });
    },
    delete: (id) => stored.delete(id),
    clear: () => stored.clear(),
    get size() {
      return stored.size;
    },
    export: () => [...stored.values()],
    import: (imported) => {
      for (const { id, token, bidOn } of imported) tokens.set(id, token, bidOn);
    },
    bidTokenFor: (tender) => [...stored.values()].findLast((entry) => entry.bidOn === tender)?.token,
    [Symbol.iterator]: () => [...stored.values()].map(({ id, token }) => [id, token] as const)[Symbol.iterator](),
  };
  tokens.import(initialTokens);
  return tokens;
}
