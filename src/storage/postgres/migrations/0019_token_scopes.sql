-- The scopes of a token, separated by spaces. Existing tokens get all scopes.
alter table tokens add column scopes text not null default 'read hooks operate';
alter table tokens add column expires_at bigint; -- null: never
alter table tokens add column last_used_network text;
