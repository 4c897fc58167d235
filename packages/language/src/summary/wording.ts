import type { Sentiment, Theme } from '../../../../src/model/vocabulary.ts'

/** A review without a certain theme. */
export const OPENINGS: Readonly<Record<Sentiment, string>> = {
  positive: 'Satisfied',
  negative: 'Dissatisfied',
  neutral: 'Comments on the app',
  mixed: 'Praise and criticism',
}

/** Before themes. */
export const VERBS: Readonly<Record<Sentiment, string>> = {
  positive: 'Likes',
  negative: 'Criticises',
  neutral: 'Comments on',
  mixed: 'Mixed view of',
}

/** Themes as topics of an opinion. The missing themes are too general to name. */
export const TOPICS: Readonly<Partial<Record<Theme, string>>> = {
  stability_crash: 'stability',
  performance: 'speed',
  battery: 'battery use',
  data_loss: 'how data is kept',
  sync: 'synchronisation',
  login_account: 'login and account',
  billing_payment: 'payment',
  refund: 'refunds',
  pricing_value: 'prices and value',
  ads: 'ads',
  ui_ux: 'design and ease of use',
  onboarding: 'getting started',
  notifications: 'notifications',
  privacy_security: 'privacy and security',
  customer_support: 'customer service',
  content_quality: 'content',
  compatibility: 'device support',
  localization: 'language support',
  update_regression: 'the update',
}

/** Themes as faults. The missing themes are not faults by themselves. */
export const FAULTS: Readonly<Partial<Record<Theme, string>>> = {
  stability_crash: 'crashes or does not open',
  performance: 'slow or freezing',
  battery: 'drains the battery',
  data_loss: 'lost data',
  sync: 'synchronisation problem',
  login_account: 'login or account problem',
  billing_payment: 'payment problem',
  notifications: 'notification problem',
  privacy_security: 'privacy or security problem',
  compatibility: 'device or compatibility problem',
  localization: 'language problem',
  update_regression: 'problem since an update',
  onboarding: 'setup problem',
}
