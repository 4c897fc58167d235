-- Markets for which an account imported reviews. Imported reviews have a private market, "<market>~<account>", which
-- only the scopes of that account contain.
create table imports (
  account_id text not null references accounts (id),
  store text not null,
  app_id text not null,
  market text not null,
  imported_at integer not null,
  primary key (account_id, store, app_id, market)
) strict, without rowid;
create index imports_app on imports (store, app_id, market);

-- Slugs of imported reviews are not used as known slugs.
drop index reviews_slugs;
create index reviews_slugs on reviews (store, app_id, feature_slug, market) where feature_slug is not null;
