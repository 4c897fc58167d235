/** The closed vocabularies of the contract (docs/contract.md). Schemas, checks and labels are derived from these lists. */

export const STORES = ['apple', 'google'] as const
export type Store = (typeof STORES)[number]

export const EVENT_TYPES = ['review.created', 'rating.dropped', 'reviews.spiked', 'rating.recovered'] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Whether a watch for these events has a delta or a threshold. */
export function hasRatingRule(eventType: EventType): boolean {
  return eventType === 'rating.dropped' || eventType === 'rating.recovered'
}

/** The storefronts in the order of docs/contract.md, Storefronts. A review of a shared language gets the first matching one. */
export const STOREFRONTS = [
  'us',
  'gb',
  'ca',
  'au',
  'ie',
  'fr',
  'de',
  'es',
  'se',
  'br',
  'mx',
  'jp',
  'kr',
  'in',
  'nl',
  'it',
] as const
export type Storefront = (typeof STOREFRONTS)[number]

export const FEED_KINDS = ['reviews', 'rating'] as const
export type FeedKind = (typeof FEED_KINDS)[number]

/** `gone`: after a 410 from an automation platform (docs/contract.md, 410 Gone). */
export const HOOK_STATUSES = ['active', 'paused', 'gone'] as const
export type HookStatus = (typeof HOOK_STATUSES)[number]

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** `owner`: everything. `member`: all but members, tokens and rules of the account. `viewer`: reads only. */
export const ROLES = ['owner', 'member', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** The scopes of an API token: read; manage hooks and tracked apps; send again and import. */
export const TOKEN_SCOPES = ['read', 'hooks', 'operate', 'reply'] as const
/** Of a token that names none. Answers to reviews are public, so a token gets that right only on request. */
export const DEFAULT_TOKEN_SCOPES = ['read', 'hooks', 'operate'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

export const TRIGGERS = ['threshold', 'delta'] as const
export type Trigger = (typeof TRIGGERS)[number]

export const SENTIMENTS = ['positive', 'neutral', 'negative', 'mixed'] as const
export type Sentiment = (typeof SENTIMENTS)[number]

export const SEVERITIES = ['low', 'medium', 'high'] as const
export type Severity = (typeof SEVERITIES)[number]

/** The 23 themes of docs/contract.md, enrichment. New themes must be appended, because storage filters by their bits in this order. */
export const THEMES = [
  'stability_crash',
  'performance',
  'battery',
  'data_loss',
  'sync',
  'login_account',
  'billing_payment',
  'refund',
  'pricing_value',
  'ads',
  'ui_ux',
  'onboarding',
  'bug_general',
  'notifications',
  'privacy_security',
  'customer_support',
  'content_quality',
  'compatibility',
  'localization',
  'update_regression',
  'praise_general',
  'comparison',
  'other',
] as const
export type Theme = (typeof THEMES)[number]

/** Why a chat service or a mail server will never accept the message of an event. */
export const TARGET_FAILURE_REASONS = [
  /** The channel, chat, webhook or mailbox does not exist any more. */
  'channel_gone',
  /** The token or the secret part of the URL is not valid any more. */
  'access_revoked',
  /** The service does not let this sender post there. */
  'posting_forbidden',
  /** The service cannot process the message. */
  'message_rejected',
] as const
export type TargetFailureReason = (typeof TARGET_FAILURE_REASONS)[number]

/** Why an attempt failed, or why a delivery became a dead letter. Reasons must not be renamed, because users filter by them. */
export const FAILURE_REASONS = [
  'http_status',
  'redirect',
  'timeout_connect',
  'timeout_headers',
  'timeout_total',
  'dns',
  'connect_refused',
  'connect_failed',
  'reset',
  'tls',
  'headers_too_large',
  'invalid_response',
  'blocked_address',
  'invalid_request',
  'interrupted',
  'internal_error',
  'mail_failed',
  'no_mail_server',
  ...TARGET_FAILURE_REASONS,
] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

/** Failures after which the target may have received the request. */
export const MAYBE_RECEIVED_REASONS = [
  'timeout_headers',
  'timeout_total',
  'reset',
  'invalid_response',
  'internal_error',
  'mail_failed',
] as const satisfies readonly FailureReason[]

export const DEAD_REASONS = [
  'attempts_exhausted',
  'expired',
  'blocked_address',
  'invalid_request',
  'gone',
  ...TARGET_FAILURE_REASONS,
] as const
export type DeadReason = (typeof DEAD_REASONS)[number]
