/** What the pipeline counts and measures. The names are a promise to dashboards; the help texts are shown there. */
export const METRICS = {
  polls_total: {
    kind: 'counter',
    help: 'Visits to a store, by what the answer meant.',
    labels: ['store', 'kind', 'outcome'],
  },
  reviews_new_total: {
    kind: 'counter',
    help: 'Reviews seen for the first time in their feed.',
    labels: ['store'],
  },
  occurrences_total: {
    kind: 'counter',
    help: 'New reviews and rating drops found, once for all hooks.',
    labels: ['store', 'event_type'],
  },
  poll_seconds: { kind: 'histogram', help: 'Time of one visit.', labels: ['store', 'kind'] },
  store_blocks_total: { kind: 'counter', help: 'Times a store told us to go away.', labels: ['store'] },
  odd_rows_total: {
    kind: 'counter',
    help: 'Rows of store pages that could not be read and went into quarantine, or that the store wrote anew there.',
    labels: ['store'],
  },
  source_changes_total: {
    kind: 'counter',
    help: 'Answers of a changed format from a source that another source stood in for.',
    labels: ['store', 'source'],
  },
  enrichments_total: {
    kind: 'counter',
    help: 'Reviews given to enrichment: enriched (ok) or given up (none), and why.',
    labels: ['engine', 'result', 'reason'],
  },
  enrichment_fallbacks_total: {
    kind: 'counter',
    help: 'Reviews the model was to label and the offline engine labelled, and why.',
    labels: ['reason'],
  },
  events_total: { kind: 'counter', help: 'Events made by fan-out.', labels: [] },
  attempts_total: {
    kind: 'counter',
    help: 'Requests to targets: accepted or failed, and why.',
    labels: ['result', 'reason'],
  },
  attempt_seconds: { kind: 'histogram', help: 'Time of one request to a target.', labels: ['result'] },
  due_to_sent_seconds: {
    kind: 'histogram',
    help: 'From the instant a delivery was due to its request.',
    labels: ['first'],
  },
  claim_batch_size: { kind: 'histogram', help: 'Deliveries taken by one claim.', labels: [] },
  connections_total: {
    kind: 'counter',
    help: 'Requests to targets, by whether a connection was reused.',
    labels: ['reused'],
  },
  duplicates_suspected_total: {
    kind: 'counter',
    help: 'Requests that may have reached a target whose answer we did not get.',
    labels: ['reason'],
  },
  invariant_violations_total: {
    kind: 'counter',
    help: 'Rows of the database that should not be as they are, each time a check sees them.',
    labels: ['invariant'],
  },
  account_limits_reached_total: {
    kind: 'counter',
    help: 'Requests refused because their account reached a limit.',
    labels: ['limit'],
  },
  dead_letters_total: { kind: 'counter', help: 'Deliveries we stopped trying.', labels: ['reason'] },
} as const satisfies Record<
  string,
  { kind: 'counter' | 'histogram'; help: string; labels: readonly string[] }
>

export type MetricName = keyof typeof METRICS
type NameOf<K extends 'counter' | 'histogram'> = {
  [N in MetricName]: (typeof METRICS)[N]['kind'] extends K ? N : never
}[MetricName]
type LabelsOf<N extends MetricName> = { readonly [L in (typeof METRICS)[N]['labels'][number]]: string }

export type Meter = {
  /** Adds `by` (1 when absent) to a counter. */
  readonly count: <N extends NameOf<'counter'>>(name: N, labels: LabelsOf<N>, by?: number) => void
  /** Notes one value; seconds where the name says so. */
  readonly observe: <N extends NameOf<'histogram'>>(name: N, labels: LabelsOf<N>, value: number) => void
}

/** Counts nothing. */
export const silentMeter: Meter = { count: () => {}, observe: () => {} }
