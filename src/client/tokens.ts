/** The token of something that was created with this client, as it is exported. */
export type KeptToken = {
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
  readonly export: () => readonly KeptToken[];
  /** Takes in what `export` gave. */
  readonly import: (kept: Iterable<KeptToken>) => void;
  /** The latest bid of ours on a tender: against awards, bidders object by the tokens of their bids. */
  readonly ofBidOn: (tender: string) => string | undefined;
  readonly [Symbol.iterator]: () => IterableIterator<readonly [string, string]>;
};

export function openTokens(kept: Iterable<KeptToken> = []): Tokens {
  const known = new Map<string, KeptToken>();
  const tokens: Tokens = {
    get: (id) => known.get(id)?.token,
    has: (id) => known.has(id),
    set: (id, token, bidOn) => {
      known.set(id, { id, token, ...(bidOn !== undefined && { bidOn }) });
    },
    delete: (id) => known.delete(id),
    clear: () => known.clear(),
    get size() {
      return known.size;
    },
    export: () => [...known.values()],
    import: (more) => {
      for (const { id, token, bidOn } of more) tokens.set(id, token, bidOn);
    },
    ofBidOn: (tender) => [...known.values()].findLast((one) => one.bidOn === tender)?.token,
    [Symbol.iterator]: () => [...known.values()].map(({ id, token }) => [id, token] as const)[Symbol.iterator](),
  };
  tokens.import(kept);
  return tokens;
}
