-- One row: the clock as the nodes last saw it. A jump is found by comparing the clock with it, also after a restart.
create table clock (
  one integer primary key check (one = 1),
  high_water_at bigint not null,
  steps bigint not null default 0, -- jumps that stored instants were adjusted to
  jumped_at bigint, -- by the clock after the last jump
  jumped_by_ms bigint, -- negative: back
  jumped_while_stopped smallint,
  unconfirmed_until bigint -- until then nothing is deleted or given up for its age
);

-- How far the node's own clock is ahead of the database's.
alter table nodes add column skew_ms bigint;
