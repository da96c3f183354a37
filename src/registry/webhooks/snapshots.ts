import type { FeedRow, NewNote, Note, NoteName } from "../../store/store.ts";
import type { Delivery } from "./model.ts";

/**
 * Snapshots of changed tenders for webhooks with `opt_fields`. A change is stored once, however many webhooks receive it and
 * whatever versions and fields they ask for. Deliveries are reference-counted; removing the last one removes the snapshot.
 */

const SNAPSHOT = "change";
const REFERENCES = "change references";

/** Changes are named as deliveries are. */
export const snapshotName = (id: string): NoteName => ({ kind: SNAPSHOT, id });
export const referencesName = (id: string): NoteName => ({ kind: REFERENCES, id });

/** What webhooks are told of a change: the row of the feed, and the text of its snapshot where fields are asked for. */
export type FollowedChange = { readonly row: FeedRow; readonly snapshot?: string };

const countIn = (note: Note | undefined): number => (note ? Number(note.text) : 0);

/** One more delivery refers to it; the first one stores it. */
export function withReference(id: string, snapshot: string, references: Note | undefined): readonly NewNote[] {
  const count = countIn(references);
  return [
    { ...referencesName(id), text: String(count + 1) },
    ...(count === 0 ? [{ ...snapshotName(id), text: snapshot }] : []),
  ];
}

/** So many deliveries do not refer to it any more. */
export function withoutReferences(id: string, fewer: number, references: Note | undefined): readonly NewNote[] {
  const count = countIn(references) - fewer;
  if (count > 0) return [{ ...referencesName(id), text: String(count) }];
  return [
    { ...referencesName(id), text: undefined },
    { ...snapshotName(id), text: undefined },
  ];
}

/** The names of the counts that deliveries are counted in. */
export const referencesOf = (deliveries: readonly Delivery[]): readonly NoteName[] => [
  ...new Map(deliveries.flatMap((one) => (one.snapshot ? [[one.id, referencesName(one.id)] as const] : []))).values(),
];

/** For deliveries that are gone: the counts as they are seen, by the ids that they count for. */
export function released(gone: readonly Delivery[], seen: readonly (Note | undefined)[]): readonly NewNote[] {
  const referring = gone.filter(({ snapshot }) => snapshot !== undefined);
  const counts = new Map(seen.flatMap((note) => (note?.kind === REFERENCES ? [[note.id, note] as const] : [])));
  return [...Map.groupBy(referring, ({ id }) => id)].flatMap(([id, some]) =>
    withoutReferences(id, some.length, counts.get(id)),
  );
}
