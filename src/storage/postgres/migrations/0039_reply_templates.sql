-- Saved answers of accounts, to insert into answers to reviews.
create table reply_templates (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  text text not null, -- with placeholders
  language text, -- null: any
  created_at bigint not null,
  updated_at bigint not null,
  unique (account_id, name)
);
