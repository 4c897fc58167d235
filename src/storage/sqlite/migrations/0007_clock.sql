-- One row: the last clock reading that a node stored. Comparing the clock with it detects jumps, also after a restart.
create table clock (
  one integer primary key check (one = 1),
  high_water_at integer not null,
  steps integer not null default 0, -- number of jumps that stored instants were adjusted for
  jumped_at integer, -- by the clock after the last jump
  jumped_by_ms integer, -- negative: the clock went back
  jumped_while_stopped integer,
  unconfirmed_until integer -- until then nothing is deleted or expires
) strict;

-- How far the node's own clock is ahead of the database's.
alter table nodes add column skew_ms integer;
