-- What a token may do, separated by spaces: tokens made before can do everything, as they could.
alter table tokens add column scopes text not null default 'read hooks operate';
alter table tokens add column expires_at integer; -- null: never
alter table tokens add column last_used_network text;
