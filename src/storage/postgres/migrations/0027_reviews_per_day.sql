-- The estimated rate of a review feed; null until a poll has estimated it.
alter table feeds add column reviews_per_day double precision;
-- Counts feeds by rate, and sums the polls of ratings, without reading the table.
create index feeds_demand on feeds (store, kind, reviews_per_day, interval_ms) where next_poll_at is not null;
