-- What people call a hook, and its purpose.
alter table hooks add column name text;
alter table hooks add column description text;
