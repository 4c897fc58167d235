-- Stored answers to subscribes with an Idempotency-Key.
create table idempotency_keys (
  account_id text not null,
  key_sha256 blob not null,
  request_sha256 blob not null, -- hash of the request; the same key with another request is an error
  answer text not null, -- sealed, because it contains the secret
  expires_at integer not null,
  primary key (account_id, key_sha256)
) strict, without rowid;
create index idempotency_keys_expired on idempotency_keys (expires_at);
