-- Apps whose reviews an account gets, or got, by its own credentials. Without a row, reviews come from the public pages.
create table review_sources (
  id integer primary key,
  account_id text not null references accounts (id),
  store text not null check (store in ('apple', 'google')),
  app_id text not null,
  state text not null check (state in ('switching', 'official', 'public')),
  connection_id text references store_connections (id), -- null: state public
  changed_at integer not null,
  public_seq integer, -- the last occurrence of the public pages before the change to the official source
  public_until integer, -- the last good public poll before it
  next_poll_at integer, -- null: not polled
  lease text,
  failures integer not null default 0,
  walk_incomplete integer not null default 0,
  last_polled_at integer,
  last_ok_at integer,
  failing_since integer,
  problem text,
  unique (account_id, store, app_id)
) strict;
create index review_sources_due on review_sources (next_poll_at) where next_poll_at is not null;
create index review_sources_app on review_sources (store, app_id);
create index review_sources_connection on review_sources (connection_id);

-- Reviews that an official source has shown, forever: their keys, and the keys of the public reviews they are linked to with
-- the id of the official review.
create table official_seen (
  source_id integer not null,
  review_key text not null,
  review_id text, -- of a public review: the linked official one
  primary key (source_id, review_key)
) strict, without rowid;
