-- How far the clock went forward without a jump being counted: presumably no node ran for that time. If the clock was wrong
-- instead, ahead_ms is too low by as much.
alter table clock add column gap_ms integer not null default 0;
-- When the last such gap since the last jump was found.
alter table clock add column gap_at integer;
