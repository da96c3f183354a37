/** Numbered by their place; a database says in `user_version` how many it has seen. Never edit one that has been released: add. */
export const SQLITE_MIGRATIONS: readonly string[] = [
  `
  create table tenders (
    id text primary key,
    revision integer not null,
    document text not null,
    status text not null,
    listing text not null check (listing in ('draft', 'real', 'test')),
    date_modified integer not null,
    wake_at integer
  );
  create index tenders_by_mode on tenders (listing, date_modified);
  create index tenders_listed on tenders (date_modified) where listing <> 'draft';
  create index tenders_by_wake on tenders (wake_at) where wake_at is not null;
  create index tenders_by_status on tenders (status) where listing = 'real';

  create table ledger (
    sequence integer primary key,
    at integer not null unique,
    tender_id text not null,
    actor text,
    act text not null,
    patch text not null
  );
  create trigger ledger_keeps_rows before delete on ledger begin select raise(abort, 'the ledger is append-only'); end;
  create trigger ledger_keeps_places before insert on ledger when exists (select 1 from ledger where sequence = new.sequence)
    begin select raise(abort, 'the ledger is append-only'); end;
  create trigger ledger_keeps_words before update on ledger begin select raise(abort, 'the ledger is append-only'); end;

  create table files (key text primary key, tender_id text not null) without rowid;
  create table days (day text primary key, last_number integer not null) without rowid;
  `,
  `
  create table statuses (status text primary key, number integer not null) without rowid;
  insert into statuses (status, number) select status, count(*) from tenders where listing = 'real' group by status;
  drop index tenders_by_status;
  -- With the id in them, pages of the feed are read off the indexes alone.
  drop index tenders_by_mode;
  drop index tenders_listed;
  drop index tenders_by_wake;
  create index tenders_by_mode on tenders (listing, date_modified, id);
  create index tenders_listed on tenders (date_modified, id) where listing <> 'draft';
  create index tenders_by_wake on tenders (wake_at, id) where wake_at is not null;
  create table secrets (name text primary key, secret text not null) without rowid;
  `,
];
