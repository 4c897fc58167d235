-- Credentials of accounts for App Store Connect and the Google Play Developer API, sealed with the key of the installation.
create table store_connections (
  id text primary key,
  account_id text not null references accounts (id),
  kind text not null check (kind in ('appstoreconnect', 'googleplay-developer')),
  name text not null,
  subject text not null, -- the key id, or the address of the service account
  credentials text not null, -- sealed
  created_at bigint not null,
  rotated_at bigint,
  checked_at bigint not null,
  apps text not null, -- JSON: the apps of the last successful test
  rights text not null, -- JSON
  warnings text not null, -- JSON
  problem text, -- a sentence; null after a successful test
  unique (account_id, kind, subject)
);
