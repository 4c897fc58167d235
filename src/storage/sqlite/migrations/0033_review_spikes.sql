-- Review feeds: the store's reviews are known from this instant on. `baseline_at` is the first good poll after a time without polls.
alter table feeds add column known_from integer;
update feeds set baseline_at = 0, known_from = last_ok_at
  where kind = 'reviews' and last_ok_at is not null and next_poll_at is not null;
update feeds set known_from = r.oldest
  from (select store, app_id, market, min(occurred_at) as oldest from reviews group by store, app_id, market) r
  where feeds.kind = 'reviews' and feeds.known_from > r.oldest
    and r.store = feeds.store and r.app_id = feeds.app_id and r.market = feeds.market;

-- The last spike of a watch: the next one begins after it.
create table watch_spikes (
  watch_id text primary key references watches (id) on delete cascade,
  fired_at integer not null -- the end of the hour that its event reported
) strict, without rowid;
