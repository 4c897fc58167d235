-- The sum of all adjusted jumps of the clock, in milliseconds: by how much storage moves the instants of a write that were computed before
-- the last ones.
alter table clock add column stepped_ms integer not null default 0;
