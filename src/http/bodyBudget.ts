/**
 * Bounds the bytes of request bodies that a process holds at once. Bytes count from when they arrive until the request is
 * answered; a Content-Length alone reserves nothing. A limit for each account prevents one account from using up the whole budget.
 */
export type BodyBudget = {
  /** Starts counting for one request of this account (`""` for requests without one). */
  readonly open: (account: string) => BodyLease;
  /** The bytes that are held now. */
  readonly bytes: () => number;
};

/** The bytes held by one request. */
export type BodyLease = {
  /** Counts bytes that have arrived; if they do not fit, nothing is counted and the exhausted limit is returned. */
  readonly take: (bytes: number) => ExhaustedLimit | undefined;
  /** Returns everything to the budget; calling it again does nothing. */
  readonly release: () => void;
};

/** The limit that was reached: that of the account, or that of the whole process. */
export type ExhaustedLimit = "account" | "process";

export type BodyBudgetSettings = { readonly bytesMax: number; readonly bytesPerAccountMax: number };

export function openBodyBudget({ bytesMax, bytesPerAccountMax }: BodyBudgetSettings): BodyBudget {
  const accounts = new Map<string, number>();
  let total = 0;

  function add(account: string, bytes: number): void {
    total += bytes;
    const held = (accounts.get(account) ?? 0) + bytes;
    if (held > 0) accounts.set(account, held);
    else accounts.delete(account);
  }

  function open(account: string): BodyLease {
    let held = 0;
    return {
      take(bytes) {
        if ((accounts.get(account) ?? 0) + bytes > bytesPerAccountMax) return "account";
        if (total + bytes > bytesMax) return "process";
        held += bytes;
        add(account, bytes);
        return undefined;
      },
      release() {
        if (held > 0) add(account, -held);
        held = 0;
      },
    };
  }

  return { open, bytes: () => total };
}
