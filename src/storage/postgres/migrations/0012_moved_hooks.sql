-- How far the last jump of the clock back moved created_at: a jump forward that undoes it moves created_at forth again.
alter table hooks add column created_moved_ms bigint not null default 0;
alter table watches add column created_moved_ms bigint not null default 0;
-- 1: the last jump undid the one before it, so the next one undoes nothing.
alter table clock add column jumped_undoes integer not null default 0;
