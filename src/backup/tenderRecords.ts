import type { BidRow, BidTotalRow, FileRow, LedgerRow, Scan, TenderRow } from "../store/store.ts";

/** All records of a tender in the database. */
export type TenderRecords = {
  readonly id: string;
  readonly rows: readonly LedgerRow[];
  readonly stored: TenderRow | undefined;
  readonly bids: readonly BidRow[];
  readonly bidTotals: readonly BidTotalRow[];
  readonly files: readonly string[];
};

/** Joins the records of each tender, including tenders that are missing in one of the tables. */
export async function* joinTenderRecords(scan: Scan): AsyncGenerator<TenderRecords> {
  const rows = groupsOf(scan.histories(0), (row: LedgerRow) => row.tender);
  const stored = groupsOf(scan.tenders(), (row: TenderRow) => row.id);
  const bids = groupsOf(scan.bids(), (row: BidRow) => row.tender);
  const bidTotals = groupsOf(scan.bidTotals(), (row: BidTotalRow) => row.tender);
  const files = groupsOf(scan.files(), (row: FileRow) => row.tender);
  const sources = [rows, stored, bids, bidTotals, files] as const;
  await Promise.all(sources.map((source) => source.advance()));
  for (;;) {
    const id = sources.flatMap(({ head }) => head()?.id ?? []).reduce(lowestId, undefined);
    if (id === undefined) return;
    yield {
      id,
      rows: await rows.take(id),
      stored: (await stored.take(id))[0],
      bids: await bids.take(id),
      bidTotals: await bidTotals.take(id),
      files: (await files.take(id)).map(({ key }) => key),
    };
  }
}

/** Compares by bytes, as the databases order ids. */
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
      const group = head;
      await advance();
      return group.rows;
    },
  };
}

/** Groups consecutive rows with the same id. */
export async function* groupConsecutive<Row>(
  rows: AsyncIterable<Row>,
  idOf: (row: Row) => string,
): AsyncGenerator<Group<Row>> {
  let id: string | undefined;
  let group: Row[] = [];
  for await (const row of rows) {
    const rowId = idOf(row);
    if (id !== undefined && rowId !== id) {
      yield { id, rows: group };
      group = [];
    }
    id = rowId;
    group.push(row);
  }
  if (id !== undefined) yield { id, rows: group };
}
