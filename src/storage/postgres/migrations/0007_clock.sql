-- One row: the last clock reading that a node stored. Comparing the clock with it detects jumps, also after a restart.
create table clock (
  one integer primary key check (one = 1),
  high_water_at bigint not null,
  steps bigint not null default 0, -- number of jumps that stored instants were adjusted for
  jumped_at bigint, -- by the clock after the last jump
  jumped_by_ms bigint, -- negative: the clock went back
  jumped_while_stopped smallint,
  unconfirmed_until bigint -- until then nothing is deleted or expires
);

-- How far the node's own clock is ahead of the database's.
alter table nodes add column skew_ms bigint;
