-- The audit log of each account.
create table audit_entries (
  seq integer primary key autoincrement,
  account_id text not null references accounts (id),
  at integer not null,
  actor_kind text not null check (actor_kind in ('user', 'token', 'command', 'none')),
  actor_id text,
  actor_name text, -- at that time, because a removed user or token has no other record
  client_address text,
  action text not null,
  target text,
  detail text
) strict;
create index audit_entries_account on audit_entries (account_id, seq);
create index audit_entries_at on audit_entries (at);
