import type { SearchWrite } from "../search/searchRows.ts";
import type { RunQuery, Statement } from "./connection.ts";
import { insertAll } from "./insertAll.ts";

const SEARCH = {
  table: "search",
  columns: [
    ...[
      "public_row",
      "tender_id",
      "listing",
      "status",
      "procedure",
      "categories",
      "region",
      "buyer",
      "suppliers",
      "amount",
    ],
    ...["currency", "deadline", "enquiry_deadline", "opening", "tokens"],
  ],
  expressions: { tokens: (text: string) => `array_to_tsvector(string_to_array(${text}, ' '))` },
};
const AUCTION_STARTS = { table: "auction_starts", columns: ["at", "public_row"] };

const OWN_FACETS = "first_row = (select first_row from tenders where id = $1)";
/** The row that the tender has, unless it is the one that stays. */
const FORMER_ROW = `(select public_row from facets where ${OWN_FACETS} and public_row is distinct from $2::bigint)`;

const REMOVE_STARTS: Statement = {
  name: "remove auction starts",
  text: `delete from auction_starts where public_row = (select public_row from facets where ${OWN_FACETS})`,
};
const REMOVE_FORMER: Statement = {
  name: "remove former search row",
  text: `delete from search where public_row = ${FORMER_ROW}`,
};
const FORGET_ROW: Statement = {
  name: "forget search row",
  text: `update facets set public_row = null where ${OWN_FACETS} and public_row is not null`,
};
/** A tender without a row is one that was published before there was an index, and is not added to it yet: it gets none. */
const PUT: Statement = {
  name: "put search row",
  text: `
    with indexed as (
      update facets set public_row = coalesce($2::bigint, public_row)
      where ${OWN_FACETS} and coalesce($2::bigint, public_row) is not null
      returning public_row),
    started as (
      insert into auction_starts (at, public_row) select unnest($14::bigint[]), public_row from indexed)
    insert into search
      (public_row, tender_id, listing, status, procedure, categories, region, buyer, suppliers, amount, currency, deadline,
        enquiry_deadline, opening, tokens)
    select public_row, $1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::bigint,
      $15::bigint, $16::bigint, array_to_tsvector(string_to_array($13, ' '))
    from indexed
    on conflict (public_row) do update
      set listing = excluded.listing, status = excluded.status, procedure = excluded.procedure,
        categories = excluded.categories, region = excluded.region, buyer = excluded.buyer, suppliers = excluded.suppliers,
        amount = excluded.amount, currency = excluded.currency, deadline = excluded.deadline,
        enquiry_deadline = excluded.enquiry_deadline, opening = excluded.opening, tokens = excluded.tokens`,
};

/** Sends the statements that write rows of the search index, after those of the search columns of their tenders. */
export const writeSearchRows = (runQuery: RunQuery, writes: readonly SearchWrite[]): readonly Promise<unknown>[] => [
  ...insertNewRows(
    runQuery,
    writes.filter(({ isNew }) => isNew),
  ),
  ...writes.filter(({ isNew }) => !isNew).flatMap((write) => putSearchRow(runQuery, write)),
];

/** Inserts the rows of new tenders, whose search columns were inserted with the numbers of these rows. */
function insertNewRows(runQuery: RunQuery, writes: readonly SearchWrite[]): readonly Promise<unknown>[] {
  const indexed = writes.flatMap(({ id, publicRow, row }) => (row ? [{ id, publicRow, row }] : []));
  return [
    ...insertAll(
      runQuery,
      SEARCH,
      indexed.map(({ id, publicRow, row }) => [
        ...[
          publicRow,
          id,
          row.listing,
          row.status,
          row.procedure,
          row.categories,
          row.region,
          row.buyer,
          row.suppliers,
        ],
        ...[row.amount, row.currency, row.deadline, row.enquiryDeadline, row.opening, row.tokens],
      ]),
    ),
    ...insertAll(
      runQuery,
      AUCTION_STARTS,
      indexed.flatMap(({ publicRow, row }) => row.auctionStarts.map((at) => [at, publicRow])),
    ),
  ];
}

function putSearchRow(runQuery: RunQuery, { id, publicRow, row }: SearchWrite): readonly Promise<unknown>[] {
  const removeStarts = runQuery(REMOVE_STARTS, [id]);
  if (!row) return [removeStarts, runQuery(REMOVE_FORMER, [id, null]), runQuery(FORGET_ROW, [id])];
  const { listing, status, procedure, categories, region, buyer, suppliers, amount, currency, deadline } = row;
  return [
    removeStarts,
    ...(publicRow === undefined ? [] : [runQuery(REMOVE_FORMER, [id, publicRow])]),
    runQuery(PUT, [
      ...[id, publicRow ?? null, listing, status, procedure, categories, region, buyer, suppliers, amount, currency],
      ...[deadline, row.tokens, row.auctionStarts, row.enquiryDeadline, row.opening],
    ]),
  ];
}
