-- The SQLite database that migrations 1 to 43 led to, from sqlite_schema: what databases of version 0.5.0 have. Generated; not to read.
CREATE TABLE schema_migrations (version integer primary key, name text not null, applied_at integer not null) strict;
CREATE TABLE accounts (
  id text primary key,
  name text not null,
  created_at integer not null
, requires_second_factor integer not null default 0) strict;
CREATE TABLE tokens (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  sha256 blob not null unique,
  created_at integer not null,
  last_used_at integer
, scopes text not null default 'read hooks operate', expires_at integer, last_used_network text) strict;
CREATE INDEX tokens_account on tokens (account_id);
CREATE TABLE apps (
  store text not null,
  app_id text not null,
  name text not null,
  developer text,
  icon_url text,
  updated_at integer not null,
  primary key (store, app_id)
) strict, without rowid;
CREATE TABLE "tracked_storefronts" (
  account_id text not null references accounts (id),
  store text not null,
  app_id text not null,
  storefront text not null,
  created_at integer not null,
  primary key (account_id, store, app_id, storefront)
) strict, without rowid;
CREATE INDEX follows_app on "tracked_storefronts" (store, app_id);
CREATE TABLE hooks (
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
, created_shift_ms integer, name text, description text, cloud_events integer not null default 0, target_type text not null default 'webhook', target_settings text, message_schedule text, unsubscribed text) strict;
CREATE INDEX hooks_account on hooks (account_id, created_at);
CREATE INDEX hooks_deleted on hooks (deleted_at) where deleted_at is not null;
CREATE TABLE feeds (
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
  baseline_count integer, newest_shown_at integer, fallback_source text, fallback_since integer, fallback_reason text, probed_at integer, frozen_since integer, frozen_source text, frozen_reason text
  check (frozen_reason in ('older_than_known', 'ratings_move', 'other_source_newer')), other_asked_at integer, reviews_per_day real, baseline_at integer, known_from integer,
  unique (store, app_id, kind, market)
) strict;
CREATE INDEX feeds_due on feeds (store, kind, next_poll_at) where next_poll_at is not null;
CREATE INDEX feeds_market_due on feeds (store, kind, market, next_poll_at) where next_poll_at is not null;
CREATE INDEX feeds_failing on feeds (id, store, kind) where failing_since is not null and next_poll_at is not null;
CREATE TABLE raw_answers (
  feed_id integer primary key references feeds (id),
  raw text not null,
  at integer not null
) strict;
CREATE TABLE seen (
  feed_id integer not null,
  review_key blob not null,
  primary key (feed_id, review_key)
) strict, without rowid;
CREATE TABLE ratings (
  feed_id integer not null,
  observed_at integer not null,
  micros integer not null,
  count integer not null,
  primary key (feed_id, observed_at)
) strict, without rowid;
CREATE TABLE reviews (
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
, enrich_tries integer not null default 0, enrich_failure text, reply_text text, reply_at integer) strict;
CREATE INDEX reviews_to_enrich on reviews (enrich_at, seq) where enrich_at is not null and enrich_leased_until is null;
CREATE INDEX reviews_enriching on reviews (enrich_leased_until) where enrich_leased_until is not null;
CREATE INDEX reviews_observed on reviews (observed_at);
CREATE TABLE lanes (
  hook_id text primary key references hooks (id),
  account_id text not null,
  host text not null, -- with its port
  state text not null check (state in ('open', 'paused', 'gone', 'deleted')),
  next_claim_at integer,
  not_before integer, -- the end of the sender's wait (breaker, rate limit); turn_at is never earlier
  sweep_at integer, -- gone or deleted: when to sweep pending deliveries; null when none are left
  health text
, deferred_until integer, released_at integer) strict, without rowid;
CREATE INDEX lanes_turn on lanes (next_claim_at, host) where next_claim_at is not null;
CREATE INDEX lanes_sweep on lanes (sweep_at) where sweep_at is not null;
CREATE TABLE notices (
  seq integer primary key autoincrement,
  account_id text not null,
  hook_id text not null,
  kind text not null,
  at integer not null,
  detail text not null
) strict;
CREATE INDEX notices_account on notices (account_id, seq);
CREATE INDEX notices_hook on notices (hook_id, seq);
CREATE INDEX notices_at on notices (at);
CREATE TABLE replays (
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
CREATE INDEX replays_running on replays (next_at) where status = 'running';
CREATE TABLE pace (
  store text primary key,
  arrival_at_ms real not null,
  blocked_until integer,
  blocks integer not null,
  last_detail text
) strict;
CREATE TABLE model_cache (
  content_key text primary key,
  enrichment text not null,
  at integer not null
) strict, without rowid;
CREATE INDEX model_cache_at on model_cache (at);
CREATE TABLE model_spending (
  day text primary key,
  requests integer not null
) strict;
CREATE TABLE nodes (
  id text primary key,
  version text not null,
  roles text not null,
  started_at integer not null,
  seen_at integer not null
, skew_ms integer) strict;
CREATE TABLE marks (
  name text primary key,
  value text not null
) strict, without rowid;
CREATE TABLE members (
  user_id text primary key,
  account_id text not null references accounts (id),
  role text not null check (role in ('owner', 'member')),
  operator integer not null,
  created_at integer not null
) strict, without rowid;
CREATE INDEX members_account on members (account_id, created_at);
CREATE TABLE invitations (
  id text primary key,
  account_id text not null references accounts (id),
  email text not null,
  role text not null check (role in ('owner', 'member')),
  sha256 blob not null unique,
  created_at integer not null,
  expires_at integer not null,
  accepted_at integer
) strict;
CREATE INDEX invitations_account on invitations (account_id, created_at);
CREATE TABLE hook_hours (
  account_id text not null,
  hour_at integer not null,
  hook_id text not null,
  outcome integer not null,
  count integer not null,
  primary key (account_id, hour_at, hook_id, outcome)
) strict, without rowid;
CREATE INDEX hook_hours_hour on hook_hours (hour_at);
CREATE INDEX lanes_deferred on lanes (deferred_until) where state = 'open' and deferred_until is not null;
CREATE TABLE deliveries (
  seq integer primary key, -- of its event
  account_id text not null,
  hook_id text not null,
  status text not null check (status in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  due_at integer,
  leased_until integer,
  lease text,
  expires_at integer not null,
  delivered_at integer,
  dead_at integer,
  dead_reason text,
  last_http_status integer,
  last_reason text,
  resolved_at integer,
  replay_id text
, accepted_by text) strict;
CREATE INDEX deliveries_due on deliveries (hook_id, (attempts > 0), due_at, seq) where status = 'pending';
CREATE INDEX deliveries_give_up on deliveries (hook_id, expires_at) where status = 'pending' and attempts > 0;
CREATE INDEX deliveries_dead on deliveries (account_id, seq, hook_id) where status = 'dead' and resolved_at is null;
CREATE INDEX deliveries_replay on deliveries (replay_id, status) where replay_id is not null;
CREATE INDEX deliveries_ended on deliveries (coalesce(delivered_at, resolved_at))
  where delivered_at is not null or resolved_at is not null;
CREATE TABLE tests (
  seq integer primary key autoincrement,
  hook_id text not null,
  account_id text not null,
  record text not null, -- JSON, like that of an attempt
  body text not null
) strict;
CREATE TABLE "attempts" (
  seq integer primary key autoincrement,
  delivery_seq integer not null,
  record text not null -- JSON; signatures are masked
) strict;
CREATE INDEX attempts_delivery on attempts (delivery_seq);
CREATE INDEX tests_hook on tests (hook_id, seq);
CREATE TABLE clock (
  one integer primary key check (one = 1),
  high_water_at integer not null,
  steps integer not null default 0, -- number of jumps that stored instants were adjusted for
  jumped_at integer, -- by the clock after the last jump
  jumped_by_ms integer, -- negative: the clock went back
  jumped_while_stopped integer,
  unconfirmed_until integer -- until then nothing is deleted or expires
, ahead_ms integer not null default 0, gap_ms integer not null default 0, gap_at integer) strict;
CREATE INDEX feeds_fallback on feeds (id, store, kind) where fallback_source is not null and next_poll_at is not null;
CREATE INDEX feeds_frozen on feeds (id, store, kind) where frozen_since is not null and next_poll_at is not null;
CREATE TABLE quarantined_rows (
  feed_id integer not null references feeds (id),
  row_key text not null,
  reason text not null,
  raw text not null,
  raw_hash blob not null,
  first_seen_at integer not null,
  last_seen_at integer not null,
  changed_at integer not null,
  checked_at integer not null, -- a poll that searched all quarantined rows sets it for all of them
  primary key (feed_id, row_key)
) strict, without rowid;
CREATE INDEX quarantined_rows_seen on quarantined_rows (last_seen_at);
CREATE TABLE feed_accounts (
  feed_id integer not null,
  account_id text not null,
  store text not null,
  kind text not null,
  next_poll_at integer, -- as in feeds
  primary key (feed_id, account_id)
) strict, without rowid;
CREATE INDEX feed_accounts_due on feed_accounts (store, kind, account_id, next_poll_at, feed_id)
  where next_poll_at is not null;
CREATE TRIGGER feeds_next_poll_at after update of next_poll_at on feeds
when new.next_poll_at is not old.next_poll_at
begin
  update feed_accounts set next_poll_at = new.next_poll_at where feed_id = new.id;
end;
CREATE TABLE poll_turns (
  store text not null,
  kind text not null,
  fresh integer not null,
  account_id text not null,
  served integer not null default 0,
  primary key (store, kind, fresh, account_id)
) strict, without rowid;
CREATE INDEX poll_turns_served on poll_turns (store, kind, fresh, served, account_id);
CREATE INDEX reviews_enrich_failed on reviews (enriched_at) where enrich_failure is not null;
CREATE TABLE idempotency_keys (
  account_id text not null,
  key_sha256 blob not null,
  request_sha256 blob not null, -- hash of the request; the same key with another request is an error
  answer text not null, -- sealed, because it contains the secret
  expires_at integer not null,
  primary key (account_id, key_sha256)
) strict, without rowid;
CREATE INDEX idempotency_keys_expired on idempotency_keys (expires_at);
CREATE INDEX reviews_requests on reviews (store, app_id, occurred_at, feature_slug, market, seq) where feature_slug is not null;
CREATE TABLE imports (
  account_id text not null references accounts (id),
  store text not null,
  app_id text not null,
  market text not null,
  imported_at integer not null,
  primary key (account_id, store, app_id, market)
) strict, without rowid;
CREATE INDEX imports_app on imports (store, app_id, market);
CREATE INDEX reviews_slugs on reviews (store, app_id, feature_slug, market) where feature_slug is not null;
CREATE INDEX reviews_app on reviews (store, app_id, occurred_at, seq, market, rating, language, sentiment, severity,
  themes_mask, is_bug_report, is_feature_request, app_version, feature_slug);
CREATE TABLE alert_settings (
  account_id text primary key references accounts (id),
  enabled integer not null,
  emails text not null, -- JSON
  webhook_url text,
  webhook_secret text -- sealed
) strict;
CREATE TABLE alerts (
  seq integer primary key autoincrement,
  alert_id text not null,
  account_id text not null,
  channel text not null check (channel in ('email', 'webhook')),
  kind text not null,
  subject text not null, -- a hook or a store
  since integer not null,
  title text not null,
  text text not null,
  body text not null, -- the bytes of the webhook
  status text not null check (status in ('pending', 'sent', 'failed')),
  attempts integer not null default 0,
  problem text,
  due_at integer not null,
  leased_until integer,
  lease text,
  created_at integer not null,
  unique (alert_id, channel)
) strict;
CREATE INDEX alerts_due on alerts (due_at) where status = 'pending';
CREATE INDEX alerts_account on alerts (account_id, seq);
CREATE INDEX alerts_created on alerts (created_at);
CREATE TABLE audit_entries (
  seq integer primary key autoincrement,
  account_id text not null references accounts (id),
  at integer not null,
  actor_kind text not null check (actor_kind in ('user', 'token', 'command', 'none')),
  actor_id text,
  actor_name text, -- at that time, because a removed user or token has no other record
  client_address text,
  action text not null,
  target text,
  detail text
) strict;
CREATE INDEX audit_entries_account on audit_entries (account_id, seq);
CREATE INDEX audit_entries_at on audit_entries (at);
CREATE UNIQUE INDEX hooks_inbox on hooks (account_id) where target_url = 'inbox:' and deleted_at is null;
CREATE TABLE atom_feeds (
  id text primary key,
  account_id text not null references accounts (id),
  store text not null check (store in ('apple', 'google')),
  app_id text not null,
  sha256 blob not null unique, -- of the token in the address
  created_at integer not null
) strict;
CREATE INDEX atom_feeds_account on atom_feeds (account_id, store, app_id);
CREATE INDEX feeds_demand on feeds (store, kind, reviews_per_day, interval_ms, next_poll_at) where next_poll_at is not null;
CREATE TABLE "watch_sets" (
  id text primary key,
  hook_id text not null references hooks (id),
  account_id text not null,
  all_apps integer not null, -- 1: all apps of the account, also later ones; 0: those of its watches
  event_type text not null
    check (event_type in ('review.created', 'rating.dropped', 'reviews.spiked', 'rating.recovered')),
  storefront text,
  min_stars integer not null,
  max_stars integer not null,
  delta_micros integer,
  threshold_micros integer,
  rules text, -- JSON
  created_at integer not null,
  delta_window_hours integer,
  spike_min_reviews integer, -- reviews.spiked, like the next one
  spike_factor real
) strict;
CREATE TABLE "watches" (
  id text primary key,
  hook_id text not null references hooks (id),
  account_id text not null,
  store text not null,
  app_id text not null,
  event_type text not null
    check (event_type in ('review.created', 'rating.dropped', 'reviews.spiked', 'rating.recovered')),
  storefront text,
  min_stars integer not null,
  max_stars integer not null,
  delta_micros integer,
  threshold_micros integer,
  rules text, -- JSON
  created_at integer not null,
  created_shift_ms integer,
  set_id text references "watch_sets" (id), -- renamed with the table
  delta_window_hours integer,
  spike_min_reviews integer,
  spike_factor real
) strict;
CREATE TABLE "rating_slides" (
  watch_id text not null references "watches" (id) on delete cascade,
  market text not null,
  fired_at integer not null,
  primary key (watch_id, market)
) strict, without rowid;
CREATE INDEX watch_sets_hook on watch_sets (hook_id);
CREATE INDEX watch_sets_account on watch_sets (account_id);
CREATE INDEX watches_app on watches (store, app_id, event_type);
CREATE INDEX watches_hook on watches (hook_id);
CREATE INDEX watches_account on watches (account_id, store, app_id);
CREATE INDEX watches_set on watches (set_id, store, app_id) where set_id is not null;
CREATE TABLE "occurrences" (
  seq integer primary key autoincrement,
  occurrence_id blob not null,
  market text not null,
  event_type text not null
    check (event_type in ('review.created', 'rating.dropped', 'reviews.spiked', 'rating.recovered')),
  store text not null,
  app_id text not null,
  review_seq integer, -- review.created
  previous_micros integer, -- rating.dropped and rating.recovered, like the next three
  previous_count integer,
  current_micros integer,
  current_count integer,
  occurred_at integer not null,
  observed_at integer not null,
  ready_at integer, -- when fan-out may take it; null after fan-out
  highs text, no_events_until integer, -- rating.dropped: the higher ratings of the last 30 days, as JSON
  unique (occurrence_id, market)
) strict;
CREATE INDEX occurrences_ready on occurrences (ready_at, seq) where ready_at is not null;
CREATE INDEX occurrences_review on occurrences (review_seq) where review_seq is not null;
CREATE INDEX occurrences_app on occurrences (store, app_id, event_type, observed_at);
CREATE TABLE watch_spikes (
  watch_id text primary key references watches (id) on delete cascade,
  fired_at integer not null -- the end of the hour that its event reported
) strict, without rowid;
CREATE TABLE store_connections (
  id text primary key,
  account_id text not null references accounts (id),
  kind text not null check (kind in ('appstoreconnect', 'googleplay-developer')),
  name text not null,
  subject text not null, -- the key id, or the address of the service account
  credentials text not null, -- sealed
  created_at integer not null,
  rotated_at integer,
  checked_at integer not null,
  apps text not null, -- JSON: the apps of the last successful test
  rights text not null, -- JSON
  warnings text not null, -- JSON
  problem text, -- a sentence; null after a successful test
  unique (account_id, kind, subject)
) strict;
CREATE TABLE review_sources (
  id integer primary key,
  account_id text not null references accounts (id),
  store text not null check (store in ('apple', 'google')),
  app_id text not null,
  state text not null check (state in ('switching', 'official', 'public')),
  connection_id text references store_connections (id), -- null: state public
  changed_at integer not null,
  public_seq integer, -- the last occurrence of the public pages before the change to the official source
  public_until integer, -- the last good public poll before it
  next_poll_at integer, -- null: not polled
  lease text,
  failures integer not null default 0,
  walk_incomplete integer not null default 0,
  last_polled_at integer,
  last_ok_at integer,
  failing_since integer,
  problem text, first_public_seq integer,
  unique (account_id, store, app_id)
) strict;
CREATE INDEX review_sources_due on review_sources (next_poll_at) where next_poll_at is not null;
CREATE INDEX review_sources_app on review_sources (store, app_id);
CREATE INDEX review_sources_connection on review_sources (connection_id);
CREATE TABLE official_seen (
  source_id integer not null,
  review_key text not null,
  review_id text, public_seq integer not null default 0, -- of a public review: the linked official one
  primary key (source_id, review_key)
) strict, without rowid;
CREATE TABLE review_histories (
  source_id integer primary key, -- of review_sources
  state text not null check (state in ('running', 'done', 'stopped', 'failed')),
  started_at integer not null,
  updated_at integer not null,
  next_at integer, -- null: not running
  lease text,
  page_cursor text, -- null: the first page
  reviews integer not null default 0,
  added integer not null default 0,
  known integer not null default 0,
  ratings_only integer not null default 0,
  malformed integer not null default 0,
  progress_done integer,
  progress_total integer,
  failures integer not null default 0,
  problem text
) strict;
CREATE INDEX review_histories_due on review_histories (next_at) where next_at is not null;
CREATE TABLE replies (
  id integer primary key,
  account_id text not null references accounts (id),
  fingerprint text not null, -- of the review as the account sees it, in hex
  store text not null check (store in ('apple', 'google')),
  app_id text not null,
  review_id text not null, -- in the official interface
  connection_id text references store_connections (id), -- null: the connection was removed
  state text not null check (state in ('draft', 'pending', 'sent', 'published', 'refused', 'deleting', 'deleted')),
  text text,
  shown_text text,
  sent_text text,
  draft text,
  problem text,
  author text,
  requested_at integer,
  updated_at integer not null,
  sent_at integer, -- the last request to write it
  attempts integer not null default 0,
  next_at integer, -- null: nothing to do
  lease text,
  unique (account_id, fingerprint)
) strict;
CREATE INDEX replies_due on replies (next_at) where next_at is not null;
CREATE INDEX replies_sent on replies (store, app_id, sent_at) where sent_at is not null;
CREATE INDEX replies_connection on replies (connection_id);
CREATE TABLE reply_templates (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  text text not null, -- with placeholders
  language text, -- null: any
  created_at integer not null,
  updated_at integer not null,
  unique (account_id, name)
) strict;
CREATE TABLE releases (
  store text not null check (store in ('apple', 'google')),
  app_id text not null,
  release_key text not null, -- the version, or the day of a release without one
  version text,
  released_at integer not null,
  primary key (store, app_id, release_key)
) strict, without rowid;
CREATE TABLE "events" (
  seq integer primary key autoincrement,
  event_id blob not null, -- unique: see queue/event-ids.ts
  occurrence_id blob not null,
  account_id text not null,
  hook_id text not null,
  event_type text not null,
  store text not null,
  app_id text not null,
  created_at integer not null,
  body text not null -- the bytes that every attempt sends
) strict;
CREATE INDEX events_account on events (account_id, seq, store, app_id, event_type);
CREATE INDEX events_hook on events (hook_id, seq);
CREATE INDEX events_id on events (seq >> 13, event_id);
