import { newId } from "../base/secrets.ts";
import { type Instant, SECOND } from "../domain/values/time.ts";
import type { EntryWrite, KeyValueEntry, Store } from "../store/store.ts";
import { LEASE_KEY } from "./model.ts";

/** `taken`: another may have had it before, so nothing that was known counts. */
export type LeaseStatus = "held" | "taken" | "another's";

/** Among all processes of a registry one at a time delivers. Whoever writes as the one makes sure in that very turn. */
export type Lease = {
  readonly acquire: () => Promise<LeaseStatus>;
  /** Whether this process may still begin something, as far as it knows. */
  readonly isHeld: () => boolean;
  /** Whether the note of the lease, as a decision sees it, is ours. */
  readonly isOurs: (entry: KeyValueEntry | undefined) => boolean;
  readonly release: () => Promise<void>;
};

type LeaseRecord = { readonly holder: string; readonly until: Instant };

const LEASE_DURATION = 6 * SECOND;
const RENEWAL_MARGIN = 4 * SECOND;

/** `isAlone`: nobody else can be there, so whatever is written there is of a process that has ended. */
export function openLease(
  { clock, keyValues: notes, write }: Pick<Store, "clock" | "keyValues" | "write">,
  isSoleProcess: boolean,
): Lease {
  const holder = newId();
  let until: Instant = Number.NEGATIVE_INFINITY;

  const parseLease = (note: KeyValueEntry | undefined): LeaseRecord | undefined =>
    note ? (JSON.parse(note.text) as LeaseRecord) : undefined;
  const isOurs = (note: KeyValueEntry | undefined) => parseLease(note)?.holder === holder;
  /** What ends later than any lease can was written by a clock that was wrong. */
  function isHeldByAnother(note: KeyValueEntry | undefined): boolean {
    const leaseRecord = parseLease(note);
    const now = clock();
    return (
      !isSoleProcess &&
      !!leaseRecord &&
      leaseRecord.holder !== holder &&
      leaseRecord.until > now &&
      leaseRecord.until <= now + LEASE_DURATION
    );
  }

  async function acquire(): Promise<LeaseStatus> {
    const now = clock();
    if (until - now > RENEWAL_MARGIN && until <= now + LEASE_DURATION) return "held";
    if (isHeldByAnother(await notes.find(LEASE_KEY))) return "another's";
    const result = await write<{ readonly taking: LeaseStatus; readonly until?: Instant }>(
      undefined,
      (_none, { entries: [entry] }) => {
        if (isHeldByAnother(entry)) return { result: { taking: "another's" } };
        const record: LeaseRecord = { holder, until: clock() + LEASE_DURATION };
        const status = isOurs(entry) ? "held" : "taken";
        return {
          result: { taking: status, until: record.until },
          entries: [{ ...LEASE_KEY, text: JSON.stringify(record) }],
        };
      },
      [LEASE_KEY],
    );
    until = result.until ?? Number.NEGATIVE_INFINITY;
    return result.taking;
  }

  async function release(): Promise<void> {
    if (until === Number.NEGATIVE_INFINITY) return;
    until = Number.NEGATIVE_INFINITY;
    const removal: EntryWrite = { ...LEASE_KEY, text: undefined };
    await write(
      undefined,
      (_none, { entries: [entry] }) => ({ result: undefined, entries: isOurs(entry) ? [removal] : [] }),
      [LEASE_KEY],
    );
  }

  return { acquire, isOurs, isHeld: () => until > clock(), release };
}
