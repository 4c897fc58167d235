-- How far the last backward jump of the clock moved created_at. The forward jump that undoes it restores created_at.
alter table hooks add column created_moved_ms integer not null default 0;
alter table watches add column created_moved_ms integer not null default 0;
-- 1: the last jump undid the one before it, so the next one undoes nothing.
alter table clock add column jumped_undoes integer not null default 0;
