import type { NewNote, Note, NoteName } from "../../store/store.ts";
import type { Delivery } from "./model.ts";

/** What an account's finished deliveries take up while they are listed. */

const USAGE = "webhook deliveries of";
/** What a delivery takes up besides its text: its names, its row, and its place in the indexes. */
const ROW_BYTES = 512;

export const finishedName = (owner: string): NoteName => ({ kind: USAGE, id: owner });

/** Its own text, and what it keeps from being removed. */
export const bytesOf = (delivery: Delivery): number =>
  JSON.stringify(delivery).length + ROW_BYTES + (delivery.snapshot?.bytes ?? 0);

/** The use of each account as decisions see and change it. */
export function openUsage(seen: readonly (Note | undefined)[]) {
  const bytes = new Map(seen.flatMap((note) => (note?.kind === USAGE ? [[note.id, Number(note.text)] as const] : [])));
  const changed = new Set<string>();
  const add = (owner: string, more: number): void => {
    bytes.set(owner, Math.max(0, (bytes.get(owner) ?? 0) + more));
    changed.add(owner);
  };
  return {
    of: (owner: string): number => bytes.get(owner) ?? 0,
    add,
    notes: (): readonly NewNote[] =>
      [...changed].map((owner) => ({
        ...finishedName(owner),
        text: bytes.get(owner) ? String(bytes.get(owner)) : undefined,
      })),
  };
}
