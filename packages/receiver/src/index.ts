export { type Dedupe, memoryDedupe, processOnce } from './dedupe.ts'
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
export { type HandlerOptions, type HandlerResponse, handle } from './handle.ts'
export type { RequestHeaders } from './headers.ts'
export { ReceiverError, type ReceiverErrorCode } from './receiver-error.ts'
export { type RawBody, type VerifyOptions, verify, verifySignature } from './verify.ts'
