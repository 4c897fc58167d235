-- Old processes may keep running. A source is asked at most eight times a day by reference checks.
alter table source_health add column checks integer not null default 0;
