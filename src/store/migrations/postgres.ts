import { MOVING_BIDS } from "./movingBids.ts";

/**
 * The migrations, in order; the table `schema_version` has the number of those applied. Never change the statements of a released
 * migration: add a new one.
 */
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
  -- The indexes include the id, so that pages of the feed need index-only scans.
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

  -- Texts of a few kilobytes are compressed on every write; lz4, if it is built in, takes a fraction of the time.
  do $$ begin
    alter table tenders alter column document set compression lz4;
    alter table ledger alter column patch set compression lz4;
  exception when feature_not_supported then null;
  end $$;
  `,
  `
  alter table tenders add column clock text;
  drop index tenders_by_wake;
  create index tenders_by_wake on tenders (wake_at) include (id) where wake_at is not null and clock is null;
  create index tenders_by_clock on tenders (clock, wake_at) include (id) where clock is not null;

  -- The first row of the ledger of a tender. Search columns are stored in this order, because random ids would scatter them.
  alter table tenders add column first_row bigint;
  update tenders set first_row = begun.sequence
    from (select tender_id, min(sequence) as sequence from ledger group by tender_id) as begun where begun.tender_id = id;
  alter table tenders alter column first_row set not null;

  create table facets (
    first_row bigint primary key,
    tender_id text collate "C" not null,
    listing text not null,
    date_modified bigint not null,
    status text not null,
    number text not null,
    entity text,
    currency text,
    amount text collate "C",
    enquiry_end bigint,
    tender_start bigint,
    tender_end bigint
  );
  create table classifications (
    code text collate "C" not null,
    first_row bigint not null,
    primary key (code, first_row)
  );
  -- A tender whose values do not fit the columns gets empty ones, and is found by its status and date only.
  do $$ declare
    known record;
    told json;
  begin
    for known in select first_row, id, listing, date_modified, status, document from tenders loop
      begin
        told := known.document::json;
        insert into facets
          select known.first_row, known.id, known.listing, known.date_modified, known.status, told ->> 'tenderID',
            left(told #>> '{procuringEntity,identifier,id}', 200), left(told #>> '{value,currency}', 200),
            case when told #>> '{value,amount}' like '-%' then ''
              else lpad(length(split_part(told #>> '{value,amount}', '.', 1))::text, 3, '0') || (told #>> '{value,amount}') end,
            (told #>> '{enquiryPeriod,endDate}')::bigint, (told #>> '{tenderPeriod,startDate}')::bigint,
            (told #>> '{tenderPeriod,endDate}')::bigint;
        insert into classifications
          select distinct left(item #>> '{classification,id}', 200), known.first_row from json_array_elements(told -> 'items') as item
          where item #>> '{classification,id}' is not null;
      exception when data_exception then
        insert into facets (first_row, tender_id, listing, date_modified, status, number)
          values (known.first_row, known.id, known.listing, known.date_modified, known.status, '');
      end;
    end loop;
  end $$;
  create index facets_by_date on facets (date_modified);
  create index facets_by_number on facets (number);
  create index facets_by_status on facets (status, date_modified);
  create index facets_by_entity on facets (entity, date_modified) where entity is not null;
  create index facets_by_amount on facets (amount) where amount is not null;
  create index facets_by_enquiry_end on facets (enquiry_end) where enquiry_end is not null;
  create index facets_by_tender_start on facets (tender_start) where tender_start is not null;
  create index facets_by_tender_end on facets (tender_end) where tender_end is not null;
  create index classifications_by_tender on classifications (first_row);

  create table notes (
    kind text collate "C" not null,
    id text collate "C" not null,
    revision bigint not null,
    due_at bigint,
    text text not null,
    primary key (kind, id)
  );
  create index notes_by_due on notes (kind, due_at) where due_at is not null;
  `,
  `
  -- Bids of a tender are in the order of their numbers.
  create table bids (
    tender_id text collate "C" not null,
    id text collate "C" not null,
    number bigint generated always as identity,
    owner text not null,
    bytes bigint not null,
    document text not null,
    primary key (tender_id, id)
  );
  create table bid_totals (
    tender_id text collate "C" not null,
    owner text not null,
    count bigint not null,
    bytes bigint not null,
    changes bigint not null,
    primary key (tender_id, owner)
  );
  alter table ledger add column kind text not null default 'tender';
  alter table ledger add column record_id text;
  do $$ begin
    alter table bids alter column document set compression lz4;
  exception when feature_not_supported then null;
  end $$;

  -- A migration of data that is not complete yet, with the last tender that it has done.
  create table data_migrations (name text primary key, done_up_to text not null);
  insert into data_migrations select '${MOVING_BIDS}', '' where exists (select 1 from tenders);
  `,
  `
  -- Each kind of key-value entries has a table of its own (store/entryKinds.ts). What was an index of its own, such as the clocks of
  -- an account, is an index of the table now.
  create table test_clocks (id text collate "C" primary key, revision bigint not null, owner text not null, value text not null);
  create index test_clocks_by_owner on test_clocks (owner, id);
  create table webhooks (id text collate "C" primary key, revision bigint not null, value text not null);
  create table owned_webhooks (id text collate "C" primary key, revision bigint not null, value text not null);
  create table deleted_webhooks (id text collate "C" primary key, revision bigint not null, value text not null);
  create table webhook_markers (id text collate "C" primary key, revision bigint not null, value text not null);
  create table dispatcher_leases (id text collate "C" primary key, revision bigint not null, value text not null);
  create table deliveries (
    id text collate "C" primary key,
    revision bigint not null,
    expires_at bigint,
    webhook text not null,
    status text not null,
    value text not null
  );
  create index deliveries_by_webhook on deliveries (webhook, status, id);
  create index deliveries_by_expiry on deliveries (expires_at) where expires_at is not null;
  create table snapshots (id text collate "C" primary key, revision bigint not null, value text not null);
  create table snapshot_references (id text collate "C" primary key, revision bigint not null, value text not null);
  create table delivery_usage (id text collate "C" primary key, revision bigint not null, value text not null);
  create table idempotency_records (
    id text collate "C" primary key,
    revision bigint not null,
    expires_at bigint,
    value text not null
  );
  create index idempotency_records_by_expiry on idempotency_records (expires_at) where expires_at is not null;
  create table idempotency_usage (
    id text collate "C" primary key,
    revision bigint not null,
    expires_at bigint,
    value text not null
  );
  create index idempotency_usage_by_expiry on idempotency_usage (expires_at) where expires_at is not null;
  create table upload_leases (id text collate "C" primary key, revision bigint not null, expires_at bigint, value text not null);
  create index upload_leases_by_expiry on upload_leases (expires_at) where expires_at is not null;
  create table pending_uploads (
    id text collate "C" primary key,
    revision bigint not null,
    expires_at bigint,
    owner text not null,
    value text not null
  );
  create index pending_uploads_by_owner on pending_uploads (owner, id);
  create index pending_uploads_by_expiry on pending_uploads (expires_at) where expires_at is not null;
  create table pending_upload_totals (id text collate "C" primary key, revision bigint not null, value text not null);
  create table last_backups (id text collate "C" primary key, revision bigint not null, value text not null);

  insert into test_clocks (id, revision, owner, value)
    select id, revision, text::json ->> 'owner', text from notes where kind = 'clock';
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
    select id, revision, due_at, split_part(id, '/', 1), text from notes where kind = 'pending upload';
  -- The kind of a delivery had its status and webhook in it. Bodies were stored by early releases.
  insert into deliveries (id, revision, expires_at, webhook, status, value)
    select found.webhook || '/' || found.id, found.revision,
      case when found.status = 'pending' then null else found.due_at end, found.webhook, found.status,
      case when bodies.text is null then found.text else '{"body":' || to_json(bodies.text)::text || ',' || substr(found.text, 2) end
    from (
      select notes.*, known.status, substr(notes.kind, length('delivery ' || known.status || ' ') + 1) as webhook
      from unnest(array['pending', 'delivered', 'failed']) as known (status)
      join notes on notes.kind like 'delivery ' || known.status || ' %'
    ) as found
    left join notes as bodies on bodies.kind = 'delivery body ' || found.webhook and bodies.id = found.id
    order by found.status desc
    on conflict do nothing;
  drop table notes;

  create index bids_by_owner on bids (tender_id, owner);

  create table auction_listings (id text collate "C" primary key, revision bigint not null, status text not null, value text not null);
  create index auction_listings_by_status on auction_listings (status, id);
  create table auction_slots (id text collate "C" primary key, revision bigint not null, value text not null);
  create table heartbeats (id text collate "C" primary key, revision bigint not null, value text not null);

  -- A server of an older version that still runs knows no kinds, so its writes fail. It would store bids where nobody looks for them.
  alter table ledger alter column kind drop default;
  `,
  `
  -- The search index (store/search/searchRows.ts). Its rows are numbered by the row of the ledger that published the tender.
  alter table facets add column public_row bigint;
  create table search (
    public_row bigint primary key,
    tender_id text collate "C" not null,
    listing text not null,
    status text not null,
    procedure text not null,
    categories text collate "C" not null,
    region text,
    buyer text collate "C",
    suppliers text collate "C",
    amount text collate "C",
    currency text,
    deadline bigint,
    enquiry_deadline bigint,
    opening bigint,
    tokens tsvector not null
  );
  create index search_by_tokens on search using gin (tokens);
  create index search_by_amount on search (amount, public_row) where amount is not null;
  create index search_by_deadline on search (deadline, public_row) where deadline is not null;
  create index search_by_opening on search (opening) where opening is not null;
  create table auction_starts (at bigint not null, public_row bigint not null, primary key (at, public_row));
  create index auction_starts_by_row on auction_starts (public_row);
  -- The sums of what tenders contribute (indexing/statistics.ts).
  create table statistics (
    dimension text collate "C" not null,
    key text collate "C" not null,
    month text collate "C" not null,
    currency text collate "C" not null,
    measure text collate "C" not null,
    sum numeric not null,
    primary key (dimension, key, month, currency, measure)
  );
  -- Organisations of each role by their number of tenders.
  create index buyers_by_tenders on statistics (sum desc, key) where dimension = 'buyer' and measure = 'tenders';
  create index suppliers_by_tenders on statistics (sum desc, key) where dimension = 'supplier' and measure = 'tenders';
  create table organizations (key text collate "C" primary key, names text not null, tokens tsvector not null);
  create index organizations_by_tokens on organizations using gin (tokens);
  create table category_names (category text collate "C" primary key, name text not null);
  -- Older tenders are indexed while the registry is in use, the newest first: those with a first row up to \`left_up_to\` are left.
  create table index_backfill (left_up_to bigint not null, done bigint not null, total bigint not null);
  insert into index_backfill select max(first_row), 0, count(*) from tenders having count(*) > 0;

  -- For the history of a tender.
  create index ledger_by_tender on ledger (tender_id, kind, at);

  -- A server of an older version that still runs would not update the index. It does not know this column, so its writes fail.
  alter table ledger add column is_indexed boolean not null default true;
  alter table ledger alter column is_indexed drop default;
  `,
  `
  -- OCDS releases in the order of the feed, and how far they are made (opendata/releaseMaker.ts).
  create table releases (id text collate "C" primary key, revision bigint not null, tender text collate "C" not null, value text not null);
  create index releases_by_tender on releases (tender, id);
  create table release_positions (id text collate "C" primary key, revision bigint not null, value text not null);
  do $$ begin
    alter table releases alter column value set compression lz4;
  exception when feature_not_supported then null;
  end $$;
  `,
];
