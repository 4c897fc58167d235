-- The unique index of event ids had a hash in each row, so each new event changed another page of it. Differs from postgres: SQLite cannot
-- drop a unique column, so the table is created again; there, the index stays.
create table events_rebuilt (
  seq integer primary key autoincrement,
  event_id blob not null, -- unique: see queue/event-ids.ts
  occurrence_id blob not null,
  account_id text not null,
  hook_id text not null,
  event_type text not null,
  store text not null,
  app_id text not null,
  created_at integer not null,
  body text not null -- the bytes that every attempt sends
) strict;
insert into events_rebuilt (seq, event_id, occurrence_id, account_id, hook_id, event_type, store, app_id, created_at, body)
  select seq, event_id, occurrence_id, account_id, hook_id, event_type, store, app_id, created_at, body from events;
-- New numbers start after the highest ever used.
delete from sqlite_sequence where name = 'events_rebuilt';
insert into sqlite_sequence (name, seq) select 'events_rebuilt', seq from sqlite_sequence where name = 'events';
drop table events;
alter table events_rebuilt rename to events;
-- Contains the filtered columns, so that events which do not match are skipped without reading their bytes.
create index events_account on events (account_id, seq, store, app_id, event_type);
create index events_hook on events (hook_id, seq);
create index events_id on events (seq >> 13, event_id);
-- No event of the occurrence has this number or a lower one; null when it has no event.
alter table occurrences add column no_events_until integer;
update occurrences set no_events_until = 0;
