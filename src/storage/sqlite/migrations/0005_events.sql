-- The content of an event never changes; the state of its delivery changes with each attempt. In separate tables an update of the
-- state rewrites only a narrow row.
create table events (
  seq integer primary key autoincrement,
  event_id blob not null unique,
  occurrence_id blob not null,
  account_id text not null,
  hook_id text not null,
  event_type text not null,
  store text not null,
  app_id text not null,
  created_at integer not null,
  body text not null -- the bytes that every attempt sends
) strict;
insert into events (seq, event_id, occurrence_id, account_id, hook_id, event_type, store, app_id, created_at, body)
  select d.seq, d.event_id, d.occurrence_id, d.account_id, d.hook_id, d.event_type, d.store, d.app_id, d.created_at, b.body
  from deliveries d join bodies b on b.delivery_seq = d.seq;
-- New numbers start after the highest ever used.
delete from sqlite_sequence where name = 'events';
insert into sqlite_sequence (name, seq) select 'events', seq from sqlite_sequence where name = 'deliveries';
-- Contains the filtered columns, so that events which do not match are skipped without reading their bytes.
create index events_account on events (account_id, seq, store, app_id, event_type);
create index events_hook on events (hook_id, seq);
drop table bodies;

-- The delivery state of each event. A new table, because SQLite cannot drop a unique column.
alter table deliveries rename to deliveries_before;
create table deliveries (
  seq integer primary key, -- of its event
  account_id text not null,
  hook_id text not null,
  status text not null check (status in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  due_at integer,
  leased_until integer,
  lease text,
  give_up_at integer not null,
  delivered_at integer,
  dead_at integer,
  dead_reason text,
  last_http_status integer,
  last_reason text,
  resolved_at integer,
  replay_id text
) strict;
insert into deliveries (seq, account_id, hook_id, status, attempts, due_at, leased_until, lease, give_up_at, delivered_at,
    dead_at, dead_reason, last_http_status, last_reason, resolved_at, replay_id)
  select d.seq, d.account_id, d.hook_id, d.status, d.attempts, d.due_at, d.leased_until, d.lease, d.give_up_at, d.delivered_at,
    d.dead_at, d.dead_reason, d.last_http_status, d.last_reason, d.resolved_at, d.replay_id
  from deliveries_before d join events e on e.seq = d.seq;
drop table deliveries_before;
create index deliveries_due on deliveries (hook_id, (attempts > 0), due_at, seq) where status = 'pending';
-- For deliveries that a breaker defers past give_up_at. First attempts need no index: they expire in the order of deliveries_due.
create index deliveries_give_up on deliveries (hook_id, give_up_at) where status = 'pending' and attempts > 0;
-- Counts dead letters per hook without reading the rows.
create index deliveries_dead on deliveries (account_id, seq, hook_id) where status = 'dead' and resolved_at is null;
create index deliveries_replay on deliveries (replay_id, status) where replay_id is not null;
-- For retention: delivered or discarded.
create index deliveries_ended on deliveries (coalesce(delivered_at, resolved_at))
  where delivered_at is not null or resolved_at is not null;
