-- Claims since the last result: a review that ends the process on each of three tries gets no enrichment.
alter table reviews add column enrich_tries integer not null default 0;
-- Why there is no enrichment; null when there is one, or none was tried.
alter table reviews add column enrich_failure text;
create index reviews_enrich_failed on reviews (enriched_at) where enrich_failure is not null;
