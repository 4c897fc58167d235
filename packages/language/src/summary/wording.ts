import type { Sentiment, Theme } from '../../../../src/model/vocabulary.ts'

/** A review without a topic. */
export const OPENINGS: Readonly<Record<Sentiment, string>> = {
  positive: 'Praises the app',
  negative: 'Unhappy with the app',
  neutral: 'Comments on the app',
  mixed: 'Some praise, some criticism',
}

/** Themes as topics of an opinion. */
export const TOPICS: Readonly<Record<Theme, string>> = {
  stability_crash: 'stability',
  performance: 'speed',
  battery: 'battery use',
  data_loss: 'how data is kept',
  sync: 'sync',
  login_account: 'login and account',
  billing_payment: 'payment',
  refund: 'refunds',
  pricing_value: 'price and value',
  ads: 'ads',
  ui_ux: 'design and usability',
  onboarding: 'getting started',
  bug_general: 'reliability',
  notifications: 'notifications',
  privacy_security: 'privacy and security',
  customer_support: 'customer support',
  content_quality: 'content',
  compatibility: 'device support',
  localization: 'language support',
  update_regression: 'the update',
  praise_general: 'the app',
  comparison: 'another product',
  other: 'the service around the app',
}

/** Themes as faults. Themes that are missing here are never a fault by themselves. */
export const FAULTS: Readonly<Partial<Record<Theme, string>>> = {
  stability_crash: 'crashes or does not open',
  performance: 'slow or freezing',
  battery: 'drains the battery',
  data_loss: 'lost data',
  sync: 'sync fails',
  login_account: 'login or account problem',
  billing_payment: 'payment problem',
  bug_general: 'a malfunction',
  notifications: 'notification problem',
  privacy_security: 'security problem',
  compatibility: 'does not work on the device',
  localization: 'language problem',
  ui_ux: 'interface fault',
  update_regression: 'broken since an update',
  content_quality: 'wrong or missing content',
  onboarding: 'setup problem',
  ads: 'ads in the way',
}
