-- Answers to reviews of connected apps: between the request of an account and the store.
create table replies (
  id integer primary key,
  account_id text not null references accounts (id),
  fingerprint text not null, -- of the review as the account sees it, in hex
  store text not null check (store in ('apple', 'google')),
  app_id text not null,
  review_id text not null, -- in the official interface
  connection_id text references store_connections (id), -- null: the connection was removed
  state text not null check (state in ('draft', 'pending', 'sent', 'published', 'refused', 'deleting', 'deleted')),
  text text,
  shown_text text,
  sent_text text,
  draft text,
  problem text,
  author text,
  requested_at integer,
  updated_at integer not null,
  sent_at integer, -- the last request to write it
  attempts integer not null default 0,
  next_at integer, -- null: nothing to do
  lease text,
  unique (account_id, fingerprint)
) strict;
create index replies_due on replies (next_at) where next_at is not null;
create index replies_sent on replies (store, app_id, sent_at) where sent_at is not null;
create index replies_connection on replies (connection_id);
