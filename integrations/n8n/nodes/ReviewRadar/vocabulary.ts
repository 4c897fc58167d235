import type { INodePropertyOptions } from 'n8n-workflow'

/** Values of the API with their labels. */

export const STOREFRONTS: readonly INodePropertyOptions[] = options({
  au: 'Australia',
  br: 'Brazil',
  ca: 'Canada',
  fr: 'France',
  de: 'Germany',
  in: 'India',
  ie: 'Ireland',
  it: 'Italy',
  jp: 'Japan',
  mx: 'Mexico',
  nl: 'Netherlands',
  kr: 'South Korea',
  es: 'Spain',
  se: 'Sweden',
  gb: 'United Kingdom',
  us: 'United States',
})

export const SENTIMENTS = options({
  mixed: 'Mixed',
  negative: 'Negative',
  neutral: 'Neutral',
  positive: 'Positive',
})

export const SEVERITIES = options({ high: 'High', low: 'Low', medium: 'Medium' })

export const THEMES = options({
  ads: 'Ads',
  battery: 'Battery',
  billing_payment: 'Billing and Payment',
  bug_general: 'Bugs in General',
  comparison: 'Comparison',
  compatibility: 'Compatibility',
  content_quality: 'Content Quality',
  customer_support: 'Customer Support',
  data_loss: 'Data Loss',
  localization: 'Localization',
  login_account: 'Login and Account',
  notifications: 'Notifications',
  onboarding: 'Onboarding',
  other: 'Other',
  performance: 'Performance',
  praise_general: 'Praise in General',
  pricing_value: 'Pricing and Value',
  privacy_security: 'Privacy and Security',
  refund: 'Refund',
  stability_crash: 'Stability and Crashes',
  sync: 'Sync',
  ui_ux: 'UI and UX',
  update_regression: 'Update Regression',
})

export const STARS = options({
  '1': '1 Star',
  '2': '2 Stars',
  '3': '3 Stars',
  '4': '4 Stars',
  '5': '5 Stars',
})

function options(labels: Readonly<Record<string, string>>): INodePropertyOptions[] {
  return Object.entries(labels).map(([value, name]) => ({ name, value }))
}
