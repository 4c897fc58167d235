-- Two event types more, and the settings of one of them. Differs from postgres: SQLite cannot change a check, so the tables are created
-- again. Dropping a table deletes its rows first, which would delete the slides of watches. So tables that refer to another one are
-- dropped before it.
create table watch_sets_after (
  id text primary key,
  hook_id text not null references hooks (id),
  account_id text not null,
  all_apps integer not null, -- 1: all apps of the account, also later ones; 0: those of its watches
  event_type text not null
    check (event_type in ('review.created', 'rating.dropped', 'reviews.spiked', 'rating.recovered')),
  storefront text,
  min_stars integer not null,
  max_stars integer not null,
  delta_micros integer,
  threshold_micros integer,
  rules text, -- JSON
  created_at integer not null,
  delta_window_hours integer,
  spike_min_reviews integer, -- reviews.spiked, like the next one
  spike_factor real
) strict;
insert into watch_sets_after (id, hook_id, account_id, all_apps, event_type, storefront, min_stars, max_stars, delta_micros,
    threshold_micros, rules, created_at, delta_window_hours)
  select id, hook_id, account_id, all_apps, event_type, storefront, min_stars, max_stars, delta_micros,
    threshold_micros, rules, created_at, delta_window_hours
  from watch_sets;

create table watches_after (
  id text primary key,
  hook_id text not null references hooks (id),
  account_id text not null,
  store text not null,
  app_id text not null,
  event_type text not null
    check (event_type in ('review.created', 'rating.dropped', 'reviews.spiked', 'rating.recovered')),
  storefront text,
  min_stars integer not null,
  max_stars integer not null,
  delta_micros integer,
  threshold_micros integer,
  rules text, -- JSON
  created_at integer not null,
  created_shift_ms integer,
  set_id text references watch_sets_after (id), -- renamed with the table
  delta_window_hours integer,
  spike_min_reviews integer,
  spike_factor real
) strict;
insert into watches_after (id, hook_id, account_id, store, app_id, event_type, storefront, min_stars, max_stars, delta_micros,
    threshold_micros, rules, created_at, created_shift_ms, set_id, delta_window_hours)
  select id, hook_id, account_id, store, app_id, event_type, storefront, min_stars, max_stars, delta_micros,
    threshold_micros, rules, created_at, created_shift_ms, set_id, delta_window_hours
  from watches;

create table rating_slides_after (
  watch_id text not null references watches_after (id) on delete cascade,
  market text not null,
  fired_at integer not null,
  primary key (watch_id, market)
) strict, without rowid;
insert into rating_slides_after (watch_id, market, fired_at) select watch_id, market, fired_at from rating_slides;

drop table rating_slides;
drop table watches;
drop table watch_sets;
alter table watch_sets_after rename to watch_sets;
alter table watches_after rename to watches;
alter table rating_slides_after rename to rating_slides;
create index watch_sets_hook on watch_sets (hook_id);
create index watch_sets_account on watch_sets (account_id);
create index watches_app on watches (store, app_id, event_type);
create index watches_hook on watches (hook_id);
create index watches_account on watches (account_id, store, app_id);
create index watches_set on watches (set_id, store, app_id) where set_id is not null;

create table occurrences_after (
  seq integer primary key autoincrement,
  occurrence_id blob not null,
  market text not null,
  event_type text not null
    check (event_type in ('review.created', 'rating.dropped', 'reviews.spiked', 'rating.recovered')),
  store text not null,
  app_id text not null,
  review_seq integer, -- review.created
  previous_micros integer, -- rating.dropped and rating.recovered, like the next three
  previous_count integer,
  current_micros integer,
  current_count integer,
  occurred_at integer not null,
  observed_at integer not null,
  ready_at integer, -- when fan-out may take it; null after fan-out
  highs text, -- rating.dropped: the higher ratings of the last 30 days, as JSON
  unique (occurrence_id, market)
) strict;
insert into occurrences_after (seq, occurrence_id, market, event_type, store, app_id, review_seq, previous_micros, previous_count,
    current_micros, current_count, occurred_at, observed_at, ready_at, highs)
  select seq, occurrence_id, market, event_type, store, app_id, review_seq, previous_micros, previous_count,
    current_micros, current_count, occurred_at, observed_at, ready_at, highs
  from occurrences;
-- New numbers start after the highest ever used.
delete from sqlite_sequence where name = 'occurrences_after';
insert into sqlite_sequence (name, seq) select 'occurrences_after', seq from sqlite_sequence where name = 'occurrences';
drop table occurrences;
alter table occurrences_after rename to occurrences;
create index occurrences_ready on occurrences (ready_at, seq) where ready_at is not null;
create index occurrences_review on occurrences (review_seq) where review_seq is not null;
create index occurrences_app on occurrences (store, app_id, event_type, observed_at);
