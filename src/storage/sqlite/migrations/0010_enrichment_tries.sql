-- Claims since the last result: a review that crashes the process three times gets no enrichment.
alter table reviews add column enrich_tries integer not null default 0;
-- Why there is no enrichment; null when there is one, or before the first try.
alter table reviews add column enrich_failure text;
create index reviews_enrich_failed on reviews (enriched_at) where enrich_failure is not null;
