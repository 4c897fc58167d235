-- Stored answers to subscribes with an Idempotency-Key.
create table idempotency_keys (
  account_id text not null,
  key_sha256 bytea not null,
  request_sha256 bytea not null, -- the same key with another request is a mistake of the caller
  answer text not null, -- sealed: it holds the secret
  expires_at bigint not null,
  primary key (account_id, key_sha256)
);
create index idempotency_keys_expired on idempotency_keys (expires_at);
