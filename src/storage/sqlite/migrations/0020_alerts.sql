-- The recipients of an account's alerts.
create table alert_settings (
  account_id text primary key references accounts (id),
  enabled integer not null,
  emails text not null, -- JSON
  webhook_url text,
  webhook_secret text -- sealed
) strict;

-- Alerts, one row per channel. The last alert of a cause decides whether the next one is due.
create table alerts (
  seq integer primary key autoincrement,
  alert_id text not null,
  account_id text not null,
  channel text not null check (channel in ('email', 'webhook')),
  kind text not null,
  subject text not null, -- a hook or a store
  since integer not null,
  title text not null,
  text text not null,
  body text not null, -- the bytes of the webhook
  status text not null check (status in ('pending', 'sent', 'failed')),
  attempts integer not null default 0,
  problem text,
  due_at integer not null,
  leased_until integer,
  lease text,
  created_at integer not null,
  unique (alert_id, channel)
) strict;
create index alerts_due on alerts (due_at) where status = 'pending';
create index alerts_account on alerts (account_id, seq);
create index alerts_created on alerts (created_at);
