import { ENRICHMENT_FAILURES, ENRICHMENT_FALLBACKS } from './enrichment-failure.ts'
import { POLL_OUTCOMES } from './feed.ts'
import { SOURCE_STATES } from './source-health.ts'
import { DEAD_REASONS, FAILURE_REASONS, FEED_KINDS, MAYBE_RECEIVED_REASONS, STORES } from './vocabulary.ts'

/** The values of a label; null for one without a closed vocabulary, whose owner counts 0 for each known value at its start. */
type Labels = Readonly<Record<string, readonly string[] | null>>

type Declaration = {
  readonly kind: 'counter' | 'histogram' | 'gauge'
  readonly help: string
  /** The possible combinations: each element stands for all combinations of its values. All have the same labels. */
  readonly labels: readonly Labels[]
}

const NO_LABELS = [{}] as const

/** Values that are read at each scrape. A failed one is absent from the page. */
export const GAUGES = {
  queue_depth: {
    kind: 'gauge',
    help: 'Deliveries by state: pending, held by a paused hook, dead letters.',
    labels: [{ state: ['pending', 'held', 'dead'] }],
  },
  dlq_size: { kind: 'gauge', help: 'Unresolved dead letters.', labels: NO_LABELS },
  oldest_due_age_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest sendable delivery: due, with a hook that is neither paused nor behind its breaker or rate limit; 0 without one.',
    labels: NO_LABELS,
  },
  waiting_for_enrichment: { kind: 'gauge', help: 'Reviews queued for enrichment.', labels: NO_LABELS },
  waiting_for_fanout: { kind: 'gauge', help: 'Occurrences queued for fan-out.', labels: NO_LABELS },
  breakers_open: { kind: 'gauge', help: 'Hooks with an open circuit breaker.', labels: NO_LABELS },
  feeds: {
    kind: 'gauge',
    help: 'Polled feeds by state: active, failing (stale), due now, on a fallback source, possibly frozen.',
    labels: [{ store: STORES, kind: FEED_KINDS, state: ['active', 'failing', 'due', 'fallback', 'frozen'] }],
  },
  sources: {
    kind: 'gauge',
    help: 'Sources of reviews by state: healthy, degraded, off, unproven.',
    labels: [{ store: STORES, state: SOURCE_STATES }],
  },
  quarantined_rows: {
    kind: 'gauge',
    help: 'Malformed rows of store pages in quarantine.',
    labels: [{ store: STORES }],
  },
  feeds_overdue: {
    kind: 'gauge',
    help: 'Feeds that were not polled within twice their interval.',
    labels: NO_LABELS,
  },
  clock_skew_seconds: {
    kind: 'gauge',
    help: 'Lead of the clock of this machine over the database, in seconds; the node claims nothing beyond 5 in either direction.',
    labels: NO_LABELS,
  },
  clock_jumps: {
    kind: 'gauge',
    help: 'Clock jumps that stored instants were adjusted for, since the database was created.',
    labels: NO_LABELS,
  },
  clock_last_jump_seconds: {
    kind: 'gauge',
    help: 'Size of the last clock jump, negative when it went back; 0 once the time is confirmed.',
    labels: NO_LABELS,
  },
  clock_unconfirmed: {
    kind: 'gauge',
    help: '1 while retention and expiry are paused after a clock jump, until the time is confirmed; else 0.',
    labels: NO_LABELS,
  },
  event_loop_lag_seconds: {
    kind: 'gauge',
    help: 'Delay of the main thread since the last scrape: p50, p99 and max.',
    labels: [{ quantile: ['p50', 'p99', 'max'] }],
  },
  nodes: { kind: 'gauge', help: 'Nodes that reported within the last 30 s.', labels: NO_LABELS },
  disk_free_bytes: {
    kind: 'gauge',
    help: 'Free space of the file system with the database; NaN on PostgreSQL.',
    labels: NO_LABELS,
  },
  disk_full: {
    kind: 'gauge',
    help: '1 while checks and deliveries are stopped because the disk of the database is full; else 0.',
    labels: NO_LABELS,
  },
  storage_bytes: { kind: 'gauge', help: 'Size of the database.', labels: NO_LABELS },
  build_info: { kind: 'gauge', help: 'The running version.', labels: [{ version: null }] },
} as const satisfies Record<string, Declaration>

export type GaugeName = keyof typeof GAUGES

/** All metrics. Names are stable, because dashboards use them; they also show the help texts. */
export const METRICS = {
  ...GAUGES,
  polls_total: {
    kind: 'counter',
    help: 'Feed polls by outcome; a rating that is empty is not rated yet.',
    labels: [{ store: STORES, kind: [...FEED_KINDS, 'official'], outcome: POLL_OUTCOMES }],
  },
  reviews_new_total: { kind: 'counter', help: 'New reviews found in feeds.', labels: [{ store: STORES }] },
  occurrences_total: {
    kind: 'counter',
    help: 'New reviews and rating drops, counted once for all hooks.',
    labels: [{ store: STORES, event_type: ['review.created', 'rating.dropped'] }],
  },
  poll_seconds: {
    kind: 'histogram',
    help: 'Duration of a poll.',
    labels: [{ store: STORES, kind: FEED_KINDS }],
  },
  store_blocks_total: {
    kind: 'counter',
    help: 'Responses by which a store blocked requests, and sources that were put off because they were empty for several apps in a row.',
    labels: [{ store: STORES }],
  },
  malformed_rows_total: {
    kind: 'counter',
    help: 'Quarantined rows of store pages, new and changed.',
    labels: [{ store: STORES }],
  },
  source_changes_total: {
    kind: 'counter',
    help: 'Responses in a changed format, after which a fallback source was used.',
    labels: [{ store: STORES, source: null }],
  },
  enrichments_total: {
    kind: 'counter',
    help: 'Reviews processed by enrichment, by outcome (ok, or none without a result) and reason.',
    labels: [
      { engine: ['offline', 'llm'], result: ['ok'], reason: [''] },
      { engine: ['offline', 'llm'], result: ['none'], reason: ENRICHMENT_FAILURES },
    ],
  },
  enrichment_fallbacks_total: {
    kind: 'counter',
    help: 'Reviews labelled by the offline engine instead of the model, by reason.',
    labels: [{ reason: ENRICHMENT_FALLBACKS }],
  },
  events_total: { kind: 'counter', help: 'Events created by fan-out.', labels: NO_LABELS },
  attempts_total: {
    kind: 'counter',
    help: 'Requests to targets, by outcome and reason.',
    labels: [
      { result: ['accepted'], reason: [''] },
      { result: ['failed'], reason: FAILURE_REASONS },
      { result: ['interrupted'], reason: ['interrupted'] },
    ],
  },
  attempt_seconds: {
    kind: 'histogram',
    help: 'Duration of a request to a target.',
    labels: [{ result: ['accepted', 'failed', 'interrupted'] }],
  },
  due_to_sent_seconds: {
    kind: 'histogram',
    help: 'Delay from the due time of a delivery to its request.',
    labels: [{ first: ['true', 'false'] }],
  },
  claim_batch_size: { kind: 'histogram', help: 'Number of deliveries in a claim.', labels: NO_LABELS },
  connections_total: {
    kind: 'counter',
    help: 'Requests to targets, by reused or new connection.',
    labels: [{ reused: ['true', 'false'] }],
  },
  duplicates_suspected_total: {
    kind: 'counter',
    help: 'Requests with an unknown outcome: the target may have received the event, and it may be sent again.',
    labels: [{ reason: [...MAYBE_RECEIVED_REASONS, 'interrupted', 'reconnected', 'lease_ended'] }],
  },
  invariant_violations_total: {
    kind: 'counter',
    help: 'Rows that violate an invariant, counted at each check.',
    labels: [{ invariant: null }],
  },
  account_limits_reached_total: {
    kind: 'counter',
    help: 'Requests rejected by an account limit.',
    labels: [{ limit: null }],
  },
  dead_letters_total: {
    kind: 'counter',
    help: 'Deliveries that became dead letters.',
    labels: [{ reason: DEAD_REASONS }],
  },
  metric_failures_total: {
    kind: 'counter',
    help: 'Metrics that a scrape omitted because they could not be read.',
    labels: [{ metric: [...(Object.keys(GAUGES) as GaugeName[]), 'other'] }],
  },
} as const satisfies Record<string, Declaration>

export type MetricName = keyof typeof METRICS
type NameOf<K extends Declaration['kind']> = {
  [N in MetricName]: (typeof METRICS)[N]['kind'] extends K ? N : never
}[MetricName]
type Shape<N extends MetricName> = (typeof METRICS)[N]['labels'][number]
type ValueOf<V> = V extends readonly (infer T extends string)[] ? T : string

export type LabelsOf<N extends MetricName> = { readonly [L in keyof Shape<N>]: ValueOf<Shape<N>[L]> }

export type Meter = {
  /** Adds `by` (1 when absent) to a counter. 0 makes the series exist, so that its first increment is visible as one. */
  readonly count: <N extends NameOf<'counter'>>(name: N, labels: LabelsOf<N>, by?: number) => void
  /** Records one value, in seconds where the name says so. */
  readonly observe: <N extends NameOf<'histogram'>>(name: N, labels: LabelsOf<N>, value: number) => void
}

/** The values of a gauge: one without labels has a number. */
export type ReadingOf<N extends GaugeName> = keyof Shape<N> extends never
  ? number
  : readonly { readonly labels: LabelsOf<N>; readonly value: number }[]

/** Reads each gauge. One that rejects is omitted. */
export type GaugeReaders = { readonly [N in GaugeName]: () => Promise<ReadingOf<N>> }

/** All combinations of the declared values of a metric's labels: the series that exist from the start. */
export function knownSeries(name: MetricName): Readonly<Record<string, string>>[] {
  const { labels }: Declaration = METRICS[name]
  return labels.flatMap((shape) =>
    Object.entries(shape).reduce<Record<string, string>[]>(
      (found, [label, values]) =>
        found.flatMap((each) => (values ?? []).map((value) => ({ ...each, [label]: value }))),
      [{}],
    ),
  )
}
