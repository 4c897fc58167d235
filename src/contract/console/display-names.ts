import type { EnrichmentEngine } from '../../model/enrichment.ts'
import type { FeedHealth } from '../../model/feed-health.ts'
import type { AnswerState } from '../../model/reply.ts'
import type { ReviewSourceName } from '../../model/review-source.ts'
import type { ConnectionKind } from '../../model/store-connection.ts'
import type {
  DeadReason,
  EventType,
  FailureReason,
  Role,
  Sentiment,
  Severity,
  Store,
  Storefront,
  Theme,
  TokenScope,
} from '../../model/vocabulary.ts'

/**
 * Display names for the codes of the service, one table per vocabulary, in sentence case. They are in one place for translation. A table
 * that lacks a code does not compile.
 */

export const STORE_NAMES: Readonly<Record<Store, string>> = { apple: 'App Store', google: 'Google Play' }

export const EVENT_TYPE_NAMES: Readonly<Record<EventType, string>> = {
  'review.created': 'New review',
  'rating.dropped': 'Rating drop',
  'reviews.spiked': 'Spike of negative reviews',
  'rating.recovered': 'Rating recovery',
}

export const SENTIMENT_NAMES: Readonly<Record<Sentiment, string>> = {
  positive: 'Positive',
  neutral: 'Neutral',
  negative: 'Negative',
  mixed: 'Mixed',
}

/** In lists of reviews. */
export const ANSWER_STATE_NAMES: Readonly<Record<AnswerState, string>> = {
  unanswered: 'Unanswered',
  draft: 'Draft answer',
  pending: 'Answer pending',
  published: 'Answered',
  refused: 'Answer refused',
  edited: 'Edited since the answer',
}

export const SEVERITY_NAMES: Readonly<Record<Severity, string>> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
}

export const THEME_NAMES: Readonly<Record<Theme, string>> = {
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

/** Why an attempt failed, or why a delivery became a dead letter. */
export const REASON_NAMES: Readonly<Record<FailureReason | DeadReason, string>> = {
  http_status: 'HTTP error',
  redirect: 'Redirect',
  timeout_connect: 'Connection timed out',
  timeout_headers: 'Response timed out',
  timeout_total: 'Request timed out',
  dns: 'DNS lookup failed',
  connect_refused: 'Connection refused',
  connect_failed: 'Connection failed',
  reset: 'Connection reset',
  tls: 'TLS error',
  headers_too_large: 'Response headers too large',
  invalid_response: 'Invalid response',
  blocked_address: 'Blocked address',
  invalid_request: 'Invalid request',
  interrupted: 'Interrupted',
  internal_error: 'Internal error',
  mail_failed: 'Mail server error',
  no_mail_server: 'No mail server',
  channel_gone: 'Channel no longer exists',
  access_revoked: 'Access revoked',
  posting_forbidden: 'Not allowed to post',
  message_rejected: 'Message rejected',
  attempts_exhausted: 'Attempts exhausted',
  expired: 'Expired',
  gone: 'Turned off by the receiver (HTTP 410)',
}

/** Statuses of deliveries (`held`: pending, while the destination is paused), destinations and replays. */
export const STATUS_NAMES = {
  pending: 'Pending',
  held: 'Held',
  delivered: 'Delivered',
  dead: 'Dead letter',
  active: 'Active',
  paused: 'Paused',
  gone: 'Turned off',
  running: 'Running',
  done: 'Completed',
  cancelled: 'Cancelled',
  sent: 'Sent',
  failed: 'Failed',
} as const
export type Status = keyof typeof STATUS_NAMES

export const DESTINATION_STATE_NAMES = {
  suspended: 'Paused after failures',
  failing: 'Failing',
  gone: STATUS_NAMES.gone,
  paused: STATUS_NAMES.paused,
  active: STATUS_NAMES.active,
} as const

export const FEED_KIND_NAMES = { reviews: 'Reviews', rating: 'Rating' } as const

export const FEED_HEALTH_NAMES: Readonly<Record<FeedHealth, string>> = {
  waiting: 'Not checked yet',
  well: 'Healthy',
  unrated: 'Not rated yet',
  stale: 'No usable response',
  blocked: 'Rate-limited',
  gone: 'Not in the store',
  changed: 'Changed format',
}

/** The result of a store's last answer. */
export const OUTCOME_NAMES = {
  ok: 'OK',
  empty: 'No reviews',
  unknown: 'No usable response',
  blocked: 'Rate-limited',
  gone: 'Not in the store',
  changed: 'Changed format',
} as const

/** Of a language that `Intl` has no name for. */
export const UNKNOWN_LANGUAGE_NAMES: Readonly<Record<string, string>> = { und: 'Unknown language' }

/** Sources of a store's data. A source without a name is shown unchanged. */
export const SOURCE_NAMES: Readonly<Record<string, string>> = {
  rss: 'RSS feed',
  web: 'Web page',
  lookup: 'Lookup API',
  details: 'Details page',
  'ld+json': 'Details page',
  UsvDTd: 'Review pages',
}

/** Where a destination was created. Automation platforms have their own names. */
export const HOOK_SOURCE_NAMES: Readonly<Record<string, string>> = {
  console: 'the console',
  api: 'the API',
  zapier: 'Zapier',
  make: 'Make',
  n8n: 'n8n',
}

export const NOTICE_NAMES = {
  failing: 'Failing',
  recovered: 'Recovered',
  exhausted: 'Dead letter',
  breaker_opened: 'Paused after failures',
  breaker_closed: 'Resumed',
  gone: 'Turned off',
} as const

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  member: 'Member',
  viewer: 'Viewer',
}

/** Scopes of API tokens. */
export const SCOPE_NAMES: Readonly<Record<TokenScope, string>> = {
  read: 'Read',
  hooks: 'Manage hooks and apps',
  operate: 'Replay, import, stores, alerts, audit log',
  reply: 'Answer reviews',
}

export const CONNECTION_KIND_NAMES: Readonly<Record<ConnectionKind, string>> = {
  appstoreconnect: 'App Store Connect',
  'googleplay-developer': 'Google Play',
}

/** Where a review comes from. */
export const REVIEW_SOURCE_NAMES: Readonly<Record<ReviewSourceName, string>> = {
  public: 'Public pages',
  ...CONNECTION_KIND_NAMES,
  import: 'Import',
}

/** Names that can follow "by". */
export const ENGINE_NAMES: Readonly<Record<EnrichmentEngine['name'], string>> = {
  offline: 'the offline engine',
  llm: 'the model server',
}

/** Names that can follow "in". */
export const STOREFRONT_NAMES: Readonly<Record<Storefront, string>> = {
  us: 'the United States',
  gb: 'the United Kingdom',
  ca: 'Canada',
  au: 'Australia',
  ie: 'Ireland',
  fr: 'France',
  de: 'Germany',
  es: 'Spain',
  se: 'Sweden',
  br: 'Brazil',
  mx: 'Mexico',
  jp: 'Japan',
  kr: 'South Korea',
  in: 'India',
  nl: 'the Netherlands',
  it: 'Italy',
}

/** The main languages of the storefronts. */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  en: 'English',
  fr: 'French',
  de: 'German',
  es: 'Spanish',
  sv: 'Swedish',
  pt: 'Portuguese',
  ja: 'Japanese',
  ko: 'Korean',
  hi: 'Hindi',
  nl: 'Dutch',
  it: 'Italian',
}

/** The name of a code. An unknown code, such as one of a later version, becomes words. */
export function displayName(names: Readonly<Record<string, string>>, code: string): string {
  const name = Object.hasOwn(names, code) ? names[code] : undefined
  return name ?? capitalized(code.replaceAll(/[_-]/g, ' '))
}

/** A name inside a sentence: "Crashes" becomes "crashes", but "DNS lookup failed" does not change. */
export function inSentence(name: string): string {
  return /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
