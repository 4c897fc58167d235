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
  billing_payment: 'Billing and Payments',
  update_regression: 'Broken by an Update',
  comparison: 'Comparison with Other Apps',
  compatibility: 'Compatibility',
  content_quality: 'Content Quality',
  stability_crash: 'Crashes',
  customer_support: 'Customer Support',
  data_loss: 'Data Loss',
  ui_ux: 'Design and Usability',
  bug_general: 'General Bugs',
  praise_general: 'General Praise',
  localization: 'Localization',
  notifications: 'Notifications',
  onboarding: 'Onboarding',
  other: 'Other',
  performance: 'Performance',
  pricing_value: 'Price and Value',
  privacy_security: 'Privacy and Security',
  refund: 'Refunds',
  login_account: 'Sign-in and Account',
  sync: 'Sync',
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
