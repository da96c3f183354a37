/** Numbered by their place; the table `schema_version` says how many a database has seen. Never edit one that has been released: add. */
export const POSTGRES_MIGRATIONS: readonly string[] = [
  `
  create table tenders (
    id text collate "C" primary key,
    revision bigint not null,
    document text not null,
    status text not null,
    listing text not null check (listing in ('draft', 'real', 'test')),
    date_modified bigint not null,
    wake_at bigint
  );
  -- With the id in them, pages of the feed are read off the indexes alone.
  create index tenders_by_mode on tenders (listing, date_modified) include (id);
  create index tenders_listed on tenders (date_modified) include (id) where listing <> 'draft';
  create index tenders_by_wake on tenders (wake_at) include (id) where wake_at is not null;

  create table ledger (
    sequence bigint primary key,
    at bigint not null unique,
    tender_id text not null,
    actor text,
    act text not null,
    patch text not null
  );
  create function ledger_keeps_its_rows() returns trigger language plpgsql as
    $$ begin raise exception 'the ledger is append-only'; end $$;
  create trigger ledger_keeps_rows before update or delete on ledger
    for each row execute function ledger_keeps_its_rows();
  create trigger ledger_keeps_all before truncate on ledger
    for each statement execute function ledger_keeps_its_rows();

  create table files (key text collate "C" primary key, tender_id text not null);
  create table days (day text primary key, last_number bigint not null);
  create table statuses (status text primary key, number bigint not null);
  create table secrets (name text primary key, secret text not null);

  -- Texts of a few kilobytes are squeezed on every write; lz4 does it in a fraction of the time, where it was built in.
  do $$ begin
    alter table tenders alter column document set compression lz4;
    alter table ledger alter column patch set compression lz4;
  exception when feature_not_supported then null;
  end $$;
  `,
];
