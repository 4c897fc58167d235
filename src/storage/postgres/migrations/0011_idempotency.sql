-- Stored answers to subscribes with an Idempotency-Key.
create table idempotency_keys (
  account_id text not null,
  key_sha256 bytea not null,
  request_sha256 bytea not null, -- hash of the request; the same key with another request is an error
  answer text not null, -- sealed, because it contains the secret
  expires_at bigint not null,
  primary key (account_id, key_sha256)
);
create index idempotency_keys_expired on idempotency_keys (expires_at);
