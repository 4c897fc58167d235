-- The name and the description of a hook.
alter table hooks add column name text;
alter table hooks add column description text;
