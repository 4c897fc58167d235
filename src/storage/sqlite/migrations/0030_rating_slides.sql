-- The window in which a fall is measured; null compares with the last rating.
alter table watches add column delta_window_hours integer;
alter table watch_sets add column delta_window_hours integer;
-- When a feed got its baseline after it had none: older ratings do not count for a window. 0 for feeds from before this column.
alter table feeds add column baseline_at integer;
update feeds set baseline_at = 0 where baseline_micros is not null;
-- rating.dropped: the higher ratings of the last 30 days, as JSON.
alter table occurrences add column highs text;

-- The last event of a watch with a window in a market: the next one measures from there.
create table rating_slides (
  watch_id text not null references watches (id) on delete cascade,
  market text not null,
  fired_at integer not null,
  primary key (watch_id, market)
) strict, without rowid;
