/** The metrics of the pipeline. Names are stable, because dashboards use them; they also show the help texts. */
export const METRICS = {
  polls_total: {
    kind: 'counter',
    help: 'Feed polls by outcome.',
    labels: ['store', 'kind', 'outcome'],
  },
  reviews_new_total: {
    kind: 'counter',
    help: 'New reviews found in feeds.',
    labels: ['store'],
  },
  occurrences_total: {
    kind: 'counter',
    help: 'New reviews and rating drops, counted once for all hooks.',
    labels: ['store', 'event_type'],
  },
  poll_seconds: { kind: 'histogram', help: 'Duration of a poll.', labels: ['store', 'kind'] },
  store_blocks_total: {
    kind: 'counter',
    help: 'Responses by which a store blocked requests.',
    labels: ['store'],
  },
  malformed_rows_total: {
    kind: 'counter',
    help: 'Quarantined rows of store pages, new and changed.',
    labels: ['store'],
  },
  source_changes_total: {
    kind: 'counter',
    help: 'Responses in a changed format, after which a fallback source was used.',
    labels: ['store', 'source'],
  },
  enrichments_total: {
    kind: 'counter',
    help: 'Reviews processed by enrichment, by outcome (ok, or none without a result) and reason.',
    labels: ['engine', 'result', 'reason'],
  },
  enrichment_fallbacks_total: {
    kind: 'counter',
    help: 'Reviews labelled by the offline engine instead of the model, by reason.',
    labels: ['reason'],
  },
  events_total: { kind: 'counter', help: 'Events created by fan-out.', labels: [] },
  attempts_total: {
    kind: 'counter',
    help: 'Requests to targets, by outcome and reason.',
    labels: ['result', 'reason'],
  },
  attempt_seconds: { kind: 'histogram', help: 'Duration of a request to a target.', labels: ['result'] },
  due_to_sent_seconds: {
    kind: 'histogram',
    help: 'Delay from the due time of a delivery to its request.',
    labels: ['first'],
  },
  claim_batch_size: { kind: 'histogram', help: 'Number of deliveries in a claim.', labels: [] },
  connections_total: {
    kind: 'counter',
    help: 'Requests to targets, by reused or new connection.',
    labels: ['reused'],
  },
  duplicates_suspected_total: {
    kind: 'counter',
    help: 'Requests with an unknown outcome: the target may have received the event, and it may be sent again.',
    labels: ['reason'],
  },
  invariant_violations_total: {
    kind: 'counter',
    help: 'Rows that violate an invariant, counted at each check.',
    labels: ['invariant'],
  },
  account_limits_reached_total: {
    kind: 'counter',
    help: 'Requests rejected by an account limit.',
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
