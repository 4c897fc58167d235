-- The database of Review Radar on SQLite, in the order of the flow: configuration, poll, detect, enrich, fan out, send, then what people do
-- with the results, and the service itself. A new database is created from this page. One of an earlier version gets here by migrations/.
--
-- Instants (*_at, *_until, *_since) are milliseconds since the epoch, UTC; *_ms are durations. Ratings are millionths of a star (*_micros).
-- Hashes are their 32 bytes. Flags are 0 and 1. Sealed texts are encrypted with the key of the installation.
-- A store is apple or google. A market is a storefront or, for reviews of Google, a language.
-- A lease is a token, with the instant at which it ends; a result with another token changes nothing.
-- Null means none, or not yet, where no comment says otherwise.
-- New columns go to the end of their table, because a migration adds them there.
--
-- The sign-in library creates its own tables (auth_*) after these: users, passwords, sessions.

-- == Configuration: accounts, their people and programs, and what they want to get ==

-- A tenant. Everything but stores' data belongs to one.
create table accounts (
  id text primary key,
  name text not null,
  created_at integer not null,
  requires_second_factor integer not null default 0, -- of members who sign in with a password
  deleted_at integer -- its rows are being deleted; null: not
) strict;

-- Who may sign in to which accounts. Names, addresses and passwords of users are in auth_*.
create table members (
  user_id text not null, -- of auth_users
  account_id text not null references accounts (id),
  role text not null check (role in ('owner', 'member', 'viewer')),
  operator integer not null, -- 1: also sees the whole installation
  created_at integer not null,
  primary key (user_id, account_id)
) strict, without rowid;
-- The members of an account, oldest first.
create index members_account on members (account_id, created_at);

-- Links with which a person joins an account.
create table invitations (
  id text primary key,
  account_id text not null references accounts (id),
  email text not null,
  role text not null check (role in ('owner', 'member', 'viewer')),
  sha256 blob not null unique, -- of the token in the link, which is not stored
  created_at integer not null,
  expires_at integer not null,
  accepted_at integer,
  inviter text -- the name of the user, at that time; null: invited by an earlier version
) strict;
-- The invitations of an account.
create index invitations_account on invitations (account_id, created_at);

-- Attempts to guess a secret, such as a password or the token of an invitation, for all nodes (docs/decisions.md).
create table attempt_limits (
  name text not null, -- of the limit
  slot integer not null, -- from 0 to 262,143: a hash of what is limited
  arrival_at_ms real not null, -- the theoretical arrival time of the rate limit (GCRA)
  primary key (name, slot)
) strict, without rowid;

-- Tokens of the REST API.
create table tokens (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  sha256 blob not null unique, -- the token itself is not stored
  created_at integer not null,
  last_used_at integer,
  scopes text not null default 'read hooks operate', -- separated by spaces
  expires_at integer, -- null: never
  last_used_network text -- of the client's address
) strict;
-- The tokens of an account.
create index tokens_account on tokens (account_id);

-- Addresses of Atom feeds: whoever has one reads the reviews of one app of the account.
create table atom_feeds (
  id text primary key,
  account_id text not null references accounts (id),
  store text not null check (store in ('apple', 'google')),
  app_id text not null,
  sha256 blob not null unique, -- of the token in the address
  created_at integer not null
) strict;
-- The addresses of an account, or of one of its apps.
create index atom_feeds_account on atom_feeds (account_id, store, app_id);

-- Stored answers to subscribes with an Idempotency-Key, so that a repetition creates no second hook.
create table idempotency_keys (
  account_id text not null,
  key_sha256 blob not null,
  request_sha256 blob not null, -- hash of the request; the same key with another request is an error
  answer text not null, -- sealed, because it contains the secret of the hook
  expires_at integer not null,
  primary key (account_id, key_sha256)
) strict, without rowid;
-- Retention.
create index idempotency_keys_expired on idempotency_keys (expires_at);

-- The audit log of each account: who changed what.
create table audit_entries (
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
-- The newest entries of an account.
create index audit_entries_account on audit_entries (account_id, seq);
-- Retention.
create index audit_entries_at on audit_entries (at);
-- What the team did with a review: answers and tags, whose texts are erased with it.
create index audit_entries_replies on audit_entries (target) where substr(action, 1, 6) in ('reply.', 'review');

-- Name, developer and icon of an app, from a store's answers.
create table apps (
  store text not null,
  app_id text not null,
  name text not null,
  developer text,
  icon_url text,
  updated_at integer not null,
  primary key (store, app_id)
) strict, without rowid;

-- The apps that an account tracks in the console, by storefront. The table was called follows, hence the name of its index.
create table tracked_storefronts (
  account_id text not null references accounts (id),
  store text not null,
  app_id text not null,
  storefront text not null,
  created_at integer not null,
  primary key (account_id, store, app_id, storefront)
) strict, without rowid;
-- The accounts that track an app: its feeds exist for them.
create index follows_app on tracked_storefronts (store, app_id);

-- An endpoint that gets events: a URL, a chat, mail recipients, or the inbox of the account. The console calls it a destination.
create table hooks (
  id text primary key, -- the source, a hyphen and a random suffix
  account_id text not null references accounts (id),
  source text not null, -- the program that created it, e.g. api
  target_url text not null, -- inbox: for the inbox; for messages what may be shown of their settings
  external_ref text, -- of the caller
  status text not null check (status in ('active', 'paused', 'gone')), -- gone: an automation platform answered 410
  secrets text not null, -- JSON: [{"sealed": …, "expiresAt": ms or null}], current first
  rate_per_second real, -- null: no limit
  created_at integer not null,
  deleted_at integer, -- hidden at once; the row stays until its deliveries are deleted
  created_shift_ms integer, -- added to created_at it is the time by the reference clock; null: created since the last jump, so -ahead_ms (clock)
  name text,
  description text,
  cloud_events integer not null default 0, -- 1: requests have the headers of CloudEvents
  target_type text not null default 'webhook', -- the signed event itself, or the kind of message made of it
  target_settings text, -- of a message: JSON, sealed; null for a webhook
  message_schedule text, -- when messages may be sent, as JSON; null: at once. One message then shows all deliveries that are due
  unsubscribed text, -- recipients who get no mails, as JSON: hashes of their addresses, since when, and whether they left or have not confirmed
  redirect text not null default 'fail' check (redirect in ('fail', 'accept')), -- accept: 3xx is success, except 307 and 308
  late_reviews_hours integer not null default 0 -- reviews may be so much older than a watch, if the store showed them only after it
) strict;
-- The hooks of an account, oldest first.
create index hooks_account on hooks (account_id, created_at);
-- Retention.
create index hooks_deleted on hooks (deleted_at) where deleted_at is not null;
-- An account has one inbox at most.
create unique index hooks_inbox on hooks (account_id) where target_url = 'inbox:' and deleted_at is null;

-- A rule of a hook for several or all apps. It has one watch for each of them, with the same filter, so that the flow knows only watches.
create table watch_sets (
  id text primary key,
  hook_id text not null references hooks (id),
  account_id text not null,
  all_apps integer not null, -- 1: all apps of the account, also later ones; 0: those of its watches
  event_type text not null
    check (event_type in ('review.created', 'rating.dropped', 'reviews.spiked', 'rating.recovered')),
  storefront text, -- like all filters below: as in watches
  min_stars integer not null,
  max_stars integer not null,
  delta_micros integer,
  threshold_micros integer,
  rules text,
  created_at integer not null,
  delta_window_hours integer,
  spike_min_reviews integer,
  spike_factor real
) strict;
-- The sets of a hook.
create index watch_sets_hook on watch_sets (hook_id);
-- The sets of an account: a change of its apps changes their watches.
create index watch_sets_account on watch_sets (account_id);

-- A rule of a hook for one app: which occurrences become its events. The console calls it a subscription.
create table watches (
  id text primary key,
  hook_id text not null references hooks (id),
  account_id text not null,
  store text not null,
  app_id text not null,
  event_type text not null
    check (event_type in ('review.created', 'rating.dropped', 'reviews.spiked', 'rating.recovered')),
  storefront text, -- one or several, separated by commas; null: all that the account has for the app
  min_stars integer not null, -- of reviews
  max_stars integer not null,
  delta_micros integer, -- of ratings: a change by this much
  threshold_micros integer, -- of ratings: this value crossed
  rules text, -- further filters of reviews, as JSON
  created_at integer not null, -- only later reviews become events
  created_shift_ms integer, -- as in hooks
  set_id text references watch_sets (id), -- the set that it belongs to
  delta_window_hours integer, -- the window of the delta; null: compares with the last rating
  spike_min_reviews integer, -- reviews.spiked: negative reviews within an hour
  spike_factor real -- reviews.spiked: how many times as many as usual
) strict;
-- Fan-out: the watches on an app.
create index watches_app on watches (store, app_id, event_type);
-- The watches of a hook.
create index watches_hook on watches (hook_id);
-- The apps that an account watches.
create index watches_account on watches (account_id, store, app_id);
-- The watches of a set.
create index watches_set on watches (set_id, store, app_id) where set_id is not null;

-- Credentials of accounts for App Store Connect and the Google Play Developer API.
create table store_connections (
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

-- == Poll: what to ask the stores, when, and what came back ==

-- The reviews or the rating of an app in one market: the poll queue. A claim moves next_poll_at to the end of its lease, so the feeds of a
-- dead node become due again. Rows stay when nobody wants the feed any more.
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
  failures integer not null default 0, -- consecutive
  walk_incomplete integer not null default 0, -- 1: the last poll ended before a known page, so the next one reads to the end
  last_polled_at integer,
  last_ok_at integer,
  last_outcome text check (last_outcome in ('ok', 'empty', 'unknown', 'blocked', 'gone', 'changed')),
  last_source text, -- of the store's interfaces, e.g. rss
  last_detail text, -- of a failure
  failing_since integer,
  baseline_micros integer, -- the last rating, like the next one
  baseline_count integer,
  newest_shown_at integer, -- the date of the newest review that any source has shown
  fallback_source text, -- requested first while the usual source fails
  fallback_since integer,
  fallback_reason text,
  probed_at integer, -- when the sources before the fallback were last requested
  frozen_since integer, -- the source seems to show old data; a suspicion, like the next two
  frozen_source text,
  frozen_reason text check (frozen_reason in ('older_than_known', 'ratings_move', 'other_source_newer')),
  other_asked_at integer, -- when the last comparison with another source was made
  reviews_per_day real, -- estimated by polls of reviews
  baseline_at integer, -- the first good poll after a time without polls: what it found is not new. 0: from before this column
  known_from integer, -- the store's reviews are known from this instant on
  unique (store, app_id, kind, market)
) strict;
-- The next due feeds of a store.
create index feeds_due on feeds (store, kind, next_poll_at) where next_poll_at is not null;
-- The same within a market.
create index feeds_market_due on feeds (store, kind, market, next_poll_at) where next_poll_at is not null;
-- Feeds that fail: few among many.
create index feeds_failing on feeds (id, store, kind) where failing_since is not null and next_poll_at is not null;
-- Feeds that use a fallback.
create index feeds_fallback on feeds (id, store, kind) where fallback_source is not null and next_poll_at is not null;
-- Feeds whose source may be frozen.
create index feeds_frozen on feeds (id, store, kind) where frozen_since is not null and next_poll_at is not null;
-- Counts feeds by rate, and sums the polls of ratings, without reading the table.
create index feeds_demand on feeds (store, kind, reviews_per_day, interval_ms, next_poll_at) where next_poll_at is not null;

-- The accounts that want a feed, with a copy of its due time: a claim takes the longest due feed of the next account without reading the
-- feeds of other accounts.
create table feed_accounts (
  feed_id integer not null,
  account_id text not null,
  store text not null,
  kind text not null,
  next_poll_at integer, -- as in feeds
  primary key (feed_id, account_id)
) strict, without rowid;
-- The due feeds of an account.
create index feed_accounts_due on feed_accounts (store, kind, account_id, next_poll_at, feed_id)
  where next_poll_at is not null;

-- Many statements change next_poll_at, and the copy must follow each of them.
create trigger feeds_next_poll_at after update of next_poll_at on feeds
when new.next_poll_at is not old.next_poll_at
begin
  update feed_accounts set next_poll_at = new.next_poll_at where feed_id = new.id;
end;

-- Which account's feed is polled next: the one that was served the longest ago.
create table poll_turns (
  store text not null,
  kind text not null,
  fresh integer not null, -- 1: feeds that were never polled. They and the others take turns
  account_id text not null,
  served integer not null default 0, -- a counter of claims: the account with the lowest is next
  primary key (store, kind, fresh, account_id)
) strict, without rowid;
-- The accounts in the order of their turns.
create index poll_turns_served on poll_turns (store, kind, fresh, served, account_id);

-- The request limit and the back-off of each store, for all nodes.
create table pace (
  store text primary key,
  arrival_at_ms real not null, -- the theoretical arrival time of the rate limit (GCRA)
  blocked_until integer,
  blocks integer not null, -- consecutive; each doubles the wait
  last_detail text
) strict;

-- The health of each store's sources, over all feeds and nodes (docs/stores.md, Health of sources).
create table source_health (
  store text not null check (store in ('apple', 'google')),
  source text not null,
  state text not null check (state in ('healthy', 'degraded', 'off', 'unproven')),
  fault text check (fault in ('empty', 'unsorted', 'frozen', 'changed', 'blocked', 'delayed')),
  since integer not null, -- of the state and the fault
  suspected text check (suspected in ('empty', 'unsorted', 'frozen', 'changed', 'blocked')), -- of the last apps in a row
  suspect_apps text not null, -- these apps, a JSON list
  probe_at integer, -- when a poll may ask it first again; null: as usual
  probes integer not null, -- since the fault was confirmed; each doubles the wait
  answers real not null, -- counts of the last days, in which older ones count less, like the next three
  empty_answers real not null,
  unsorted_answers real not null,
  blocked_answers real not null,
  counted_at integer not null,
  newest_at integer, -- the date of the newest review that it showed of any app
  overlap real, -- the share of its reviews that other sources showed in the last reference check
  checked_at integer, -- when the last reference check began
  checks integer not null default 0, -- requests of reference checks on the UTC day of checked_at
  primary key (store, source)
) strict, without rowid;

-- Rows of store pages that cannot be read as reviews, at most 100 a feed. A row is deleted when it can be read again, or by retention.
create table quarantined_rows (
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
-- Retention.
create index quarantined_rows_seen on quarantined_rows (last_seen_at);

-- The last answer of a changed format, for the operator.
create table raw_answers (
  feed_id integer primary key references feeds (id),
  raw text not null, -- at most 64 KiB
  at integer not null
) strict;

-- Versions of apps, with the date that the store shows.
create table releases (
  store text not null check (store in ('apple', 'google')),
  app_id text not null,
  release_key text not null, -- the version, or the day of a release without one
  version text,
  released_at integer not null,
  primary key (store, app_id, release_key)
) strict, without rowid;

-- Apps whose reviews an account gets, or got, by its own credentials, with their polls. Without a row, reviews come from the public pages.
-- The reviews have a private market, "<market>~<account>".
create table review_sources (
  id integer primary key,
  account_id text not null references accounts (id),
  store text not null check (store in ('apple', 'google')),
  app_id text not null,
  state text not null check (state in ('switching', 'official', 'public')), -- switching: until the first good poll
  connection_id text references store_connections (id), -- null: state public
  changed_at integer not null, -- of the state
  public_seq integer, -- the last occurrence of the public pages before the change to the official source
  public_until integer, -- the last good public poll before it
  next_poll_at integer, -- null: not polled
  lease text,
  failures integer not null default 0, -- consecutive
  walk_incomplete integer not null default 0, -- as in feeds
  last_polled_at integer,
  last_ok_at integer,
  failing_since integer,
  problem text, -- why the last poll failed; null after a good one
  first_public_seq integer, -- public_seq of the first change to the official source
  unique (account_id, store, app_id)
) strict;
-- The next due polls.
create index review_sources_due on review_sources (next_poll_at) where next_poll_at is not null;
-- Fan-out: the accounts for which public occurrences of an app are not new.
create index review_sources_app on review_sources (store, app_id);
-- The apps of a connection.
create index review_sources_connection on review_sources (connection_id);

-- Reviews that an official source has shown, forever, and the public reviews that they are linked to. So a change of source repeats no event.
create table official_seen (
  source_id integer not null,
  review_key text not null,
  review_id text, -- of a public review: the linked official one
  public_seq integer not null default 0, -- that of the source when it was first shown
  primary key (source_id, review_key)
) strict, without rowid;

-- Imports of all reviews that an official source has: one per source, page by page. They create no events.
create table review_histories (
  source_id integer primary key, -- of review_sources
  state text not null check (state in ('running', 'done', 'stopped', 'failed')),
  started_at integer not null,
  updated_at integer not null,
  next_at integer, -- null: not running
  lease text,
  page_cursor text, -- null: the first page
  reviews integer not null default 0, -- read so far; added and known are the new ones and those that the account had
  added integer not null default 0,
  known integer not null default 0,
  ratings_only integer not null default 0, -- rows of Google's reports without a text
  malformed integer not null default 0, -- rows that could not be read
  progress_done integer, -- reviews (Apple) or bytes (Google); null until the store says how many there are
  progress_total integer,
  failures integer not null default 0, -- consecutive
  problem text -- why the last page failed; null after a good one
) strict;
-- The next due pages.
create index review_histories_due on review_histories (next_at) where next_at is not null;

-- Private markets for which an account imported reviews.
create table imports (
  account_id text not null references accounts (id),
  store text not null,
  app_id text not null,
  market text not null, -- "<market>~<account>": only the scopes of that account contain it
  imported_at integer not null,
  primary key (account_id, store, app_id, market)
) strict, without rowid;
-- Whether reviews of the store replace imported ones.
create index imports_app on imports (store, app_id, market);

-- == Detect: what is new. One commit: seen, reviews, ratings, occurrences, and the next poll of the feed ==

-- One row for each review that a feed has shown, forever.
create table seen (
  feed_id integer not null,
  review_key blob not null, -- the first 16 bytes of the fingerprint, to keep rows small
  primary key (feed_id, review_key)
) strict, without rowid;

-- The text of each review, once for all markets and accounts, with its enrichment. Retention deletes it.
create table reviews (
  seq integer primary key autoincrement,
  fingerprint blob not null unique, -- docs/contract.md, Identity: from store, app and review id
  store text not null,
  app_id text not null,
  review_id text not null,
  market text not null, -- the first that showed it
  rating integer not null, -- stars
  title text,
  body text not null,
  author text,
  app_version text,
  shown_at integer not null, -- the store's date: of the last edit, if it was edited
  edited integer, -- 0, 1, or null: not reported by the source
  content_hash blob not null, -- of title and body: an edited review has another one
  occurred_at integer not null, -- first publication, as far as the store provides it
  observed_at integer not null, -- the poll
  enrich_at integer, -- 0: an occurrence waits for it; otherwise when it was queued or published. Null: not queued
  enrich_lease text, -- set to null when the text changes, so that the enrichment of the old text is not stored
  enrich_leased_until integer,
  enrichment text, -- JSON, docs/contract.md, enrichment
  engine text,
  engine_version text,
  enriched_at integer, -- also when it failed
  -- Copies of enrichment fields, for filters and counts. themes_mask has one bit per theme, in the order of the vocabulary.
  language text,
  sentiment text,
  severity text,
  themes_mask integer,
  is_bug_report integer,
  is_feature_request integer,
  feature_slug text,
  enrich_tries integer not null default 0, -- claims since the last result: the third that crashes the process is the last one
  enrich_failure text, -- why there is no enrichment; null when there is one, or before the first try
  reply_text text, -- the developer's answer that the public page showed last; null also where the source shows no answers
  reply_at integer -- null: the page showed no date
) strict;
-- The queue of enrichment.
create index reviews_to_enrich on reviews (enrich_at, seq) where enrich_at is not null and enrich_leased_until is null;
-- Expired leases of enrichment.
create index reviews_enriching on reviews (enrich_leased_until) where enrich_leased_until is not null;
-- Retention.
create index reviews_observed on reviews (observed_at);
-- Counts failures since an instant.
create index reviews_enrich_failed on reviews (enriched_at) where enrich_failure is not null;
-- Counts requested features over a period, from the index alone.
create index reviews_requests on reviews (store, app_id, occurred_at, feature_slug, market, seq) where feature_slug is not null;
-- The known slugs of an app. By market too, because those of imported reviews do not count.
create index reviews_slugs on reviews (store, app_id, feature_slug, market) where feature_slug is not null;
-- The list of reviews and the charts of an app. Contains every filtered or counted column, so that only the reviews of a page are read.
create index reviews_app on reviews (store, app_id, occurred_at, seq, market, rating, language, sentiment, severity,
  themes_mask, is_bug_report, is_feature_request, app_version, feature_slug);

-- Reviews whose texts were erased on request. No poll and no import stores them again. A public fingerprint stands for the copies of all accounts.
create table erased_reviews (
  fingerprint blob primary key
) strict, without rowid;

-- The history of aggregate ratings: a row for each change, and at least one a day.
create table ratings (
  feed_id integer not null,
  observed_at integer not null,
  micros integer not null,
  count integer not null,
  primary key (feed_id, observed_at)
) strict, without rowid;

-- What happened, once for all hooks: the queue of fan-out, in the order of seq.
create table occurrences (
  seq integer primary key autoincrement,
  occurrence_id blob not null, -- of a review: its fingerprint
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
  ready_at integer, -- when fan-out may take it: at once after enrichment, else when the wait for it ends; null after fan-out
  highs text, -- rating.dropped: the higher ratings of the last 30 days, as JSON
  no_events_until integer, -- no event of the occurrence has this number or a lower one; null when it has no event
  unseen_at integer, -- of a public review: the last full poll of its feed before it; null: none
  unique (occurrence_id, market)
) strict;
-- The queue of fan-out.
create index occurrences_ready on occurrences (ready_at, seq) where ready_at is not null;
-- Enrichment makes the occurrences of a review ready; retention keeps a review while one is pending.
create index occurrences_review on occurrences (review_seq) where review_seq is not null;
-- The occurrences of an app over a period.
create index occurrences_app on occurrences (store, app_id, event_type, observed_at);

-- == Enrich. One commit: the enrichment in reviews, and its occurrences become ready. Both tables are for model servers ==

-- Answers of a model server, so that the same text is not paid twice.
create table model_cache (
  content_key text primary key, -- hash of the model and of all that it was asked
  enrichment text not null, -- JSON
  at integer not null
) strict, without rowid;
-- Retention.
create index model_cache_at on model_cache (at);

-- Requests to a model server by day, for the daily limit.
create table model_spending (
  day text primary key, -- UTC, YYYY-MM-DD
  requests integer not null
) strict;

-- == Fan out: one event per hook that matches. One commit: events, deliveries, lanes, and the occurrence leaves its queue ==

-- The last event of a watch with a window in a market: the next one measures from there.
create table rating_slides (
  watch_id text not null references watches (id) on delete cascade,
  market text not null,
  fired_at integer not null,
  primary key (watch_id, market)
) strict, without rowid;

-- The last spike of a watch: the next one begins after it.
create table watch_spikes (
  watch_id text primary key references watches (id) on delete cascade,
  fired_at integer not null -- the end of the hour that its event reported
) strict, without rowid;

-- An occurrence for one hook. Its content never changes.
create table events (
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
-- The events of an account. Contains the filtered columns, so that events which do not match are skipped without reading their bytes.
create index events_account on events (account_id, seq, store, app_id, event_type);
-- The events of a hook.
create index events_hook on events (hook_id, seq);
-- Events by id. Differs from postgres, which has a unique index: the ids are hashes, so each new event would change a page of its own. This
-- index has a part for every 8,192 events, and only the last one changes (queue/event-ids.ts).
create index events_id on events (seq >> 13, event_id);

-- == Send: one delivery per event. One commit: the attempt, and the new state of delivery and lane ==

-- The state of each event. Separate from it, because it changes with each attempt and an update then rewrites only a narrow row.
create table deliveries (
  seq integer primary key, -- of its event
  account_id text not null,
  hook_id text not null,
  status text not null check (status in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  due_at integer, -- null: not pending
  leased_until integer, -- in no index, so that a claim rewrites none
  lease text,
  expires_at integer not null, -- an open breaker delays a delivery until then; afterwards it is dead
  delivered_at integer,
  dead_at integer,
  dead_reason text,
  last_http_status integer,
  last_reason text, -- of a failed attempt
  resolved_at integer, -- a dead letter: discarded, or delivered by a replay
  replay_id text, -- the replay that queued it again
  accepted_by text -- recipients who got the mail while others failed, as JSON: hashes of their addresses
) strict;
-- The queue of a hook: first attempts before retries. In this order first attempts also expire.
create index deliveries_due on deliveries (hook_id, (attempts > 0), due_at, seq) where status = 'pending';
-- Retries that an open breaker delays past their expiry.
create index deliveries_give_up on deliveries (hook_id, expires_at) where status = 'pending' and attempts > 0;
-- Dead letters, and their number by hook without reading the rows.
create index deliveries_dead on deliveries (account_id, seq, hook_id) where status = 'dead' and resolved_at is null;
-- The outcomes of a replay.
create index deliveries_replay on deliveries (replay_id, status) where replay_id is not null;
-- Retention: delivered or discarded.
create index deliveries_ended on deliveries (coalesce(delivered_at, resolved_at))
  where delivered_at is not null or resolved_at is not null;

-- The queue of one hook among those of others: which hooks a claim reads next.
create table lanes (
  hook_id text primary key references hooks (id),
  account_id text not null,
  host text not null, -- of the target, with its port: hooks with the same one share their limit
  state text not null check (state in ('open', 'paused', 'gone', 'deleted')),
  next_claim_at integer, -- when the next claim should read it, never later than a delivery is due; null: nothing pending, or not open
  not_before integer, -- the end of the sender's wait (breaker, rate limit); next_claim_at is never earlier
  sweep_at integer, -- gone or deleted: when to sweep pending deliveries; null when none are left
  health text, -- the breaker, as JSON; null: closed, without failures
  deferred_until integer, -- while the breaker is open. Only then deliveries expire: a rate limit also moves not_before but expires none
  released_at integer -- the end of the last pause: nothing expires until deliveries had their whole time after it
) strict, without rowid;
-- The lanes in the order of their next claim.
create index lanes_turn on lanes (next_claim_at, host) where next_claim_at is not null;
-- The lanes to sweep.
create index lanes_sweep on lanes (sweep_at) where sweep_at is not null;
-- Open breakers, and the lanes whose deliveries may expire.
create index lanes_deferred on lanes (deferred_until) where state = 'open' and deferred_until is not null;

-- Requests made. An attempt is written once and read as a whole: one text is cheaper than seventeen columns.
create table attempts (
  seq integer primary key autoincrement,
  delivery_seq integer not null,
  record text not null -- JSON; signatures are masked
) strict;
-- The attempts of a delivery.
create index attempts_delivery on attempts (delivery_seq);

-- Test events of a hook, which have no delivery.
create table tests (
  seq integer primary key autoincrement,
  hook_id text not null,
  account_id text not null,
  record text not null, -- JSON, like that of an attempt
  body text not null, -- the bytes that were sent
  review_seq integer references reviews (seq) on delete cascade -- the review that it shows; null: an invented one
) strict;
-- The tests of a hook.
create index tests_hook on tests (hook_id, seq);
-- The tests that show a review, which are deleted with it.
create index tests_review on tests (review_seq) where review_seq is not null;

-- Attempts by hour and outcome, so that figures over weeks do not read every attempt.
create table hook_hours (
  account_id text not null,
  hour_at integer not null,
  hook_id text not null,
  outcome integer not null, -- -2: a new dead letter; -1: a failed attempt; 0 and more: the latency bucket of an accepted one (queue/latency.ts)
  count integer not null,
  primary key (account_id, hour_at, hook_id, outcome)
) strict, without rowid;
-- Retention.
create index hook_hours_hour on hook_hours (hour_at);

-- What users of the account should know about a hook, such as a pause after failures.
create table notices (
  seq integer primary key autoincrement,
  account_id text not null,
  hook_id text not null,
  kind text not null,
  at integer not null,
  detail text not null
) strict;
-- The notices of an account, newest first.
create index notices_account on notices (account_id, seq);
-- Those of a hook.
create index notices_hook on notices (hook_id, seq);
-- Retention.
create index notices_at on notices (at);

-- == Afterwards: replays of dead letters, answers to reviews, alerts ==

-- Bulk replays, which queue dead letters again at a limited rate.
create table replays (
  id text primary key,
  account_id text not null,
  filter text not null, -- JSON
  status text not null check (status in ('running', 'paused', 'cancelled', 'done')),
  total integer not null,
  queued integer not null, -- so far
  seq_max integer not null, -- later dead letters are not part of it
  cursor integer not null, -- the last one queued again
  rate_per_second real not null,
  next_at integer, -- null: not running
  created_at integer not null,
  finished_at integer
) strict;
-- The next steps.
create index replays_running on replays (next_at) where status = 'running';

-- Answers to reviews of connected apps: between the request of an account and the store.
create table replies (
  id integer primary key,
  account_id text not null references accounts (id),
  fingerprint text not null, -- of the review as the account sees it, in hex
  store text not null check (store in ('apple', 'google')),
  app_id text not null,
  review_id text not null, -- in the official interface
  connection_id text references store_connections (id), -- null: the connection was removed
  state text not null check (state in ('draft', 'pending', 'sent', 'published', 'refused', 'deleting', 'deleted')),
  text text, -- to publish; null for a draft alone, a deletion, and an answer of another tool
  shown_text text, -- that the store showed last, also of another tool
  sent_text text, -- of the last request to write it
  draft text,
  problem text, -- why it is refused, or not sent yet
  author text, -- who requested it; null for an answer of another tool
  requested_at integer,
  updated_at integer not null,
  sent_at integer, -- the last request to write it
  attempts integer not null default 0,
  next_at integer, -- null: nothing to do
  lease text,
  undo_until integer, -- not sent before; null: sent, or to be sent at once
  undo_to text, -- JSON: what an undo restores
  batch_id text, -- of the request that answered several reviews
  answered_hash blob, -- content_hash of the review that was answered; null: unknown
  unique (account_id, fingerprint)
) strict;
-- The next requests to stores.
create index replies_due on replies (next_at) where next_at is not null;
-- Counts the requests of a day, for the store's quota.
create index replies_sent on replies (store, app_id, sent_at) where sent_at is not null;
-- The answers that need a connection.
create index replies_connection on replies (connection_id);
-- The answers of one request.
create index replies_batch on replies (batch_id) where batch_id is not null;
-- The newest change of an account, for open pages.
create index replies_changed on replies (account_id, updated_at);
-- The few answers of a rare state.
create index replies_state on replies (account_id, state);

-- Saved answers of accounts, to insert into answers to reviews.
create table reply_templates (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  text text not null, -- with placeholders
  language text, -- null: any
  created_at integer not null,
  updated_at integer not null,
  unique (account_id, name)
) strict;

-- What the members of an account noted about a review; no row: nothing, and the status new. Events and exports have none of it.
create table triage (
  review_seq integer not null references reviews (seq) on delete cascade,
  account_id text not null references accounts (id),
  status text not null check (status in ('new', 'seen', 'done')),
  assignee text, -- of auth_users, a member
  tags text not null, -- JSON: a list of texts
  notes text not null, -- JSON: a list of texts with their author and time
  primary key (review_seq, account_id)
) strict, without rowid;
-- The reviews of a filter, and those of a removed member.
create index triage_account on triage (account_id, status, assignee);

-- Named filters of the review feed, for all members of an account.
create table saved_views (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  filters text not null, -- JSON: query parameters
  author text not null, -- the name of the user, at that time
  created_at integer not null,
  unique (account_id, name)
) strict;

-- Who gets the alerts of an account.
create table alert_settings (
  account_id text primary key references accounts (id),
  enabled integer not null,
  emails text not null, -- JSON
  webhook_url text,
  webhook_secret text, -- sealed
  unconfirmed text not null default '[]', -- those of the addresses that have not confirmed, as JSON
  unsubscribed text -- who left, removed addresses too, as JSON: hashes of the addresses, and since when
) strict;

-- Alerts, one row per channel: their own small queue. The last alert of a cause decides whether the next one is due.
create table alerts (
  seq integer primary key autoincrement,
  alert_id text not null, -- hash of the cause and of since
  account_id text not null,
  channel text not null check (channel in ('email', 'webhook')),
  kind text not null,
  subject text not null, -- a hook, a store or a store connection
  since integer not null, -- since when the cause exists
  title text not null,
  text text not null,
  body text not null, -- the bytes of the webhook
  status text not null check (status in ('pending', 'sent', 'failed')),
  attempts integer not null default 0,
  problem text, -- of the last attempt
  due_at integer not null,
  leased_until integer,
  lease text,
  created_at integer not null,
  accepted_by text, -- recipients who got the mail while others failed, as JSON: hashes of their addresses
  unique (alert_id, channel)
) strict;
-- The queue.
create index alerts_due on alerts (due_at) where status = 'pending';
-- The alerts of an account, newest first.
create index alerts_account on alerts (account_id, seq);
-- Retention.
create index alerts_created on alerts (created_at);

-- == The service itself ==

-- Running processes, by their heartbeat.
create table nodes (
  id text primary key,
  version text not null,
  roles text not null, -- JSON
  started_at integer not null,
  seen_at integer not null,
  skew_ms integer -- how far its clock is ahead of the database's
) strict;

-- One row: the last clock reading that a node stored. Comparing the clock with it detects jumps, also after a restart.
create table clock (
  one integer primary key check (one = 1),
  high_water_at integer not null,
  steps integer not null default 0, -- number of jumps that stored instants were adjusted for
  jumped_at integer, -- by the clock after the last jump
  jumped_by_ms integer, -- negative: the clock went back
  jumped_while_stopped integer,
  unconfirmed_until integer, -- until then nothing is deleted or expires
  ahead_ms integer not null default 0, -- jumps since the clock last ran for a day without one; negative: it is behind
  gap_ms integer not null default 0, -- how far it advanced without a counted jump, because no node ran; if it was wrong, ahead_ms is too low by this
  gap_at integer, -- when the last such gap since the last jump was found
  stepped_ms integer not null default 0 -- the sum of all jumps that stored instants were adjusted for (clock-steps.ts)
) strict;

-- Values of the whole database, e.g. the check of the key that seals secrets.
create table marks (
  name text primary key,
  value text not null
) strict, without rowid;

-- The schema's versions that this database had. The last one must be that of the running service (storage/migrate.ts).
create table schema_migrations (
  version integer primary key,
  name text not null,
  applied_at integer not null
) strict;
