-- 1: requests of the hook have the headers of CloudEvents.
alter table hooks add column cloud_events integer not null default 0;
