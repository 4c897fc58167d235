-- Old processes may keep running, but cannot delete an account that has saved views.
create table saved_views (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  filters text not null, -- JSON: query parameters
  author text not null, -- the name of the user, at that time
  created_at integer not null,
  unique (account_id, name)
) strict;
