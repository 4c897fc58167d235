-- The page of an app counts by version from the index alone; the feed filters by version and by feature request.
drop index reviews_app;
create index reviews_app on reviews (store, app_id, occurred_at, seq) include (market, rating, language, sentiment,
  severity, themes_mask, is_bug_report, is_feature_request, app_version, feature_slug);
