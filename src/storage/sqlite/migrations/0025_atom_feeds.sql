-- Addresses of Atom feeds; whoever has one reads the reviews of one app of the account.
create table atom_feeds (
  id text primary key,
  account_id text not null references accounts (id),
  store text not null check (store in ('apple', 'google')),
  app_id text not null,
  sha256 blob not null unique, -- of the token in the address
  created_at integer not null
) strict;
create index atom_feeds_account on atom_feeds (account_id, store, app_id);
