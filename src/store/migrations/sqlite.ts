import { MOVING_BIDS } from "./movingBids.ts";

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
  -- The indexes include the id, so that pages of the feed need index-only scans.
  drop index tenders_by_mode;
  drop index tenders_listed;
  drop index tenders_by_wake;
  create index tenders_by_mode on tenders (listing, date_modified, id);
  create index tenders_listed on tenders (date_modified, id) where listing <> 'draft';
  create index tenders_by_wake on tenders (wake_at, id) where wake_at is not null;
  create table secrets (name text primary key, secret text not null) without rowid;
  `,
  `
  alter table tenders add column clock text;
  drop index tenders_by_wake;
  create index tenders_by_wake on tenders (wake_at, id) where wake_at is not null and clock is null;
  create index tenders_by_clock on tenders (clock, wake_at, id) where clock is not null;

  -- The first row of the ledger of a tender. Search columns are stored in this order, because random ids would scatter them.
  alter table tenders add column first_row integer;
  update tenders set first_row = begun.sequence
    from (select tender_id, min(sequence) as sequence from ledger group by tender_id) as begun where begun.tender_id = id;

  create table facets (
    first_row integer primary key,
    tender_id text not null,
    listing text not null,
    date_modified integer not null,
    status text not null,
    number text not null,
    entity text,
    currency text,
    amount text,
    enquiry_end integer,
    tender_start integer,
    tender_end integer
  );
  create table classifications (code text not null, first_row integer not null, primary key (code, first_row)) without rowid;
  insert into facets
    select first_row, id, listing, date_modified, status, document ->> '$.tenderID', substr(document ->> '$.procuringEntity.identifier.id', 1, 200),
      substr(document ->> '$.value.currency', 1, 200),
      case when document ->> '$.value.amount' like '-%' then ''
        else substr('000' || (instr((document ->> '$.value.amount') || '.', '.') - 1), -3) || (document ->> '$.value.amount') end,
      document ->> '$.enquiryPeriod.endDate', document ->> '$.tenderPeriod.startDate', document ->> '$.tenderPeriod.endDate'
    from tenders;
  insert or ignore into classifications
    select substr(item.value ->> '$.classification.id', 1, 200), first_row from tenders, json_each(document, '$.items') as item
    where item.value ->> '$.classification.id' is not null;
  create index facets_by_date on facets (date_modified);
  create index facets_by_number on facets (number);
  create index facets_by_status on facets (status, date_modified);
  create index facets_by_entity on facets (entity, date_modified) where entity is not null;
  create index facets_by_amount on facets (amount) where amount is not null;
  create index facets_by_enquiry_end on facets (enquiry_end) where enquiry_end is not null;
  create index facets_by_tender_start on facets (tender_start) where tender_start is not null;
  create index facets_by_tender_end on facets (tender_end) where tender_end is not null;
  create index classifications_by_tender on classifications (first_row);

  -- Not "without rowid": texts may be long, and looking up a key would then read the texts of others.
  create table notes (
    kind text not null,
    id text not null,
    revision integer not null,
    due_at integer,
    text text not null,
    primary key (kind, id)
  );
  create index notes_by_due on notes (kind, due_at) where due_at is not null;
  `,
  `
  -- Bids of a tender are in the order of their rowids.
  create table bids (
    tender_id text not null,
    id text not null,
    owner text not null,
    bytes integer not null,
    document text not null,
    primary key (tender_id, id)
  );
  create table bid_totals (
    tender_id text not null,
    owner text not null,
    count integer not null,
    bytes integer not null,
    changes integer not null,
    primary key (tender_id, owner)
  ) without rowid;
  alter table ledger add column kind text not null default 'tender';
  alter table ledger add column record_id text;

  -- A migration of data that is not complete yet, with the last tender that it has done.
  create table data_migrations (name text primary key, done_up_to text not null) without rowid;
  insert into data_migrations select '${MOVING_BIDS}', '' where exists (select 1 from tenders);
  `,
  `
  -- Each kind of key-value entries has a table of its own (store/entryKinds.ts). What was an index of its own, such as the clocks of
  -- an account, is an index of the table now.
  -- Not "without rowid": values may be long, and looking up an id would then read the values of others.
  create table test_clocks (id text primary key, revision integer not null, owner text not null, value text not null);
  create index test_clocks_by_owner on test_clocks (owner, id);
  create table webhooks (id text primary key, revision integer not null, value text not null);
  create table owned_webhooks (id text primary key, revision integer not null, value text not null);
  create table deleted_webhooks (id text primary key, revision integer not null, value text not null);
  create table webhook_markers (id text primary key, revision integer not null, value text not null);
  create table dispatcher_leases (id text primary key, revision integer not null, value text not null);
  create table deliveries (
    id text primary key,
    revision integer not null,
    expires_at integer,
    webhook text not null,
    status text not null,
    value text not null
  );
  create index deliveries_by_webhook on deliveries (webhook, status, id);
  create index deliveries_by_expiry on deliveries (expires_at) where expires_at is not null;
  create table snapshots (id text primary key, revision integer not null, value text not null);
  create table snapshot_references (id text primary key, revision integer not null, value text not null);
  create table delivery_usage (id text primary key, revision integer not null, value text not null);
  create table idempotency_records (id text primary key, revision integer not null, expires_at integer, value text not null);
  create index idempotency_records_by_expiry on idempotency_records (expires_at) where expires_at is not null;
  create table idempotency_usage (id text primary key, revision integer not null, expires_at integer, value text not null);
  create index idempotency_usage_by_expiry on idempotency_usage (expires_at) where expires_at is not null;
  create table upload_leases (id text primary key, revision integer not null, expires_at integer, value text not null);
  create index upload_leases_by_expiry on upload_leases (expires_at) where expires_at is not null;
  create table pending_uploads (
    id text primary key,
    revision integer not null,
    expires_at integer,
    owner text not null,
    value text not null
  );
  create index pending_uploads_by_owner on pending_uploads (owner, id);
  create index pending_uploads_by_expiry on pending_uploads (expires_at) where expires_at is not null;
  create table pending_upload_totals (id text primary key, revision integer not null, value text not null);
  create table last_backups (id text primary key, revision integer not null, value text not null);

  insert into test_clocks (id, revision, owner, value)
    select id, revision, text ->> '$.owner', text from notes where kind = 'clock';
  insert into webhooks (id, revision, value) select id, revision, text from notes where kind = 'webhook';
  insert into owned_webhooks (id, revision, value) select id, revision, text from notes where kind = 'webhooks of';
  insert into deleted_webhooks (id, revision, value) select id, revision, text from notes where kind = 'webhook gone';
  insert into snapshots (id, revision, value) select id, revision, text from notes where kind = 'change';
  insert into snapshot_references (id, revision, value) select id, revision, text from notes where kind = 'change references';
  insert into delivery_usage (id, revision, value) select id, revision, text from notes where kind = 'webhook deliveries of';
  insert into pending_upload_totals (id, revision, value) select id, revision, text from notes where kind = 'pending uploads';
  insert into last_backups (id, revision, value) select id, revision, text from notes where kind = 'backup';
  insert into webhook_markers (id, revision, value)
    select id, revision, text from notes where kind = 'webhooks' and id = 'changed';
  insert into dispatcher_leases (id, revision, value)
    select id, revision, text from notes where kind = 'webhooks' and id = 'lease';
  insert into idempotency_records (id, revision, expires_at, value)
    select id, revision, due_at, text from notes where kind = 'answer';
  insert into idempotency_usage (id, revision, expires_at, value)
    select id, revision, due_at, text from notes where kind = 'answers of';
  insert into upload_leases (id, revision, expires_at, value)
    select id, revision, due_at, text from notes where kind = 'receiving';
  insert into pending_uploads (id, revision, expires_at, owner, value)
    select id, revision, due_at, substr(id, 1, instr(id, '/') - 1), text from notes where kind = 'pending upload';
  -- The kind of a delivery had its status and webhook in it. Bodies were stored by early releases.
  insert or ignore into deliveries (id, revision, expires_at, webhook, status, value)
    select found.webhook || '/' || found.id, found.revision,
      case when found.status = 'pending' then null else found.due_at end, found.webhook, found.status,
      case when bodies.text is null then found.text else '{"body":' || json_quote(bodies.text) || ',' || substr(found.text, 2) end
    from (
      select notes.*, known.status, substr(notes.kind, length('delivery ' || known.status || ' ') + 1) as webhook
      from (select 'pending' as status union all select 'delivered' union all select 'failed') as known
      join notes on notes.kind like 'delivery ' || known.status || ' %'
    ) as found
    left join notes as bodies on bodies.kind = 'delivery body ' || found.webhook and bodies.id = found.id
    order by found.status desc;
  drop table notes;

  create index bids_by_owner on bids (tender_id, owner);

  create table auction_listings (id text primary key, revision integer not null, status text not null, value text not null);
  create index auction_listings_by_status on auction_listings (status, id);
  create table auction_slots (id text primary key, revision integer not null, value text not null);
  create table heartbeats (id text primary key, revision integer not null, value text not null);
  `,
  `
  -- The search index (store/search/searchRows.ts). Its rows are numbered by the row of the ledger that published the tender.
  alter table facets add column public_row integer;
  create table search (
    public_row integer primary key,
    tender_id text not null,
    listing text not null,
    status text not null,
    procedure text not null,
    categories text not null,
    region text,
    buyer text,
    suppliers text,
    amount text,
    currency text,
    deadline integer,
    enquiry_deadline integer,
    opening integer
  );
  create index search_by_amount on search (amount) where amount is not null;
  create index search_by_deadline on search (deadline) where deadline is not null;
  create index search_by_opening on search (opening) where opening is not null;
  -- Tokens are separated by spaces; the tokenizer changes none of their characters.
  create virtual table words using fts5(
    tokens, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '-.:=_~'"
  );
  -- Merges more segments at once than by default, which costs writes less.
  insert into words (words, rank) values ('automerge', 8);
  -- The tokens of the index, and how many rows they have. These tables store nothing.
  create virtual table words_vocabulary using fts5vocab(words, instance);
  create virtual table words_frequencies using fts5vocab(words, row);
  create table auction_starts (at integer not null, public_row integer not null, primary key (at, public_row)) without rowid;
  create index auction_starts_by_row on auction_starts (public_row);
  -- The sums of what tenders contribute (indexing/statistics.ts). Amounts are exact decimals.
  create table statistics (
    dimension text not null,
    key text not null,
    month text not null,
    currency text not null,
    measure text not null,
    sum text not null,
    primary key (dimension, key, month, currency, measure)
  ) without rowid;
  -- Organisations of each role by their number of tenders.
  create index buyers_by_tenders on statistics (cast(sum as integer) desc, key) where dimension = 'buyer' and measure = 'tenders';
  create index suppliers_by_tenders on statistics (cast(sum as integer) desc, key) where dimension = 'supplier' and measure = 'tenders';
  create table organizations (id integer primary key, key text not null unique, names text not null);
  create virtual table organization_words using fts5(
    tokens, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '-.:=_~'"
  );
  insert into organization_words (organization_words, rank) values ('automerge', 8);
  create table category_names (category text primary key, name text not null) without rowid;
  -- Older tenders are indexed while the registry is in use, the newest first: those with a first row up to \`left_up_to\` are left.
  create table index_backfill (left_up_to integer not null, done integer not null, total integer not null);
  insert into index_backfill select max(first_row), 0, count(*) from tenders having count(*) > 0;

  -- For the history of a tender.
  create index ledger_by_tender on ledger (tender_id, kind, at);
  `,
  `
  -- OCDS releases in the order of the feed, and how far they are made (opendata/releaseMaker.ts).
  create table releases (id text primary key, revision integer not null, tender text not null, value text not null);
  create index releases_by_tender on releases (tender, id);
  create table release_positions (id text primary key, revision integer not null, value text not null);
  `,
];
