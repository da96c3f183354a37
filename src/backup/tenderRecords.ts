import type { FileRow, LedgerRow, Scan, TenderRow } from "../store/store.ts";

/** All that a registry has of one tender. */
export type TenderRecords = {
  readonly id: string;
  readonly rows: readonly LedgerRow[];
  readonly stored: TenderRow | undefined;
  readonly files: readonly string[];
};

/** One tender after the other, also those that are in one place and lack in another. */
export async function* joinTenderRecords(scan: Scan): AsyncGenerator<TenderRecords> {
  const rows = groupsOf(scan.histories(0), (row: LedgerRow) => row.tender);
  const stored = groupsOf(scan.tenders(), (row: TenderRow) => row.id);
  const files = groupsOf(scan.files(), (row: FileRow) => row.tender);
  const sources = [rows, stored, files] as const;
  await Promise.all(sources.map((source) => source.advance()));
  for (;;) {
    const id = sources.flatMap(({ head }) => head()?.id ?? []).reduce(lowestId, undefined);
    if (id === undefined) return;
    yield {
      id,
      rows: await rows.take(id),
      stored: (await stored.take(id))[0],
      files: (await files.take(id)).map(({ key }) => key),
    };
  }
}

/** In the order of their bytes, as the databases have them. */
const lowestId = (a: string | undefined, b: string): string =>
  a === undefined || Buffer.compare(Buffer.from(b), Buffer.from(a)) < 0 ? b : a;

type Group<Row> = { readonly id: string; readonly rows: readonly Row[] };

function groupsOf<Row>(rows: AsyncIterable<Row>, idOf: (row: Row) => string) {
  const groups = groupConsecutive(rows, idOf);
  let head: Group<Row> | undefined;
  const advance = async () => {
    const next = await groups.next();
    head = next.done ? undefined : next.value;
  };
  return {
    head: () => head,
    advance,
    take: async (id: string): Promise<readonly Row[]> => {
      if (head?.id !== id) return [];
      const { rows: taken } = head;
      await advance();
      return taken;
    },
  };
}

/** Neighbours of one tender together. */
export async function* groupConsecutive<Row>(
  rows: AsyncIterable<Row>,
  idOf: (row: Row) => string,
): AsyncGenerator<Group<Row>> {
  let id: string | undefined;
  let gathered: Row[] = [];
  for await (const row of rows) {
    const of = idOf(row);
    if (id !== undefined && of !== id) {
      yield { id, rows: gathered };
      gathered = [];
    }
    id = of;
    gathered.push(row);
  }
  if (id !== undefined) yield { id, rows: gathered };
}
