import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import type { Operation, Routes } from '../../../src/contract/routes.ts'
import type { SameType } from '../../../test/support/same-type.ts'
import type {
  AlertRecipient,
  AlertSettings,
  AppSearch,
  AtomFeed,
  AuditFilter,
  AuditQuery,
  BulkReplyBody,
  BulkTriageBody,
  Client,
  DeadLetterFilter,
  DeadLetterQuery,
  DeliveryQuery,
  EventQuery,
  EventType,
  HookChange,
  HookStatusBody,
  ImportRow,
  Me,
  NewStoreConnection,
  Page,
  Paged,
  RatingQuery,
  RecoveryBody,
  RecoveryQuery,
  ReplayBody,
  ReplayChange,
  ReplyPreviewBody,
  ReplyTemplateBody,
  ReviewFilter,
  ReviewQuery,
  SecretBody,
  StatisticsQuery,
  StoreConnectionChange,
  StoreCredentials,
  SubscribeBody,
  TrackBody,
  TriageBody,
  WatchBody,
  WatchSetBody,
} from './index.ts'

type CamelCase<Name extends string> = Name extends `${infer Start}_${infer Rest}`
  ? `${Start}${Capitalize<CamelCase<Rest>>}`
  : Name

/** The response of each operation by the client's method; for a download, one row. */
type Responses = { [O in Operation]: Answer<ReturnType<Client[CamelCase<O> & keyof Client]>> }
type Answer<Result> =
  Result extends Promise<infer Body>
    ? Body extends void
      ? undefined
      : Body
    : Result extends Paged<infer Row>
      ? Page<Row>
      : Result extends AsyncIterable<infer Row>
        ? Row
        : never

type Bodies = {
  subscribe: SubscribeBody
  set_hook_status: HookStatusBody
  set_hook_statuses: { hook_ids: string[]; status: HookStatusBody['status'] }
  rotate_secret: SecretBody
  retry_hooks: { hook_ids: string[] }
  recover_hook: OnWire<RecoveryBody>
  retry_deliveries: { event_ids: string[] }
  add_watch: WatchBody
  replace_watch: WatchBody
  watch_set_to_watch: WatchBody
  watch_to_watch_set: WatchSetBody
  ask_alert_recipient: AlertRecipient
  change_alerts: AlertSettings
  create_watch_set: WatchSetBody
  change_watch_set: WatchSetBody
  track_app: TrackBody
  create_atom_feed: { store: AtomFeed['store']; app_id: string }
  triage_review: TriageBody
  triage_reviews: BulkTriageBody
  add_review_note: { text: string }
  reply: { text: string; undo_seconds?: number }
  preview_replies: ReplyPreviewBody
  reply_to_many: OnWire<BulkReplyBody>
  save_reply_draft: { text: string | null }
  create_reply_template: ReplyTemplateBody
  replace_reply_template: ReplyTemplateBody
  connect_store: NewStoreConnection
  rotate_store_credentials: StoreCredentials
  change_store_connection: StoreConnectionChange
  change_hook: HookChange
  replay_dead_letters: { event_ids: string[] }
  discard_dead_letters: { event_ids: string[] }
  start_replay: Omit<ReplayBody, 'filter'> & { filter?: OnWire<ReplayBody['filter'] & {}> }
  change_replay: ReplayChange
}

type Queries = {
  sample: { event_type?: EventType }
  test_hook: { event_type?: EventType }
  list_events: EventQuery
  list_reviews: ReviewQuery
  list_reviews_to_answer: { limit?: number }
  count_reviews: ReviewFilter
  export_reviews: ReviewFilter & Format
  search_apps: AppSearch
  untrack_app: { watches?: 'keep' | 'remove' }
  list_ratings: RatingQuery
  get_statistics: StatisticsQuery
  list_deliveries: DeliveryQuery
  list_dead_letters: DeadLetterQuery
  count_dead_letters: DeadLetterFilter
  export_dead_letters: DeadLetterFilter & Format
  preview_recovery: RecoveryQuery
  list_audit_log: AuditQuery
  export_audit_log: AuditFilter & Format
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

test('the methods of the client answer and take what the contract says', () => {
  const same: [
    SameType<Responses, { [O in Operation]: ResponseOf<O> }>,
    SameType<Bodies, { [O in WithPart<'body'>]: z.input<Of<Routes[O], 'body'>> }>,
    SameType<OnWire<ImportRow>, z.input<Routes['import_reviews']['rows']['schema']>>,
    SameType<
      { [O in keyof Queries]: Comparable<Queries[O]> },
      { [O in WithPart<'query'>]: Comparable<z.input<Of<Routes[O], 'query'>>> }
    >,
  ] = [true, true, true, true]
  // The comparison detects a missing key.
  const missing: SameType<Omit<Responses, 'me'> & { me: Omit<Me, 'token_id'> }, Responses> = false
  assert.ok(same.every(Boolean) && !missing)
})
