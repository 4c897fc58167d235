export { type Client, createClient } from './client.ts'
export type { EventStream, EventStreamOptions } from './event-stream.ts'
export type {
  Enrichment,
  EventType,
  RatingDropped,
  RatingRecovered,
  ReviewCreated,
  ReviewsSpiked,
  Sentiment,
  Severity,
  Store,
  Storefront,
  Theme,
  WebhookEvent,
} from './events.ts'
export type { Paged } from './paged.ts'
export { RadarError, type RadarErrorCode } from './radar-error.ts'
export type { CallOptions, ClientOptions, Retry } from './transport.ts'
export type * from './types/account.ts'
export type * from './types/apps.ts'
export type * from './types/deliveries.ts'
export type * from './types/events.ts'
export type * from './types/hooks.ts'
export type * from './types/pages.ts'
export type * from './types/reviews.ts'
export type * from './types/statistics.ts'
export type * from './types/store-connections.ts'
