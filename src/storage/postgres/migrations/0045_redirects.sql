-- Old processes may keep running. Hooks can accept a redirect as success.
alter table hooks add column redirect text not null default 'fail' check (redirect in ('fail', 'accept'));
