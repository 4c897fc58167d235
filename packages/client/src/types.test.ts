import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { z } from 'zod'
import type { Operation, Routes } from '../../../src/contract/routes.ts'
import type { SameType } from '../../../test/support/same-type.ts'
import type {
  AppSearch,
  AtomFeed,
  Attempt,
  CreatedAtomFeed,
  CreatedHook,
  DeadLetterFilter,
  DeadLetterQuery,
  DeadLetterRecord,
  Delivery,
  DeliveryDetail,
  DeliveryQuery,
  Discarded,
  EventList,
  EventQuery,
  EventType,
  FilledReplyTemplate,
  FoundApps,
  Hook,
  HookChange,
  HookDetail,
  ImportCounts,
  ImportRow,
  Me,
  NewStoreConnection,
  Page,
  Rating,
  RatingQuery,
  Replay,
  ReplayBody,
  ReplayChange,
  Replayed,
  Reply,
  ReplyDraft,
  ReplyTemplate,
  ReplyTemplateBody,
  Review,
  ReviewDetail,
  ReviewFilter,
  ReviewQuery,
  ReviewStatistics,
  StatisticsQuery,
  StoreConnection,
  StoreConnectionChange,
  StoreCredentials,
  SubscribeBody,
  Token,
  TrackBody,
  TrackedApp,
  WatchedApp,
  WatchSet,
  WatchSetBody,
  WebhookEvent,
} from './index.ts'

/** The response of each operation; for a download, one row. */
type Responses = {
  subscribe: CreatedHook
  list_hooks: Hook[]
  get_hook: HookDetail
  change_hook: HookDetail
  unsubscribe: undefined
  test_hook: Attempt
  list_watch_sets: WatchSet[]
  create_watch_set: WatchSet
  change_watch_set: WatchSet
  delete_watch_set: undefined
  sample: WebhookEvent[]
  list_events: EventList
  list_reviews: Page<Review>
  get_review: ReviewDetail
  export_reviews: Review
  import_reviews: ImportCounts
  list_apps: WatchedApp[]
  search_apps: FoundApps
  list_tracked_apps: TrackedApp[]
  track_app: undefined
  untrack_app: undefined
  list_atom_feeds: AtomFeed[]
  create_atom_feed: CreatedAtomFeed
  revoke_atom_feed: undefined
  get_reply: Reply
  reply: Reply
  draft_reply: ReplyDraft
  delete_reply: Reply
  list_reply_templates: ReplyTemplate[]
  create_reply_template: ReplyTemplate
  replace_reply_template: ReplyTemplate
  delete_reply_template: undefined
  fill_reply_templates: FilledReplyTemplate[]
  list_store_connections: StoreConnection[]
  get_store_connection: StoreConnection
  connect_store: StoreConnection
  test_store_connection: StoreConnection
  rotate_store_credentials: StoreConnection
  change_store_connection: StoreConnection
  use_store_connection: StoreConnection
  leave_store_connection: StoreConnection
  import_store_history: StoreConnection
  stop_store_history: StoreConnection
  remove_store_connection: undefined
  list_ratings: Page<Rating>
  review_statistics: ReviewStatistics
  list_deliveries: Page<Delivery>
  get_delivery: DeliveryDetail
  retry_delivery: Delivery
  resend_delivery: Delivery
  list_dead_letters: Page<Delivery>
  export_dead_letters: DeadLetterRecord
  replay_dead_letters: Replayed
  discard_dead_letters: Discarded
  list_replays: Replay[]
  start_replay: Replay
  change_replay: Replay
  list_tokens: Token[]
  me: Me
}

type Bodies = {
  subscribe: SubscribeBody
  create_watch_set: WatchSetBody
  change_watch_set: WatchSetBody
  track_app: TrackBody
  create_atom_feed: { store: AtomFeed['store']; app_id: string }
  reply: { text: string }
  create_reply_template: ReplyTemplateBody
  replace_reply_template: ReplyTemplateBody
  connect_store: NewStoreConnection
  rotate_store_credentials: StoreCredentials
  change_store_connection: StoreConnectionChange
  change_hook: HookChange
  replay_dead_letters: { event_ids: string[] }
  discard_dead_letters: { event_ids: string[] }
  start_replay: Omit<ReplayBody, 'filter'> & { filter?: OnWire<DeadLetterFilter> }
  change_replay: ReplayChange
}

type Queries = {
  sample: { event_type?: EventType }
  list_events: EventQuery
  list_reviews: ReviewQuery
  export_reviews: ReviewFilter & Format
  search_apps: AppSearch
  list_ratings: RatingQuery
  review_statistics: StatisticsQuery
  list_deliveries: DeliveryQuery
  list_dead_letters: DeadLetterQuery
  export_dead_letters: DeadLetterFilter & Format
}
type Format = { format?: 'csv' | 'jsonl' }

type Of<Part, Key extends string> =
  Part extends Record<Key, infer Schema> ? (Schema extends z.ZodType ? Schema : never) : never
type ResponseOf<O extends Operation> = [Of<Routes[O]['success'], 'schema'>] extends [never]
  ? undefined
  : z.output<Of<Routes[O]['success'], 'schema'>>
type WithPart<Key extends string> = {
  [O in Operation]: [Of<Routes[O], Key>] extends [never] ? never : O
}[Operation]

/** Dates are sent as text. */
type OnWire<T> = { [Key in keyof T]: Date extends T[Key] ? Exclude<T[Key], Date> : T[Key] }

/** Query values are text, so only names and enumerated values can be compared. */
type Comparable<T> = { [Key in keyof T]-?: ClosedTexts<NonNullable<T[Key]>> }
type ClosedTexts<T> = [T] extends ['true' | 'false']
  ? 'open'
  : [T] extends [string]
    ? string extends T
      ? 'open'
      : T
    : 'open'

test('the types match the contract', () => {
  const same: [
    SameType<Responses, { [O in Operation]: ResponseOf<O> }>,
    SameType<Bodies, { [O in WithPart<'body'>]: z.input<Of<Routes[O], 'body'>> }>,
    SameType<ImportRow, z.input<Routes['import_reviews']['rows']['schema']>>,
    SameType<
      { [O in keyof Queries]: Comparable<Queries[O]> },
      { [O in WithPart<'query'>]: Comparable<z.input<Of<Routes[O], 'query'>>> }
    >,
  ] = [true, true, true, true]
  // The comparison detects a missing key.
  const missing: SameType<Omit<Responses, 'me'> & { me: Omit<Me, 'token_id'> }, Responses> = false
  assert.ok(same.every(Boolean) && !missing)
})

test('client and receiver have identical event types', () => {
  const [clientText, receiverText] = ['events.ts', '../../receiver/src/events.ts'].map((path) =>
    readFileSync(join(import.meta.dirname, path), 'utf8'),
  )
  assert.equal(clientText, receiverText)
})
