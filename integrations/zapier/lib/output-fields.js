/** Fields of every event. */
const envelope = [
  { key: 'id', label: 'Event ID', type: 'string', primary: true },
  { key: 'event_type', label: 'Event Type', type: 'string' },
  { key: 'store', label: 'Store', type: 'string' },
  { key: 'app_id', label: 'App ID', type: 'string' },
  { key: 'occurred_at', label: 'Occurred At', type: 'datetime' },
  { key: 'observed_at', label: 'Observed At', type: 'datetime' },
]

const reviewFields = [
  ...envelope,
  { key: 'review_id', label: 'Review ID', type: 'string' },
  { key: 'fingerprint', label: 'Review Fingerprint', type: 'string' },
  { key: 'rating', label: 'Stars', type: 'integer' },
  { key: 'title', label: 'Title', type: 'string' },
  { key: 'body', label: 'Text', type: 'string' },
  { key: 'author', label: 'Author', type: 'string' },
  { key: 'app_version', label: 'App Version', type: 'string' },
  { key: 'country', label: 'Storefront', type: 'string' },
  { key: 'enrichment__summary_en', label: 'English Summary', type: 'string' },
  { key: 'enrichment__language', label: 'Language', type: 'string' },
  { key: 'enrichment__sentiment', label: 'Sentiment', type: 'string' },
  { key: 'enrichment__themes', label: 'Themes', type: 'string', list: true },
  { key: 'enrichment__severity', label: 'Severity', type: 'string' },
  { key: 'enrichment__is_bug_report', label: 'Is Bug Report', type: 'boolean' },
  { key: 'enrichment__is_feature_request', label: 'Is Feature Request', type: 'boolean' },
  { key: 'enrichment__feature_slug', label: 'Feature Key', type: 'string' },
  { key: 'enrichment__feature_phrase', label: 'Feature', type: 'string' },
  { key: 'enrichment__mentions_competitor', label: 'Mentions Competitor', type: 'boolean' },
  { key: 'enrichment__competitor_named', label: 'Competitor', type: 'string' },
]

const ratingFields = [
  ...envelope,
  { key: 'previous_rating', label: 'Previous Rating', type: 'number' },
  { key: 'current_rating', label: 'Current Rating', type: 'number' },
  { key: 'delta', label: 'Change', type: 'number' },
  { key: 'rating_count', label: 'Number of Ratings', type: 'integer' },
  { key: 'trigger', label: 'Rule That Fired', type: 'string' },
  { key: 'threshold', label: 'Threshold', type: 'number' },
]

module.exports = { ratingFields, reviewFields }
