import { type EventStream, type EventStreamOptions, eventStream } from './event-stream.ts'
import { jsonLines } from './lines.ts'
import { type Page, type Paged, paged } from './paged.ts'
import { replyCalls } from './replies.ts'
import { type ApiRequest, type CallOptions, type ClientOptions, createTransport } from './transport.ts'
import { triageCalls } from './triage.ts'
import type {
  AlertSettings,
  Alerts,
  AppSearch,
  AtomFeed,
  Attempt,
  AuditEntry,
  AuditFilter,
  AuditQuery,
  BulkResult,
  CreatedAtomFeed,
  CreatedHook,
  DeadLetterCount,
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
  FoundApps,
  Hook,
  HookChange,
  HookDetail,
  HookStatusBody,
  ImportCounts,
  ImportRow,
  Me,
  NewSecret,
  NewStoreConnection,
  Rating,
  RatingQuery,
  Recoverable,
  Recovery,
  RecoveryBody,
  RecoveryQuery,
  Replay,
  ReplayBody,
  ReplayChange,
  Replayed,
  Retried,
  Review,
  ReviewCount,
  ReviewDetail,
  ReviewFilter,
  ReviewQuery,
  ReviewStatistics,
  SavedAlerts,
  SecretBody,
  StatisticsQuery,
  Store,
  StoreConnection,
  StoreConnectionChange,
  StoreCredentials,
  SubscribeBody,
  Token,
  TrackBody,
  TrackedApp,
  TranslatedReview,
  WatchBody,
  WatchDetail,
  WatchedApp,
  WatchSet,
  WatchSetBody,
  WebhookEvent,
} from './types.ts'

/** One method for each operation of the API. Every call rejects with `RadarError`. */
export type Client = ReturnType<typeof createClient>

type SubscribeOptions = CallOptions & {
  /** For 24 hours, the same key and body return the same hook. Default: a random key per call. */
  readonly idempotencyKey?: string
}

/**
 * A client of one account. It retries idempotent calls after transient failures, and waits for `Retry-After`. It retries
 * other calls only if the service did not execute them.
 */
export function createClient(options: ClientOptions) {
  const transport = createTransport(options)

  async function call<Body>(request: ApiRequest, callOptions?: CallOptions): Promise<Body> {
    // The types are generated from the schemas of the service, so responses are not validated here.
    return (await transport.json(request, callOptions)) as Body
  }
  const get = <Body>(path: string, query?: object, callOptions?: CallOptions) =>
    call<Body>({ method: 'GET', path, query }, callOptions)
  const post = <Body>(path: string, json?: object, callOptions?: CallOptions) =>
    call<Body>({ method: 'POST', path, json }, callOptions)

  const put = <Body>(path: string, json?: object, callOptions?: CallOptions) =>
    call<Body>({ method: 'PUT', path, json }, callOptions)
  const statistics = (query: StatisticsQuery = {}, callOptions?: CallOptions) =>
    get<ReviewStatistics>('/stats', query, callOptions)
  const remove = (path: string, callOptions?: CallOptions) =>
    call<void>({ method: 'DELETE', path }, callOptions)

  function list<Row>(
    path: string,
    query: { readonly cursor?: string },
    callOptions?: CallOptions,
  ): Paged<Row> {
    return paged((cursor) => get<Page<Row>>(path, { ...query, cursor }, callOptions), query.cursor)
  }

  const download = (path: string, query: object, callOptions?: CallOptions) =>
    transport.stream({ method: 'GET', path, query }, callOptions)
  async function* rows<Row>(path: string, query: object, callOptions?: CallOptions): AsyncGenerator<Row> {
    yield* jsonLines<Row>(
      await download(path, { ...query, format: 'jsonl' }, callOptions),
      callOptions?.signal,
    )
  }
  const csv = (path: string, query: object, callOptions?: CallOptions) =>
    download(path, { ...query, format: 'csv' }, callOptions)

  const hook = (id: string) => `/hooks/${encodeURIComponent(id)}`
  const watchSet = (hookId: string, setId: string) =>
    `${hook(hookId)}/watch-sets/${encodeURIComponent(setId)}`
  const watch = (hookId: string, watchId: string) => `${hook(hookId)}/watches/${encodeURIComponent(watchId)}`
  const delivery = (eventId: string) => `/deliveries/${encodeURIComponent(eventId)}`
  const review = (fingerprint: string) => `/reviews/${encodeURIComponent(fingerprint)}`
  const connection = (id: string) => `/store-connections/${encodeURIComponent(id)}`
  const sourced = (id: string, appId: string) => `${connection(id)}/apps/${encodeURIComponent(appId)}`
  const trackedApp = (store: Store, appId: string) => `/tracked-apps/${store}/${encodeURIComponent(appId)}`

  return {
    /** Creates a hook. Only this response contains the secret. */
    subscribe: (
      body: SubscribeBody,
      { idempotencyKey = crypto.randomUUID(), ...callOptions }: SubscribeOptions = {},
    ) => call<CreatedHook>({ method: 'POST', path: '/hooks', json: body, idempotencyKey }, callOptions),
    /** All hooks of the account, oldest first. */
    listHooks: (callOptions?: CallOptions) => get<Hook[]>('/hooks', {}, callOptions),
    getHook: (id: string, callOptions?: CallOptions) => get<HookDetail>(hook(id), {}, callOptions),
    /** Changes the given fields of a hook that was created through the API. */
    changeHook: (id: string, change: HookChange, callOptions?: CallOptions) =>
      call<HookDetail>({ method: 'PATCH', path: hook(id), json: change }, callOptions),
    /** Deletes the hook, its watches and its pending deliveries. */
    unsubscribe: (id: string, callOptions?: CallOptions) => remove(hook(id), callOptions),
    /** Sends a signed sample event now and returns the attempt, accepted or not. */
    testHook: (
      id: string,
      { event_type, ...callOptions }: CallOptions & { readonly event_type?: EventType } = {},
    ) => call<Attempt>({ method: 'POST', path: `${hook(id)}/test`, query: { event_type } }, callOptions),
    /** Pauses or resumes a hook. A paused one holds its events. */
    setHookStatus: (id: string, body: HookStatusBody, callOptions?: CallOptions) =>
      put<HookDetail>(`${hook(id)}/status`, body, callOptions),
    setHookStatuses: (
      hookIds: readonly string[],
      status: HookStatusBody['status'],
      callOptions?: CallOptions,
    ) => put<BulkResult>('/hook-statuses', { hook_ids: hookIds, status }, callOptions),
    /** Only this response contains the new secret. */
    rotateSecret: (id: string, body: SecretBody = {}, callOptions?: CallOptions) =>
      post<NewSecret>(`${hook(id)}/secret`, body, callOptions),
    revokeOldSecrets: (id: string, callOptions?: CallOptions) =>
      remove(`${hook(id)}/old-secrets`, callOptions),
    addWatch: (hookId: string, body: WatchBody, callOptions?: CallOptions) =>
      post<WatchDetail>(`${hook(hookId)}/watches`, body, callOptions),
    replaceWatch: (hookId: string, watchId: string, body: WatchBody, callOptions?: CallOptions) =>
      put<WatchDetail>(watch(hookId, watchId), body, callOptions),
    removeWatch: (hookId: string, watchId: string, callOptions?: CallOptions) =>
      remove(watch(hookId, watchId), callOptions),
    /** Replaces a watch by a watch set in one step. */
    watchToWatchSet: (hookId: string, watchId: string, body: WatchSetBody, callOptions?: CallOptions) =>
      put<WatchSet>(`${watch(hookId, watchId)}/watch-set`, body, callOptions),
    watchSetToWatch: (hookId: string, setId: string, body: WatchBody, callOptions?: CallOptions) =>
      put<WatchDetail>(`${watchSet(hookId, setId)}/watch`, body, callOptions),
    /** The rules of a hook for several or all apps, oldest first. */
    listWatchSets: (hookId: string, callOptions?: CallOptions) =>
      get<WatchSet[]>(`${hook(hookId)}/watch-sets`, {}, callOptions),
    /** Subscribes the hook to several apps, or to all apps, also later ones. */
    createWatchSet: (hookId: string, body: WatchSetBody, callOptions?: CallOptions) =>
      post<WatchSet>(`${hook(hookId)}/watch-sets`, body, callOptions),
    /** Replaces the apps and the filter. */
    changeWatchSet: (hookId: string, setId: string, body: WatchSetBody, callOptions?: CallOptions) =>
      put<WatchSet>(watchSet(hookId, setId), body, callOptions),
    deleteWatchSet: (hookId: string, setId: string, callOptions?: CallOptions) =>
      remove(watchSet(hookId, setId), callOptions),
    /** A list with one sample event, `review.created` by default. */
    sample: (eventType?: EventType, callOptions?: CallOptions) =>
      get<WebhookEvent[]>('/sample', { event_type: eventType }, callOptions),

    /** The stored events of the account's hooks after `after`, followed by new events. */
    events: (query: EventStreamOptions = {}): EventStream =>
      eventStream((each, callOptions) => listEvents({ ...each }, callOptions, 0), query),
    /** One page of these events. */
    listEvents: (query: EventQuery = {}, callOptions?: CallOptions) => listEvents(query, callOptions),

    /** Sorted by publication time, newest first. */
    listReviews: (query: ReviewQuery = {}, callOptions?: CallOptions) =>
      list<Review>('/reviews', query, callOptions),
    getReview: (fingerprint: string, callOptions?: CallOptions) =>
      get<ReviewDetail>(review(fingerprint), {}, callOptions),
    /** The number of matching reviews, up to 10,000. */
    countReviews: (query: ReviewFilter = {}, callOptions?: CallOptions) =>
      get<ReviewCount>('/reviews/count', query, callOptions),
    /** The review in English, by the model server of the installation. */
    translateReview: (fingerprint: string, callOptions?: CallOptions) =>
      post<TranslatedReview>(`${review(fingerprint)}/translation`, undefined, callOptions),
    /** Erases the texts of a review that the account imported, or got by its credentials. */
    eraseReview: (fingerprint: string, callOptions?: CallOptions) => remove(review(fingerprint), callOptions),
    ...triageCalls(call),
    ...replyCalls(call),
    /** All matching reviews, as one stream. */
    exportReviews: (query: ReviewFilter = {}, callOptions?: CallOptions) =>
      rows<Omit<Review, 'triage'>>('/exports/reviews', query, callOptions),
    /** The same as CSV. */
    exportReviewsCsv: (query: ReviewFilter = {}, callOptions?: CallOptions) =>
      csv('/exports/reviews', query, callOptions),
    /** Adds history visible to this account only: at most 5,000 rows, as objects or CSV. */
    importReviews: (reviews: readonly ImportRow[] | { readonly csv: string }, callOptions?: CallOptions) =>
      call<ImportCounts>(
        { method: 'POST', path: '/imports/reviews', text: importTextOf(reviews) },
        callOptions,
      ),

    /** Atom feeds of the account, newest first, without their addresses. */
    listAtomFeeds: (callOptions?: CallOptions) => get<AtomFeed[]>('/atom-feeds', {}, callOptions),
    /** Creates an address of the app's reviews. Only this response contains it. */
    createAtomFeed: (store: Store, appId: string, callOptions?: CallOptions) =>
      post<CreatedAtomFeed>('/atom-feeds', { store, app_id: appId }, callOptions),
    revokeAtomFeed: (id: string, callOptions?: CallOptions) =>
      remove(`/atom-feeds/${encodeURIComponent(id)}`, callOptions),

    /** The apps that the account watches, once per storefront. */
    listApps: (callOptions?: CallOptions) => get<WatchedApp[]>('/apps', {}, callOptions),
    /** Searches the stores by a name, store link, ID or package name. */
    searchApps: (query: AppSearch, callOptions?: CallOptions) =>
      get<FoundApps>('/apps/search', query, callOptions),
    listTrackedApps: (callOptions?: CallOptions) => get<TrackedApp[]>('/tracked-apps', {}, callOptions),
    /** Tracks the app in exactly these storefronts. */
    trackApp: (store: Store, appId: string, body: TrackBody, callOptions?: CallOptions) =>
      put<void>(trackedApp(store, appId), body, callOptions),
    /** With `watches: 'remove'` also from the watches and watch sets that name the app; otherwise these still poll it. */
    untrackApp: (
      store: Store,
      appId: string,
      { watches, ...callOptions }: CallOptions & { readonly watches?: 'keep' | 'remove' } = {},
    ) => call<void>({ method: 'DELETE', path: trackedApp(store, appId), query: { watches } }, callOptions),
    /** The credentials of the account for the stores' official interfaces, without the keys. */
    listStoreConnections: (callOptions?: CallOptions) =>
      get<StoreConnection[]>('/store-connections', {}, callOptions),
    getStoreConnection: (id: string, callOptions?: CallOptions) =>
      get<StoreConnection>(connection(id), {}, callOptions),
    /** Tests the credentials with the store, then stores them encrypted. */
    connectStore: (body: NewStoreConnection, callOptions?: CallOptions) =>
      post<StoreConnection>('/store-connections', body, callOptions),
    testStoreConnection: (id: string, callOptions?: CallOptions) =>
      post<StoreConnection>(`${connection(id)}/test`, undefined, callOptions),
    rotateStoreCredentials: (id: string, body: StoreCredentials, callOptions?: CallOptions) =>
      put<StoreConnection>(`${connection(id)}/credentials`, body, callOptions),
    changeStoreConnection: (id: string, change: StoreConnectionChange, callOptions?: CallOptions) =>
      call<StoreConnection>({ method: 'PATCH', path: connection(id), json: change }, callOptions),
    /** Gets the reviews of an app from the connection, instead of the public pages. */
    useStoreConnection: (id: string, appId: string, callOptions?: CallOptions) =>
      put<StoreConnection>(sourced(id, appId), undefined, callOptions),
    /** Gets the reviews of an app from the public pages again. */
    leaveStoreConnection: (id: string, appId: string, callOptions?: CallOptions) =>
      call<StoreConnection>({ method: 'DELETE', path: sourced(id, appId) }, callOptions),
    /** Reads all reviews of an app that the store has, in the background and without events. */
    importStoreHistory: (id: string, appId: string, callOptions?: CallOptions) =>
      put<StoreConnection>(`${sourced(id, appId)}/history`, undefined, callOptions),
    stopStoreHistory: (id: string, appId: string, callOptions?: CallOptions) =>
      call<StoreConnection>({ method: 'DELETE', path: `${sourced(id, appId)}/history` }, callOptions),
    removeStoreConnection: (id: string, callOptions?: CallOptions) => remove(connection(id), callOptions),
    /** Ratings of an app over time, newest first. */
    listRatings: (query: RatingQuery, callOptions?: CallOptions) =>
      list<Rating>('/ratings', query, callOptions),

    /** Statistics of the reviews in a period. */
    getStatistics: statistics,
    /** @deprecated The former name of `getStatistics`. */
    reviewStatistics: statistics,

    /** Newest first. */
    listDeliveries: (query: DeliveryQuery = {}, callOptions?: CallOptions) =>
      list<Delivery>('/deliveries', query, callOptions),
    getDelivery: (eventId: string, callOptions?: CallOptions) =>
      get<DeliveryDetail>(delivery(eventId), {}, callOptions),
    /** Makes the next attempt of a pending delivery now. */
    retryDelivery: (eventId: string, callOptions?: CallOptions) =>
      post<Delivery>(`${delivery(eventId)}/retry`, undefined, callOptions),
    retryDeliveries: (eventIds: readonly string[], callOptions?: CallOptions) =>
      post<BulkResult>('/retries/deliveries', { event_ids: eventIds }, callOptions),
    /** Makes all pending deliveries of a hook due now. */
    retryHook: (id: string, callOptions?: CallOptions) =>
      post<Retried>(`${hook(id)}/retry`, undefined, callOptions),
    retryHooks: (hookIds: readonly string[], callOptions?: CallOptions) =>
      post<BulkResult>('/retries/hooks', { hook_ids: hookIds }, callOptions),
    /** The numbers of events that a recovery since a time would send. */
    previewRecovery: (id: string, query: RecoveryQuery, callOptions?: CallOptions) =>
      get<Recoverable>(`${hook(id)}/recovery`, query, callOptions),
    recoverHook: (id: string, body: RecoveryBody, callOptions?: CallOptions) =>
      post<Recovery>(`${hook(id)}/recovery`, body, callOptions),
    /** Queues a delivered event or a dead letter again, with the same event ID and bytes. */
    resendDelivery: (eventId: string, callOptions?: CallOptions) =>
      post<Delivery>(`${delivery(eventId)}/resend`, undefined, callOptions),

    /** Deliveries that are no longer attempted, newest first. */
    listDeadLetters: (query: DeadLetterQuery = {}, callOptions?: CallOptions) =>
      list<Delivery>('/dead-letters', query, callOptions),
    countDeadLetters: (query: DeadLetterFilter = {}, callOptions?: CallOptions) =>
      get<DeadLetterCount>('/dead-letters/count', query, callOptions),
    /** All matching dead letters with their events, as one stream. */
    exportDeadLetters: (query: DeadLetterFilter = {}, callOptions?: CallOptions) =>
      rows<DeadLetterRecord>('/exports/dead-letters', query, callOptions),
    /** The same as CSV. */
    exportDeadLettersCsv: (query: DeadLetterFilter = {}, callOptions?: CallOptions) =>
      csv('/exports/dead-letters', query, callOptions),
    /** Queues at most 500 dead letters again. */
    replayDeadLetters: (eventIds: readonly string[], callOptions?: CallOptions) =>
      post<Replayed>('/dead-letters/replay', { event_ids: eventIds }, callOptions),
    /** Discards at most 500 dead letters without sending them. */
    discardDeadLetters: (eventIds: readonly string[], callOptions?: CallOptions) =>
      post<Discarded>('/dead-letters/discard', { event_ids: eventIds }, callOptions),
    /** The newest 20 bulk replays. */
    listReplays: (callOptions?: CallOptions) => get<Replay[]>('/replays', {}, callOptions),
    /** Starts a bulk replay of all dead letters that match now. */
    startReplay: (body: ReplayBody = {}, callOptions?: CallOptions) =>
      post<Replay>('/replays', body, callOptions),
    /** Pauses, resumes or cancels a bulk replay. */
    changeReplay: (id: string, change: ReplayChange, callOptions?: CallOptions) =>
      put<Replay>(`/replays/${encodeURIComponent(id)}`, change, callOptions),

    /** The recipients of alerts, and the newest alerts. */
    showAlerts: (callOptions?: CallOptions) => get<Alerts>('/alerts', {}, callOptions),
    changeAlerts: (settings: AlertSettings, callOptions?: CallOptions) =>
      put<SavedAlerts>('/alerts', settings, callOptions),
    createAlertSecret: (callOptions?: CallOptions) =>
      post<NewSecret>('/alerts/secret', undefined, callOptions),
    testAlerts: (callOptions?: CallOptions) => post<void>('/alerts/test', undefined, callOptions),
    askAlertRecipient: (email: string, callOptions?: CallOptions) =>
      post<void>('/alerts/ask', { email }, callOptions),
    /** Sign-ins and changes in the account, newest first. */
    listAuditLog: (query: AuditQuery = {}, callOptions?: CallOptions) =>
      list<AuditEntry>('/audit-log', query, callOptions),
    exportAuditLog: (query: AuditFilter = {}, callOptions?: CallOptions) =>
      rows<AuditEntry>('/exports/audit-log', query, callOptions),
    exportAuditLogCsv: (query: AuditFilter = {}, callOptions?: CallOptions) =>
      csv('/exports/audit-log', query, callOptions),

    /** API tokens of the account, newest first, without their values. */
    listTokens: (callOptions?: CallOptions) => get<Token[]>('/tokens', {}, callOptions),
    /** The account of the token. */
    me: (callOptions?: CallOptions) => get<Me>('/me', {}, callOptions),
  }

  function listEvents(query: EventQuery, callOptions?: CallOptions, retries?: number): Promise<EventList> {
    const waitMs = (query.wait ?? 0) * 1_000
    return call<EventList>({ method: 'GET', path: '/events', query, waitMs, retries }, callOptions)
  }
}

function importTextOf(reviews: readonly ImportRow[] | { readonly csv: string }) {
  if ('csv' in reviews) return { type: 'text/csv', body: reviews.csv }
  return { type: 'application/jsonl', body: reviews.map((row) => `${JSON.stringify(row)}\n`).join('') }
}
