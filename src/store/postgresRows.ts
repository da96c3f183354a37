import { type Row, type Sum, sumOf } from "./engine.ts";
import type { Link, Statement } from "./postgresLink.ts";

const INSERT_LEDGER: Statement = {
  name: "insert ledger",
  text: "insert into ledger (sequence, at, tender_id, actor, act, patch) values ($1, $2, $3, $4, $5, $6)",
};
const INSERT_TENDER: Statement = {
  name: "insert tender",
  text: `
    insert into tenders (id, revision, document, status, listing, date_modified, wake_at)
    values ($1, $2, $3, $4, $5, $6, $7)`,
};
/** Divides by zero, and so undoes the whole group, where the tender is not in the revision that was decided on. */
const UPDATE_TENDER: Statement = {
  name: "update tender",
  text: `
    with updated as (
      update tenders set revision = $2, document = $3, status = $4, listing = $5, date_modified = $6, wake_at = $7
      where id = $1 and revision = $8 returning id)
    select 1 / count(*) from updated`,
};
const INSERT_FILE: Statement = { name: "insert file", text: "insert into files (key, tender_id) values ($1, $2)" };
const PUT_NUMBER: Statement = {
  name: "put number",
  text: `
    insert into days (day, last_number) values ($1, $2)
    on conflict (day) do update set last_number = excluded.last_number`,
};
const ADD_TO_STATUS: Statement = {
  name: "add to status",
  text: `
    insert into statuses (status, number) values ($1, $2)
    on conflict (status) do update set number = statuses.number + excluded.number`,
};

/** All that a group of rows writes, sent in one go inside the transaction that is open on the link. */
export function writeAll(link: Link, rows: readonly Row[]): readonly Promise<unknown>[] {
  const { states, numbers, counts } = sumOf(rows);
  return [
    ...states.map((state) => putTender(link, state)),
    ...rows.flatMap(({ sequence, at, id, actor, act, patch, files }) => [
      link.ask(INSERT_LEDGER, [sequence, at, id, actor, act, patch]),
      ...files.map((key) => link.ask(INSERT_FILE, [key, id])),
    ]),
    ...[...numbers].map(([day, number]) => link.ask(PUT_NUMBER, [day, number])),
    ...[...counts].map(([status, by]) => link.ask(ADD_TO_STATUS, [status, by])),
  ];
}

function putTender(link: Link, { row, revisionBefore }: Sum["states"][number]): Promise<unknown> {
  const { id, revision, document, status, listing, dateModified, wakeAt } = row;
  const values = [id, revision, document, status, listing, dateModified, wakeAt];
  return revisionBefore === 0 ? link.ask(INSERT_TENDER, values) : link.ask(UPDATE_TENDER, [...values, revisionBefore]);
}
