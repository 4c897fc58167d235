import type { Clock } from '../runtime/clock.ts'
import type { LagMeter } from '../runtime/event-loop-lag.ts'
import { createPromMeter, type GaugeReading, type PromMeter } from '../runtime/prom-meter.ts'
import type { Storage } from '../storage/port/storage.ts'
import { liveNodes } from './heartbeat.ts'
import type { Timekeeper } from './time/keeper.ts'

/** Exact counts of millions of rows are slow, so frequent scrapes get cached values. */
const READING_KEPT_MS = 15_000

/** The pipeline's meter and the metrics for Prometheus: its counters, and gauges read from storage. */
export function createMetrics(deps: {
  readonly storage: Pick<Storage, 'maintenance' | 'feeds'>
  readonly clock: Clock
  readonly keeper: Pick<Timekeeper, 'skewMs' | 'state' | 'isConfirmed'>
  readonly lag: LagMeter
  readonly version: string
}): PromMeter {
  let kept: { readonly at: number; readonly readings: Promise<readonly GaugeReading[]> } | null = null
  return createPromMeter(async () => {
    const nowMs = deps.clock.monotonicMs()
    if (kept === null || nowMs - kept.at >= READING_KEPT_MS) {
      const readings = readGauges(deps)
      kept = { at: nowMs, readings }
      readings.catch(() => {
        kept = null
      })
    }
    return kept.readings
  })
}

async function readGauges({
  storage,
  clock,
  keeper,
  lag,
  version,
}: Parameters<typeof createMetrics>[0]): Promise<GaugeReading[]> {
  const now = clock.now()
  const [depths, feeds, nodes, bytes, overdue] = await Promise.all([
    storage.maintenance.depths(now),
    storage.feeds.counts(),
    liveNodes(storage.maintenance, now),
    storage.maintenance.sizeBytes(),
    storage.feeds.overdue(now, 0),
  ])
  const one = (name: string, help: string, value: number): GaugeReading => ({
    name,
    help,
    values: [{ labels: {}, value }],
  })
  const oldestMs = depths.oldestDueAt === null ? 0 : Math.max(0, now.getTime() - depths.oldestDueAt.getTime())
  return [
    {
      name: 'queue_depth',
      help: 'Deliveries by state: pending, held by a paused hook, dead letters.',
      values: (['pending', 'held', 'dead'] as const).map((state) => ({
        labels: { state },
        value: depths[state],
      })),
    },
    one('dlq_size', 'Unresolved dead letters.', depths.dead),
    one(
      'oldest_due_age_seconds',
      'Age of the oldest sendable delivery: due, with a hook that is neither paused nor behind its breaker or rate limit; 0 without one.',
      oldestMs / 1_000,
    ),
    one('waiting_for_enrichment', 'Reviews queued for enrichment.', depths.waitingForEnrichment),
    one('waiting_for_fanout', 'Occurrences queued for fan-out.', depths.waitingForFanOut),
    one('breakers_open', 'Hooks with an open circuit breaker.', depths.breakersOpen),
    {
      name: 'feeds',
      help: 'Polled feeds by state: active, failing (stale), due now, on a fallback source, possibly frozen.',
      values: feeds.flatMap(({ store, kind, active, failing, due, fallback, frozen }) =>
        Object.entries({ active, failing, due, fallback, frozen }).map(([state, value]) => ({
          labels: { store, kind, state },
          value,
        })),
      ),
    },
    {
      name: 'quarantined_rows',
      help: 'Malformed rows of store pages in quarantine.',
      values: feeds
        .filter(({ kind }) => kind === 'reviews')
        .map(({ store, quarantined }) => ({ labels: { store }, value: quarantined })),
    },
    one('feeds_overdue', 'Feeds that were not polled within twice their interval.', overdue.count),
    one(
      'clock_skew_seconds',
      'Lead of the clock of this machine over the database, in seconds; the node claims nothing beyond 5 in either direction.',
      keeper.skewMs() / 1_000,
    ),
    one(
      'clock_jumps_total',
      'Clock jumps that stored instants were adjusted for, since the database was created.',
      keeper.state().steps,
    ),
    one(
      'clock_last_jump_seconds',
      'Size of the last clock jump, negative when it went back; 0 once the time is confirmed.',
      keeper.isConfirmed() ? 0 : (keeper.state().lastJump?.byMs ?? 0) / 1_000,
    ),
    one(
      'clock_unconfirmed',
      '1 while retention and expiry are paused after a clock jump, until the time is confirmed; else 0.',
      keeper.isConfirmed() ? 0 : 1,
    ),
    {
      name: 'event_loop_lag_seconds',
      help: 'Delay of the main thread since the last scrape: p50, p99 and max.',
      values: Object.entries(lag.read()).map(([quantile, value]) => ({ labels: { quantile }, value })),
    },
    one('nodes', 'Nodes that reported within the last 30 s.', nodes.length),
    one('storage_bytes', 'Size of the database.', bytes),
    { name: 'build_info', help: 'The running version.', values: [{ labels: { version }, value: 1 }] },
  ]
}
