-- Who may sign in to which account. Names, addresses and passwords of users are in the tables of better-auth (auth_*).
create table members (
  user_id text primary key,
  account_id text not null references accounts (id),
  role text not null check (role in ('owner', 'member')),
  operator smallint not null,
  created_at bigint not null
);
create index members_account on members (account_id, created_at);

create table invitations (
  id text primary key,
  account_id text not null references accounts (id),
  email text not null,
  role text not null check (role in ('owner', 'member')),
  sha256 bytea not null unique,
  created_at bigint not null,
  expires_at bigint not null,
  accepted_at bigint
);
create index invitations_account on invitations (account_id, created_at);

-- Results of attempts by hour, so that figures over weeks do not read every attempt. outcome: -2 a new dead letter, -1 a failed
-- attempt, 0 and more the latency bucket of an accepted attempt (see storage/latency.ts).
create table hook_hours (
  account_id text not null,
  hour_at bigint not null,
  hook_id text not null,
  outcome smallint not null,
  count bigint not null,
  primary key (account_id, hour_at, hook_id, outcome)
);
create index hook_hours_hour on hook_hours (hour_at);

-- The review feed of the console: contains every filtered column, so that only the reviews of a page are read.
drop index reviews_app;
create index reviews_app on reviews (store, app_id, occurred_at, seq) include (market, rating, language, sentiment,
  severity, themes_mask, is_bug_report, is_feature_request);

-- Counts dead letters per hook without reading the rows.
drop index deliveries_dead;
create index deliveries_dead on deliveries (account_id, seq, hook_id) where status = 'dead' and resolved_at is null;
