const SENTIMENTS = { positive: 'Positive', neutral: 'Neutral', negative: 'Negative', mixed: 'Mixed' }
const SEVERITIES = { low: 'Low', medium: 'Medium', high: 'High' }
const THEMES = {
  stability_crash: 'Crashes',
  performance: 'Performance',
  battery: 'Battery',
  data_loss: 'Data loss',
  sync: 'Sync',
  login_account: 'Sign-in and account',
  billing_payment: 'Billing and payments',
  refund: 'Refunds',
  pricing_value: 'Price and value',
  ads: 'Ads',
  ui_ux: 'Design and usability',
  onboarding: 'Onboarding',
  bug_general: 'General bugs',
  notifications: 'Notifications',
  privacy_security: 'Privacy and security',
  customer_support: 'Customer support',
  content_quality: 'Content quality',
  compatibility: 'Compatibility',
  localization: 'Localization',
  update_regression: 'Broken by an update',
  praise_general: 'General praise',
  comparison: 'Comparison with other apps',
  other: 'Other',
}

const text = (key, label, helpText) => ({ key, label, type: 'string', list: true, required: false, helpText })
const choice = (key, label, choices) => ({ key, label, type: 'string', list: true, required: false, choices })
const flag = (key, label) => ({
  key,
  label,
  type: 'boolean',
  required: false,
  helpText: 'Leave empty for reviews of both kinds.',
})

/** The filters of a subscription to reviews. The keys are those of the API. */
const reviewFilterFields = [
  text('keywords', 'Keywords', 'Words or phrases. Title, text or English summary must contain one of them.'),
  text('excluded_keywords', 'Excluded Keywords', 'The review must contain none of them.'),
  text('app_versions', 'App Versions', 'Such as `4.2.1`, or `4.2.*` for all that begin with it.'),
  text('languages', 'Languages', 'Languages of the text, two letters each, such as `en`.'),
  choice('sentiments', 'Sentiments', SENTIMENTS),
  choice('severities', 'Severities', SEVERITIES),
  choice('themes', 'Themes', THEMES),
  flag('is_bug_report', 'Is Bug Report'),
  flag('is_feature_request', 'Is Feature Request'),
  flag('mentions_competitor', 'Mentions Competitor'),
  text('competitors', 'Competitors', 'The review must name one of them.'),
]

/** The filters with a value. */
function filtersOf(inputData) {
  const given = {}
  for (const { key, list } of reviewFilterFields) {
    const value = inputData[key]
    if (value === undefined || value === null || value === '') continue
    if (!list) given[key] = value === true || value === 'true'
    else if (value.length > 0) given[key] = value
  }
  return given
}

module.exports = { filtersOf, reviewFilterFields, SENTIMENTS, SEVERITIES, THEMES }
