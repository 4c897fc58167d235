-- The state of the store's sources for a feed: the fallback source, and whether a source is frozen.
alter table feeds add column newest_shown_at integer;
alter table feeds add column fallback_source text; -- requested first while it is set
alter table feeds add column fallback_since integer;
alter table feeds add column fallback_why text;
alter table feeds add column probed_at integer; -- when the sources before the fallback were last requested
alter table feeds add column frozen_since integer;
alter table feeds add column frozen_source text;
alter table feeds add column frozen_reason text
  check (frozen_reason in ('older_than_known', 'ratings_move', 'other_source_newer'));
alter table feeds add column other_asked_at integer; -- when the last comparison with another source was made
create index feeds_fallback on feeds (id, store, kind) where fallback_source is not null and next_poll_at is not null;
create index feeds_frozen on feeds (id, store, kind) where frozen_since is not null and next_poll_at is not null;

-- Rows of store pages that cannot be read as reviews, at most 100 a feed. A row is deleted when it can be read again, or by
-- retention.
create table quarantined_rows (
  feed_id integer not null references feeds (id),
  row_key text not null,
  why text not null,
  raw text not null,
  raw_hash blob not null,
  first_seen_at integer not null,
  last_seen_at integer not null,
  changed_at integer not null,
  checked_at integer not null, -- a poll that searched all quarantined rows sets it for all of them
  primary key (feed_id, row_key)
) strict, without rowid;
create index quarantined_rows_seen on quarantined_rows (last_seen_at);
