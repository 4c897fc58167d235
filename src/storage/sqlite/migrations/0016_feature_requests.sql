-- For counts of requested features over a period: read from the index alone.
create index reviews_requests on reviews (store, app_id, occurred_at, feature_slug, market, seq) where feature_slug is not null;
