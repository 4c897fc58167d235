import { type EventStream, type EventStreamOptions, eventStream } from './event-stream.ts'
import type { EventType, Store, WebhookEvent } from './events.ts'
import { jsonLines } from './lines.ts'
import { type Paged, paged } from './paged.ts'
import { type ApiRequest, type CallOptions, type ClientOptions, createTransport } from './transport.ts'
import type { Me, Token } from './types/account.ts'
import type {
  AppSearch,
  FoundApps,
  Rating,
  RatingQuery,
  TrackBody,
  TrackedApp,
  WatchedApp,
} from './types/apps.ts'
import type {
  Attempt,
  DeadLetterFilter,
  DeadLetterQuery,
  DeadLetterRecord,
  Delivery,
  DeliveryDetail,
  DeliveryQuery,
  Discarded,
  Replay,
  ReplayBody,
  ReplayChange,
  Replayed,
} from './types/deliveries.ts'
import type { EventList, EventQuery } from './types/events.ts'
import type { CreatedHook, Hook, SubscribeBody } from './types/hooks.ts'
import type { Page, PageQuery } from './types/pages.ts'
import type {
  ImportCounts,
  ImportRow,
  Review,
  ReviewDetail,
  ReviewFilter,
  ReviewQuery,
} from './types/reviews.ts'
import type { ReviewStatistics, StatisticsQuery } from './types/statistics.ts'

/** One method for each operation of the API. Every call rejects with `RadarError`. */
export type Client = ReturnType<typeof createClient>

type SubscribeOptions = CallOptions & {
  /** The same key and body give the same hook for 24 hours; a random one for each call by default. */
  readonly idempotencyKey?: string
}

/**
 * A client of one account. Reads, `subscribe` and what may be repeated are sent again after a failure that ends by
 * itself, at the earliest when `Retry-After` says; other calls only when the service did not carry them out.
 */
export function createClient(options: ClientOptions) {
  const transport = createTransport(options)

  async function call<Answer>(request: ApiRequest, given?: CallOptions): Promise<Answer> {
    // The service answers by the schemas that these types are compared with; that is not checked again at every call.
    return (await transport.json(request, given)) as Answer
  }
  const get = <Answer>(path: string, query?: object, given?: CallOptions) =>
    call<Answer>({ method: 'GET', path, query }, given)
  const post = <Answer>(path: string, json?: object, given?: CallOptions) =>
    call<Answer>({ method: 'POST', path, json }, given)

  function list<Row>(path: string, query: PageQuery, given?: CallOptions): Paged<Row> {
    return paged((cursor) => get<Page<Row>>(path, { ...query, cursor }, given), query.cursor)
  }

  const download = (path: string, query: object, given?: CallOptions) =>
    transport.stream({ method: 'GET', path, query }, given)
  async function* rows<Row>(path: string, query: object, given?: CallOptions): AsyncGenerator<Row> {
    yield* jsonLines<Row>(await download(path, { ...query, format: 'jsonl' }, given), given?.signal)
  }
  const csv = (path: string, query: object, given?: CallOptions) =>
    download(path, { ...query, format: 'csv' }, given)

  const hook = (id: string) => `/hooks/${encodeURIComponent(id)}`
  const delivery = (eventId: string) => `/deliveries/${encodeURIComponent(eventId)}`
  const trackedApp = (store: Store, appId: string) => `/tracked-apps/${store}/${encodeURIComponent(appId)}`

  return {
    /** Creates a hook. Only this answer shows the secret. */
    subscribe: (
      body: SubscribeBody,
      { idempotencyKey = crypto.randomUUID(), ...given }: SubscribeOptions = {},
    ) => call<CreatedHook>({ method: 'POST', path: '/hooks', json: body, idempotencyKey }, given),
    /** Every hook of the account, oldest first. */
    listHooks: (given?: CallOptions) => get<Hook[]>('/hooks', {}, given),
    getHook: (id: string, given?: CallOptions) => get<Hook>(hook(id), {}, given),
    /** Deletes the hook, its watches and its pending deliveries. */
    unsubscribe: (id: string, given?: CallOptions) => call<void>({ method: 'DELETE', path: hook(id) }, given),
    /** Sends one signed synthetic event now, and returns the attempt, accepted or not. */
    testHook: (id: string, given?: CallOptions) => post<Attempt>(`${hook(id)}/test`, undefined, given),
    /** A list of one synthetic event; `review.created` by default. */
    sample: (eventType?: EventType, given?: CallOptions) =>
      get<WebhookEvent[]>('/sample', { event_type: eventType }, given),

    /** The events of the account's hooks from `after` on, and then those that come. */
    events: (query: EventStreamOptions = {}): EventStream =>
      eventStream((each, given) => listEvents({ ...each }, given, 0), query),
    /** One answer of the same. */
    listEvents: (query: EventQuery = {}, given?: CallOptions) => listEvents(query, given),

    /** Newest first by publication. */
    listReviews: (query: ReviewQuery = {}, given?: CallOptions) => list<Review>('/reviews', query, given),
    getReview: (fingerprint: string, given?: CallOptions) =>
      get<ReviewDetail>(`/reviews/${encodeURIComponent(fingerprint)}`, {}, given),
    /** All reviews that match, as one stream. */
    exportReviews: (query: ReviewFilter = {}, given?: CallOptions) =>
      rows<Review>('/exports/reviews', query, given),
    /** The same as CSV. */
    exportReviewsCsv: (query: ReviewFilter = {}, given?: CallOptions) =>
      csv('/exports/reviews', query, given),
    /** Adds history that only this account sees: at most 5,000 rows, as objects or as CSV. */
    importReviews: (reviews: readonly ImportRow[] | { readonly csv: string }, given?: CallOptions) =>
      call<ImportCounts>({ method: 'POST', path: '/imports/reviews', text: importTextOf(reviews) }, given),

    /** Each app the account watches, once for each storefront. */
    listApps: (given?: CallOptions) => get<WatchedApp[]>('/apps', {}, given),
    /** Apps of the stores by a name, a store link, an id or a package name. */
    searchApps: (query: AppSearch, given?: CallOptions) => get<FoundApps>('/apps/search', query, given),
    listTrackedApps: (given?: CallOptions) => get<TrackedApp[]>('/tracked-apps', {}, given),
    /** The account tracks the app in these storefronts and in no others. */
    trackApp: (store: Store, appId: string, body: TrackBody, given?: CallOptions) =>
      call<void>({ method: 'PUT', path: trackedApp(store, appId), json: body }, given),
    untrackApp: (store: Store, appId: string, given?: CallOptions) =>
      call<void>({ method: 'DELETE', path: trackedApp(store, appId) }, given),
    /** Ratings of an app over time, newest first. */
    listRatings: (query: RatingQuery, given?: CallOptions) => list<Rating>('/ratings', query, given),

    /** What reviews say over a period. */
    reviewStatistics: (query: StatisticsQuery = {}, given?: CallOptions) =>
      get<ReviewStatistics>('/stats', query, given),

    /** Newest first. */
    listDeliveries: (query: DeliveryQuery = {}, given?: CallOptions) =>
      list<Delivery>('/deliveries', query, given),
    getDelivery: (eventId: string, given?: CallOptions) => get<DeliveryDetail>(delivery(eventId), {}, given),
    /** Brings the next attempt of a pending delivery forward. */
    retryDelivery: (eventId: string, given?: CallOptions) =>
      post<Delivery>(`${delivery(eventId)}/retry`, undefined, given),
    /** Queues a delivered event or a dead letter again, with the same event id and bytes. */
    resendDelivery: (eventId: string, given?: CallOptions) =>
      post<Delivery>(`${delivery(eventId)}/resend`, undefined, given),

    /** Deliveries that are no longer attempted, newest first. */
    listDeadLetters: (query: DeadLetterQuery = {}, given?: CallOptions) =>
      list<Delivery>('/dead-letters', query, given),
    /** All dead letters that match, with their events, as one stream. */
    exportDeadLetters: (query: DeadLetterFilter = {}, given?: CallOptions) =>
      rows<DeadLetterRecord>('/exports/dead-letters', query, given),
    /** The same as CSV. */
    exportDeadLettersCsv: (query: DeadLetterFilter = {}, given?: CallOptions) =>
      csv('/exports/dead-letters', query, given),
    /** Queues the named ones again; at most 500. */
    replayDeadLetters: (eventIds: readonly string[], given?: CallOptions) =>
      post<Replayed>('/dead-letters/replay', { event_ids: eventIds }, given),
    /** Resolves the named ones without sending them; at most 500. */
    discardDeadLetters: (eventIds: readonly string[], given?: CallOptions) =>
      post<Discarded>('/dead-letters/discard', { event_ids: eventIds }, given),
    /** The newest 20 bulk replays. */
    listReplays: (given?: CallOptions) => get<Replay[]>('/replays', {}, given),
    /** Replays all dead letters that match now, in the background. */
    startReplay: (body: ReplayBody = {}, given?: CallOptions) => post<Replay>('/replays', body, given),
    /** Pauses, resumes or cancels a bulk replay. */
    changeReplay: (id: string, change: ReplayChange, given?: CallOptions) =>
      call<Replay>({ method: 'PUT', path: `/replays/${encodeURIComponent(id)}`, json: change }, given),

    /** API tokens of the account, newest first, without their values. */
    listTokens: (given?: CallOptions) => get<Token[]>('/tokens', {}, given),
    /** The account of the token. */
    me: (given?: CallOptions) => get<Me>('/me', {}, given),
  }

  function listEvents(query: EventQuery, given?: CallOptions, retries?: number): Promise<EventList> {
    const waitMs = (query.wait ?? 0) * 1_000
    return call<EventList>({ method: 'GET', path: '/events', query, waitMs, retries }, given)
  }
}

function importTextOf(reviews: readonly ImportRow[] | { readonly csv: string }) {
  if ('csv' in reviews) return { type: 'text/csv', body: reviews.csv }
  return { type: 'application/jsonl', body: reviews.map((row) => `${JSON.stringify(row)}\n`).join('') }
}
