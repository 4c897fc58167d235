-- Instants are integer milliseconds since the epoch, UTC. Hashes are their 32 bytes. Ratings are millionths of a star.

create table accounts (
  id text primary key,
  name text not null,
  created_at integer not null
) strict;

create table tokens (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  sha256 blob not null unique,
  created_at integer not null,
  last_used_at integer
) strict;
create index tokens_account on tokens (account_id);

-- Name, developer and icon of an app from a store's answers.
create table apps (
  store text not null,
  app_id text not null,
  name text not null,
  developer text,
  icon_url text,
  told_at integer not null,
  primary key (store, app_id)
) strict, without rowid;

-- Storefronts tracked in the console.
create table follows (
  account_id text not null references accounts (id),
  store text not null,
  app_id text not null,
  storefront text not null,
  created_at integer not null,
  primary key (account_id, store, app_id, storefront)
) strict, without rowid;
create index follows_app on follows (store, app_id);

create table hooks (
  id text primary key,
  account_id text not null references accounts (id),
  source text not null,
  target_url text not null,
  external_ref text,
  status text not null check (status in ('active', 'paused', 'gone')),
  secrets text not null, -- JSON: [{"sealed": …, "expiresAt": ms or null}], current first
  rate_per_second real,
  created_at integer not null,
  deleted_at integer -- hidden at once; the row stays until its deliveries are deleted
) strict;
create index hooks_account on hooks (account_id, created_at);
create index hooks_deleted on hooks (deleted_at) where deleted_at is not null;

create table watches (
  id text primary key,
  hook_id text not null references hooks (id),
  account_id text not null,
  store text not null,
  app_id text not null,
  event_type text not null check (event_type in ('review.created', 'rating.dropped')),
  storefront text,
  min_stars integer not null,
  max_stars integer not null,
  delta_micros integer,
  threshold_micros integer,
  rules text, -- JSON
  created_at integer not null
) strict;
create index watches_app on watches (store, app_id, event_type);
create index watches_hook on watches (hook_id);
create index watches_account on watches (account_id, store, app_id);

-- The poll queue. A claim moves next_poll_at to the end of its lease, so the feeds of a dead node become due again.
create table feeds (
  id integer primary key,
  store text not null check (store in ('apple', 'google')),
  app_id text not null,
  kind text not null check (kind in ('reviews', 'rating')),
  market text not null,
  next_poll_at integer, -- null: not polled; 0: as soon as possible, before all other due feeds
  claimed_due_at integer, -- next_poll_at at the time of the claim, restored on release
  lease text,
  interval_ms integer not null,
  failures integer not null default 0,
  walk_incomplete integer not null default 0,
  last_polled_at integer,
  last_ok_at integer,
  last_outcome text check (last_outcome in ('ok', 'empty', 'unknown', 'blocked', 'gone', 'changed')),
  last_source text,
  last_detail text,
  failing_since integer,
  baseline_micros integer,
  baseline_count integer,
  unique (store, app_id, kind, market)
) strict;
create index feeds_due on feeds (store, kind, next_poll_at) where next_poll_at is not null;
create index feeds_market_due on feeds (store, kind, market, next_poll_at) where next_poll_at is not null;
create index feeds_failing on feeds (id, store, kind) where failing_since is not null and next_poll_at is not null;

create table raw_answers (
  feed_id integer primary key references feeds (id),
  raw text not null,
  at integer not null
) strict;

-- One row for each review that a feed has shown, forever. Only the first 16 bytes of the fingerprint, to keep rows
-- small.
create table seen (
  feed_id integer not null,
  review_key blob not null,
  primary key (feed_id, review_key)
) strict, without rowid;

-- The history of aggregate ratings.
create table ratings (
  feed_id integer not null,
  observed_at integer not null,
  micros integer not null,
  count integer not null,
  primary key (feed_id, observed_at)
) strict, without rowid;

create table reviews (
  seq integer primary key autoincrement,
  fingerprint blob not null unique,
  store text not null,
  app_id text not null,
  review_id text not null,
  market text not null,
  rating integer not null,
  title text,
  body text not null,
  author text,
  app_version text,
  shown_at integer not null,
  edited integer, -- 0, 1, or null: not reported by the source
  content_hash blob not null,
  occurred_at integer not null,
  observed_at integer not null,
  enrich_at integer, -- 0: an occurrence waits for it; otherwise when it was queued or published. Null: not queued
  enrich_lease text, -- set to null when the text changes, so that the enrichment of the old text is not stored
  enrich_leased_until integer,
  enrichment text, -- JSON, docs/contract.md, enrichment
  engine text,
  engine_version text,
  enriched_at integer,
  -- Copies of enrichment fields, for filters and counts. themes_mask has one bit per theme, in the order of the vocabulary.
  language text,
  sentiment text,
  severity text,
  themes_mask integer,
  is_bug_report integer,
  is_feature_request integer,
  feature_slug text
) strict;
create index reviews_app on reviews (store, app_id, occurred_at);
create index reviews_to_enrich on reviews (enrich_at, seq) where enrich_at is not null and enrich_leased_until is null;
create index reviews_enriching on reviews (enrich_leased_until) where enrich_leased_until is not null;
create index reviews_observed on reviews (observed_at);
create index reviews_slugs on reviews (store, app_id, feature_slug) where feature_slug is not null;

create table occurrences (
  seq integer primary key autoincrement,
  occurrence_id blob not null,
  market text not null,
  event_type text not null check (event_type in ('review.created', 'rating.dropped')),
  store text not null,
  app_id text not null,
  review_seq integer, -- review.created
  previous_micros integer, -- rating.dropped, like the next three
  previous_count integer,
  current_micros integer,
  current_count integer,
  occurred_at integer not null,
  observed_at integer not null,
  ready_at integer, -- when fan-out may take it; null after fan-out
  unique (occurrence_id, market)
) strict;
create index occurrences_ready on occurrences (ready_at, seq) where ready_at is not null;
create index occurrences_review on occurrences (review_seq) where review_seq is not null;
create index occurrences_app on occurrences (store, app_id, event_type, observed_at);

-- A hook's queue. turn_at: when the next claim should read it, never later than a delivery is due; null when nothing is pending
-- or the lane is not open.
create table lanes (
  hook_id text primary key references hooks (id),
  account_id text not null,
  host text not null, -- with its port
  state text not null check (state in ('open', 'paused', 'gone', 'deleted')),
  turn_at integer,
  not_before integer, -- the end of the sender's wait (breaker, rate limit); turn_at is never earlier
  sweep_at integer, -- gone or deleted: when to sweep pending deliveries; null when none are left
  health text
) strict, without rowid;
create index lanes_turn on lanes (turn_at, host) where turn_at is not null;
create index lanes_waiting on lanes (not_before) where state = 'open' and not_before is not null;
create index lanes_sweep on lanes (sweep_at) where sweep_at is not null;

-- A claim moves due_at to the end of its lease, so the deliveries of a dead node become due again.
create table deliveries (
  seq integer primary key autoincrement,
  event_id blob not null unique,
  occurrence_id blob not null,
  occurrence_seq integer not null, -- of the first market that showed it
  account_id text not null,
  hook_id text not null,
  event_type text not null,
  store text not null,
  app_id text not null,
  status text not null check (status in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  due_at integer,
  claimed_due_at integer,
  lease text,
  give_up_at integer not null,
  created_at integer not null,
  delivered_at integer,
  dead_at integer,
  dead_reason text,
  last_http_status integer,
  last_reason text,
  resolved_at integer,
  replay_id text
) strict;
create index deliveries_due on deliveries (hook_id, (attempts > 0), due_at, seq) where status = 'pending';
-- For deliveries that a breaker defers past give_up_at. First attempts need no index: they expire in the order of deliveries_due.
create index deliveries_give_up on deliveries (hook_id, give_up_at) where status = 'pending' and attempts > 0;
create index deliveries_dead on deliveries (account_id, seq) where status = 'dead' and resolved_at is null;
create index deliveries_account on deliveries (account_id, seq);
create index deliveries_hook on deliveries (hook_id, seq);
-- By number: each hash would be on a different index page.
create index deliveries_occurrence on deliveries (occurrence_seq);
create index deliveries_replay on deliveries (replay_id, status) where replay_id is not null;
-- For retention: delivered or discarded.
create index deliveries_ended on deliveries (coalesce(delivered_at, resolved_at))
  where delivered_at is not null or resolved_at is not null;

-- The bytes that every attempt sends. In a separate table, so that rows of the queue stay narrow and retention can delete the
-- bytes.
create table bodies (
  delivery_seq integer primary key,
  body text not null
) strict;

create table attempts (
  seq integer primary key autoincrement,
  delivery_seq integer, -- null for a test
  account_id text not null,
  hook_id text not null,
  number integer not null,
  started_at integer not null,
  dns_ms real,
  connect_ms real,
  tls_ms real,
  first_byte_ms real,
  total_ms real not null,
  url text not null,
  request_headers text not null, -- JSON, signatures masked
  http_status integer,
  reason text,
  detail text,
  remote_address text,
  response_headers text not null, -- JSON
  response_body text not null,
  response_truncated integer not null,
  replay_id text,
  test_body text -- for a test; the body of a delivery is in bodies
) strict;
create index attempts_delivery on attempts (delivery_seq) where delivery_seq is not null;
create index attempts_tests on attempts (hook_id, seq) where delivery_seq is null;

create table notices (
  seq integer primary key autoincrement,
  account_id text not null,
  hook_id text not null,
  kind text not null,
  at integer not null,
  detail text not null
) strict;
create index notices_account on notices (account_id, seq);
create index notices_hook on notices (hook_id, seq);
create index notices_at on notices (at);

create table replays (
  id text primary key,
  account_id text not null,
  filter text not null, -- JSON
  status text not null check (status in ('running', 'paused', 'cancelled', 'done')),
  total integer not null,
  queued integer not null,
  seq_max integer not null, -- later dead letters are not part of it
  cursor integer not null, -- the last one queued again
  rate_per_second real not null,
  next_at integer,
  created_at integer not null,
  finished_at integer
) strict;
create index replays_running on replays (next_at) where status = 'running';

-- One row per store for all nodes: its rate limit and backoff.
create table pace (
  store text primary key,
  arrival_at_ms real not null,
  blocked_until integer,
  blocks integer not null,
  last_detail text
) strict;

create table model_cache (
  content_key text primary key,
  enrichment text not null,
  at integer not null
) strict, without rowid;
create index model_cache_at on model_cache (at);

create table model_spending (
  day text primary key,
  requests integer not null
) strict;

create table nodes (
  id text primary key,
  version text not null,
  roles text not null,
  started_at integer not null,
  seen_at integer not null
) strict;

-- Values of the whole database, e.g. the check of the key that seals secrets.
create table marks (
  name text primary key,
  value text not null
) strict, without rowid;
