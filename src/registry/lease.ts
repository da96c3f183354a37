import { newId } from "../base/secrets.ts";
import { type Instant, SECOND } from "../domain/values/time.ts";
import type { DispatcherLease, EntryKey, EntryWrite, KeyValueEntry, Store } from "../store/store.ts";

/** `taken`: acquired just now, so another process may have changed everything that this one knows. */
export type LeaseStatus = "held" | "taken" | "another's";

/**
 * A lease on work that one process of a registry does at a time, such as delivering webhooks. It can expire at any moment, so every
 * write of that work checks inside the write that it is still the holder's, by `isOwnEntry` or by its own position.
 */
export type Lease = {
  /** Acquires or renews the lease if another process does not hold it. */
  readonly acquire: () => Promise<LeaseStatus>;
  /** Whether this process holds the lease, as far as it knows; enough to start a request. */
  readonly isHeld: () => boolean;
  /** Whether the stored lease belongs to this process. */
  readonly isOwnEntry: (entry: LeaseEntry | undefined) => boolean;
  readonly release: () => Promise<void>;
};

type LeaseEntry = KeyValueEntry<"dispatcher lease">;

const LEASE_DURATION = 6 * SECOND;
const RENEWAL_MARGIN = 4 * SECOND;

/** The lease with this key. `isSoleProcess`: no other process can hold the lease, so a stored one belongs to a process that has ended. */
export function openLease(
  { clock, keyValues, write }: Pick<Store, "clock" | "keyValues" | "write">,
  key: EntryKey<"dispatcher lease">,
  isSoleProcess: boolean,
): Lease {
  const holder = newId();
  let until: Instant = Number.NEGATIVE_INFINITY;

  const isOwnEntry = (entry: LeaseEntry | undefined) => entry?.value.holder === holder;
  /** A lease that ends later than a new one would was written with a wrong clock, so it does not count. */
  function isHeldByAnother(entry: LeaseEntry | undefined): boolean {
    const lease = entry?.value;
    const now = clock();
    return (
      !isSoleProcess && !!lease && lease.holder !== holder && lease.until > now && lease.until <= now + LEASE_DURATION
    );
  }

  async function acquire(): Promise<LeaseStatus> {
    const now = clock();
    if (until - now > RENEWAL_MARGIN && until <= now + LEASE_DURATION) return "held";
    if (isHeldByAnother(await keyValues.find(key))) return "another's";
    const result = await write<{ readonly status: LeaseStatus; readonly until?: Instant }>(
      undefined,
      (_none, { entries }) => {
        const entry = entries.find(key);
        if (isHeldByAnother(entry)) return { result: { status: "another's" } };
        const record: DispatcherLease = { holder, until: clock() + LEASE_DURATION };
        const status = isOwnEntry(entry) ? "held" : "taken";
        return {
          result: { status, until: record.until },
          entries: [{ ...key, value: record }],
        };
      },
      [key],
    );
    until = result.until ?? Number.NEGATIVE_INFINITY;
    return result.status;
  }

  async function release(): Promise<void> {
    if (until === Number.NEGATIVE_INFINITY) return;
    until = Number.NEGATIVE_INFINITY;
    const removal: EntryWrite = { ...key, value: undefined };
    await write(
      undefined,
      (_none, { entries }) => ({ result: undefined, entries: isOwnEntry(entries.find(key)) ? [removal] : [] }),
      [key],
    );
  }

  return { acquire, isOwnEntry, isHeld: () => until > clock(), release };
}
