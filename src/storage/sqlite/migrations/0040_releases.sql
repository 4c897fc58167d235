-- Releases of apps, with the date that the store shows.
create table releases (
  store text not null check (store in ('apple', 'google')),
  app_id text not null,
  release_key text not null, -- the version, or the day of a release without one
  version text,
  released_at integer not null,
  primary key (store, app_id, release_key)
) strict, without rowid;
