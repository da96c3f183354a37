/** An owner token in the form that `tokens.export` returns. */
export type StoredToken = {
  /** The id of the tender, bid or complaint. */
  readonly id: string;
  /** Its owner token. */
  readonly token: string;
  /** The id of the tender, if the token is that of a bid. */
  readonly bidOn?: string;
};

/**
 * The owner tokens of tenders, bids and complaints, by id. The client adds the token of everything it creates and sends
 * the right one with each request. They are kept in memory: export them to use them after a restart.
 *
 * @example
 * const saved = JSON.stringify(client.tokens.export());
 * const later = openClient({ url, key, tokens: JSON.parse(saved) });
 */
export type Tokens = {
  /** Returns the token of a tender, bid or complaint, or undefined. */
  readonly get: (id: string) => string | undefined;
  /** Returns whether the token of a tender, bid or complaint is known. */
  readonly has: (id: string) => boolean;
  /** Adds a token that another client received. For the token of a bid, `bidOn` is the id of its tender. */
  readonly set: (id: string, token: string, bidOn?: string) => void;
  /** Forgets a token. Returns whether it was known. */
  readonly delete: (id: string) => boolean;
  /** Forgets all tokens. */
  readonly clear: () => void;
  /** The number of known tokens. */
  readonly size: number;
  /** Returns all tokens, ready to be stored as JSON. Whoever has them can act for the owner: store them like passwords. */
  readonly export: () => readonly StoredToken[];
  /** Adds tokens that `export` returned. */
  readonly import: (tokens: Iterable<StoredToken>) => void;
  /** Returns the token of the latest known bid on a tender. Bidders file complaints about awards with it. */
  readonly bidTokenFor: (tender: string) => string | undefined;
  /** Iterates over pairs of id and token. */
  readonly [Symbol.iterator]: () => IterableIterator<readonly [string, string]>;
};

/** Creates the token store of a client. */
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
