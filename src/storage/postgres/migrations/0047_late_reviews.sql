-- Old processes may keep running. Hooks can take reviews from before a watch that the store showed only after it.
alter table hooks add column late_reviews_hours integer not null default 0;
alter table occurrences add column unseen_at bigint;
