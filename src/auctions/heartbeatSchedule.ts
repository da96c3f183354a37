/**
 * Which streams get their heartbeat when. Streams are divided into groups of about the same size, which take turns: heartbeats of
 * thousands of streams at one time would hold up every request that comes meanwhile.
 */
export type HeartbeatSchedule<Reader> = {
  readonly add: (reader: Reader) => void;
  readonly remove: (reader: Reader) => void;
  /** The readers whose heartbeat is due. Each reader is returned once in `HEARTBEAT_GROUPS` calls. */
  readonly next: () => Iterable<Reader>;
};

export const HEARTBEAT_GROUPS = 50;

/** Creates a schedule without readers. */
export function openHeartbeatSchedule<Reader>(): HeartbeatSchedule<Reader> {
  const groups = Array.from({ length: HEARTBEAT_GROUPS }, () => new Set<Reader>());
  let due = 0;

  const smallest = (): Set<Reader> | undefined => groups.toSorted((a, b) => a.size - b.size)[0];

  return {
    add: (reader) => void smallest()?.add(reader),
    remove: (reader) => {
      for (const group of groups) group.delete(reader);
    },
    next: () => {
      due = (due + 1) % HEARTBEAT_GROUPS;
      return groups[due] ?? [];
    },
  };
}
