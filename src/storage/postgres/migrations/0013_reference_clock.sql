-- Jumps of the clock since it last ran for a day without one: how far it is ahead of the reference, negative when behind.
alter table clock add column ahead_ms bigint not null default 0;
alter table clock drop column jumped_undoes;
-- Added to created_at it is the time of creation by the reference. Null: created since the last jump, so -ahead_ms.
alter table hooks add column created_shift_ms bigint;
alter table hooks drop column created_moved_ms;
alter table watches add column created_shift_ms bigint;
alter table watches drop column created_moved_ms;
