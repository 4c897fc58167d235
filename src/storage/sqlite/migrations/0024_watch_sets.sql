-- Rules of a hook for several apps. Each has one watch per app.
create table watch_sets (
  id text primary key,
  hook_id text not null references hooks (id),
  account_id text not null,
  all_apps integer not null, -- 1: all apps of the account, also later ones; 0: those of its watches
  event_type text not null check (event_type in ('review.created', 'rating.dropped')),
  storefront text,
  min_stars integer not null,
  max_stars integer not null,
  delta_micros integer,
  threshold_micros integer,
  rules text, -- JSON
  created_at integer not null
) strict;
create index watch_sets_hook on watch_sets (hook_id);
create index watch_sets_account on watch_sets (account_id);

alter table watches add column set_id text references watch_sets (id);
create index watches_set on watches (set_id, store, app_id) where set_id is not null;
