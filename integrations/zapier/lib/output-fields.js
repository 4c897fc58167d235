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

const recoveryFields = [
  ...ratingFields,
  { key: 'rating_before_drop', label: 'Rating Before the Drop', type: 'number' },
  { key: 'lowest_rating', label: 'Lowest Rating', type: 'number' },
  { key: 'dropped_at', label: 'Dropped At', type: 'datetime' },
  { key: 'drop_transition_id', label: 'Transition ID of the Drop', type: 'string' },
]

const spikeFields = [
  ...envelope,
  { key: 'review_count', label: 'Number of Reviews', type: 'integer' },
  { key: 'usual_count', label: 'Usual Number', type: 'number' },
  { key: 'factor', label: 'Times the Usual', type: 'number' },
  { key: 'window_start', label: 'Start of the Hour', type: 'datetime' },
  { key: 'window_end', label: 'End of the Hour', type: 'datetime' },
  { key: 'countries', label: 'Storefronts', type: 'string', list: true },
  { key: 'reviews[]review_id', label: 'Review ID', type: 'string' },
  { key: 'reviews[]fingerprint', label: 'Review Fingerprint', type: 'string' },
  { key: 'reviews[]rating', label: 'Stars', type: 'integer' },
  { key: 'reviews[]country', label: 'Storefront', type: 'string' },
  { key: 'reviews[]occurred_at', label: 'Written At', type: 'datetime' },
  { key: 'reviews[]url', label: 'Link', type: 'string' },
]

module.exports = { ratingFields, recoveryFields, reviewFields, spikeFields }
