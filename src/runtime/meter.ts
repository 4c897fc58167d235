/** The metrics of the pipeline. Names are stable, because dashboards use them; they also show the help texts. */
export const METRICS = {
  polls_total: {
    kind: 'counter',
    help: 'Polls of feeds, by outcome.',
    labels: ['store', 'kind', 'outcome'],
  },
  reviews_new_total: {
    kind: 'counter',
    help: 'Reviews seen for the first time in their feed.',
    labels: ['store'],
  },
  occurrences_total: {
    kind: 'counter',
    help: 'New reviews and rating drops, once for all hooks.',
    labels: ['store', 'event_type'],
  },
  poll_seconds: { kind: 'histogram', help: 'Time of one poll.', labels: ['store', 'kind'] },
  store_blocks_total: { kind: 'counter', help: 'Answers of a store that blocked us.', labels: ['store'] },
  malformed_rows_total: {
    kind: 'counter',
    help: 'Rows of store pages that went into quarantine, new ones and changed ones.',
    labels: ['store'],
  },
  source_changes_total: {
    kind: 'counter',
    help: 'Answers of a changed format from a source that a fallback replaced.',
    labels: ['store', 'source'],
  },
  enrichments_total: {
    kind: 'counter',
    help: 'Reviews given to enrichment: enriched (ok) or without result (none), with the reason.',
    labels: ['engine', 'result', 'reason'],
  },
  enrichment_fallbacks_total: {
    kind: 'counter',
    help: 'Reviews that the offline engine labelled instead of the model, with the reason.',
    labels: ['reason'],
  },
  events_total: { kind: 'counter', help: 'Events made by fan-out.', labels: [] },
  attempts_total: {
    kind: 'counter',
    help: 'Requests to targets: accepted or failed, with the reason.',
    labels: ['result', 'reason'],
  },
  attempt_seconds: { kind: 'histogram', help: 'Time of one request to a target.', labels: ['result'] },
  due_to_sent_seconds: {
    kind: 'histogram',
    help: 'From the due time of a delivery to its request.',
    labels: ['first'],
  },
  claim_batch_size: { kind: 'histogram', help: 'Deliveries of one claim.', labels: [] },
  connections_total: {
    kind: 'counter',
    help: 'Requests to targets, by whether a connection was reused.',
    labels: ['reused'],
  },
  duplicates_suspected_total: {
    kind: 'counter',
    help: 'Requests that may have reached their target, but whose event may be sent again.',
    labels: ['reason'],
  },
  invariant_violations_total: {
    kind: 'counter',
    help: 'Rows that violate an invariant, each time a check finds them.',
    labels: ['invariant'],
  },
  account_limits_reached_total: {
    kind: 'counter',
    help: 'Requests refused at a limit of their account.',
    labels: ['limit'],
  },
  dead_letters_total: { kind: 'counter', help: 'Deliveries that became dead letters.', labels: ['reason'] },
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
  /** Records one value, in seconds where the name says so. */
  readonly observe: <N extends NameOf<'histogram'>>(name: N, labels: LabelsOf<N>, value: number) => void
}
